// The sink of jl.digits: beside each storage whose elements have errors it keeps the same elements in float64, as they would be
// without errors, so that views need no rules.
import type { DType } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { bytesText } from "../base/units.js";
import type { Storage } from "../device/storage.js";
import { isAddressed } from "../functor/functor.js";
import type { View } from "../geometry/view.js";
import { isDraw, type Operation } from "../launch/operation.js";
import { atOnce, type Sink } from "../launch/sink.js";
import { type Value, valueIn } from "../program/operations/ir.js";
import { tensor, zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorAt } from "../tensor/whole.js";
import { inPairs, type Pairs } from "./double-double.js";
import { ElementObserver, flatOf, indexOf, operandsOf, type Where } from "./observer.js";
import { inWide, wideOf } from "./wide-run.js";

/** An element, and what it would be without errors. */
export interface WorstElement {
  readonly index: readonly number[];
  readonly value: number;
  readonly exact: number;
}

/** The errors of an operation at one place, relative to the exact elements; each is the largest of all elements and calls. */
export interface DigitsRecord {
  readonly operation: string;
  /** A file's name, line and column. */
  readonly place: string;
  /** The operation of that place whose derivative it computes. */
  readonly gradientOf: string | undefined;
  readonly dtype: string;
  readonly calls: number;
  /** What its rounding adds. */
  readonly added: number;
  /** What the errors of its operands make. */
  readonly inherited: number;
  /** The leading bits of its operands that cancel. */
  readonly bitsLost: number;
  readonly worst: WorstElement | undefined;
  /** False for raw kernels and others that have no form in float64: their results count as exact. */
  readonly isFollowed: boolean;
}

/** The elements of a storage without errors. */
interface Shadow {
  readonly value: Value;
  readonly dtype: DType;
  readonly high: Tensor;
  readonly low: Tensor | undefined;
}

interface Exact {
  readonly high: Tensor;
  readonly low?: Tensor | undefined;
  readonly isKnown: boolean;
}

type Draft = { -readonly [K in keyof DigitsRecord]: DigitsRecord[K] } & { error: number };

// Elements of one tensor that are looked at on the host.
const mostElements = 2 ** 27;

/** Follows operations in float64. */
export class DigitsWatch extends ElementObserver {
  readonly isSeparate = true;
  readonly #shadows = new WeakMap<Storage, Shadow>();
  readonly #records = new Map<string, Draft>();
  /** The tensors that were cast to half types, by the results. */
  readonly #casts = new WeakMap<Storage, Tensor>();

  constructor(
    outer: Sink | undefined,
    /** The name and the place of an operation of half types that computes in float32. */
    readonly wide?: string,
  ) {
    super(outer);
  }

