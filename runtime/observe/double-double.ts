// Sums, differences, products, quotients and sums of many elements of float64 as pairs of numbers, with about 31 digits: error-free
// transformations (Knuth, 1969; Dekker, 1971).
import type { Operation } from "../launch/operation.js";
import { Tensor } from "../tensor/tensor.js";
import { joinedPlaces } from "./observer.js";

/** Elements as the sums of two numbers. */
export interface Pairs {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

type Pair = readonly [high: number, low: number];
type Join = (a: Pair, b: Pair) => Pair;

function exactSum(a: number, b: number): Pair {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

function exactProduct(a: number, b: number): Pair {
  const product = a * b;
  const [a1, a2] = halves(a);
  const [b1, b2] = halves(b);
  return [product, a1 * b1 - product + a1 * b2 + a2 * b1 + a2 * b2];
}

/** A number as two of 26 bits each. */
function halves(a: number): Pair {
  const scaled = 134217729 * a;
  const high = scaled - (scaled - a);
  return [high, a - high];
}

const add: Join = ([a, a2], [b, b2]) => {
  const [high, low] = exactSum(a, b);
  const [high2, low2] = exactSum(a2, b2);
  const [sum, rest] = exactSum(high, low + high2);
  return exactSum(sum, rest + low2);
};
const negative = ([a, a2]: Pair): Pair => [-a, -a2];
const mul: Join = ([a, a2], [b, b2]) => {
  const [high, low] = exactProduct(a, b);
  return exactSum(high, low + (a * b2 + a2 * b));
};
const div: Join = (a, b) => {
  const first = a[0] / b[0];
  const left = add(a, negative(mul([first, 0], b)));
  const second = left[0] / b[0];
  const rest = add(left, negative(mul([second, 0], b)));
  return add(exactSum(first, second), [rest[0] / b[0], 0]);
};

const joins: Readonly<Record<string, Join>> = {
  add,
  sub: (a, b) => add(a, negative(b)),
  mul,
  div,
};

/** The elements of an operation's result in twice the precision; undefined for operations that have no such form. */
export function inPairs(
  operation: Operation,
  operands: readonly unknown[],
  lows: readonly (Tensor | undefined)[],
  { shape, size }: Tensor,
): Pairs | undefined {
  const [high, low] = [new Float64Array(size), new Float64Array(size)];
  const parts = operands.map((one, i) => partsOf(one, lows[i], operation.kind === "map" ? shape : undefined));
  const [a, b] = parts;
  if (a === undefined || parts.includes(undefined)) return undefined;
  if (operation.kind === "map") {
    const join = joins[operation.name];
    const { parameters = {}, scalars = [] } = operation.options;
    // The factor of add and sub.
    if (
      join === undefined ||
      b === undefined ||
      [...Object.values(parameters), ...scalars].some((n) => n !== 1)
    )
      return undefined;
    for (let i = 0; i < size; i++) [high[i], low[i]] = finite(join(a(i), b(i)));
    return { high, low };
  }
  if (operation.kind !== "reduce" || operation.name !== "sum" || operation.call.prologue) return undefined;
  const x = operands[0] as Tensor;
  const placeOf = joinedPlaces(x.shape, operation.call.gone);
  for (let i = 0; i < x.size; i++) {
    const at = placeOf(i);
    [high[at], low[at]] = finite(add([high[at] as number, low[at] as number], a(i)));
  }
  return { high, low };
}

function finite(pair: Pair): [number, number] {
  return [pair[0], Number.isFinite(pair[1]) ? pair[1] : 0];
}

function partsOf(one: unknown, low: Tensor | undefined, shape: readonly number[] | undefined) {
  if (typeof one === "number") return (): Pair => [one, 0];
  if (!(one instanceof Tensor) || one.dtype.name !== "float64") return undefined;
  const elements = (x: Tensor) => (shape ? x.expand([...shape]) : x).data() as Float64Array;
  const high = elements(one);
  const rest = low && elements(low);
  return (i: number): Pair => [high[i] as number, rest ? (rest[i] as number) : 0];
}
