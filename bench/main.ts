// `npm run bench`: measures the library, beside its peers if asked to, prints a table and writes the result.
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { bandwidth } from "./bandwidth.js";
import { firstCall } from "./first-call.js";
import { hostCost } from "./host-cost.js";
import { describeMachine } from "./machine.js";
import { installedPeers, measurePeers, type PeerSection } from "./peers.js";
import { compiledPrograms } from "./programs.js";
import { formatRun, type Run, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

interface Options {
  readonly peers?: boolean;
  readonly device?: string;
  readonly out?: string;
}

type Section = Exclude<PeerSection, "custom">;

const sections: Readonly<Record<Section, (device: Device) => Trial[] | Promise<Trial[]>>> = {
  host: hostCost,
  first: firstCall,
  bandwidth,
  programs: compiledPrograms,
};
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

const program = new Command("bench")
  .description("Measures jitlab: the cost of a call, first calls and throughput.")
  .argument("[sections...]", `what to measure: ${Object.keys(sections).join(", ")}; without one everything`)
  .option("--peers", "measure the libraries that python3 has beside it")
  .option("--device <name>", "cpu or cuda; default: the default device")
  .option("--out <folder>", "where to write the result; a whole run goes to bench/results");

program.action(async (wanted: string[], options: Options) => {
  const unknown = wanted.find((name) => !Object.hasOwn(sections, name));
  if (unknown !== undefined) program.error(`error: unknown section ${unknown}; see --help`);
  const chosen = wanted.length > 0 ? (wanted as Section[]) : (Object.keys(sections) as Section[]);
  if (options.device !== undefined) jl.setDevice(options.device);
  const device = getDevice(options.device);
  const folder = options.out ?? (wanted.length === 0 ? results : undefined);
  const run = await measure(device, chosen, options.peers ?? false, (partial) => {
    if (folder !== undefined) writeRun(partial, folder);
  });
  process.stdout.write(formatRun(run));
});
await program.parseAsync();

/** Measures section by section; `note` is given what there is after each, so that a run that is cut short leaves a result. */
async function measure(
  device: Device,
  chosen: readonly Section[],
  withPeers: boolean,
  note: (run: Run) => void,
): Promise<Run> {
  const subject = device.target.kind;
  let run: Run = { subject, machine: describeMachine(device), peers: {}, trials: [], figures: [] };
  for (const section of chosen) {
    progress(`${section} on ${device.name}`);
    run = { ...run, trials: [...run.trials, ...(await sections[section](device))] };
    note(run);
  }
  if (!withPeers) return run;
  run = { ...run, peers: await installedPeers(device) };
  for (const peer of Object.keys(run.peers)) {
    run = { ...run, figures: [...run.figures, ...(await measurePeers([peer], chosen, device))] };
    note(run);
  }
  return run;
}
