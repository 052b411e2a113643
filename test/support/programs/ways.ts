// The ways to run a random program, and what each shows: they must agree in every bit.

import * as jl from "../../../dist/runtime/index.js";
import { getDevice } from "../../../dist/runtime/launch/devices.js";
import { sendTo } from "../../../dist/runtime/launch/sink.js";
import { Collector } from "../../../dist/runtime/program/schedule/collect.js";
import { device } from "../device.js";
import { ended } from "../ended.js";
import { bitsOf } from "../shown.js";
import { GuardedMemory } from "./guarded-memory.js";
import { tensorOf } from "./leaves.js";
import type { Program } from "./program.js";
import { drained, Run, Thrown } from "./run.js";

/** A way to run a program. */
export type Way =
  | "eager"
  | "steps"
  | "fused"
  | "eager replay"
  | "replay"
  | "eager donate"
  | "donate"
  | "verify";

// Memory of earlier programs is freed before it is more than this: each time takes longer than a program.
const mostUncollected = 2 ** 26;
const mostBlocks = 2000;

let memory: GuardedMemory | undefined;

/** Poisons fresh memory, another byte for each way, so that what nobody wrote differs. */
function poisoned(way: Way): GuardedMemory {
  memory ??= new GuardedMemory(getDevice(device));
  memory.poison = { eager: 0xa5, steps: 0x5b, fused: 0x37 }[way.split(" ")[0] ?? ""] ?? 0x6d;
  return memory;
}

async function awaited<T>(body: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = body.next();
    if (done) return value as T;
    await undefined;
  }
}

/** A tensor's dtype, shape, strides and bits, all NaN alike. */
function show(tensor: jl.Tensor): string {
  try {
    return `${tensor.dtype.name}[${tensor.shape}]/[${tensor.strides}] ${bitsOf(tensor)}`;
  } catch (error) {
    if (!(error instanceof jl.JitlabError)) throw error;
    return error.code;
  }
}

function backendOf(way: Way): "eager" | "steps" | "fused" {
  return way.startsWith("eager") ? "eager" : way === "steps" ? "steps" : "fused";
}

type Calls = (leaves: readonly jl.Tensor[], shift: number) => jl.Tensor[] | Promise<jl.Tensor[]>;

/** An object whose method is the function, with its tensors in a field. */
class Holder {
  leaves: readonly jl.Tensor[] = [];

  constructor(readonly step: (shift: number) => jl.Tensor[] | Promise<jl.Tensor[]>) {}
}

/** The function of a program, compiled in a way; `deferred` false runs it without a pause, whatever it is. */
function compiled(run: Run, way: Way, pauses: boolean): Calls {
  const { given, isAsync, option } = run.program;
  const drive = (leaves: readonly jl.Tensor[], shift: number) => {
    const body = run.body(leaves, shift);
    return isAsync && pauses ? awaited(body) : drained(body);
  };
  const options = {
    backend: backendOf(way),
    replay: way === "replay",
    donate: way === "donate" ? [1] : [],
    verify: way === "verify",
  } as const;
  if (option === "replay" && way.endsWith("replay")) {
    const step = jl.compile((leaves: readonly jl.Tensor[]) => drive(leaves, 0), options);
    return (leaves) => step(leaves);
  }
  if (way.endsWith("donate") || given === "arguments") {
    const step = jl.compile((shift: number, ...leaves: jl.Tensor[]) => drive(leaves, shift), options);
    return (leaves, shift) => step(shift, ...leaves);
  }
  if (given === "method") {
    const step = jl.compile(function (this: Holder, shift: number) {
      return drive(this.leaves, shift);
    }, options);
    const holder = new Holder(step as Holder["step"]);
    return (leaves, shift) => {
      holder.leaves = leaves;
      return holder.step(shift);
    };
  }
  if (given === "list")
    return jl.compile((leaves: readonly jl.Tensor[], shift: number) => drive(leaves, shift), options);
  let held: readonly jl.Tensor[] = [];
  const step = jl.compile((shift: number) => drive(held, shift), options);
  return (leaves, shift) => {
    held = leaves;
    return step(shift);
  };
}

