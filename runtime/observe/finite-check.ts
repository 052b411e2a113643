// jl.checkFinite: stops at the first operation that makes a NaN or an infinity of operands that have none at that place.
import { checkFunction, checkSynchronous, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { isAddressed } from "../functor/functor.js";
import { formatShape } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { Operation } from "../launch/operation.js";
import { atOnce, beneathCasts, openSink, type Sink, sendingTo } from "../launch/sink.js";
import { asProgram } from "../program/tape/own-program.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorAt } from "../tensor/whole.js";
import {
  ElementObserver,
  flatOf,
  indexOf,
  joinedPlaces,
  operandsOf,
  refuseInside,
  type Where,
  watchAll,
} from "./observer.js";

/** Options of checkFinite. */
export interface FiniteOptions {
  /** `"inf"`: infinities are intended, such as those of masks; only a NaN is an error. */
  readonly allow?: "inf";
}

/** An operand of {@link Birth}: its element that the result was computed of, or the range of all its elements. */
export interface BirthOperand {
  readonly name: string;
  readonly value?: string;
  readonly range?: readonly [least: number, most: number];
}

/** Where a NaN or an infinity was made. */
export interface Birth {
  readonly operation: string;
  /** The line of the operation: a file's name, line and column. */
  readonly place: string;
  /** The operation of that line whose derivative was computed; undefined if it is the operation itself. */
  readonly gradientOf: string | undefined;
  readonly value: "NaN" | "Infinity" | "-Infinity";
  readonly index: readonly number[];
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly operands: readonly BirthOperand[];
  /** How many elements of the result are made so, of how many. */
  readonly count: number;
  readonly size: number;
}

/** The error `not-finite`; `birth` has its facts as data. */
export class NotFiniteError extends JitlabError {
  override readonly name = "NotFiniteError";
  constructor(readonly birth: Birth) {
    const { operation, place, gradientOf, value, index, dtype, shape, operands, count, size } = birth;
    const at = place === "" ? "" : ` of ${place}`;
    // A derivative may be one kernel of several operations.
    const made = gradientOf && operation.startsWith("fused_") ? "" : `${operation} in `;
    const maker = gradientOf ? `${made}the gradient of ${gradientOf}${at}` : `${operation}${at}`;
    const from = operands.map(({ name, value: one, range }) =>
      range ? `${name} from ${number(range[0])} to ${number(range[1])}` : `${name} = ${one}`,
    );
    super(
      "not-finite",
      `${maker} made ${value} at ${formatShape(index)} of ${dtype} ${formatShape(shape)}${from.length > 0 ? `: ${from.join(", ")}` : ""}. ${count} of ${size} elements are such.`,
      value === "NaN"
        ? "Change the operation or its operands at that line, for example by clamp or by a small number that is added."
        : 'Change the operation or its operands at that line, or allow infinities: { allow: "inf" }.',
    );
    Object.defineProperty(this, "birth", { enumerable: false });
  }
}

const [inf, nan] = [1, 2];

/**
 * The function with each of its operations checked: the first one that makes a NaN or an infinity of operands without one there is
 * the error `not-finite`, with its line. Operations run one by one, also inside of compiled and differentiated functions.
 *
 * @example jl.checkFinite((x) => x.sqrt())(jl.tensor([4])).toArray() // [2]
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function checkFinite<F extends (...args: any[]) => unknown>(fn: F, options?: FiniteOptions): F {
  checkFunction("checkFinite", "what to check", fn);
  const allowsInf = allows("checkFinite", options);
  const checked = function (this: unknown, ...args: unknown[]): unknown {
    refuseInside("checkFinite");
    return beneathCasts(fn, (own) => {
      const value = sendingTo(new FiniteCheck(openSink(), allowsInf), () => own.apply(this, args));
      const help = "Load data before, and check the function that computes with it.";
      checkSynchronous("checkFinite", value, "bad-argument", help);
      return value;
    });
  };
  Object.defineProperty(checked, "name", { value: fn.name });
  return checked as F;
}

/** What {@link watchFinite} returns. */
export interface FiniteWatch {
  /** The number of operations so far. */
  readonly operations: number;
  /** Ends the checks. */
  stop(): void;
}

/**
 * Checks the operations of all code from now on, as {@link checkFinite} does those of a function, until `stop()`.
 *
 * @example jl.watchFinite().stop() // undefined
 */
export function watchFinite(options?: FiniteOptions): FiniteWatch {
  const check = new FiniteCheck(undefined, allows("watchFinite", options));
  const stop = watchAll("watchFinite", check);
  return {
    get operations() {
      return check.operations;
    },
    stop,
  };
}

function allows(what: string, options: FiniteOptions | undefined): boolean {
  const { allow } = optionsOf(what, options, ["allow"]);
  if (allow === undefined || allow === "inf") return allow === "inf";
  throw new JitlabError("bad-argument", `${what}: allow is ${show(allow)}.`, 'It is "inf", or left out.');
}

class FiniteCheck extends ElementObserver {
  // A kernel chooses between results; separate operations compute both, of which one may be NaN.
  readonly isSeparate = false;
  operations = 0;

  constructor(
    outer: Sink | undefined,
    readonly allowsInf: boolean,
  ) {
    super(outer);
  }

  protected seen<V extends View>(operation: Operation, run: () => readonly V[]): readonly V[] {
    this.operations++;
    const operands = atOnce(operandsOf, operation);
    // A write leaves elements as they were.
    const keeps = operation.kind === "write" || operation.kind === "launch";
    const befores = keeps ? atOnce(() => operation.out.map((one) => tensorAt(one).clone())) : [];
    const results = run();
    atOnce(() => {
      for (const [k, one] of results.entries()) {
        if (!isFloating(one) || one.storage === undefined) continue;
        const result = tensorAt(one);
        if (asProgram("isfinite", result, () => result.isfinite().all()).item()) continue;
        const at = (operation.out as readonly View[]).indexOf(one);
        this.#examine(operation, operands, result, befores[at < 0 ? k : at]);
      }
    });
    return results;
  }

  #examine(
    operation: Operation,
    operands: readonly unknown[],
    result: Tensor,
    before: Tensor | undefined,
  ): void {
    const own = flagsOf(result);
    const sources = sourcesOf(operation, operands, result.shape);
    if (before) sources.push(flagsAt(flagsOf(before)));
    let [first, count] = [-1, 0];
    for (let i = 0; i < own.length; i++) {
      const flag = own[i] as number;
      if (flag === 0 || (this.allowsInf && flag === inf)) continue;
      const from = sources.reduce((bits, bitsAt) => bits | bitsAt(i), 0);
      if (flag === nan ? from & nan : from) continue;
      count++;
      if (first < 0) first = i;
    }
    if (count > 0) {
      const where = this.where(operation.name);
      throw new NotFiniteError(birthOf(operation, operands, result, first, count, where));
    }
  }
}

