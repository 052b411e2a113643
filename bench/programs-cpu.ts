// `npm run bench:programs [-- NAMES]`: programs on the processor, compiled and op by op, beside torch and torch.compile in turns.
// The figures are processor time of all threads, user's and system's, the least of all launches: it says the same on a busy
// machine.
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { describeMachine } from "./machine.js";
import { installedPeers } from "./peers.js";
import { dispose, type Program, programs, type Result } from "./programs.js";
import { formatRun, type PeerFigure, type Run, writeRun } from "./report.js";
import { ServedPeer } from "./served-peer.js";
import { progress, type Trial } from "./trial.js";

const log2 = 22;
const turns = 7;
// The first launch of a turn warms up caches, threads and clocks again.
const launchesPerTurn = 4;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

type Clock = () => number | Promise<number>;

jl.setDevice("cpu");
const device = getDevice("cpu");
const versions = await installedPeers(device);
const others = ["torch", "torch.compile"]
  .filter((name) => name in versions)
  .map((name) => new ServedPeer(name, log2, "serve-programs"));
const figures: PeerFigure[] = [];
const trials: Trial[] = [];
const peers = Object.fromEntries(others.map(({ name }) => [name, versions[name] ?? ""]));
const chosen = process.argv.slice(2);
// torch.compile takes minutes of a processor to compile 30 steps of Mandelbrot.
const isChosen = ({ name }: Program) => (chosen.length > 0 ? chosen.includes(name) : name !== "mandelbrot");
for (const program of programs.filter(isChosen)) {
  trials.push(await measured(program));
  writeRun(runSoFar(), results);
}
for (const other of others) other.end();
process.stdout.write(formatRun(runSoFar()));
progress(`written to ${writeRun(runSoFar(), results)}`);

function runSoFar(): Run {
  const load = `${loadavg()[0]?.toFixed(2)} (processes, mean of a minute)`;
  const machine = { ...describeMachine(device), load, clock: "processor time of all threads" };
  return { subject: "programs-cpu", machine, peers, trials, figures };
}

async function measured({ name, title, body, args }: Program): Promise<Trial> {
  progress(title);
  const given = args(2 ** log2);
  const compiled = jl.compile(body as (...values: unknown[]) => Result);
  const timed = (call: (...values: unknown[]) => Result) => () => {
    const before = process.cpuUsage();
    dispose(call(...given));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3;
  };
  const own = [timed(compiled), timed(body as (...values: unknown[]) => Result)];
  const clocks: Clock[] = [...own, ...others.map((other) => () => other.launch(name))];
  const best = clocks.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, clock] of clocks.entries()) {
      await clock();
      for (let k = 1; k < launchesPerTurn; k++) best[i] = Math.min(best[i] as number, await clock());
    }
  }
  for (const one of given.flat()) one.dispose();
  releaseMemory();
  const id = `programs/${name}`;
  const [ours, apart, ...theirs] = best as [number, number, ...number[]];
  const detail: Record<string, number> = { "op by op": 1e3 * apart, "of op by op": ours / apart };
  theirs.forEach((value, i) => {
    const { name: peer } = others[i] as ServedPeer;
    figures.push({ peer, id, value: 1e3 * value });
    detail[`of ${peer}`] = ours / value;
  });
  return { id, title, unit: "us", ours: 1e3 * ours, detail };
}
