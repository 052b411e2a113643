// Scans: running sums, products, extremes. A row of one part is one launch, and so are several where blocks of a GPU hand
// their accumulators on. Else the accumulators of the parts are computed and scanned first, and each part starts from its prefix.
import { optionsOf } from "../../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { passedWords } from "../../codegen/scans/scan-block.js";
import { type ScanForm, scanGroup, scanPart, scanRun, threadsFor } from "../../codegen/scans/scan-form.js";
import { groupsWalk, scanWalk } from "../../codegen/scans/scan-kernel.js";
import type { Device } from "../../device/device.js";
import { someAddress } from "../../device/placeholder.js";
import { type Scan, type ScanPlan, scans } from "../../functor/scan.js";
import { broadcastStrides, contiguousStrides, sizeOf } from "../../geometry/layout.js";
import { release, reshapedView, type View } from "../../geometry/view.js";
import { dimensionOrOnly } from "../../geometry/views.js";
import type { Epilogue, Prologue, ScanCall } from "../../launch/calls.js";
import type { ScanDefinition } from "../../launch/operation.js";
import { isListed, openCasts } from "../../launch/sink.js";
import { runWalk } from "../../launch/walk-launch.js";
import type { Scalar } from "../../ops/op.js";
import { zeros } from "../create.js";
import type { Accumulated } from "../element-types.js";
import { emptyTensor, type Tensor, tensorOf } from "../tensor.js";
import { wholeResults } from "../whole.js";
import type { Placed } from "./reduce.js";

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
  const casts = openCasts();
  if (casts) return casts.call("cumsum", cumsum<D, R>, [x, dim, options]);
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
  const casts = openCasts();
  if (casts) return casts.call("cumprod", cumprod<D, R>, [x, dim, options]);
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

/** The sums from each element to the last, in the order and with the bits of `flip(dim).cumsum(dim).flip(dim)`. */
export function reverseCumsum(elements: Tensor, dim: number): Tensor {
  return scanned(scans.cumsum, elements, dim, undefined, true)[0] as Tensor;
}

function scanned(
  scan: Scan,
  value: Tensor,
  dim: number,
  options?: ScanOptions,
  isReversed = false,
): readonly Tensor[] {
  const { dtype } = optionsOf(scan.name, options, ["dtype"]);
  const given = tensorOf(scan.name, value);
  const x = dtype === undefined ? given : given.to(dtypeOf(dtype).name);
  const plan = scan.plan(x.dtype);
  if ("refuse" in plan) {
    throw new JitlabError("dtype-refused", `${scan.name} does not take ${x.dtype.name}: ${plan.refuse}.`);
  }
  const along = dimensionOrOnly(scan.name, dim, x.ndim);
  if (x.ndim === 0) return scanned(scan, x.reshape(1), 0, options).map((result) => result.reshape([]));
  const operation = operationOf(scan, plan, x.dtype, along, isReversed);
  const outs =
    x.size > 0 ? wholeResults(operation, [x]) : plan.results.map((result) => fresh(x, x.shape, result));
  return dtype === undefined ? outs : outs.map((out) => out.to(dtype));
}

const operations = new Map<string, ScanDefinition>();

/** A scan of a dtype along dimension `d`, from its first element or from its last. */
function operationOf(
  scan: Scan,
  plan: ScanPlan,
  dtype: DType,
  d: number,
  isReversed: boolean,
): ScanDefinition {
  const key = `${scan.name} ${dtype.name} ${d} ${isReversed}`;
  let operation = operations.get(key);
  if (operation === undefined) {
    const run = (call: ScanCall) =>
      scanLanes(scan, plan, dtype, d, isReversed, call, isListed() ? withoutMemory : atWork);
    operation = {
      kind: "scan",
      name: scan.name,
      dim: d,
      along: (dim) => operationOf(scan, plan, dtype, dim, isReversed),
      isReversed,
      results: ([x]) => plan.results.map((result) => [result, (x as View).shape] as const),
      computes: ({ shape, strides, device }) => {
        const lanes = { shape: shape.toSpliced(d, 1), strides: strides.toSpliced(d, 1) };
        if (device.target.dialect.gpu !== undefined)
          // Across memory, two loads of each element take longer than a pass of their own.
          return isAcross(lanes, shape[d] as number, strides[d] as number) ? undefined : "once";
        // Beside the loop over a row, a processor converts halves one by one; alone, in vector registers.
        if (dtype.kind === "float" && dtype.bytes === 2) return undefined;
        return (shape[d] as number) > scanPart ? "repeatedly" : "once";
      },
      isDense: (shape) => shape.slice(d + 1).every((extent) => extent === 1),
      run: ([input], outputs) => run({ input: input as View, outputs }),
      scan: run,
    };
    operations.set(key, operation);
  }
  return operation;
}

