// The calls of `element`, the function of a kernel that computes one element; kernels differ in how they reach its operands.
import type { PlainForm } from "../ops/op.js";
import { type KernelSpec, memoryOperands } from "./spec.js";

/** True where the functor asks for the element's flat index. */
export function positioned(spec: KernelSpec): boolean {
  return spec.functor.signature.some((argument) => argument.role === "position");
}

/** The form of the functor for blocks of ordinary arguments; a grid has no blocks. */
export function plainForm(spec: KernelSpec): PlainForm | undefined {
  return spec.dialect.grid ? undefined : spec.functor.plain?.(spec.compute);
}

/** `element(...)`, or another function of the same parameters, with each operand in memory spelled by `access` from its name and place. */
export function elementCall(
  spec: KernelSpec,
  access: (name: string, k: number) => string,
  position = "i",
  callee: "element" | "plain_element" = "element",
): string {
  const operands = memoryOperands(spec).map((o, k) => access(o.name, k));
  return `${callee}(args, ${[...(positioned(spec) ? [position] : []), ...operands].join(", ")});`;
}

/** The condition under which `plain_element` may stand for `element`. */
export function plainCondition(spec: KernelSpec, access: (name: string, k: number) => string): string {
  const inputs = memoryOperands(spec).flatMap((o, k) => (o.name.startsWith("in") ? [access(o.name, k)] : []));
  return `is_plain_element(${["args", ...inputs].join(", ")})`;
}