  /** What was found, in the order of first calls. */
  records(): readonly DigitsRecord[] {
    return [...this.#records.values()].map(({ error: _, ...record }) => record);
  }

  /** The digits of the worst element of tensors. */
  result(tensors: readonly Tensor[]): { digits: number; worst: WorstElement | undefined } {
    let [error, worst] = [0, undefined as WorstElement | undefined];
    atOnce(() => {
      for (const x of tensors) {
        const { high, low, isKnown } = this.#exact(x);
        if (!isKnown || wideOf(x.dtype) === undefined) continue;
        const exact = pairsOf(high, low);
        const found = compared(x, exact, exact);
        if (found.error > error) [error, worst] = [found.error, found.worst];
      }
    });
    return { digits: error === 0 ? Infinity : Math.max(0, -Math.log10(error)), worst };
  }

  protected seen<V extends View>(operation: Operation, run: () => readonly V[]): readonly V[] {
    for (const one of [...operation.inputs, ...operation.out]) checkSize(operation.name, one);
    const operands = atOnce(operandsOf, operation);
    const exact = atOnce(() =>
      operation.inputs.map((one, i) => {
        const x = operands[i];
        if (!(x instanceof Tensor)) return undefined;
        return readsElsewhere(operation, i) ? this.#around(x) : this.#exact(tensorAt(one as View), x);
      }),
    );
    const befores = atOnce(() => operation.out.map((one) => this.#whole(tensorAt(one))));
    const results = run();
    const where = this.where(operation.name);
    return atOnce(() => {
      const kept = this.#inFloat32(operation, where, operands, results);
      for (const one of kept) checkSize(operation.name, one);
      this.#follow(operation, where, operands, exact, kept.map(tensorAt), befores);
      return kept;
    });
  }

  /** The results of the operation that is to compute in float32, in that dtype. */
  #inFloat32<V extends View>(
    operation: Operation,
    { name, place }: Where,
    operands: readonly unknown[],
    results: readonly V[],
  ): readonly V[] {
    const [x] = operands;
    const [first] = results;
    if (operation.kind === "map" && operation.functor.converts && x instanceof Tensor && first?.storage)
      if (x.dtype.name === "float32") this.#casts.set(first.storage, x);
    if (`${name} ${place}` !== this.wide || operation.out.length > 0) return results;
    const given = operands.map((one) => {
      if (!(one instanceof Tensor) || !/16$/.test(one.dtype.name)) return one;
      const source = this.#casts.get(one.storage);
      return source?.size === one.size ? source.reshape([...one.shape]) : one.to("float32");
    });
    const found = inWide(operation, given, results.map(tensorAt), "float32");
    return (found as readonly View[] | undefined as readonly V[] | undefined) ?? results;
  }

  #follow(
    operation: Operation,
    where: Where,
    operands: readonly unknown[],
    exact: readonly (Exact | undefined)[],
    results: readonly Tensor[],
    befores: readonly (Exact | undefined)[],
  ): void {
    if (!results.some(({ dtype }) => wideOf(dtype)) || isDraw(operation)) return;
    const given = operands.map((x, i) =>
      x instanceof Tensor ? (readsElsewhere(operation, i) ? viewOf(widened(flatOf(x)), x) : widened(x)) : x,
    );
    const local = inWide(operation, given, results);
    if (local === undefined) {
      this.#draft(where, results[0] as Tensor).isFollowed = false;
      return;
    }
    const isInherited = exact.some((one) => one?.isKnown);
    const highs = exact.map((one, i) => one?.high ?? operands[i]);
    const ideal = isInherited ? inWide(operation, highs, results) : local;
    if (ideal === undefined) return;
    for (const [k, result] of results.entries()) {
      if (wideOf(result.dtype) === undefined) continue;
      const none = operands.map(() => undefined);
      const pairs = results.length === 1 && result.dtype.name === "float64";
      const wide = pairs ? inPairs(operation, given, none, result) : undefined;
      const own = wide ?? pairsOf(local[k] as Tensor);
      const lows = exact.map((one) => one?.low);
      const better = pairs && isInherited ? inPairs(operation, highs, lows, result) : wide;
      const best = better ?? pairsOf(ideal[k] as Tensor);
      const { added, inherited, error, worst } = compared(result, own, best);
      const draft = this.#draft(where, result);
      draft.added = Math.max(draft.added, added);
      draft.inherited = Math.max(draft.inherited, inherited);
      if (error > draft.error || draft.worst === undefined) [draft.error, draft.worst] = [error, worst];
      draft.bitsLost = Math.max(draft.bitsLost, cancelled(operation, highs, isInherited, best, results));
      this.#keep(result, ideal[k] as Tensor, better, befores[operation.out.indexOf(result as never)]);
    }
  }

  #draft({ name, place, gradientOf }: Where, { dtype }: Tensor): Draft {
    const key = `${name} ${place} ${gradientOf} ${dtype.name}`;
    let draft = this.#records.get(key);
    if (draft === undefined) {
      draft = {
        operation: name,
        place,
        gradientOf,
        dtype: dtype.name,
        calls: 0,
        added: 0,
        inherited: 0,
        bitsLost: 0,
        worst: undefined,
        isFollowed: true,
        error: 0,
      };
      this.#records.set(key, draft);
    }
    draft.calls++;
    return draft;
  }

  /** A tensor's elements without errors; `then` are its elements before a write. */
  #exact(x: Tensor, then = x): Exact {
    const known = this.#known(x);
    if (known === undefined) return { high: widened(then), isKnown: false };
    const seen = (flat: Tensor) => (then === x ? viewOf(flat, x) : viewOf(flat, x).clone());
    return { high: seen(known.high), low: known.low && seen(known.low), isKnown: true };
  }

  /** The same with all elements of its storage around them. */
  #around(x: Tensor): Exact {
    const all = this.#whole(x);
    return all ? { high: viewOf(all.high, x), isKnown: all.isKnown } : { high: x, isKnown: false };
  }

  #known(x: Tensor): Shadow | undefined {
    const known = this.#shadows.get(x.storage);
    return known?.dtype === x.dtype && known.value === valueIn(x.storage) ? known : undefined;
  }

  /** All elements of a tensor's storage, before a part of them is written. */
  #whole(x: Tensor): Exact | undefined {
    if (wideOf(x.dtype) === undefined) return undefined;
    const all = flatOf(x);
    const known = this.#known(x);
    if (known === undefined) return { high: widened(all, true), isKnown: false };
    return { high: known.high.clone(), low: known.low?.clone(), isKnown: true };
  }

  #keep(result: Tensor, high: Tensor, pairs: Pairs | undefined, before: Exact | undefined): void {
    const wide = { dtype: high.dtype.name, device: result.device.name };
    const { size } = flatOf(result);
    const flat = before?.high ?? zeros([size], wide);
    const low = before?.low ?? (pairs && zeros([size], wide));
    const put = (to: Tensor, elements: Float64Array) =>
      viewOf(to, result).copy_(tensor(elements, { device: result.device.name }).reshape([...result.shape]));
    if (pairs) put(flat, pairs.high);
    else viewOf(flat, result).copy_(high);
    if (low && pairs) put(low, pairs.low);
    else if (low) viewOf(low, result).fill_(0);
    const { storage, dtype } = result;
    this.#shadows.set(storage, { value: valueIn(storage), dtype, high: flat, low });
  }
}

