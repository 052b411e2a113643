// Fourier transforms by a device's library, where it has one: over contiguous tensors whose last dimensions are transformed,
// several at once, as one step of a program.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { RecentValues } from "../base/recent-values.js";
import { report } from "../cache/report.js";
import type { Device, TransformForm, TransformLibrary } from "../device/device.js";
import { contiguousStrides, sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { LoadedKernel } from "../launch/loaded-kernel.js";
import type { OpaqueDefinition } from "../launch/operation.js";
import { launchLibrary, libraryKernel } from "../tensor/library-kernel.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";
import { linear, opaqueDefinition, wholeResults } from "../tensor/whole.js";

/** The device's library of transforms; a damaged one is reported once and not used. */
export function transformLibrary(device: Device): TransformLibrary | undefined {
  try {
    return device.transforms?.();
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report("fft", `${error.message}\nUntil then compiled kernels transform, more slowly.`);
    return undefined;
  }
}

/**
 * The transform along dimensions, times a factor. Of the spectrum of real numbers the last of `dims` is the one that is cut to
 * half, whose whole length is `length`.
 */
export function libraryTransform(
  library: TransformLibrary,
  kind: TransformForm["kind"],
  x: Tensor,
  dims: readonly number[],
  isInverse: boolean,
  factor: number,
  length = 0,
): Tensor {
  const last = x.ndim - dims.length;
  const order = dims.map((_, i) => last + i);
  const inner = x.movedim(dims, order);
  const step = stepOf(library, kind, dims.length, isInverse, length);
  const found = (wholeResults(step, [inner]) as [Tensor])[0];
  return (factor === 1 ? found : found.mul(factor)).movedim(order, dims);
}

const steps = new RecentValues<OpaqueDefinition>(256);

function stepOf(
  library: TransformLibrary,
  kind: TransformForm["kind"],
  count: number,
  isInverse: boolean,
  length: number,
): OpaqueDefinition {
  return steps.get(`${library.path} ${kind} ${count} ${isInverse} ${length}`, () =>
    newStep(library, kind, count, isInverse, length),
  );
}

/** Takes cotangents of a transform's result to those of its input. */
function adjointOf(
  library: TransformLibrary,
  kind: TransformForm["kind"],
  count: number,
  isInverse: boolean,
  g: Tensor,
  { shape }: Pick<View, "shape">,
): Tensor {
  const dims = Array.from({ length: count }, (_, i) => g.ndim - count + i);
  const dim = g.ndim - 1;
  if (kind === "complex") return libraryTransform(library, kind, g, dims, !isInverse, 1);
  if (kind === "real to complex") {
    const length = shape.at(-1) as number;
    const whole = g.pad([0, length - (g.shape.at(-1) as number)]);
    return libraryTransform(library, "complex", whole, [dim], true, 1).real();
  }
  // All elements but those of frequency 0 and half the length stand for their conjugates too.
  const half = libraryTransform(library, "real to complex", g, [dim], false, 1);
  const length = g.shape.at(-1) as number;
  const doubled = half.narrow(-1, 1, Math.ceil(length / 2) - 1);
  return half.add(doubled.pad([1, (half.shape.at(-1) as number) - 1 - (doubled.shape.at(-1) as number)]));
}

function newStep(
  library: TransformLibrary,
  kind: TransformForm["kind"],
  count: number,
  isInverse: boolean,
  length: number,
): OpaqueDefinition {
  return opaqueDefinition(
    "fft",
    ([x]) => {
      const { shape, dtype } = x as View;
      const [lead, own] = [shape.slice(0, -1), shape.at(-1) as number];
      if (kind === "complex") return [[dtype, shape]];
      if (kind === "complex to real") return [[realOf(dtype), [...lead, length]]];
      return [[complexOf(dtype), [...lead, Math.floor(own / 2) + 1]]];
    },
    ([x], [out]) => run(library, kind, count, isInverse, x as Tensor, out as Tensor),
    {
      core: [Math.max(1, count)],
      rule: linear((g, input) => adjointOf(library, kind, count, isInverse, g, input)),
    },
  );
}

function realOf(dtype: DType): DType {
  return dtype.name === "complex64" ? dtypes.float32 : dtypes.float64;
}

function complexOf(dtype: DType): DType {
  return dtype.name === "float32" ? dtypes.complex64 : dtypes.complex128;
}

interface Kernel {
  readonly kernel: LoadedKernel;
  readonly workBytes: number;
}

const kernels = new RecentValues<Kernel>(64, ({ kernel }) => kernel.release());

function run(
  library: TransformLibrary,
  kind: TransformForm["kind"],
  count: number,
  isInverse: boolean,
  x: Tensor,
  out: Tensor,
): void {
  if (out.size === 0) return;
  const { device } = x;
  const whole = kind === "complex to real" ? out : x;
  const form: TransformForm = {
    kind,
    dtype: (kind === "complex to real" ? x : out).dtype.name,
    batch: sizeOf(x.shape.slice(0, -count)),
    lengths: whole.shape.slice(-count),
    isInverse,
  };
  const { kernel, workBytes } = kernels.get(`${device.id} ${library.path} ${JSON.stringify(form)}`, () => {
    let bytes = 0;
    const call = { what: "fft", symbol: "fft", by: library.name, place: library.path, form, operands: 3 };
    const loaded = libraryKernel(device, call, () => {
      const { workBytes, code } = library.load(form);
      bytes = workBytes;
      return code;
    });
    return { kernel: loaded, workBytes: bytes };
  });
  // The spectrum of real results may be overwritten. Pairs of real numbers are read as complex ones.
  const isLost = kind === "complex to real";
  const isAligned = x.offset % dtypes[form.dtype].bytes === 0;
  const input = x.isContiguous && !isLost && isAligned ? x : copyOf(x);
  const shape = [Math.max(1, workBytes)];
  const work = emptyTensor(shape, contiguousStrides(shape), dtypes.uint8, device);
  launchLibrary(kernel, [out, input, work], isLost ? [out, work, input] : [out, work], isLost ? [] : [input]);
  work.dispose();
  if (input !== x) input.dispose();
}

function copyOf(x: Tensor): Tensor {
  return emptyTensor(x.shape, contiguousStrides(x.shape), x.dtype, x.device).copy_(x);
}