function isFloating({ dtype }: View): boolean {
  return dtype.kind === "float" || dtype.kind === "complex";
}

/** For each element in row-major order what it is: finite, an infinity or NaN. */
function flagsOf(x: Tensor): Uint8Array {
  const parts = x.data() as Float64Array;
  const each = x.dtype.kind === "complex" ? 2 : 1;
  const flags = new Uint8Array(x.size);
  if (!isFloating(x)) return flags;
  for (let i = 0; i < parts.length; i++) {
    const flag = flagOf(parts[i] as number);
    const at = Math.floor(i / each);
    if (flag > (flags[at] as number)) flags[at] = flag;
  }
  return flags;
}

function flagOf(value: unknown): number {
  if (typeof value === "number") return Number.isFinite(value) ? 0 : Number.isNaN(value) ? nan : inf;
  const { re, im } = (value ?? {}) as { re?: unknown; im?: unknown };
  return re === undefined ? 0 : Math.max(flagOf(re), flagOf(im));
}

type BitsAt = (element: number) => number;

const flagsAt =
  (flags: Uint8Array): BitsAt =>
  (i) =>
    flags[i] as number;

function allFlags(x: unknown): BitsAt {
  const bits = x instanceof Tensor ? flagsOf(x).reduce((all, flag) => all | flag, 0) : flagOf(x);
  return () => bits;
}

