// Random programs of tensors: what one is, how it is made from a seed, made smaller, and written as text.
import type { RandomSource } from "../random.js";
import { randomSource } from "../random.js";
import { drawLeaves, type Largest, type Leaf } from "./leaves.js";
import { drawStep, repeatedStep, type Step } from "./steps.js";

/** A random program: a function of the leaves that does the steps, and how it is called. */
export interface Program {
  readonly seed: number;
  readonly leaves: readonly Leaf[];
  readonly steps: readonly Step[];
  /** How often the function is called. */
  readonly calls: number;
  /** How the function gets the leaves; a method has them in a field of its object. */
  readonly given: "closure" | "arguments" | "list" | "method";
  /** True where later calls go on with tensors that earlier ones kept. */
  readonly hasState: boolean;
  /** True for an asynchronous function, which awaits in its `pause` steps. */
  readonly isAsync: boolean;
  /** True where every tensor is looked at after each call; else all are after the last. */
  readonly showsEach: boolean;
  /** The step before which the function throws, or is interrupted. */
  readonly end: { readonly how: "throw" | "interrupt"; readonly at: number } | undefined;
  /** Steps that run in a function of their own. */
  readonly inner:
    | { readonly how: "compile" | "eager"; readonly from: number; readonly to: number }
    | undefined;
  /** Steps behind the last call, of what the calls returned and kept: call by call, or in a compiled function. */
  readonly later: { readonly how: "separate" | "compile"; readonly steps: readonly Step[] } | undefined;
  /**
   * By how many places the leaves that are given to each call are turned, of a function that also holds all of them: an argument may
   * be a held tensor, the same one or another. Undefined for a function that holds none.
   */
  readonly turns: readonly number[] | undefined;
  /** What else is compared: calls that are replayed, that give the first leaf away, or that compare themselves. */
  readonly option: "replay" | "donate" | "verify" | undefined;
}

/** The program of a seed. */
export function programOf(seed: number, largest: Largest = "whole"): Program {
  const random = randomSource(seed);
  const { below, pick } = random;
  const drawnLeaves = drawLeaves(random, largest);
  const holds = below(6) === 0;
  // Turned, arguments are of one class.
  const leaves = holds ? drawnLeaves.map(() => drawnLeaves[0] as Leaf) : drawnLeaves;
  const isLarge = leaves.some(({ shape }) => shape.reduce((size, extent) => size * extent, 1) > 2 ** 20);
  const isPausing = below(6) === 0;
  const step = () => drawStep(random, isPausing);
  const steps = Array.from({ length: isLarge ? 1 + below(3) : 2 + below(10) }, step);
  const end =
    below(12) > 0
      ? undefined
      : { how: below(4) > 0 ? ("throw" as const) : ("interrupt" as const), at: below(steps.length) };
  const option =
    isLarge || end || below(holds ? 2 : 4) > 0 ? undefined : pick(["replay", "donate", "verify"] as const);
  const isInterrupted = end?.how === "interrupt";
  const chance = <T>(one: number, value: () => T): T | undefined => (below(one) === 0 ? value() : undefined);
  return {
    seed,
    leaves,
    steps,
    calls: isLarge || isInterrupted ? 1 : 2 + below(2),
    given: pick(["closure", "closure", "arguments", "list", "method"]),
    // A function that is replayed does the same in each call.
    hasState: option === undefined && below(3) === 0,
    isAsync: !isInterrupted && isPausing,
    showsEach: below(3) === 0,
    end,
    inner: isInterrupted ? undefined : chance(8, () => rangeOf(random, steps.length)),
    later:
      isLarge || isInterrupted
        ? undefined
        : chance(2, () => ({
            how: pick(["separate", "separate", "compile"] as const),
            steps: Array.from({ length: 2 + below(4) }, () =>
              below(3) === 0 ? drawStep(random, false) : repeatedStep(random),
            ),
          })),
    turns: holds ? turnsOf(random, leaves.length) : undefined,
    option,
  };
}

/** Turns of six calls, of which the first ones may be alike. */
function turnsOf({ below }: RandomSource, count: number): number[] {
  const [alike, first] = [below(2) * (3 + below(2)), below(2) * below(count)];
  return Array.from({ length: 6 }, (_, at) => (at < alike ? first : below(count)));
}

function rangeOf({ below, pick }: RandomSource, count: number) {
  const from = below(count);
  return { how: pick(["compile", "compile", "eager"] as const), from, to: from + 1 + below(count - from) };
}

/** A program that may be simpler, while `fails` is true of it. */
export async function shrunk(program: Program, fails: (less: Program) => Promise<boolean>): Promise<Program> {
  const plain = [
    { end: undefined },
    { inner: undefined },
    { turns: undefined },
    { later: undefined },
    { isAsync: false },
    { hasState: false },
    { showsEach: false },
    { given: "closure" as const },
    { calls: 1 },
  ];
  let least = program;
  for (let again = true; again; ) {
    again = false;
    const steps = least.steps;
    const shorter = steps.map((_, at) => ({
      steps: steps.filter((_step, i) => i !== steps.length - 1 - at),
    }));
    const dense = least.leaves.map((_, at) => ({
      leaves: least.leaves.map((leaf, i) => (i === at ? { ...leaf, layout: "dense" as const } : leaf)),
    }));
    const { later } = least;
    const fewer = (later?.steps ?? []).map((_, at) => ({
      later: { how: "separate" as const, steps: later?.steps.filter((_step, i) => i !== at) ?? [] },
    }));
    for (const change of [...shorter, ...plain, ...fewer, ...dense]) {
      const less = { ...least, ...change };
      if (JSON.stringify(less) === JSON.stringify(least) || !(await fails(less))) continue;
      least = less;
      again = true;
      break;
    }
  }
  return least;
}
