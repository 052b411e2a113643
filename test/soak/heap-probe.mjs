// Preloaded into every process of a kernel: on SIGUSR2 each collects its garbage, and what its heap then holds goes to a
// file of its number in the folder that HEAP_PROBE names.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const later = setImmediate;

if (isMainThread) process.on("SIGUSR2", report);

async function report() {
  // What hangs on finalizers goes in a later turn.
  for (let turn = 0; turn < 4; turn++) {
    collect();
    await new Promise((resolve) => later(resolve));
  }
  const file = join(process.env.HEAP_PROBE, String(process.pid));
  writeFileSync(`${file}.part`, String(process.memoryUsage().heapUsed));
  renameSync(`${file}.part`, file);
}
