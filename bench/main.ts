// `npm run bench`: measures the library, beside its peers if asked to, prints a table and writes the result.
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { bandwidth } from "./bandwidth.js";
import { compiledOverEager } from "./compiled-cost.js";
import { custom } from "./custom.js";
import { firstCall } from "./first-call.js";
import { functions } from "./functions.js";
import { earlyCalls, hostCost, importTime } from "./host-cost.js";
import { notebookKernels } from "./kernel.js";
import { linearAlgebra } from "./linalg.js";
import { wholeLoops } from "./loops.js";
import { installedPeers, Peer, type PeerName, peerDevices } from "./peer.js";
import { compiledPrograms } from "./programs.js";
import { formatRun, type Run, writeRun } from "./report.js";
import { wholeTasks } from "./tasks.js";
import { tensors } from "./tensors.js";
import { trainingSteps } from "./training.js";
import { type Bench, describeMachine, progress } from "./trial.js";

/** A bench: what it measures, in order, and the peers that it has. */
interface Entry {
  readonly title: string;
  readonly parts: readonly ((bench: Bench) => Promise<void>)[];
  readonly peers: readonly PeerName[];
  /** The record's name on a kind of device; undefined for NAME-KIND. */
  readonly subject?: (kind: string) => string;
}

const all = Object.keys(peerDevices) as PeerName[];
const benches: Readonly<Record<string, Entry>> = {
  device: {
    title: "the host's cost of a call, first calls, and throughput",
    parts: [hostCost, firstCall, bandwidth],
    peers: all,
    subject: (kind) => kind,
  },
  overhead: {
    title: "the host's cost of a call by stage, and of the import",
    parts: [importTime, earlyCalls, hostCost],
    peers: all,
    subject: () => "overhead",
  },
  functions: { title: "every operation of one or two operands", parts: [functions], peers: ["torch"] },
  tensors: {
    title: "indexing, scans, order, statistics, products",
    parts: [tensors],
    peers: ["torch", "numpy"],
  },
  linalg: {
    title: "factorizations, Fourier transforms, convolutions",
    parts: [linearAlgebra],
    peers: ["torch", "numpy"],
  },
  programs: {
    title: "compiled functions",
    parts: [compiledPrograms],
    peers: ["torch", "torch.compile", "jax"],
  },
  tasks: {
    title: "whole computations as a user writes them",
    parts: [wholeTasks, compiledOverEager],
    peers: ["torch", "torch.compile", "jax"],
  },
  training: {
    title: "steps of training",
    parts: [trainingSteps],
    peers: ["torch", "torch.compile", "jax"],
  },
  loops: {
    title: "loops, batches and derivatives",
    parts: [wholeLoops],
    peers: ["torch", "jax"],
  },
  custom: {
    title: "users' reductions, raw kernels and functors",
    parts: [custom],
    peers: ["torch", "cupy", "numpy"],
  },
};
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));

interface Options {
  readonly peers: boolean;
  readonly device?: string;
  readonly log2?: string;
  readonly turns?: string;
  readonly dtypes?: string;
  readonly out?: string;
}

const titles = Object.entries(benches).map(([name, { title }]) => `  ${name}: ${title}`);
const program = new Command("bench")
  .description("Measures jitlab beside the libraries that python3 has.")
  .argument("<bench>", "what to measure, or kernel: the notebook kernel's latencies")
  .argument("[names...]", "how trials begin; without one all of them")
  .option("--no-peers", "measure jitlab alone")
  .option("--device <name>", "cpu or cuda; default: the default device")
  .option("--log2 <n>", "log2 of the number of elements")
  .option("--turns <n>", "how often the libraries take turns")
  .option("--dtypes <names>", "floating dtypes of functions, with commas between them")
  .option("--out <folder>", "where to write the result; one of all trials goes to bench/results")
  .addHelpText("after", `\nBenches:\n${titles.join("\n")}`);

program.action(async (name: string, names: string[], options: Options) => {
  const folder = options.out ?? (names.length === 0 ? results : undefined);
  const run = name === "kernel" ? await kernelRun() : await deviceRun(name, names, options, folder);
  process.stdout.write(formatRun(run));
  if (folder !== undefined) progress(`written to ${writeRun(run, folder)}`);
});
await program.parseAsync();

async function kernelRun(): Promise<Run> {
  return { subject: "kernel", machine: describeMachine(), ...(await notebookKernels()) };
}

/** Measures part by part; each leaves what there is, so that a run that is cut short has a result. */
async function deviceRun(
  name: string,
  names: readonly string[],
  options: Options,
  folder: string | undefined,
): Promise<Run> {
  const entry = benches[name];
  if (entry === undefined) return program.error(`error: unknown bench ${name}; see --help`);
  if (options.device !== undefined) jl.setDevice(options.device);
  const device = getDevice();
  const { kind } = device.target;
  const versions = options.peers ? await installedPeers() : {};
  const peers = entry.peers
    .filter((peer) => peer in versions && (peerDevices[peer] as readonly string[]).includes(kind))
    .map((peer) => new Peer(peer, kind));
  const bench: Bench = {
    device,
    isGpu: kind === "cuda",
    options: {
      names,
      ...(options.log2 === undefined ? {} : { log2: Number(options.log2) }),
      ...(options.turns === undefined ? {} : { turns: Number(options.turns) }),
      ...(options.dtypes === undefined ? {} : { dtypes: options.dtypes.split(",") }),
    },
    peers,
    trials: [],
    figures: [],
  };
  const run: Run = {
    subject: entry.subject?.(kind) ?? `${name}-${kind}`,
    machine: describeMachine(device),
    peers: Object.fromEntries(peers.map((peer) => [peer.name, versions[peer.name] ?? ""])),
    trials: bench.trials,
    figures: bench.figures,
  };
  try {
    for (const part of entry.parts) {
      await part(bench);
      if (folder !== undefined) writeRun(run, folder);
    }
  } finally {
    for (const peer of peers) peer.end();
  }
  return run;
}
