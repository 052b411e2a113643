// Whole numbers outside of the range of an integer tensor. As in PyTorch, comparisons use their exact values and arithmetic
// wraps around; numbers beyond 32 bits, such as 1e10, are floats.
import { isInteger } from "../base/dtype.js";
import type { Operand } from "../functor/operand.js";
import type { Op } from "../ops/op.js";
import { rules } from "../ops/rules.js";
import { emptyTensor, Tensor } from "./tensor.js";

/** True for a whole number that a tensor of integers cannot hold. */
export function isBeyond(scalar: unknown, tensor: unknown): scalar is number | bigint {
  const whole = typeof scalar === "bigint" || Number.isSafeInteger(scalar);
  if (!whole || !(tensor instanceof Tensor) || !isInteger(tensor.dtype)) return false;
  const { kind, bytes } = tensor.dtype;
  if (typeof scalar === "number" && scalar >= 0 && scalar < 128) return false;
  const value = BigInt(scalar as number | bigint);
  return kind === "signed"
    ? BigInt.asIntN(8 * bytes, value) !== value
    : BigInt.asUintN(8 * bytes, value) !== value;
}

/** A tensor and a number out of its range, as the operation takes them. */
export function scalarBeside(
  op: Op,
  operand: Operand,
  scalar: number | bigint,
): readonly [Tensor, number | bigint] {
  const tensor = operand as Tensor;
  const { dtype, device, shape } = tensor;
  const rule = rules[op.rule](dtype);
  if ("refuse" in rule || !isInteger(rule.compute)) return [tensor, scalar];
  if (rule.out.kind === "bool") {
    // Every element compares to the number as 0 does to a number of its sign.
    const zero = emptyTensor([], [], dtype, device).fill_(0);
    return scalar > 0 ? [zero.expand(shape), 1] : [zero.to("int8").expand(shape), -1];
  }
  if (typeof scalar === "number" && Math.abs(scalar) >= 2 ** 32) return [tensor.to("float32"), scalar];
  return [tensor, BigInt.asIntN(8 * dtype.bytes, BigInt(scalar))];
}
