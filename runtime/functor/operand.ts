// The kind of an operand for promotion: a tensor with dimensions, a 0-d tensor, or a host scalar, which is weak. Each is a
// small integer code, so that the warm path checks types only once.
import { type DType, dtypeList, dtypes, promote } from "../base/dtype.js";
import { isRevoked, JitlabError, show } from "../base/errors.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";

/** A tensor's memory or a host scalar. */
export type Operand = View | Scalar;

const zeroDim = dtypeList.length;
const firstScalar = 2 * zeroDim;
/** The dtypes that stand for host scalars, in the order of their codes. */
const scalarDTypes: readonly DType[] = [dtypes.bool, dtypes.int64, dtypes.float32, dtypes.complex64];

/** The number of operand codes. */
export const operandCodes = 36;

/** The code of an operand: its dtype, whether it has dimensions, or its kind of scalar. Throws for anything else. */
export function codeOf(operand: unknown, what: string): number {
  if (typeof operand === "number") {
    return firstScalar + (Number.isSafeInteger(operand) && !Object.is(operand, -0) ? 1 : 2);
  }
  if (typeof operand === "object" && operand !== null && !isRevoked(operand)) {
    const view = operand as Partial<View> & { re?: unknown; im?: unknown };
    if ("pointer" in operand && view.dtype?.id !== undefined && view.shape !== undefined) {
      return view.dtype.id + (view.shape.length === 0 ? zeroDim : 0);
    }
    if (typeof view.re === "number" && typeof view.im === "number") return firstScalar + 3;
  }
  if (typeof operand === "bigint") return firstScalar + 1;
  if (typeof operand === "boolean") return firstScalar;
  throw new JitlabError(
    "bad-operand",
    `${what}: ${show(operand)} is neither a tensor nor a number.`,
    "Pass a Tensor, a number, a bigint, a boolean or { re, im }; make a tensor of an array with jl.tensor(...).",
  );
}

/** True for a host scalar: a number, a bigint, a boolean or a complex number. */
export function isScalar(value: unknown): value is Scalar {
  if (typeof value === "object" && value !== null) return !isRevoked(value) && "re" in value && "im" in value;
  return typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
}

/** The code of a result: with dimensions if an operand has them, else 0-d, else a scalar of its kind. */
export function resultCode(dtype: DType, operands: readonly number[]): number {
  if (operands.some((code) => code < zeroDim)) return dtype.id;
  if (operands.some((code) => code < firstScalar)) return dtype.id + zeroDim;
  const kinds = ["bool", "signed", "float", "complex"];
  return firstScalar + kinds.indexOf(dtype.kind === "unsigned" ? "signed" : dtype.kind);
}

/** True for the code of a host scalar. */
export function isScalarCode(code: number): boolean {
  return code >= firstScalar;
}

/** The dtype of a code; for scalars the one that stands for them. */
export function dtypeOfCode(code: number): DType {
  if (code >= firstScalar) return scalarDTypes[code - firstScalar] as DType;
  return dtypeList[code >= zeroDim ? code - zeroDim : code] as DType;
}

/**
 * The common dtype of operands, as in PyTorch's result_type: tensors with dimensions decide; 0-d tensors, then scalars,
 * count only if their kind is higher.
 */
export function commonDType(codes: readonly number[]): DType {
  let dims: DType | undefined;
  let zero: DType | undefined;
  let weak: DType | undefined;
  for (const code of codes) {
    const dtype = dtypeOfCode(code);
    if (code >= firstScalar) weak = weak ? promote(weak, dtype) : dtype;
    else if (code >= zeroDim) zero = zero ? promote(zero, dtype) : dtype;
    else dims = dims ? promote(dims, dtype) : dtype;
  }
  return combine(dims, combine(zero, weak)) ?? dtypes.float32;
}

function combine(higher: DType | undefined, lower: DType | undefined): DType | undefined {
  if (!higher || !lower) return higher ?? lower;
  if (higher.kind === "complex") return higher;
  if (higher.kind === "float") {
    if (lower.kind !== "complex") return higher;
    return higher.name === "float64" ? dtypes.complex128 : dtypes.complex64;
  }
  if (higher.kind === "bool" || lower.kind === "float" || lower.kind === "complex")
    return promote(higher, lower);
  return higher;
}

/** A host scalar in the form for typed arrays; throws `scalar-overflow` if an integer dtype cannot hold it. */
export function scalarParts(value: Scalar, dtype: DType, what: string): { re: number | bigint; im: number } {
  if (typeof value === "object") {
    if (dtype.kind === "complex") return { re: value.re, im: value.im };
    throw new JitlabError(
      "scalar-kind",
      `${what}: a complex scalar cannot become ${dtype.name}.`,
      "Use its real part.",
    );
  }
  if (dtype.kind === "bool") return { re: value ? 1 : 0, im: 0 };
  if (dtype.kind === "float" || dtype.kind === "complex") return { re: Number(value), im: 0 };
  const fits = typeof value === "bigint" || Number.isInteger(Number(value));
  const whole = typeof value === "bigint" ? value : BigInt(fits ? Number(value) : 0);
  if (
    !fits ||
    (BigInt.asIntN(dtype.bytes * 8, whole) !== whole &&
      !(dtype.kind === "unsigned" && BigInt.asUintN(dtype.bytes * 8, whole) === whole))
  ) {
    throw new JitlabError(
      "scalar-overflow",
      `${what}: ${show(value)} does not fit into ${dtype.name}.`,
      fits
        ? `Use a value that fits, or a tensor of a wider dtype: x.to("int64").`
        : `Use a whole number, or a tensor of a floating dtype: x.to("float32").`,
    );
  }
  return { re: dtype.bytes === 8 ? whole : Number(whole), im: 0 };
}