/** True for an operand of which an operation reads elements at places that it computes. */
function readsElsewhere(operation: Operation, operand: number): boolean {
  return operation.kind === "map" && isAddressed(operation.functor, operand);
}

function widened(x: Tensor, copies = false): Tensor {
  const wide = wideOf(x.dtype);
  if (wide === undefined) return x;
  return wide !== x.dtype ? x.to(wide.name) : copies ? x.clone() : x;
}

/** The window of a tensor on other elements of its storage. */
function viewOf(flat: Tensor, { offset, shape, strides, dtype }: Tensor): Tensor {
  const at = flat.offset + (offset / dtype.bytes) * flat.dtype.bytes;
  return new Tensor(flat.storage, at, shape, strides, flat.dtype);
}

/** A tensor's elements, and what is left of them. */
function pairsOf(high: Tensor, low?: Tensor): Pairs {
  const elements = high.data() as Float64Array;
  return {
    high: elements,
    low: (low?.data() as Float64Array | undefined) ?? new Float64Array(elements.length),
  };
}

/** The largest relative errors of a tensor: against what its operation should give, and what all of them should. */
function compared(x: Tensor, own: Pairs, best: Pairs) {
  const actual = x.data() as Float64Array;
  let [added, inherited, error] = [0, 0, 0];
  let worst: WorstElement | undefined;
  const parts = x.dtype.kind === "complex" ? 2 : 1;
  for (let i = 0; i < actual.length; i++) {
    const [a, high, low] = [actual[i] as number, best.high[i] as number, best.low[i] as number];
    if (!Number.isFinite(a) || !Number.isFinite(high)) continue;
    const [own1, own2] = [own.high[i] as number, own.low[i] as number];
    const relative = (difference: number) =>
      difference === 0 ? 0 : high === 0 ? 1 : Math.min(1, Math.abs(difference / high));
    added = Math.max(added, relative(a - own1 - own2));
    inherited = Math.max(inherited, relative(own1 - high + (own2 - low)));
    const all = relative(a - high - low);
    if (worst !== undefined && all <= error) continue;
    error = Math.max(error, all);
    worst = { index: indexOf(Math.floor(i / parts), x.shape), value: a, exact: high };
  }
  return { added, inherited, error, worst };
}

/** The bits of operands that cancel in differences and sums, at most; 0 for other operations and exact operands. */
function cancelled(
  operation: Operation,
  operands: readonly unknown[],
  isInherited: boolean,
  { high }: Pairs,
  results: readonly Tensor[],
): number {
  const isDifference = operation.kind === "map" && /^(add|sub)$/.test(operation.name) && isInherited;
  const isSum = /^(sum|mean|matmul)$/.test(operation.name) && operation.kind !== "map";
  if (!isDifference && !isSum) return 0;
  const sizes = operands.map((x) =>
    x instanceof Tensor ? x.abs() : typeof x === "number" ? Math.abs(x) : x,
  );
  const shape = (results[0] as Tensor).shape;
  const each = isSum
    ? [inWide(operation, sizes, results)?.[0]]
    : sizes.map((x) => (x instanceof Tensor ? x.expand([...shape]) : x));
  let most = 0;
  for (const one of each) {
    const elements = one instanceof Tensor ? (one.data() as Float64Array) : undefined;
    for (let i = 0; i < high.length; i++) {
      const result = Math.abs(high[i] as number);
      const operand = elements ? (elements[i] as number) : Number(one);
      if (result > 0 && operand > result && Number.isFinite(operand))
        most = Math.max(most, Math.log2(operand / result));
    }
  }
  return Math.min(most, 1074);
}

/** Refuses tensors that are too large to be looked at. */
function checkSize(name: string, one: unknown): void {
  const { size } = one as { size?: unknown };
  if (typeof size !== "number" || size <= mostElements) return;
  throw new JitlabError(
    "too-large",
    `digits: ${name} has ${size} elements, which take ${bytesText(size * 8)} in float64; it follows ${mostElements} at most.`,
    "Call it with smaller tensors, for example with a part of a batch.",
  );
}