/** The memory of what a scan's passes hand on. */
interface Scratch {
  readonly fresh: (shape: readonly number[], dtype: DType, device: Device) => View;
  /** Words of eight bytes that are zero. */
  readonly zeros: (shape: readonly number[], device: Device) => View;
}

const atWork: Scratch = {
  fresh: (shape, dtype, device) => emptyTensor(shape, contiguousStrides(shape), dtype, device),
  zeros: (shape, { name }) => zeros(shape, { dtype: "int64", device: name }),
};

/** For a sink of kernels, where nothing is launched. */
const withoutMemory: Scratch = {
  fresh: placeholder,
  zeros: (shape, device) => placeholder(shape, dtypes.int64, device),
};

function placeholder(shape: readonly number[], dtype: DType, device: Device): View {
  const strides = contiguousStrides(shape);
  return { pointer: someAddress, shape, strides, dtype, device, size: sizeOf(shape), isContiguous: true };
}

/** Scans along dimension `d`. */
function scanLanes(
  scan: Scan,
  plan: ScanPlan,
  dtype: DType,
  d: number,
  isReversed: boolean,
  { input, outputs, prologue, epilogue }: ScanCall,
  scratch: Scratch,
): void {
  const { shape } = input;
  const last = (view: View) => {
    const moved = alongLast(view, shape, d);
    return isReversed ? fromLast(moved) : moved;
  };
  const before = prologue && { ...prologue, inputs: prologue.inputs.map(last) };
  const after = epilogue && { ...epilogue, inputs: epilogue.inputs.map(last) };
  const outs = epilogue?.outputs ?? outputs;
  scanRows(scan, plan, dtype, true, last(input), outs.map(last), { scratch, before, after });
}

/** A view that is broadcast to a shape, with dimension `d` as its last one. */
function alongLast(view: View, shape: readonly number[], d: number): View {
  const moved = (list: readonly number[]) => [...list.toSpliced(d, 1), list[d] as number];
  return reshapedView(view, moved(shape), moved(broadcastStrides(view.shape, view.strides, shape)));
}

/** The same elements, the last one of each row first. */
function fromLast(view: View): View {
  const { pointer, shape, strides, dtype } = view;
  const step = stepOf(view);
  const first = pointer + ((shape.at(-1) as number) - 1) * step * dtype.bytes;
  return { ...reshapedView(view, shape, strides.with(-1, -step)), pointer: first };
}

function fresh(like: Tensor, shape: readonly number[], dtype: DType): Tensor {
  return emptyTensor(shape, contiguousStrides(shape), dtype, like.device);
}

/** How the rows of a scan are computed beyond its kernels. */
interface Around {
  readonly scratch: Scratch;
  readonly before?: Prologue | undefined;
  readonly after?: Epilogue | undefined;
}

