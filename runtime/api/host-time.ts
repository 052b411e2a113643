// Where the host's time goes in the calls of a compiled function that is not replayed, and what its options would bring.
import type { Tensor } from "../tensor/tensor.js";
import { tensorsWithin } from "../tensor/tree.js";

// Early calls run before their code is optimized.
const leastCalls = 10;
const early = 4;
// Later calls are not timed: to ask for the time costs a small function a tenth of its call.
const mostCalls = 256;
// A smaller share of a call is not worth a promise.
const leastShare = 0.25;

/** The host's time in calls that took a known path. */
export class HostTime {
  #calls = 0;
  #running = 0;
  #launching = 0;
  #changing = 0;
  #donate: readonly number[] = [];

  /** True after so many calls that another one would say nothing new. */
  get isKnown(): boolean {
    return this.#calls >= mostCalls;
  }

  /**
   * Adds a call: milliseconds in which its function ran, and in which its plan was launched. `isOther` if its kernels had other numbers
   * than in the call before.
   */
  add(running: number, launching: number, isOther: boolean, args: readonly unknown[], result: unknown): void {
    if (++this.#calls <= early) return;
    this.#running += running;
    this.#launching += launching;
    if (isOther) this.#changing++;
    if (this.#calls === leastCalls) this.#donate = replacedBy(result, args);
  }

  /** What replays would bring, in one line; undefined if that is little, or not known yet. `donated` are given away already. */
  advice(donated: readonly number[]): string | undefined {
    const calls = this.#calls - early;
    const [running, launching] = [this.#running / calls, this.#launching / calls];
    if (this.#calls < leastCalls || running < leastShare * (running + launching)) return undefined;
    const donate = donated.length > 0 ? donated : this.#donate;
    const options = `{ replay: true${donate.length > 0 ? `, donate: [${donate.join(", ")}]` : ""} }`;
    const parts = `Of ${inMs(running + launching)} ms of the host per call, ${inMs(running)} run the function and ${inMs(launching)} launch its kernels`;
    // A replay launches with the numbers of the call that it repeats.
    return 2 * this.#changing > calls
      ? `${parts}. Its kernels get other numbers at each call: pass these as 0-d tensors, and ${options} would leave about the second part.`
      : `${parts}: ${options} would leave about the second part, if the function does the same whenever its arguments are equal.`;
  }
}

function inMs(time: number): string {
  return `${Number(time.toPrecision(2))}`;
}

/** The positions of the arguments for each of whose tensors there is a result like it: a step replaces them. */
function replacedBy(result: unknown, args: readonly unknown[]): number[] {
  const given = new Set(args.flatMap(tensorsWithin));
  const made = new Map<string, number>();
  for (const one of tensorsWithin(result)) {
    if (!given.has(one)) made.set(kindOf(one), (made.get(kindOf(one)) ?? 0) + 1);
  }
  return args.flatMap((argument, position) => {
    const kinds = tensorsWithin(argument).map(kindOf);
    const left = new Map(made);
    for (const kind of kinds) left.set(kind, (left.get(kind) ?? 0) - 1);
    if (kinds.length === 0 || [...left.values()].some((count) => count < 0)) return [];
    for (const [kind, count] of left) made.set(kind, count);
    return [position];
  });
}

function kindOf({ dtype, shape }: Tensor): string {
  return `${dtype.name} ${shape}`;
}