/** Calls the function of a program in one of the ways: what it returned, kept and left in its tensors, notes and errors. */
async function outcomeOf(program: Program, way: Way, patienceMs = 30): Promise<string[]> {
  const own = poisoned(way);
  const isRepeated = way.endsWith("replay");
  const isGiven = way.endsWith("donate");
  const makeLeaves = () => program.leaves.map(tensorOf);
  let leaves = makeLeaves();
  const { turns } = program;
  const run = new Run(program, turns ? leaves : []);
  const call = compiled(run, way, true);
  const shown: string[] = [];
  const results: jl.Tensor[] = [];
  jl.manualSeed(program.seed);
  for (let at = 0; at < (isRepeated ? 6 : program.calls); at++) {
    if (isGiven && at > 0) leaves = makeLeaves();
    run.isSpinning = false;
    const turn = turns?.[at] ?? 0;
    const given = leaves.map((_, i) => leaves[(i + turn) % leaves.length] as jl.Tensor);
    const made = await outcomeOfCall(run, () => call(given, at), patienceMs, shown);
    // It was ended elsewhere: by a busy machine, or in a compile.
    if (program.end?.how === "interrupt" && !run.isSpinning) return outcomeOf(program, way, 2 * patienceMs);
    results.push(...made);
    if (isRepeated || isGiven || program.showsEach) shown.push(...made.map(show));
    if (isGiven) shown.push(...leaves.slice(1).map(show));
    else {
      // What is written between has no effect on what the call made.
      for (const tensor of leaves) run.attempt(() => void tensor.neg_());
    }
  }
  if (isGiven) return [...shown, ...run.notes];
  if (!isRepeated) run.later(results, leaves, backendOf(way));
  const all = isRepeated ? leaves : [...leaves, ...results, ...run.kept];
  // A replayed call does not run the function, so it notes nothing.
  shown.push(...(isRepeated ? [] : run.notes), ...all.map(show));
  own.device.synchronize();
  own.check();
  return shown;
}

async function outcomeOfCall(
  run: Run,
  call: () => jl.Tensor[] | Promise<jl.Tensor[]>,
  patienceMs: number,
  shown: string[],
): Promise<jl.Tensor[]> {
  try {
    if (run.program.end?.how !== "interrupt") return await call();
    // An endless step, which is ended from outside: what the function returns is lost.
    ended(() => void call(), patienceMs);
    return [];
  } catch (error) {
    if (error instanceof Thrown) shown.push("thrown");
    else if (error instanceof jl.JitlabError) shown.push(error.code);
    else throw error;
    return [];
  }
}

/** What a way shows as one text; an error that no program may throw is its text. */
async function shownBy(program: Program, way: Way): Promise<string> {
  try {
    return (await outcomeOf(program, way)).join("\n");
  } catch (error) {
    return error instanceof Error ? `${error.stack}` : String(error);
  }
}

/** The ways of a program: the first one of each list says what the others must show. */
function waysOf({ option }: Program): readonly (readonly [Way, ...Way[]])[] {
  const all: (readonly [Way, ...Way[]])[] = [["eager", "steps", "fused"]];
  if (option) all.push(option === "verify" ? ["eager", option] : [`eager ${option}`, option]);
  return all;
}

/** The first way in which a program does not show what it should: both texts; undefined where all agree. */
export async function difference(
  program: Program,
): Promise<{ readonly way: Way; readonly want: string; readonly got: string } | undefined> {
  try {
    for (const [first, ...others] of waysOf(program)) {
      const want = await shownBy(program, first);
      for (const way of others) {
        const got = await shownBy(program, way);
        // A result that needs an argument's memory cannot be made where that argument is given away.
        if (way === "donate" && got.includes("donated-tensor")) continue;
        // A function that is not pure is no case for replay.
        if (way === "replay" && got.includes("replay-diverged")) continue;
        if (got !== want) return { way, want, got };
      }
    }
    return undefined;
  } finally {
    if (memory && (memory.liveBytes > mostUncollected || memory.blocks > mostBlocks)) memory.collect();
  }
}

/** A program as lines of code: the calls of its first run. */
export async function listing(program: Program): Promise<string> {
  const { leaves, steps: _steps, ...rest } = program;
  const tensors = leaves.map(tensorOf);
  const run = new Run({ ...program, end: undefined }, program.turns ? tensors : [], true);
  const lines = leaves.map((leaf, i) => `t${i} = ${JSON.stringify(leaf)}`);
  try {
    const made = drained(run.body(tensors, 0));
    if (program.later) run.lines.push("later:");
    run.later(made, tensors, "eager");
  } catch (error) {
    lines.push(String(error));
  }
  return [JSON.stringify(rest), ...lines, ...run.lines].join("\n");
}

/** Calls a program's function once for a sink that launches nothing: elements have no values, so it may take another course. */
export function callOnce(program: Program, way: Way): void {
  if (program.end?.how === "interrupt") return;
  try {
    const leaves = program.leaves.map(tensorOf);
    const run = new Run(program, program.turns ? leaves : []);
    const made = compiled(run, way, false)(leaves, 0);
    if (!Array.isArray(made)) return;
    run.later(made, leaves, backendOf(way));
    for (const tensor of [...made, ...run.kept]) run.attempt(() => void show(tensor));
  } catch {
    // What it needs after an error is compiled when it runs.
  }
}

/** Compiles the kernels of programs in every way to run them. */
export function compileAll(programs: readonly Program[]): void {
  const collector = new Collector();
  sendTo(collector);
  try {
    for (const program of programs)
      for (const way of ["eager", "steps", "fused"] as const) callOnce(program, way);
  } finally {
    sendTo(undefined);
  }
  collector.compile((error) => {
    throw error;
  });
}
