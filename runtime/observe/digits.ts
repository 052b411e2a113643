// jl.digits: each operation of a function again in float64, on the elements that it got and on those that it would have got without
// errors: the first difference is what it adds, the second what it inherits.
import { checkFunction, checkSynchronous } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { beneathCasts, openSink, sendingTo } from "../launch/sink.js";
import { keepStream } from "../tensor/random.js";
import { Tensor } from "../tensor/tensor.js";
import { mapTree, tensorsWithin } from "../tensor/tree.js";
import { type DigitsRecord, DigitsWatch, type WorstElement } from "./digits-watch.js";
import { refuseInside, watchAll } from "./observer.js";

/** An operation that autocast computes in a half type, and the digits of the result if it computed in float32. */
export interface CastAdvice {
  readonly operation: string;
  readonly place: string;
  readonly digits: number;
}

/** What {@link digits} finds. */
export interface DigitsReport {
  /** The correct decimal digits of the result's worst element; Infinity if all are exact. */
  readonly digits: number;
  /** That element. */
  readonly worst: WorstElement | undefined;
  /** One for each operation at each place, in the order of first calls. */
  readonly records: readonly DigitsRecord[];
  /** Of functions with autocast: the operations that should stay in float32, the most helpful first: those that bring half a digit or more, measured by running it so. */
  readonly float32: readonly CastAdvice[];
}

/**
 * How many digits of a function's result hold, and which of its operations lose them: each also runs in float64, and in twice that
 * precision if it is a sum, a difference, a product or a quotient of float64. Random numbers are the same in both.
 *
 * @example jl.digits((x) => x.add(1e8).sub(1e8), jl.tensor([1])).digits // 0
 */
export function digits<F extends (...args: never[]) => unknown>(fn: F, ...args: Parameters<F>): DigitsReport {
  checkFunction("digits", "what to run", fn);
  refuseInside("digits");
  return beneathCasts(fn as never as (...args: unknown[]) => unknown, (own) => {
    const before = mapTree(args, (x) => x.clone(), true) as unknown[];
    const restore = keepStream();
    const watch = new DigitsWatch(openSink());
    const result = run(watch, own, args);
    const after = keepStream();
    const { digits: found, worst } = watch.result(result);
    const records = watch.records();
    const float32 = records
      .filter(({ dtype, added, operation }) => /16$/.test(dtype) && added > 0 && operation !== "copy")
      .sort((a, b) => b.added - a.added)
      .slice(0, mostAdvice)
      .flatMap(({ operation, place }): CastAdvice[] => {
        restore();
        const other = new DigitsWatch(openSink(), `${operation} ${place}`);
        const given = mapTree(before, (x) => x.clone(), true) as unknown[];
        const gained = tried(() => other.result(run(other, own, given)).digits) ?? 0;
        return gained > found + leastGain ? [{ operation, place, digits: gained }] : [];
      })
      .sort((a, b) => b.digits - a.digits);
    after();
    return { digits: found, worst, records, float32 };
  });
}

const mostAdvice = 4;
// Digits.
const leastGain = 0.5;

function run(watch: DigitsWatch, fn: (...args: unknown[]) => unknown, args: readonly unknown[]): Tensor[] {
  const value = sendingTo(watch, () => fn(...args));
  checkSynchronous("digits", value, "bad-argument", "Load data before, and pass it as an argument.");
  const tensors = tensorsWithin(value).filter(
    ({ dtype }) => dtype.kind === "float" || dtype.kind === "complex",
  );
  if (tensors.length > 0) return tensors;
  throw new JitlabError(
    "bad-argument",
    `digits: the function returned ${value instanceof Tensor ? `a tensor of ${value.dtype.name}` : show(value)}, in which there is no floating tensor.`,
    "Return the tensors whose digits are in question, alone or in arrays and objects.",
  );
}

/** The result, or undefined where a function does not take the other dtype. */
function tried(attempt: () => number): number | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof JitlabError) return undefined;
    throw error;
  }
}

/** What {@link watchDigits} returns. */
export interface OpenDigits {
  /** Ends it: what was found, with the digits of the tensors in a value. */
  stop(value: unknown): Omit<DigitsReport, "float32">;
}

/**
 * Follows the operations of all code from now on, as {@link digits} does those of a function, until `stop(value)`.
 *
 * @example jl.watchDigits().stop(undefined).records // []
 */
export function watchDigits(): OpenDigits {
  const watch = new DigitsWatch(undefined);
  const end = watchAll("watchDigits", watch);
  return {
    stop(value) {
      end();
      const { digits: found, worst } = watch.result(tensorsWithin(value));
      return { digits: found, worst, records: watch.records() };
    },
  };
}
