// Loaded into a kernel's parent process, and by inheritance into its language worker: on SIGUSR2 each collects its
// garbage, and what their heaps then hold goes to the file that HEAP_PROBE names.
import { renameSync, writeFileSync } from "node:fs";
import { BroadcastChannel, isMainThread } from "node:worker_threads";

// What hangs on finalizers goes in a later turn.
const held = async () => {
  for (let turn = 0; turn < 4; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
};
const channel = new BroadcastChannel("heap-probe");
channel.onmessage = async ({ data }) => {
  if (data === "measure") channel.postMessage({ worker: await held() });
  else if (isMainThread) report({ ...data, main: await held() });
};
channel.unref();
if (isMainThread) process.on("SIGUSR2", () => channel.postMessage("measure"));

function report(heaps) {
  writeFileSync(`${process.env.HEAP_PROBE}.part`, JSON.stringify(heaps));
  renameSync(`${process.env.HEAP_PROBE}.part`, process.env.HEAP_PROBE);
}
