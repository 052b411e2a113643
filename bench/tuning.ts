// `npm run bench:tuning`: programs and single operations without choices and tuned, in turns, the least of all; and whether all
// results have the same bits. JITLAB_DEVICE names the device. The choices lie in a cache of their own.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { JitlabError } from "../runtime/base/errors.js";
import { withStore } from "../runtime/cache/current-store.js";
import { releaseMemory } from "../runtime/device/memory.js";
import * as jl from "../runtime/index.js";
import { getDevice } from "../runtime/launch/devices.js";
import { forgetAll } from "../runtime/launch/kernel-tables.js";
import { describeMachine } from "./machine.js";
import { dispose, programSizeOn, programs, type Result } from "./programs.js";
import { formatRun, type Run, writeRun } from "./report.js";
import { deviceMilliseconds, progress, type Trial } from "./trial.js";

type T = jl.Tensor;

interface Case {
  readonly id: string;
  readonly title: string;
  readonly make: () => () => Result;
}

const turns = 3;
const results = fileURLToPath(new URL("../../bench/results", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "jitlab-tuning-"));
process.env.JITLAB_CACHE_DIR = folder;
const device = getDevice();
const isGpu = device.target.kind === "cuda";
const n = 2 ** (isGpu ? 28 : 22);
const edge = 2 ** (Math.log2(n) / 2);

const ofOne = "neg sqrt sin cos tan exp log tanh erf gelu sigmoid lgamma digamma".split(" ");
const ofTwo = "add div pow atan2 fmod".split(" ");
const functions = jl as unknown as Readonly<Record<string, (...operands: readonly T[]) => T>>;
const call = (name: string, ...operands: readonly T[]) =>
  (functions[name] as (...all: readonly T[]) => T)(...operands);

/** Single operations: contiguous, of half numbers, of a row, and of a transposed matrix. */
const operations: readonly Case[] = [
  ...[...ofOne.map((name) => [name, 1] as const), ...ofTwo.map((name) => [name, 2] as const)].map(
    ([name, count]) => ({
      id: `operation/${name}`,
      title: `${name}, float32`,
      make: () => {
        const operands = Array.from({ length: count }, () => jl.rand([n]).add(0.5));
        return () => call(name, ...operands);
      },
    }),
  ),
  {
    id: "operation/half",
    title: "mul, float16",
    make: () => {
      const x = jl.rand([n]).to("float16");
      return () => x.mul(3);
    },
  },
  {
    id: "operation/row",
    title: "sub of a row that repeats, float32",
    make: () => {
      const [x, row] = [jl.rand([edge, edge]), jl.rand([edge])];
      return () => x.sub(row);
    },
  },
  {
    id: "operation/transposed",
    title: "add of a transposed matrix, float32",
    make: () => {
      const x = jl.rand([edge, edge]);
      return () => x.add(x.T);
    },
  },
];

/** Programs of several kernels over 1024 elements, which take as long as their launches. */
const queued: readonly Case[] = [2, 5, 10, 40].map((kernels) => ({
  id: `queued/${kernels}`,
  title: `${kernels} kernels of a program, 1024 elements`,
  make: () => {
    const x = jl.rand([1024]);
    const steps = Array.from({ length: kernels }, (_, i) => 1 + i / 64);
    const body = () => steps.reduce((value, step, i) => (i % 2 === 0 ? value.mul(step) : value.add(step)), x);
    return jl.compile(body, { backend: "steps" });
  },
}));

const cases: readonly Case[] = [
  ...programs.map(({ name, title, body, args }) => ({
    id: `program/${name}`,
    title,
    make: () => {
      const given = args(2 ** programSizeOn(device));
      const compiled = jl.compile(body as (...values: unknown[]) => Result);
      return () => compiled(...given);
    },
  })),
  ...(isGpu ? queued : []),
  ...operations,
];

const trials: Trial[] = [];
for (const one of cases) {
  trials.push(measured(one));
  releaseMemory();
  // Written after each: a run that ends early keeps what it measured.
  writeRun(run(), results);
}
rmSync(folder, { recursive: true });
process.stdout.write(formatRun(run()));

function run(): Run {
  return {
    subject: `tuning-${device.target.kind}`,
    machine: describeMachine(device),
    peers: {},
    trials,
    figures: [],
  };
}

function measured({ id, title, make }: Case): Trial {
  progress(title);
  const trial = { id, title, unit: "ms" };
  try {
    const forms = tuned(seeded(make));
    const choices = jl.tuning.list();
    const bits = new Set<string>();
    const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let turn = 0; turn < turns; turn++) {
      [[], choices].forEach((used, i) => {
        use(used);
        // Compiled anew, because a program asks for its choice once.
        const again = seeded(make);
        if (turn === 0) bits.add(bitsOf(again));
        best[i] = Math.min(
          best[i] as number,
          deviceMilliseconds(device, () => dispose(again())),
        );
      });
    }
    use([]);
    if (bits.size > 1) return { ...trial, failure: "the bits differ" };
    const [untuned, ours] = best as [number, number];
    const made = forms.filter(({ isDefault }) => isDefault).length;
    const changed = forms.filter(({ isChosen, isDefault }) => isChosen && !isDefault).length;
    return { ...trial, ours, detail: { untuned, ratio: untuned / ours, choices: made, changed } };
  } catch (error) {
    return { ...trial, failure: error instanceof Error ? error.message : String(error) };
  }
}

function seeded(make: Case["make"]): () => Result {
  jl.manualSeed(1);
  return make();
}

/** The forms of the kernels that a call launches; none where nothing may be chosen. */
function tuned(again: () => Result): readonly jl.TunedForm[] {
  try {
    return jl.tune(() => dispose(again()));
  } catch (error) {
    if (error instanceof JitlabError && error.code === "nothing-to-tune") return [];
    throw error;
  }
}

function tensorsOf(result: Result): readonly T[] {
  return result instanceof jl.Tensor ? [result] : result.flatMap(tensorsOf);
}

/** Loads kernels anew with these choices only. */
function use(choices: readonly jl.StoredChoice[]): void {
  jl.tuning.clear();
  for (const choice of choices) withStore((store) => store.tuning.put(choice), undefined);
  forgetAll();
}

function bitsOf(again: () => Result): string {
  const hash = createHash("sha256");
  const result = again();
  for (const x of tensorsOf(result)) {
    const elements = x.contiguous().data() as Float32Array;
    hash.update(new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength));
  }
  dispose(result);
  return hash.digest("hex");
}
