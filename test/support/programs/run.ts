// One run of a random program: its steps over tensors, and what they keep.
import * as jl from "../../../dist/runtime/index.js";
import { spin } from "../ended.js";
import { randomSource } from "../random.js";
import type { Program } from "./program.js";
import { act, type Place, type Step, textOf } from "./steps.js";

// Results with more elements are compared, but no later step reads them.
const mostElements = 2 ** 13;

/** A program forgets larger results: the steps behind them would take minutes, and all memory of a small machine. */
const mostKept = 2 ** 22;
const scalars = [0, 1, 2, -1, 0.5, 3, -0, 7] as const;
/** Outside of the range of some dtypes. */
const outside = [128, -129, 300.5, 70_000, 2 ** 31, -(2 ** 40), 2 ** 64, 1e39, -1e39] as const;

/** An error that a program throws by itself. */
export class Thrown extends Error {}

/** The tensors of a function: those that steps read, those that it returns, and those that it made. */
interface Lists {
  readonly tensors: jl.Tensor[];
  readonly returned: jl.Tensor[];
  readonly made: jl.Tensor[];
}

/** One run of a program: its tensors, and what it showed so far. */
export class Run {
  readonly notes: string[] = [];
  readonly kept: jl.Tensor[] = [];
  /** The calls as text, where somebody reads them. */
  readonly lines: string[] = [];
  readonly #names = new Map<jl.Tensor, string>();
  /** The steps that made tensors. */
  readonly #makers = new Map<jl.Tensor, Step>();
  readonly #pulls: (() => unknown)[] = [];
  state: readonly jl.Tensor[] = [];
  /** True once the step before which the function is interrupted was reached. */
  isSpinning = false;

  constructor(
    readonly program: Program,
    /** The tensors that the function holds. */
    readonly held: readonly jl.Tensor[] = [],
    readonly isListed = false,
  ) {}

  /** What the function does: the steps; it pauses where an asynchronous one awaits. Returns what the function returns. */
  *body(given: readonly jl.Tensor[], shift: number): Generator<undefined, jl.Tensor[]> {
    const { steps, inner, hasState, option } = this.program;
    // A function that is replayed does the same in each call.
    if (option !== undefined) this.#pulls.length = 0;
    const lists = { tensors: [...given, ...this.held, ...this.state], returned: [], made: [] };
    for (const [i, x] of given.entries()) this.#names.set(x, `t${i}`);
    const run = (from: number, to: number) => this.#steps(steps, from, to, lists, shift);
    if (inner === undefined) yield* run(0, steps.length);
    else {
      yield* run(0, Math.min(inner.from, steps.length));
      const own = () => void drained(run(inner.from, Math.min(inner.to, steps.length)));
      if (inner.how === "compile") jl.compile(own)();
      else jl.eager(own);
      yield* run(inner.to, steps.length);
    }
    if (hasState) this.state = lists.made.slice(-2);
    return lists.returned;
  }

  /** The steps behind the last call, of what the calls kept and returned, and of other tensors. */
  later(
    results: readonly jl.Tensor[],
    others: readonly jl.Tensor[],
    backend: "eager" | "steps" | "fused",
  ): void {
    const { later } = this.program;
    if (later === undefined) return;
    const lists = { tensors: [...this.kept, ...results, ...others], returned: this.kept, made: [] };
    const run = () => void drained(this.#steps(later.steps, 0, later.steps.length, lists, 0));
    if (later.how === "compile") jl.compile(run, { backend })();
    else run();
  }

  *#steps(
    steps: readonly Step[],
    from: number,
    to: number,
    { tensors, returned, made }: Lists,
    shift: number,
  ): Generator<undefined, void> {
    const end = steps === this.program.steps ? this.program.end : undefined;
    for (let at = from; at < to; at++) {
      const step = steps[at] as Step;
      if (end?.at === at) {
        if (end.how === "interrupt") {
          this.isSpinning = true;
          spin();
        }
        throw new Thrown();
      }
      if (step.kind === "pause") yield;
      const again = step.kind === "again" ? this.#again(step) : undefined;
      const own = again ? { ...again[1], on: step.on } : step;
      this.attempt(() => {
        const results = act(own.kind, { ...this.#place(own, tensors, shift), ...(again && { x: again[0] }) });
        for (const result of results) {
          if (result.size > mostKept) continue;
          this.#names.set(result, `t${this.#names.size}`);
          if (this.isListed) this.lines.push(`  ${own.kind} ${own.name} makes ${this.#show(result)}`);
          if (result.size <= mostElements || result.size <= (tensors[0]?.size ?? 0)) tensors.push(result);
          this.#makers.set(result, own);
          made.push(result);
          (step.returned ? returned : this.kept).push(result);
        }
      });
    }
  }

  /** A tensor that was made, and the step that made it. */
  #again({ on: [number = 0] }: Step): readonly [jl.Tensor, Step] | undefined {
    return [...this.#makers][number % Math.max(1, this.#makers.size)];
  }

  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof jl.JitlabError)) throw error;
      this.notes.push(error.code);
    }
  }

  #place({ name, on, seed }: Step, tensors: readonly jl.Tensor[], shift: number): Place {
    const random = randomSource(seed);
    const of = (number: number) => tensors[number % tensors.length] as jl.Tensor;
    const [x, y, z] = on.map(of) as [jl.Tensor, jl.Tensor, jl.Tensor];
    return {
      ...{ x, y, z, name, random, pulls: this.#pulls },
      tensor: () => of(random.below(1000)),
      scalar: () => random.pick(random.below(16) === 0 ? outside : scalars) + shift,
      note: (text) => this.notes.push(text),
      call: (self, method, args) => {
        if (this.isListed)
          this.lines.push(`${this.#show(self)}.${method}(${args.map((one) => this.#show(one)).join(", ")})`);
        const found = (self as unknown as Record<string, unknown>)[method];
        if (typeof found !== "function") return found;
        return found.apply(self, args);
      },
    };
  }

  #show(value: unknown): string {
    if (!(value instanceof jl.Tensor)) {
      const isTensors =
        typeof value === "object" &&
        value !== null &&
        Object.values(value).some((one) => one instanceof jl.Tensor);
      if (!isTensors) return typeof value === "string" ? JSON.stringify(value) : textOf(value);
      return `{ ${Object.entries(value)
        .map(([key, one]) => `${key}: ${this.#show(one)}`)
        .join(", ")} }`;
    }
    const name = this.#names.get(value) ?? "made";
    return `${name}:${value.dtype.name}[${value.shape}]/[${value.strides}]`;
  }
}

/** Runs a body to its end without a pause. */
export function drained<T>(body: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = body.next();
    if (done) return value as T;
  }
}
