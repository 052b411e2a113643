// `npm run bench:cpu`: the processor's throughput beside numpy and torch in turns of a few launches, so that whatever else
// the machine does falls on all of them alike; and what one call of one element costs, stage by stage.

import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/median.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { prepare, processorCases, sizeOn, throughput } from "./bandwidth.js";
import { hostCost } from "./host-cost.js";
import { describeMachine } from "./machine.js";
import { installedPeers, measurePeers } from "./peers.js";
import { formatRun, type PeerFigure, writeRun } from "./report.js";
import { ServedPeer } from "./served-peer.js";
import { progress, type Trial } from "./trial.js";

const turns = 7;
// The first launch of a turn warms up caches, threads and clocks again.
const launchesPerTurn = 4;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

type Launch = () => number | Promise<number>;

jl.setDevice("cpu");
const device = getDevice("cpu");
const before = loadavg();
const versions = await installedPeers(device);
const peers = ["numpy", "torch"].filter((name) => name in versions);
const figures: PeerFigure[] = await measurePeers(peers, ["host"], device);
const trials: Trial[] = await hostCost(device);
trials.push(...(await throughputs()));
const load = [before, loadavg()].map((values) => values[0]?.toFixed(2)).join(" before, ");
const machine = { ...describeMachine(device), load: `${load} after (processes, mean of a minute)` };
const measured = Object.fromEntries(peers.map((name) => [name, versions[name] ?? ""]));
const run = { subject: "cpu", machine, peers: measured, trials, figures } as const;
process.stdout.write(formatRun(run));
progress(`written to ${writeRun(run, results)}`);

async function throughputs(): Promise<Trial[]> {
  const launches = prepare(device);
  const others = peers.map((name) => new ServedPeer(name, sizeOn(device)));
  const found: Trial[] = [];
  let copy = Number.NaN;
  for (const { name, title } of processorCases) {
    progress(title);
    const launch = launches[name];
    if (!launch) continue;
    const clocks: Launch[] = [
      () => {
        const began = performance.now();
        launch();
        return performance.now() - began;
      },
      ...others.map((other) => () => other.launch(name)),
    ];
    const times = clocks.map((): number[] => []);
    for (let turn = 0; turn < turns; turn++) {
      for (const [i, clock] of clocks.entries()) {
        await clock();
        for (let k = 1; k < launchesPerTurn; k++) times[i]?.push(await clock());
      }
    }
    const rate = (i: number) => throughput(device, name, median(times[i] ?? []));
    const own = rate(0);
    if (name === "copy-kernel") copy = own;
    const detail: Record<string, number> = { "of the copy": own / copy };
    for (const [i, other] of others.entries()) {
      const value = rate(i + 1);
      if (Number.isNaN(value)) continue;
      figures.push({ peer: other.name, id: `bandwidth/${name}`, value });
      detail[`of ${other.name}`] = own / value;
    }
    found.push({ id: `bandwidth/${name}`, title, unit: "GB/s", ours: own, detail });
  }
  for (const other of others) other.end();
  releaseMemory();
  return found;
}
