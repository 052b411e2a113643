// Scans: running sums, products, extremes. A row of one part is one launch, and so are several where blocks of a GPU hand
// their accumulators on. Else the accumulators of the parts are computed and scanned first, and each part starts from its prefix.
import { optionsOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { passedWords } from "../codegen/scan-block.js";
import { type ScanForm, scanPart, threadsFor } from "../codegen/scan-form.js";
import { scanWalk } from "../codegen/scan-kernel.js";
import { type Scan, type ScanPlan, scans } from "../functor/scan.js";
import { broadcastStrides, contiguousStrides, sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { dimension } from "../geometry/views.js";
import { openSink, type Prologue } from "../launch/sink.js";
import { atOnce, launchWalk } from "../launch/walk-launch.js";
import type { Scalar } from "../ops/op.js";
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
  const maps = x.size > 0 ? mapsBefore(x, x.shape[d] as number) : undefined;
  return atOnce(() => {
    const outs = plan.results.map((result) => fresh(x, x.shape, result));
    if (x.size > 0) {
      const last = (view: Tensor) => view.movedim(d, -1);
      const moved = maps && { ...maps, inputs: maps.inputs.map((view) => alongLast(view, x.shape, d)) };
      scanRows(scan, plan, x.dtype, true, last(x), outs.map(last), moved);
    }
    return dtype === undefined ? outs : outs.map((out) => out.to(dtype));
  });
}

/** The maps that compute the elements of rows, for a kernel that computes them where it reads them. */
function mapsBefore(x: Tensor, length: number): Prologue | undefined {
  const { dtype, device } = x;
  const isHost = device.target.dialect.grid === undefined;
  // Beside the loop over a row, a processor converts halves one by one; alone, in vector registers.
  if (isHost && dtype.kind === "float" && dtype.bytes === 2) return undefined;
  // A processor reads the elements of several parts twice.
  return openSink()?.mapsOf?.(x, isHost && length > scanPart);
}

/** A view that is broadcast to a shape, with dimension `d` as its last one. */
function alongLast(view: View, shape: readonly number[], d: number): View {
  const moved = (list: readonly number[]) => [...list.toSpliced(d, 1), list[d] as number];
  const strides = broadcastStrides(view.shape, view.strides, shape);
  return { ...view, pointer: view.pointer, shape: moved(shape), strides: moved(strides) };
}

function fresh(like: Tensor, shape: readonly number[], dtype: DType): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, like.device);
}

/** Scans the last dimension, of elements in memory or of maps, or of accumulators, whose strides are bytes. */
export function scanRows(
  scan: Scan,
  plan: ScanPlan,
  dtype: DType,
  first: boolean,
  input: Tensor,
  outs: readonly Tensor[],
  maps?: Prologue,
): void {
  const lanes = input.shape.slice(0, -1);
  const length = input.shape.at(-1) as number;
  const parts = Math.ceil(length / scanPart);
  const over = [...lanes, parts];
  const threads = byBlocks(input, length, sizeOf(lanes)) ? threadsFor(length) : 0;
  const chained = threads > 0 && parts > 1;
  const byPart = (view: Tensor) =>
    windowOf(view, {
      shape: over,
      strides: view.strides.with(-1, stepOf(view) * scanPart),
      offset: 0,
    });
  // The parts of a row by adjacent addresses.
  const numbersOf = (memory: Tensor) =>
    windowOf(memory, { shape: over, strides: [...lanes.map(() => 0), 1], offset: 0 });
  const { dialect } = input.device.target;
  const read = maps
    ? maps.inputs.map((view) => ({
        ...view,
        shape: over,
        strides: view.strides.with(-1, stepOf(view) * scanPart),
      }))
    : [byPart(input)];
  const steps = maps ? maps.inputs.map(stepOf) : [stepOf(input)];
  const numbers = [length, ...steps, stepOf(outs[0] as Tensor), ...(chained ? [parts] : [])];
  const scalars = maps ? maps.functor.parameters.map(({ name }) => maps.parameters[name] as Scalar) : [];
  const launch = (
    form: Omit<ScanForm, "first" | "threads">,
    written: readonly Tensor[],
    more: readonly Tensor[],
  ) =>
    launchWalk(
      scanWalk(scan, plan, dtype, { ...form, first, threads }, maps && { functor: maps.functor, dialect }),
      over,
      written,
      [...read, ...more],
      numbers,
      scalars,
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

function stepOf({ strides }: View): number {
  return strides.at(-1) as number;
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
