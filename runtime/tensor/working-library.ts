// The device's library of convolutions and attention, and calls of its code, which works in memory of its caller.
import { dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { RecentValues } from "../base/recent-values.js";
import { report } from "../cache/report.js";
import type { ConvolutionLibrary, WorkingCode } from "../device/convolution-library.js";
import type { Device } from "../device/device.js";
import { contiguousStrides } from "../geometry/layout.js";
import type { LoadedKernel } from "../launch/loaded-kernel.js";
import { launchLibrary, libraryKernel } from "./library-kernel.js";
import { emptyTensor, type Tensor } from "./tensor.js";

/** The device's library; a damaged one is reported once and not used. */
export function convolutionLibrary(device: Device): ConvolutionLibrary | undefined {
  try {
    return device.convolutions?.();
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report("convolution", `${error.message}\nUntil then convolutions multiply copied windows, more slowly.`);
    return undefined;
  }
}

/** Code that is loaded. */
export interface LoadedWork {
  readonly kernel: LoadedKernel;
  readonly workBytes: number;
}

const codes = new RecentValues<{ readonly work: LoadedWork | undefined }>(256, ({ work }) =>
  work?.kernel.release(),
);

/** The code for a form of a call, loaded once; undefined if the library does not compute it. */
export function loadedWork(
  { name, path }: ConvolutionLibrary,
  device: Device,
  call: {
    readonly what: string;
    readonly symbol: string;
    readonly form: { readonly dtype: string };
    readonly operands: number;
  },
  load: () => WorkingCode | undefined,
): LoadedWork | undefined {
  return codes.get(`${device.id} ${call.what} ${path} ${JSON.stringify(call.form)}`, () => {
    const found = load();
    if (!found) return { work: undefined };
    const kernel = libraryKernel(device, { ...call, by: name, place: path }, () => found.code);
    return { work: { kernel, workBytes: found.workBytes } };
  }).work;
}

/** Writes the results of code that was loaded for these tensors. */
export function runWork(
  { kernel, workBytes }: LoadedWork,
  given: readonly Tensor[],
  results: readonly Tensor[],
): void {
  const [{ device }] = results as [Tensor];
  const read = given.map((one) => (isWhole(one) ? one : copyOf(one)));
  const shape = [Math.max(1, workBytes)];
  const work = emptyTensor(shape, contiguousStrides(shape), dtypes.uint8, device);
  launchLibrary(kernel, [...results, ...read, work], [...results, work], read);
  work.dispose();
  for (const [i, one] of read.entries()) if (one !== given[i]) one.dispose();
}

// The library's kernels may read as many bytes at once.
const alignment = 16;

function isWhole(x: Tensor): boolean {
  return x.isContiguous && x.pointer % alignment === 0;
}

function copyOf(x: Tensor): Tensor {
  return emptyTensor(x.shape, contiguousStrides(x.shape), x.dtype, x.device).copy_(x);
}
