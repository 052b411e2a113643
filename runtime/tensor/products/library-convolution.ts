// Convolutions by a device's library, where it has one, as one step of a program. Under derivatives the convolution is composed of
// operations that have rules.
import { dtypes } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { RecentValues } from "../../base/recent-values.js";
import { report } from "../../cache/report.js";
import type { ConvolutionForm, ConvolutionLibrary, Device } from "../../device/device.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import type { LoadedKernel } from "../../launch/loaded-kernel.js";
import type { OpaqueDefinition } from "../../launch/operation.js";
import { launchLibrary, libraryKernel } from "../library-kernel.js";
import { emptyTensor, type Tensor } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";

/** What a convolution is beyond its tensors: a number for each dimension of space. */
export interface ConvolutionPlace {
  readonly padding: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
  /** The result's extents. */
  readonly counts: readonly number[];
}

/** The convolution of signals or images by the device's library; undefined where another way must compute it. */
export function libraryConvolution(
  what: string,
  x: Tensor,
  weight: Tensor,
  place: ConvolutionPlace,
): Tensor | undefined {
  const output = [x.shape[0] as number, weight.shape[0] as number, ...place.counts];
  if (sizeOf(output) * sizeOf(x.shape) * sizeOf(weight.shape) === 0) return undefined;
  const library = convolutionLibrary(x.device);
  if (!library) return undefined;
  // A signal is an image of one row.
  const wide = (shape: readonly number[]) => (shape.length === 3 ? shape.toSpliced(2, 0, 1) : shape);
  const both = (list: readonly number[], single: number) => (list.length === 1 ? [single, ...list] : list);
  const form: ConvolutionForm = {
    dtype: x.dtype.name,
    input: wide(x.shape),
    weight: wide(weight.shape),
    output: wide(output),
    padding: both(place.padding, 0),
    stride: both(place.stride, 1),
    dilation: both(place.dilation, 1),
    groups: place.groups,
  };
  if (!codeFor(what, library, form, x.device)) return undefined;
  return (wholeResults(stepOf(what, library, form, output), [x, weight]) as [Tensor])[0];
}

/** The device's library; a damaged one is reported once and not used. */
function convolutionLibrary(device: Device): ConvolutionLibrary | undefined {
  try {
    return device.convolutions?.();
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "library-damaged") throw error;
    report("convolution", `${error.message}\nUntil then convolutions multiply copied windows, more slowly.`);
    return undefined;
  }
}

interface Code {
  readonly kernel: LoadedKernel;
  readonly workBytes: number;
}

const codes = new RecentValues<{ readonly code: Code | undefined }>(64, ({ code }) => code?.kernel.release());

/** The code of a form, loaded once; undefined if the library does not compute it. */
function codeFor(
  what: string,
  library: ConvolutionLibrary,
  form: ConvolutionForm,
  device: Device,
): Code | undefined {
  return codes.get(`${device.id} ${what} ${library.path} ${JSON.stringify(form)}`, () => {
    const found = library.load(form);
    if (!found) return { code: undefined };
    const call = { what, symbol: "conv", by: library.name, place: library.path, form, operands: 4 };
    const kernel = libraryKernel(device, call, () => found.code);
    return { code: { kernel, workBytes: found.workBytes } };
  }).code;
}

const steps = new RecentValues<OpaqueDefinition>(256);

function stepOf(
  what: string,
  library: ConvolutionLibrary,
  form: ConvolutionForm,
  output: readonly number[],
): OpaqueDefinition {
  return steps.get(`${what} ${library.path} ${output.length} ${JSON.stringify(form)}`, () =>
    opaqueDefinition(
      what,
      ([x]) => [[(x as View).dtype, output]],
      ([x, weight], [out]) => run(what, library, form, [x as Tensor, weight as Tensor], out as Tensor),
    ),
  );
}

function run(
  what: string,
  library: ConvolutionLibrary,
  form: ConvolutionForm,
  factors: readonly Tensor[],
  out: Tensor,
): void {
  const code = codeFor(what, library, form, out.device);
  if (!code) throw new Error(`${library.name} has lost a form of ${what}.`);
  const read = factors.map((one) => (isWhole(one) ? one : copyOf(one)));
  const shape = [Math.max(1, code.workBytes)];
  const work = emptyTensor(shape, contiguousStrides(shape), dtypes.uint8, out.device);
  launchLibrary(code.kernel, [out, ...read, work], [out, work], read);
  work.dispose();
  for (const [i, one] of read.entries()) if (one !== factors[i]) one.dispose();
}

// The library's kernels may read as many bytes at once.
const alignment = 16;

function isWhole(x: Tensor): boolean {
  return x.isContiguous && x.pointer % alignment === 0;
}

function copyOf(x: Tensor): Tensor {
  return emptyTensor(x.shape, contiguousStrides(x.shape), x.dtype, x.device).copy_(x);
}
