// `npm run bench:precompile`: 64 kernels compiled by one core and by all of them, for the processor and, where NVRTC is
// found, for a GPU that need not be there.
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { probeNvrtc } from "../runtime/device/cuda/nvrtc.js";
import * as jl from "../runtime/index.js";
import { describeMachine } from "./machine.js";
import { formatRun, writeRun } from "./report.js";
import { progress, type Trial } from "./trial.js";

const names = [
  ..."add sub mul div maximum minimum hypot atan2 pow gcd sqrt exp expm1 log log1p sin cos tan tanh asinh".split(
    " ",
  ),
  ..."floor erf erfc erfcx lgamma digamma trigamma i0 i0e i1 ndtri zeta".split(" "),
];
const dtypes = ["float32", "float64"] as const;

const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const program = new Command("bench:precompile")
  .description("Measures jl.precompile on one core and on all.")
  .option("--out <folder>", "where to write the result", results);

program.action(({ out }: { out: string }) => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  process.env.JITLAB_CACHE_DIR = folder;
  try {
    const trials = [...measure("cpu"), ...(probeNvrtc().path === "" ? [] : measure("cuda", "sm_90"))];
    const run = {
      subject: "precompile" as const,
      machine: describeMachine(),
      peers: {},
      trials,
      figures: [],
    };
    process.stdout.write(formatRun(run));
    writeRun(run, out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
await program.parseAsync();

function measure(device: string, arch?: string): Trial[] {
  const entries = names.flatMap((name) =>
    dtypes.map((dtype): jl.PrecompileEntry => {
      const integral = name === "gcd";
      return [functionOf(name), integral ? (dtype === "float32" ? "int32" : "int64") : dtype];
    }),
  );
  const place = { device, ...(arch === undefined ? {} : { arch }) };
  const seconds = (threads: number): number => {
    progress(`${device}: ${entries.length} kernels, ${threads} threads`);
    jl.cache.clear();
    return jl.precompile(entries, { ...place, threads }).ms / 1000;
  };
  const cores = availableParallelism();
  // What a process pays once, such as reading the compiler from disk, belongs to neither figure.
  progress(`${device}: warming up`);
  jl.precompile(
    [
      [jl.hypot, "float32"],
      [jl.fmod, "float32"],
    ],
    { ...place, threads: cores },
  );
  const all = seconds(cores);
  const one = seconds(1);
  const title = `${device}, ${entries.length} kernels`;
  return [
    { id: `precompile/${device}-1`, title: `${title}, one core`, unit: "s", ours: one },
    { id: `precompile/${device}-all`, title: `${title}, ${cores} cores`, unit: "s", ours: all },
    { id: `precompile/${device}-gain`, title: "  gain", unit: "x", ours: one / all },
  ];
}

function functionOf(name: string): unknown {
  const fn = (jl as unknown as Record<string, unknown>)[name];
  if (fn === undefined) throw new Error(`There is no op ${name}.`);
  return fn;
}
