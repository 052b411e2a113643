// jl.whileLoop: a loop whose carry decides after each step whether it goes on. It is the plain loop, whose condition the host reads; in
// a compiled function its step is recorded and planned once.
import { checkFunction, checkSynchronous, countOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import type { LoopOperation } from "../launch/operation.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorsIn } from "../tensor/tree.js";
import { alike, Carry, treeOf } from "./carry.js";
import { loopOf, runWhile } from "./loop-body.js";

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
  const next = (carry: C, step: number): C => {
    const made = body(carry);
    checkSynchronous(what, made, "bad-argument", "Load data before, and pass it as an argument.");
    kept.check(made, step);
    return made;
  };
  let carry = init;
  let isPlain = false;
  for (let steps = 0; ; steps++) {
    if (steps === count || !isTrue(condition(carry))) return { carry, steps };
    if (!isPlain) {
      const ended = runWhile(loopFrom(carry, steps));
      if (typeof ended === "object") return { carry: treeOf(init, ended.carry), steps: steps + ended.steps };
      // What the first steps do to the layout of the carry stands after them.
      isPlain = ended === undefined || steps >= tensorsIn(init).length;
    }
    carry = next(carry, steps + 1);
  }

  function loopFrom(carry: C, before: number): LoopOperation {
    let step = before;
    return loopOf({
      name: what,
      steps: count - before,
      isReversed: false,
      carry: alike(what, carry, init),
      along: [],
      body: (now) => {
        const made = next(treeOf(init, now), ++step);
        return [alike(what, made, init), [checked(condition(made)).reshape([])]];
      },
    });
  }
}

/** The value of a condition. */
function checked(value: Tensor): Tensor {
  if (value instanceof Tensor && value.dtype.name === "bool" && value.size === 1) return value;
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

function isTrue(value: Tensor): boolean {
  return checked(value).item() as boolean;
}
