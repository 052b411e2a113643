// The call of `element`, the function of a kernel that computes one element; kernels differ in how they reach its operands.
import { type KernelSpec, memoryOperands } from "./spec.js";

/** True where the functor asks for the element's flat index. */
export function positioned(spec: KernelSpec): boolean {
  return spec.functor.signature.some((argument) => argument.role === "position");
}

/** `element(...)` with each operand in memory spelled by `access` from its name and place. */
export function elementCall(
  spec: KernelSpec,
  access: (name: string, k: number) => string,
  position = "i",
): string {
  const operands = memoryOperands(spec).map((o, k) => access(o.name, k));
  return `element(args, ${[...(positioned(spec) ? [position] : []), ...operands].join(", ")});`;
}
