// Random programs of tensors: what one is, how it is made from a seed, made smaller, and written as text.
import type { RandomSource } from "../random.js";
import { randomSource } from "../random.js";
import { drawLeaves, type Largest, type Leaf } from "./leaves.js";
import { drawStep, type Step } from "./steps.js";

/** A random program: a function of the leaves that does the steps, and how it is called. */
export interface Program {
  readonly seed: number;
  readonly leaves: readonly Leaf[];
  readonly steps: readonly Step[];
  /** How often the function is called. */
  readonly calls: number;
  /** How the function gets the leaves. */
  readonly given: "closure" | "arguments" | "list";
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
  /** What else is compared: calls that are replayed, that give the first leaf away, or that compare themselves. */
  readonly option: "replay" | "donate" | "verify" | undefined;
}

/** The program of a seed. */
export function programOf(seed: number, largest: Largest = "whole"): Program {
  const random = randomSource(seed);
  const { below, pick } = random;
  const leaves = drawLeaves(random, largest);
  const isLarge = leaves.some(({ shape }) => shape.reduce((size, extent) => size * extent, 1) > 2 ** 20);
  const steps = Array.from({ length: isLarge ? 1 + below(3) : 2 + below(10) }, () => drawStep(random));
  const end =
    below(12) > 0
      ? undefined
      : { how: below(4) > 0 ? ("throw" as const) : ("interrupt" as const), at: below(steps.length) };
  const option = isLarge || end || below(4) > 0 ? undefined : pick(["replay", "donate", "verify"] as const);
  const chance = <T>(one: number, value: () => T): T | undefined => (below(one) === 0 ? value() : undefined);
  return {
    seed,
    leaves,
    steps,
    calls: isLarge || end?.how === "interrupt" ? 1 : 2 + below(2),
    given: pick(["closure", "closure", "arguments", "list"]),
    // A function that is replayed does the same in each call.
    hasState: option === undefined && below(3) === 0,
    isAsync: end?.how !== "interrupt" && below(6) === 0,
    showsEach: below(3) === 0,
    end,
    inner: end?.how === "interrupt" ? undefined : chance(8, () => rangeOf(random, steps.length)),
    option,
  };
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
    for (const change of [...shorter, ...plain, ...dense]) {
      const less = { ...least, ...change };
      if (JSON.stringify(less) === JSON.stringify(least) || !(await fails(less))) continue;
      least = less;
      again = true;
      break;
    }
  }
  return least;
}
