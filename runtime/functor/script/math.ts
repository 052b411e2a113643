// jl.math: every operation as a function of numbers. Functors in JavaScript call them; in plain JavaScript they are the
// definitions that the tests compare every device with.
import { JitlabError } from "../../base/errors.js";
import { ops } from "../../ops/index.js";
import type { Op, Scalar } from "../../ops/op.js";
import type { MathFunctions } from "./math-functions.js";

type ScalarFunction = (...args: (number | boolean)[]) => number | boolean;

const entries = Object.entries<Op>(ops).filter(([, { rule }]) => rule !== "toComplex");
const position = (name: string): ScalarFunction => {
  return () => {
    throw new JitlabError(
      "no-position",
      `math.${name}: elements have positions only inside a functor.`,
      "Pass the function to jl.jit.",
    );
  };
};

// Box and Muller (1958).
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

/** Every operation as a function of numbers; `index(d)` and `extent(d)` are an element's position and the result's size, `normal()` a random number. */
export const math = Object.freeze({
  ...Object.fromEntries(entries.map(([name, op]) => [name, functionOf(op)])),
  index: position("index"),
  extent: position("extent"),
  normal,
}) as unknown as MathFunctions;

const names = new Map<unknown, string>(Object.entries(math).map(([name, fn]) => [fn, name]));

/** The name of a function of jl.math; undefined for any other value. */
export function operationOf(value: unknown): string | undefined {
  return names.get(value);
}

/** An op's definition on numbers: whole numbers are integers if the op takes only integers. */
function functionOf(op: Op): ScalarFunction {
  const integers = op.rule === "integersOnly" || op.rule === "integersOrBool";
  return (...args) => {
    const values = integers
      ? args.map((value) => (typeof value === "number" ? BigInt(Math.trunc(value)) : value))
      : args;
    const result: Scalar = op.reference(...values);
    return typeof result === "boolean" ? result : typeof result === "object" ? result.re : Number(result);
  };
}
