// Scans: running sums, products, extremes. A row of one part is one launch, and so are several where blocks of a GPU hand
// their accumulators on. Else the accumulators of the parts are computed and scanned first, and each part starts from its prefix.
import { optionsOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { passedWords } from "../codegen/scan-block.js";
import { type ScanForm, scanPart, threadsFor } from "../codegen/scan-form.js";
import { scanWalk } from "../codegen/scan-kernel.js";
import { type Scan, type ScanPlan, scans } from "../functor/scan.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import { dimension } from "../geometry/views.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import { zeros } from "./create.js";
import type { Accumulated } from "./element-types.js";
import type { Placed } from "./reduce.js";
import { emptyTensor, type Tensor, tensorOf, windowOf } from "./tensor.js";

/** Options of running sums and products. */
export interface ScanOptions<R extends DTypeName = DTypeName> {
  /** The dtype to convert elements to first, which is also the result's. */
  readonly dtype?: R;
}

/**
 * The sums of the elements up to each, along a dimension; of integers and bool in int64.
 *
 * @example jl.tensor([1, 2, 3]).cumsum(0).toArray() // [1, 3, 6]
 */
export function cumsum<D extends DTypeName, R extends DTypeName = Accumulated<D>>(
  x: Tensor<D>,
  dim: number,
  options?: ScanOptions<R>,
): Tensor<R> {
  return scanned(scans.cumsum, x, dim, options)[0] as Tensor<R>;
}

/**
 * The products of the elements up to each, along a dimension; of integers and bool in int64.
 *
 * @example jl.tensor([1, 2, 3]).cumprod(0).toArray() // [1, 2, 6]
 */
export function cumprod<D extends DTypeName, R extends DTypeName = Accumulated<D>>(
  x: Tensor<D>,
  dim: number,
  options?: ScanOptions<R>,
): Tensor<R> {
  return scanned(scans.cumprod, x, dim, options)[0] as Tensor<R>;
}

/**
 * The largest element up to each and its index, along a dimension; the last of equal ones.
 *
 * @example jl.tensor([1, 3, 2]).cummax(0).values.toArray() // [1, 3, 3]
 */
export function cummax<D extends DTypeName>(x: Tensor<D>, dim: number): Placed<D> {
  const [values, indices] = scanned(scans.cummax, x, dim);
  return { values: values as Tensor<D>, indices: indices as Tensor<"int64"> };
}

/**
 * The smallest element up to each and its index, along a dimension; the last of equal ones.
 *
 * @example jl.tensor([3, 1, 2]).cummin(0).values.toArray() // [3, 1, 1]
 */
export function cummin<D extends DTypeName>(x: Tensor<D>, dim: number): Placed<D> {
  const [values, indices] = scanned(scans.cummin, x, dim);
  return { values: values as Tensor<D>, indices: indices as Tensor<"int64"> };
}

/**
 * The logarithm of the running sum of exponentials, along a dimension; it does not overflow.
 *
 * @example jl.tensor([0, -Infinity]).logcumsumexp(0).toArray() // [0, 0]
 */
export function logcumsumexp<D extends DTypeName>(x: Tensor<D>, dim: number): Tensor<D> {
  return scanned(scans.logcumsumexp, x, dim)[0] as Tensor<D>;
}

function scanned(scan: Scan, value: Tensor, dim: number, options?: ScanOptions): readonly Tensor[] {
  const { dtype } = optionsOf(scan.name, options, ["dtype"]);
  const given = tensorOf(scan.name, value);
  const x = dtype === undefined ? given : given.to(dtypeOf(dtype).name);
  const plan = scan.plan(x.dtype);
  if ("refuse" in plan) {
    throw new JitlabError("dtype-refused", `${scan.name} does not take ${x.dtype.name}: ${plan.refuse}.`);
  }
  if (x.ndim === 0 && (dim === 0 || dim === -1)) {
    return scanned(scan, x.reshape(1), 0, options).map((result) => result.reshape([]));
  }
  const d = dimension(scan.name, dim, x.ndim);
  return atOnce(() => {
    const outs = plan.results.map((result) => fresh(x, x.shape, result));
    if (x.size > 0) {
      const last = (view: Tensor) => view.movedim(d, -1);
      scanRows(scan, plan, x.dtype, true, last(x), outs.map(last));
    }
    return dtype === undefined ? outs : outs.map((out) => out.to(dtype));
  });
}

function fresh(like: Tensor, shape: readonly number[], dtype: DType): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, like.device);
}

/** Scans the last dimension, of elements or of accumulators, whose strides are bytes. */
export function scanRows(
  scan: Scan,
  plan: ScanPlan,
  dtype: DType,
  first: boolean,
  input: Tensor,
  outs: readonly Tensor[],
): void {
  const lanes = input.shape.slice(0, -1);
  const length = input.shape.at(-1) as number;
  const step = (view: Tensor) => view.strides.at(-1) as number;
  const parts = Math.ceil(length / scanPart);
  const over = [...lanes, parts];
  const threads = byBlocks(input, length, sizeOf(lanes)) ? threadsFor(length) : 0;
  const chained = threads > 0 && parts > 1;
  const byPart = (view: Tensor) =>
    windowOf(view, {
      shape: over,
      strides: view.strides.with(-1, step(view) * scanPart),
      offset: 0,
    });
  // The parts of a row by adjacent addresses.
  const numbersOf = (memory: Tensor) =>
    windowOf(memory, { shape: over, strides: [...lanes.map(() => 0), 1], offset: 0 });
  const numbers = [length, step(input), step(outs[0] as Tensor), ...(chained ? [parts] : [])];
  const launch = (
    form: Omit<ScanForm, "first" | "threads">,
    written: readonly Tensor[],
    read: readonly Tensor[],
  ) =>
    launchWalk(
      scanWalk(scan, plan, dtype, { ...form, first, threads }),
      over,
      written,
      [byPart(input), ...read],
      numbers,
    );
  if (parts === 1) {
    launch({ totals: false, carried: false }, outs.map(byPart), []);
    return;
  }
  if (chained) {
    const passed = zeros([...lanes, passedWords(plan, parts)], { dtype: "int64", device: input.device.name });
    const shared = windowOf(passed, { shape: over, strides: passed.strides.with(-1, 0), offset: 0 });
    launch({ totals: false, carried: true }, [...outs.map(byPart), shared], [numbersOf(passed)]);
    return;
  }
  const part = numbersOf(fresh(input, [parts], dtypes.int64));
  const bytes = plan.accumulatorBytes;
  const accumulators = () => {
    const buffer = fresh(input, [...over, bytes], dtypes.uint8);
    return windowOf(buffer, { shape: over, strides: buffer.strides.slice(0, -1), offset: 0 });
  };
  const [totals, carry] = [accumulators(), accumulators()];
  launch({ totals: true, carried: false }, [totals], [part]);
  scanRows(scan, plan, dtype, false, totals, [carry]);
  launch({ totals: false, carried: true }, outs.map(byPart), [part, carry]);
}

/** True if a GPU's threads share a part: long rows, unless very many rows are adjacent. */
function byBlocks(input: Tensor, length: number, lanes: number): boolean {
  if (!input.device.target.dialect.grid || length < 256) return false;
  const steps = input.strides.map((stride) => Math.abs(stride));
  return (
    lanes < 2 ** 14 ||
    steps.slice(0, -1).every((stride) => stride === 0 || stride >= (steps.at(-1) as number))
  );
}
