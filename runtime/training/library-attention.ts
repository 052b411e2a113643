// Attention by a device's library, where it has one: one step of a program, which keeps no scores.
import { dtypes } from "../base/dtype.js";
import { RecentValues } from "../base/recent-values.js";
import type { AttentionForm, ConvolutionLibrary } from "../device/convolution-library.js";
import type { Device } from "../device/device.js";
import { sameNumbers, sizeOf } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { OpaqueDefinition } from "../launch/operation.js";
import { isDifferentiated } from "../launch/sink.js";
import type { Tensor } from "../tensor/tensor.js";
import { type AttentionRule, opaqueDefinition, wholeResults } from "../tensor/whole.js";
import { convolutionLibrary, type LoadedWork, loadedWork, runWork } from "../tensor/working-library.js";

const what = "scaledDotProductAttention";

/** The attention of halves; undefined where another way must compute it. */
export function libraryAttention(
  given: readonly [query: Tensor, key: Tensor, value: Tensor],
  facts: AttentionFacts,
): Tensor | undefined {
  const [{ device, dtype, shape }, ...others] = given;
  if (dtype.name !== "float16" && dtype.name !== "bfloat16") return undefined;
  const batch = shape.slice(0, -2);
  if (others.some((one) => one.dtype !== dtype || !sameNumbers(one.shape.slice(0, -2), batch)))
    return undefined;
  const [query, key, value] = given;
  if (key.shape.at(-1) !== shape.at(-1) || key.shape.at(-2) !== value.shape.at(-2)) return undefined;
  if (given.some((one) => one.size === 0)) return undefined;
  const library = convolutionLibrary(device);
  if (!library) return undefined;
  for (const isBackward of isDifferentiated() ? [false, true] : [false])
    if (!codeFor(library, formOf([query, key, value], facts, isBackward), device)) return undefined;
  return (wholeResults(forwardStep(library, facts), given) as [Tensor])[0];
}

/** What attention is beyond its tensors. */
interface AttentionFacts {
  readonly scale: number;
  readonly isCausal: boolean;
}

function formOf(
  [{ dtype, shape }, key, value]: readonly [View, View, View],
  { scale, isCausal }: AttentionFacts,
  isBackward: boolean,
): AttentionForm {
  const [rows, features] = shape.slice(-2) as [number, number];
  const [columns, valueFeatures] = [key.shape.at(-2), value.shape.at(-1)] as [number, number];
  const heads = shape.at(-3) ?? 1;
  const batch = sizeOf(shape.slice(0, -3));
  const halves = dtype.name as AttentionForm["dtype"];
  return {
    ...{ dtype: halves, isBackward, batch, heads, rows, columns, features, valueFeatures },
    scale,
    isCausal,
  };
}

function codeFor(library: ConvolutionLibrary, form: AttentionForm, device: Device): LoadedWork | undefined {
  const [symbol, operands] = form.isBackward ? ["attention gradients", 10] : ["attention", 6];
  return loadedWork(library, device, { what, symbol, form, operands } as const, () =>
    library.loadAttention(form),
  );
}

const steps = new RecentValues<OpaqueDefinition>(64);

/** The output and, for the backward pass, the logarithm of the sum of powers of each query's scores. */
function forwardStep(library: ConvolutionLibrary, facts: AttentionFacts): OpaqueDefinition {
  return steps.get(`forward ${library.path} ${JSON.stringify(facts)}`, () => {
    const backward = backwardStep(library, facts);
    const rule: AttentionRule = {
      ...facts,
      by: "attention",
      backward: (tensors) => wholeResults(backward, tensors) as [Tensor, Tensor, Tensor],
    };
    return opaqueDefinition(
      what,
      ([query, , value]) => {
        const rows = (query as View).shape.slice(0, -1);
        return [
          [(query as View).dtype, [...rows, (value as View).shape.at(-1) as number]],
          [dtypes.float32, [...rows, 1]],
        ];
      },
      run(library, facts, false),
      { core: [2, 2, 2], rule },
    );
  });
}

/** The gradients of queries, keys and values. */
function backwardStep(library: ConvolutionLibrary, facts: AttentionFacts): OpaqueDefinition {
  return opaqueDefinition(
    `${what} gradient`,
    (inputs) => inputs.slice(0, 3).map(({ dtype, shape }) => [dtype, shape]),
    run(library, facts, true),
    { core: [2, 2, 2, 2, 2, 2] },
  );
}

function run(library: ConvolutionLibrary, facts: AttentionFacts, isBackward: boolean) {
  return (given: readonly Tensor[], results: readonly Tensor[]) => {
    const form = formOf(given as [Tensor, Tensor, Tensor], facts, isBackward);
    const code = codeFor(library, form, (given[0] as Tensor).device);
    if (!code) throw new Error(`${library.name} has lost a form of ${what}.`);
    runWork(code, given, results);
  };
}
