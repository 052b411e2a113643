// `npm run bench:overhead`: what one call costs on the host, stage by stage (checks, iterator, allocation, lookup, arguments,
// FFI), with one element, beside the peers' calls; and what importing the library costs. JITLAB_DEVICE names the device.

import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/median.js";
import { getDevice } from "../runtime/launch/devices.js";
import { hostCost } from "./host-cost.js";
import { describeMachine } from "./machine.js";
import { installedPeers, measurePeers } from "./peers.js";
import { runProgram } from "./process.js";
import { formatRun, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const imports = 21;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const library = new URL("../runtime/index.js", import.meta.url).href;

const device = getDevice();
const peers = await installedPeers(device);
const figures = await measurePeers(Object.keys(peers), ["host"], device);
const trials: Trial[] = [await importTrial(), ...(await hostCost(device))];
const run = { subject: "overhead", machine: describeMachine(device), peers, trials, figures } as const;
process.stdout.write(formatRun(run));
progress(`written to ${writeRun(run, results)}`);

/** The import in fresh processes, in milliseconds of wall clock and of processor. */
async function importTrial(): Promise<Trial> {
  const title = 'import "jitlab", in a fresh process';
  progress(title);
  const code = `const cpu = process.cpuUsage(), began = process.hrtime.bigint();
await import(${JSON.stringify(library)});
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify([Number(process.hrtime.bigint() - began) / 1e6, (user + system) / 1e3]));`;
  const walls: number[] = [];
  const processors: number[] = [];
  for (let i = 0; i < imports; i++) {
    const { lines, failure } = await runProgram(process.execPath, ["--input-type=module", "-e", code]);
    if (failure !== "") return { id: "import", title, unit: "ms", failure };
    const [wall = Number.NaN, processor = Number.NaN] = JSON.parse(lines[0] ?? "[]") as number[];
    walls.push(wall);
    processors.push(processor);
  }
  return { id: "import", title, unit: "ms", ours: median(walls), detail: { processor: median(processors) } };
}