/** What the operands are where each element of a result is computed of. */
function sourcesOf(operation: Operation, operands: readonly unknown[], shape: readonly number[]): BitsAt[] {
  if (operation.kind === "map") {
    const { functor, options } = operation;
    const numbers = options.scalars ?? Object.values(options.parameters ?? {});
    const maps = operands.map((x, i) =>
      x instanceof Tensor && !isAddressed(functor, i)
        ? flagsAt(flagsOf(x.expand([...shape])))
        : allFlags(x instanceof Tensor ? flatOf(x) : x),
    );
    return [...maps, ...numbers.map(allFlags)];
  }
  const [only] = operands;
  if (operation.kind === "reduce" && operation.call.prologue === undefined && only instanceof Tensor)
    return [joinedFlags(only, operation.call.gone)];
  return operands.map(allFlags);
}

/** What the elements are that are joined to each result of a reduction. */
function joinedFlags(x: Tensor, gone: readonly boolean[]): BitsAt {
  const flags = flagsOf(x);
  const joined = new Uint8Array(x.shape.reduce((n, extent, d) => (gone[d] ? n : n * extent), 1));
  const placeOf = joinedPlaces(x.shape, gone);
  for (let i = 0; i < flags.length; i++) {
    const at = placeOf(i);
    joined[at] = (joined[at] as number) | (flags[i] as number);
  }
  return flagsAt(joined);
}

function birthOf(
  operation: Operation,
  operands: readonly unknown[],
  result: Tensor,
  element: number,
  count: number,
  { name, place, gradientOf }: Where,
): Birth {
  const { size, dtype } = result;
  const full = indexOf(element, result.shape);
  // A product of two matrices runs as a batch of one.
  const isAlone = operation.kind === "opaque" && operation.definition.hasOneBatch && result.shape[0] === 1;
  const [shape, index] = isAlone ? [result.shape.slice(1), full.slice(1)] : [result.shape, full];
  const parts = result.data() as Float64Array;
  const own = dtype.kind === "complex" ? [parts[2 * element], parts[2 * element + 1]] : [parts[element]];
  const value = own.some(Number.isNaN) ? "NaN" : own.includes(Infinity) ? "Infinity" : "-Infinity";
  const names = operation.kind === "map" ? operation.functor.inputNames : [];
  const given = operands.map((x, i): BirthOperand => {
    const own = names[i] ?? (operands.length === 1 ? "x" : `operand ${i}`);
    if (!(x instanceof Tensor)) return { name: own, value: show(x) };
    const isElement = operation.kind === "map" && !isAddressed(operation.functor, i);
    const one = isElement ? x.expand([...shape]).at(...index) : gone(operation, x, index);
    if (one.size === 1) return { name: own, value: valueText(one.reshape([]).item()) };
    return isFloating(one) && one.size > 0 && one.dtype.kind !== "complex"
      ? { name: own, range: [one.amin().item() as number, one.amax().item() as number] }
      : { name: own, value: `${one.dtype.name} ${formatShape(one.shape)}` };
  });
  return {
    operation: name,
    place,
    gradientOf,
    value,
    index,
    dtype: dtype.name,
    shape,
    operands: given,
    count,
    size,
  };
}

/** The elements that are joined to one result of a reduction; of other operations all. */
function gone(operation: Operation, x: Tensor, index: readonly number[]): Tensor {
  if (operation.kind !== "reduce" || operation.call.prologue !== undefined) return x;
  const { gone: dims, shape } = operation.call;
  const keepsDims = shape.length === x.shape.length;
  let at = 0;
  let part = x;
  let d = 0;
  for (const isGone of dims) {
    if (isGone) {
      d++;
      if (keepsDims) at++;
    } else part = part.select(d, index[at++] as number);
  }
  return part;
}

function valueText(value: unknown): string {
  if (typeof value === "number") return number(value);
  const { re, im } = value as { re?: number; im?: number };
  return re === undefined || im === undefined ? show(value) : `${number(re)} + ${number(im)}i`;
}

function number(value: number): string {
  return String(Number(value.toPrecision(7)));
}
