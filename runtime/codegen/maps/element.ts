// The calls of `element`, the function of a kernel that computes one element; kernels differ in how they access its
// operands.
import { type DType, isHalf } from "../../base/dtype.js";
import { type Functor, isLongOnGpu, type Stages } from "../../functor/functor.js";
import type { PlainForm } from "../../ops/op.js";
import { argumentDType, type KernelSpec, type MemoryOperand, memoryOperands } from "./map-spec.js";

/** Elements of a block that is tested for a plain form: enough for vector registers, few enough for the L1 cache. */
export const blockSize = 256;

/** The expression of an operand's element, from the operand's name and index. */
export type Access = (name: string, k: number) => string;

/** True if the functor uses the element's flat index. */
export function positioned(spec: KernelSpec): boolean {
  return spec.functor.signature.some((argument) => argument.role === "position");
}

/** The form of the functor for ordinary arguments: of a processor's blocks, or of the elements that a thread of a grid takes. */
export function plainForm(spec: KernelSpec): PlainForm | undefined {
  const { functor, compute } = spec;
  if (!spec.dialect.gpu) return functor.plain?.(compute);
  return triesPlain(spec) ? plainOnGpu(functor, compute) : undefined;
}

/** The form for ordinary arguments that a GPU takes; half types have forms of their own there. */
export function plainOnGpu(functor: Functor, compute: DType): PlainForm | undefined {
  const form = isHalf(compute) ? undefined : functor.plain?.(compute);
  return form?.onGrid ? form : undefined;
}

/** The text of a composed functor for ordinary arguments, which a thread of a grid tries first. */
export function plainComposition(spec: KernelSpec): string | undefined {
  return triesPlain(spec) ? spec.functor.plainText : undefined;
}

/** True if threads of a grid take several adjacent elements, which they can compute again. */
function triesPlain({ dialect, layout, groups, functor, compute }: KernelSpec): boolean {
  const isFlat = layout.kind === "contiguous" && layout.vector > 1 && groups === undefined;
  return dialect.gpu !== undefined && isFlat && !isLongOnGpu(functor, compute);
}

/**
 * The functions of a plain form: `is_NAME`, its condition, and `NAME`. A processor's must be inlined however long it is: a loop
 * with a call has no vector registers.
 */
export function plainFunctions(
  { inputs, inputNames }: Functor,
  compute: DType,
  plain: PlainForm,
  name: string,
  head: "inline" | "__forceinline__",
): string[] {
  const list = inputs.map((type, i) => `${argumentDType(type, compute).ctype} ${inputNames[i]}`).join(", ");
  return [
    `inline bool is_${name}(${list}) { return ${plain.when}; }`,
    `${head} ${argumentDType("T", compute).ctype} ${name}(${list}) { return ${plain.functor}; }`,
  ];
}

/** The parts of the functor with separate loops; a grid has no blocks. */
export function stagesOf(spec: KernelSpec): Stages | undefined {
  return spec.dialect.gpu ? undefined : spec.functor.stages;
}

/**
 * `element(...)`, or another function of the same parameters, with each operand in memory written by `access` from its name
 * and index.
 */
export function elementCall(
  spec: KernelSpec,
  access: Access,
  position = "i",
  callee: "element" | "plain_element" = "element",
): string {
  const operands = memoryOperands(spec).map((o, k) => argumentOf(o, access(o.name, k)));
  return `${callee}(args, ${[...(positioned(spec) ? [position] : []), ...operands].join(", ")});`;
}

/** What a function gets of an operand: the element at a place in memory, or its address. */
export function argumentOf({ isAddressed }: MemoryOperand, place: string): string {
  return isAddressed ? `&${place}` : place;
}

/** The condition under which `plain_element` may replace `element`. */
export function plainCondition(spec: KernelSpec, access: Access): string {
  const inputs = memoryOperands(spec).flatMap((o, k) => (o.name.startsWith("in") ? [access(o.name, k)] : []));
  return `is_plain_element(${["args", ...inputs].join(", ")})`;
}

/** What follows the declaration of a result: a user's text may leave one as it is. */
export function initial({ user }: Functor): string {
  return user ? "{}" : "";
}
