// Convolutions and their gradients by a device's library, where it has one, each as one step of a program.
import { RecentValues } from "../../base/recent-values.js";
import {
  type ConvolutionForm,
  type ConvolutionLibrary,
  type ConvolutionPart,
  convolutionFactors,
} from "../../device/convolution-library.js";
import type { Device } from "../../device/device.js";
import { sizeOf } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import type { OpaqueDefinition } from "../../launch/operation.js";
import { isDifferentiated } from "../../launch/sink.js";
import type { Tensor } from "../tensor.js";
import { bilinear, opaqueDefinition, wholeResults } from "../whole.js";
import { convolutionLibrary, type LoadedWork, loadedWork, runWork } from "../working-library.js";

/** What a convolution is beyond its tensors: a number for each dimension of space. */
export interface ConvolutionPlace {
  readonly padding: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
}

/** A convolution of a library: its function, and the shapes of its tensors. */
interface Convolution {
  readonly what: string;
  readonly library: ConvolutionLibrary;
  readonly place: ConvolutionPlace;
  readonly shapes: Readonly<Record<ConvolutionPart, readonly number[]>>;
}

const parts = Object.keys(convolutionFactors) as ConvolutionPart[];

/**
 * A part of a convolution of signals or images, computed of the other two by the device's library; undefined where another way must
 * compute it, or would have to compute a derivative of it.
 */
export function libraryConvolution(
  what: string,
  result: ConvolutionPart,
  given: readonly [Tensor, Tensor],
  shape: readonly number[],
  place: ConvolutionPlace,
): Tensor | undefined {
  const [{ device, dtype }] = given;
  const [one, other] = convolutionFactors[result];
  const shapes = { [result]: shape, [one]: given[0].shape, [other]: given[1].shape } as Convolution["shapes"];
  if (parts.some((part) => sizeOf(shapes[part]) === 0)) return undefined;
  const library = convolutionLibrary(device);
  if (!library) return undefined;
  const convolution = { what, library, place, shapes };
  const isDerived = isDifferentiated();
  if (isDerived && device.target.dialect.gpu && !areGradientsFaster(dtype.name, convolution))
    return undefined;
  const needed = isDerived ? parts : [result];
  if (!needed.every((part) => codeFor(convolution, formOf(convolution, part, dtype.name), device)))
    return undefined;
  return partOf(convolution, result, given);
}

/**
 * True where a GPU's library's gradients are faster than products of copied windows. On an H200, by it and so, in microseconds with both
 * gradients: 32 images of 256 channels of 14 x 14 in bfloat16 86 and 322, in float32 397 and 582; 128 images of 16 channels of 32 x 32 in
 * bfloat16 105 and 228, in float32 353 and 246.
 */
function areGradientsFaster(dtype: string, { shapes: { weight }, place }: Convolution): boolean {
  if (dtype === "float16" || dtype === "bfloat16") return true;
  const [outer, inner, ...window] = weight as [number, number, ...number[]];
  const isDense = place.stride.every((one) => one === 1) && Math.max(...window) > 1;
  return dtype === "float32" && isDense && Math.min(outer / place.groups, inner) >= 32;
}

/** A part, whose derivatives are the other two with a cotangent in its place. */
function partOf(convolution: Convolution, result: ConvolutionPart, given: readonly [Tensor, Tensor]): Tensor {
  const form = formOf(convolution, result, given[0].dtype.name);
  return (wholeResults(stepOf(convolution, form), given) as [Tensor])[0];
}

function formOf(
  { shapes, place }: Convolution,
  result: ConvolutionPart,
  dtype: ConvolutionForm["dtype"],
): ConvolutionForm {
  // A signal is an image of one row.
  const wide = (shape: readonly number[]) => (shape.length === 3 ? shape.toSpliced(2, 0, 1) : shape);
  const both = (list: readonly number[], single: number) => (list.length === 1 ? [single, ...list] : list);
  return {
    dtype,
    result,
    input: wide(shapes.input),
    weight: wide(shapes.weight),
    output: wide(shapes.output),
    padding: both(place.padding, 0),
    stride: both(place.stride, 1),
    dilation: both(place.dilation, 1),
    groups: place.groups,
  };
}

/** The code of a form; undefined if the library does not compute it. */
function codeFor(
  { what, library }: Convolution,
  form: ConvolutionForm,
  device: Device,
): LoadedWork | undefined {
  const call = { what, symbol: "conv", form, operands: 4 };
  return loadedWork(library, device, call, () => library.load(form));
}

const steps = new RecentValues<OpaqueDefinition>(256);

function stepOf(convolution: Convolution, form: ConvolutionForm): OpaqueDefinition {
  const { what, library, shapes } = convolution;
  const { result } = form;
  const shape = shapes[result];
  const [one, other] = convolutionFactors[result];
  // The cotangent of a factor: the other factor and the result's cotangent give it.
  const adjoint = (to: ConvolutionPart, from: ConvolutionPart) => (g: Tensor, kept: Tensor) => {
    const by = { [from]: kept, [result]: g } as Record<ConvolutionPart, Tensor>;
    const [first, second] = convolutionFactors[to];
    return partOf(convolution, to, [by[first], by[second]]);
  };
  return steps.get(`${what} ${library.path} ${shape.length} ${JSON.stringify(form)}`, () =>
    opaqueDefinition(
      result === "output" ? what : `${what} gradient of the ${result}`,
      ([x]) => [[(x as View).dtype, shape]],
      (given, [out]) => run(convolution, form, given, out as Tensor),
      { rule: bilinear(adjoint(one, other), adjoint(other, one)) },
    ),
  );
}

function run(convolution: Convolution, form: ConvolutionForm, given: readonly Tensor[], out: Tensor): void {
  const code = codeFor(convolution, form, out.device);
  if (!code) throw new Error(`${convolution.library.name} has lost a form of ${convolution.what}.`);
  runWork(code, given, [out]);
}