/** Scans the last dimension, of elements in memory or of maps, or of accumulators, whose strides are bytes. */
export function scanRows(
  scan: Scan,
  plan: ScanPlan,
  dtype: DType,
  first: boolean,
  input: View,
  outs: readonly View[],
  { scratch, before, after }: Around = { scratch: atWork },
): void {
  const { device } = input;
  const { dialect } = device.target;
  const lanes = input.shape.slice(0, -1);
  const length = input.shape.at(-1) as number;
  const isGpu = dialect.gpu !== undefined;
  const rows = { shape: lanes, strides: input.strides.slice(0, -1) };
  const parts = Math.ceil(length / scanPart);
  const isWhole = parts === 1 || dialect.gpu?.startsInOrder === true;
  const grouped = isGpu && first && (!isWhole || isAcross(rows, length, stepOf(input)));
  const unit = grouped ? scanGroup : scanPart;
  const over = [...lanes, Math.ceil(length / unit)];
  const threads = isGpu && isWhole && !grouped && length >= scanGroup ? threadsFor(length) : 0;
  const chained = threads > 0 && parts > 1;
  const byPart = (view: View) => reshapedView(view, over, view.strides.with(-1, stepOf(view) * unit));
  // The parts of a row by adjacent addresses.
  const numbersOf = (memory: View) => reshapedView(memory, over, [...lanes.map(() => 0), 1]);
  const read = before?.inputs ?? [input];
  const scalarsOf = ({ functor, parameters }: Pick<Prologue, "functor" | "parameters">) =>
    functor.parameters.map(({ name }) => parameters[name] as Scalar);
  const launch = (
    { totals, carried }: Omit<ScanForm, "first" | "threads">,
    written: readonly View[],
    more: readonly View[],
  ) => {
    const { functor, inputs, keeps, parameters } = (totals ? undefined : after) ?? {};
    const results = functor && { functor, keeps: keeps as readonly boolean[] };
    const elements = [...read, ...(inputs ?? [])];
    const maps = { before: before?.functor, after: results, dialect };
    const rest = chained ? [parts] : grouped && !totals ? [sizeOf(lanes)] : [];
    runWalk({
      walk: scanWalk(scan, plan, dtype, { first, totals, carried, threads, grouped }, maps),
      shape: over,
      written,
      read: [...elements.map(byPart), ...more],
      numbers: [length, ...elements.map(stepOf), stepOf(outs[0] as View), ...rest],
      scalars: [
        ...(before ? scalarsOf(before) : []),
        ...(functor && parameters ? scalarsOf({ functor, parameters }) : []),
      ],
    });
  };
  if (parts === 1 && !grouped) {
    launch({ totals: false, carried: false }, outs.map(byPart), []);
    return;
  }
  if (chained) {
    const passed = scratch.zeros([...lanes, passedWords(plan, parts)], device);
    const shared = reshapedView(passed, over, passed.strides.with(-1, 0));
    launch({ totals: false, carried: true }, [...outs.map(byPart), shared], [numbersOf(passed)]);
    release(passed);
    return;
  }
  const bytes = plan.accumulatorBytes;
  const accumulators = () => {
    const buffer = scratch.fresh([...lanes, parts, bytes], dtypes.uint8, device);
    return reshapedView(buffer, [...lanes, parts], buffer.strides.slice(0, -1));
  };
  const part = numbersOf(scratch.fresh([over.at(-1) as number], dtypes.int64, device));
  if (!grouped) {
    const [totals, carry] = [accumulators(), accumulators()];
    launch({ totals: true, carried: false }, [totals], [part]);
    scanRows(scan, plan, dtype, false, totals, [carry], { scratch });
    launch({ totals: false, carried: true }, outs.map(byPart), [part, carry]);
    release(part, totals, carry);
    return;
  }
  // Those of adjacent rows are adjacent too, as the rows are.
  const perGroup = sizeOf(lanes) * bytes;
  const strides = [...contiguousStrides(lanes).map((stride) => stride * bytes), perGroup];
  const groups = reshapedView(scratch.fresh([sizeOf(over) * bytes], dtypes.uint8, device), over, strides);
  launch({ totals: true, carried: false }, [groups], [part]);
  const perLane = (view: View) => reshapedView(view, over, view.strides.with(-1, 0));
  if (parts === 1) {
    launch({ totals: false, carried: false }, outs.map(byPart), [part, perLane(groups)]);
    release(part, groups);
    return;
  }
  const [totals, carry] = [accumulators(), accumulators()];
  const { shape } = totals;
  const ofPart = reshapedView(groups, shape, strides.with(-1, perGroup * scanRun));
  const joined = [ofPart, reshapedView(part, shape, part.strides)];
  const numbers = [over.at(-1) as number, sizeOf(lanes)];
  runWalk({ walk: groupsWalk(scan, plan, dtype), shape, written: [totals], read: joined, numbers });
  scanRows(scan, plan, dtype, false, totals, [carry], { scratch });
  launch({ totals: false, carried: true }, outs.map(byPart), [part, perLane(carry), perLane(groups)]);
  release(part, groups, totals, carry);
}

function stepOf({ strides }: View): number {
  return strides.at(-1) as number;
}

/** True for long rows that lie side by side, with steps across them, so that adjacent threads of a GPU read adjacent ones. */
function isAcross(lanes: Pick<View, "shape" | "strides">, length: number, step: number): boolean {
  const isBeside = (extent: number, d: number) => {
    const stride = Math.abs(lanes.strides[d] as number);
    return extent >= scanRun && stride > 0 && stride < Math.abs(step);
  };
  return length >= scanGroup && lanes.shape.some(isBeside);
}
