// The peers: other libraries on the same machine in the same run, measured by peers.py, which prints a line of JSON per
// figure. First calls run in separate processes, once with empty caches and once from the peer's disk cache.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "../runtime/base/median.js";
import type { Device } from "../runtime/device/device.js";
import type { DeviceKind } from "../runtime/device/kinds.js";
import { sizeOn, throughput } from "./bandwidth.js";
import { firstCalls } from "./first-call.js";
import { type Finished, runProgram } from "./process.js";
import type { PeerFigure } from "./report.js";
import { progress } from "./trial.js";

/** The sections of the benchmark that peers take part in. */
export type PeerSection = "host" | "first" | "bandwidth" | "programs" | "custom";

// The number of first calls, cold and from disk, as for ours.
const runsPerCall = 3;
const script = fileURLToPath(new URL("../../bench/peers.py", import.meta.url));

interface PeerRecord {
  readonly name: string;
  readonly devices: readonly DeviceKind[];
  readonly sections: readonly PeerSection[];
  /** The first calls to measure, if its caches can be configured. */
  readonly first: readonly string[];
}

const allFirst = firstCalls.map((call) => call.name);

const records: readonly PeerRecord[] = [
  { name: "numpy", devices: ["cpu"], sections: ["host", "bandwidth", "custom"], first: [] },
  {
    name: "torch",
    devices: ["cuda", "cpu"],
    sections: ["host", "bandwidth", "first", "programs", "custom"],
    first: allFirst,
  },
  {
    name: "cupy",
    devices: ["cuda"],
    sections: ["host", "bandwidth", "first", "custom"],
    first: ["gcd", "functor", "digamma"],
  },
  {
    name: "jax",
    devices: ["cuda", "cpu"],
    sections: ["host", "bandwidth", "first", "programs"],
    first: ["gcd", "digamma"],
  },
  { name: "torch.compile", devices: ["cuda", "cpu"], sections: ["host", "bandwidth", "programs"], first: [] },
];

/** Names and versions of the peers that python3 has for a device. */
export async function installedPeers(device: Device): Promise<Record<string, string>> {
  const listed = await runProgram("python3", [script, "list"]);
  if (listed.failure !== "") {
    progress(`python3 cannot list peers: ${listed.failure}`);
    return {};
  }
  const versions = JSON.parse(listed.lines.at(-1) ?? "{}") as Record<string, string>;
  const suitable = records.filter(({ devices }) => devices.includes(device.target.kind));
  return Object.fromEntries(
    suitable.flatMap(({ name }) => (versions[name] === undefined ? [] : [[name, versions[name]]])),
  );
}

/** The figures of the named peers for some sections. */
export async function measurePeers(
  names: readonly string[],
  sections: readonly PeerSection[],
  device: Device,
): Promise<PeerFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-peers-"));
  const figures: PeerFigure[] = [];
  try {
    for (const peer of records.filter(({ name }) => names.includes(name))) {
      const modes = peer.sections.filter((section) => section !== "first" && sections.includes(section));
      if (modes.length > 0) {
        progress(`${peer.name}: ${modes.join(" and ")}`);
        const run = await runPeer(peer.name, modes.join(","), device, join(folder, peer.name));
        figures.push(...figuresOf(peer.name, run, device));
      }
      if (device.target.kind === "cuda" && peer.sections.includes("first") && sections.includes("first")) {
        figures.push(...(await firstFigures(peer, device, folder)));
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

async function firstFigures(peer: PeerRecord, device: Device, folder: string): Promise<PeerFigure[]> {
  const figures: PeerFigure[] = [];
  for (const name of peer.first) {
    const id = `first/${name}`;
    const fresh = Array.from({ length: runsPerCall }, (_, i) => join(folder, `${peer.name}-${name}-${i}`));
    progress(`${peer.name}: first call of ${name}, nothing cached`);
    const cold = await runs(peer, `first-${name}`, device, fresh);
    progress(`${peer.name}: first call of ${name}, second process`);
    const warm = await runs(peer, `first-${name}`, device, fresh);
    figures.push(...typical(cold, peer, device, `${id}-cold`), ...typical(warm, peer, device, `${id}-disk`));
    const starts = warm.filter(({ failure }) => failure === "").map((run) => run.firstLineSeconds);
    if (name === "gcd" && starts.length > 0) {
      figures.push({ peer: peer.name, id: "first/start", value: median(starts) });
    }
  }
  if (peer.name === "jax") return figures; // its memory is one pool, allocated at the start
  progress(`${peer.name}: device memory`);
  const cache = join(folder, `${peer.name}-${peer.first[0]}-0`);
  return [...figures, ...figuresOf(peer.name, await runPeer(peer.name, "memory", device, cache), device)];
}

/** One process after the other, each with its own cache folder. */
async function runs(
  peer: PeerRecord,
  mode: string,
  device: Device,
  caches: readonly string[],
): Promise<Finished[]> {
  const finished: Finished[] = [];
  for (const cache of caches) finished.push(await runPeer(peer.name, mode, device, cache));
  return finished;
}

/** The median over some processes, or the failures if none succeeded. */
function typical(
  finished: readonly Finished[],
  peer: PeerRecord,
  device: Device,
  id: string,
): readonly PeerFigure[] {
  const figures = finished.flatMap((run) => figuresOf(peer.name, run, device));
  const values = figures.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (values.length > 0) return [{ peer: peer.name, id, value: median(values) }];
  return figures.slice(0, 1).map((figure) => ({ ...figure, id }));
}

function runPeer(peer: string, modes: string, device: Device, cache: string): Promise<Finished> {
  mkdirSync(cache, { recursive: true });
  return runProgram("python3", [script, peer, modes, device.target.kind, String(sizeOn(device))], {
    PYTORCH_KERNEL_CACHE_PATH: cache,
    CUPY_CACHE_DIR: cache,
    CUDA_CACHE_PATH: cache,
    TORCHINDUCTOR_CACHE_DIR: cache,
    TRITON_CACHE_DIR: cache,
    JAX_COMPILATION_CACHE_DIR: cache,
    XLA_PYTHON_CLIENT_PREALLOCATE: "false",
  });
}

function figuresOf(peer: string, run: Finished, device: Device): PeerFigure[] {
  const figures = run.lines
    .filter((line) => line.startsWith("{"))
    .map((line): PeerFigure => {
      const { id, value, failure } = JSON.parse(line) as { id: string; value?: number; failure?: string };
      if (value === undefined) return { peer, id, failure: failure ?? "no value" };
      const [section, name = ""] = id.split("/");
      return { peer, id, value: section === "bandwidth" ? throughput(device, name, value) : value };
    });
  return run.failure === "" ? figures : [...figures, { peer, id: "process", failure: run.failure }];
}
