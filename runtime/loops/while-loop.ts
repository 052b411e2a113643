// jl.whileLoop: a loop whose carry decides after each step whether it goes on. The host reads the condition.
import { checkFunction, checkSynchronous, countOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { Tensor } from "../tensor/tensor.js";
import { Carry } from "./carry.js";

/** Options of whileLoop. */
export interface WhileOptions {
  /** The most steps; needed, so that no loop is endless. */
  readonly most: number;
}

/**
 * Calls `body(carry)`, which returns the next carry, while `condition(carry)` is a true tensor of one element, at most `most` times.
 *
 * @example jl.whileLoop((x) => x.lt(100), (x) => x.mul(3), jl.tensor(1), { most: 50 }).carry.item() // 243
 */
export function whileLoop<C>(
  condition: (carry: C) => Tensor,
  body: (carry: C) => C,
  init: C,
  options: WhileOptions,
): { carry: C; steps: number } {
  const what = "whileLoop";
  checkFunction(what, "the condition", condition);
  checkFunction(what, "the body", body);
  const { most } = optionsOf(what, options, ["most"]);
  if (most === undefined) {
    throw new JitlabError(
      "bad-argument",
      "whileLoop: the option most is missing.",
      "It is the largest number of steps: { most: 1000 }.",
    );
  }
  const count = countOf(what, "most", most);
  const kept = new Carry(what, init);
  let carry = init;
  for (let steps = 0; ; steps++) {
    if (steps === count || !isTrue(condition(carry))) return { carry, steps };
    carry = body(carry);
    checkSynchronous(what, carry, "bad-argument", "Load data before, and pass it as an argument.");
    kept.check(carry, steps + 1);
  }
}

function isTrue(value: Tensor): boolean {
  if (value instanceof Tensor && value.dtype.name === "bool" && value.size === 1)
    return value.item() as boolean;
  const found =
    value instanceof Tensor
      ? `a ${value.dtype.name} tensor of shape ${formatShape(value.shape)}`
      : show(value);
  throw new JitlabError(
    "bad-argument",
    `whileLoop: the condition returned ${found}.`,
    "It returns a bool tensor of one element: x.abs().amax().gt(1e-6).",
  );
}
