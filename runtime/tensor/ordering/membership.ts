// Tests which elements are among others.
import { optionsOf } from "../../base/arguments.js";
import { dtypes, promote } from "../../base/dtype.js";
import { inNameOf } from "../../base/errors.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import type { View } from "../../geometry/view.js";
import { launchWalk } from "../../launch/walk-launch.js";
import type { Scalar } from "../../ops/op.js";
import { checkDevices } from "../same-device.js";
import { Tensor, tensorOf, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";

/** Options of isin. */
export interface IsinOptions {
  /** True where an element is not among the others. */
  readonly invert?: boolean;
}

/** The walk that compares an element with a list. */
export const amongWalk: Walk = {
  name: "isin",
  operands: ["out", "element", "list"],
  numbers: ["length", "invert"],
  body: [
    "  const auto value = *element;",
    "  bool found = false;",
    "  for (int64 k = 0; k < length && !found; ++k) found = list[k] == value;",
    "  *out = found != (invert != 0);",
  ].join("\n"),
};

/**
 * Whether each element is in another tensor, or equals a number; NaN never is.
 *
 * @example jl.arange(4).isin(jl.tensor([1, 3])).toArray() // [false, true, false, true]
 */
export function isin(x: Tensor, others: Tensor | Scalar, given?: IsinOptions): Tensor<"bool"> {
  const { invert = false } = optionsOf("isin", given, ["invert"]);
  tensorOf("isin", x);
  if (!(others instanceof Tensor))
    return inNameOf("isin", invert ? "ne" : "eq", () => (invert ? x.ne(others) : x.eq(others)));
  checkDevices("isin", x, others);
  const common = promote(x.dtype, others.dtype).compute;
  const operation = invert ? operations.without : operations.among;
  return wholeResults(operation, [x.to(common), others.to(common).contiguous()])[0] as Tensor<"bool">;
}

const operationOf = (invert: number) =>
  opaqueDefinition(
    "isin",
    ([x]) => [[dtypes.bool, (x as View).shape]],
    (inputs, [result]) => {
      const [x, list] = inputs as [Tensor, Tensor];
      const start = windowOf(list, { shape: x.shape, strides: x.shape.map(() => 0), offset: 0 });
      launchWalk(amongWalk, x.shape, [result as Tensor], [x, start], [list.size, invert]);
    },
    { core: [0, "all"] },
  );
const operations = { among: operationOf(0), without: operationOf(1) };
