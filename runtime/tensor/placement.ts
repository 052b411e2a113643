// The options of new tensors: their dtype and their device.
import { optionsOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { AnyDType } from "./element-types.js";
import { Tensor } from "./tensor.js";

/** The dtype and device of a new tensor. */
export interface TensorOptions<D extends DTypeName = AnyDType> {
  /** The dtype of the elements; default: the function's own, float32 for most. */
  readonly dtype?: D;
  /** A device name; default: the default device. */
  readonly device?: string;
}

/** The names of {@link TensorOptions}. */
export const placeNames = ["dtype", "device"] as const;

/** The dtype and the device of new tensors, from checked options. */
export function placeOf(
  what: string,
  options: TensorOptions | undefined,
  fallback: DTypeName,
): { dtype: DType; device: string | undefined } {
  const { dtype, device } = optionsOf(what, options, placeNames);
  return { dtype: dtypeOf(dtype === undefined ? fallback : dtype), device };
}

/** The shape of a tensor, and its dtype and device unless overridden by options. */
export function like(
  what: string,
  source: Tensor,
  options: TensorOptions | undefined,
): [shape: readonly number[], options: TensorOptions] {
  if (!(source instanceof Tensor)) {
    throw new JitlabError(
      "bad-operand",
      `${what}: ${show(source)} is not a tensor.`,
      "Pass the tensor whose shape to use.",
    );
  }
  return [
    source.shape,
    { dtype: source.dtype.name, device: source.device.name, ...optionsOf(what, options, placeNames) },
  ];
}

/** Throws `scalar-overflow` for a number outside of the range of an integer dtype. */
export function checkRange(what: string, number: number, { kind, bytes, name }: DType): void {
  const isSigned = kind === "signed";
  if (!isSigned && kind !== "unsigned") return;
  const most = 2 ** (8 * bytes - (isSigned ? 1 : 0));
  if (number < most && number > (isSigned ? -most : 0) - 1) return;
  throw new JitlabError(
    "scalar-overflow",
    `${what}: ${number} does not fit into ${name}.`,
    'Pass a wider dtype, such as { dtype: "int64" } or { dtype: "float64" }.',
  );
}
