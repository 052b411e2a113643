// Copies that only operations without parts need, such as products of the copies of parameters that are differentiated by: these
// read the original. Other kernels copy where they read. A copy that is a result of the program, or is written in part, stays.

import { copyFunctor } from "../../functor/functor.js";
import { isOpaque, type Node, type Value } from "../operations/ir.js";
import { sameWindow } from "../operations/window.js";
import { change } from "./pass.js";
import { reading } from "./repeats.js";

/** Lets operations without parts read the original of a copy. */
export const copies = change(({ nodes, kept, isLast }) => {
  if (!isLast) return {};
  const originals = new Map<Value, Value>();
  const replaced = new Set(nodes.flatMap(({ bases }) => bases));
  for (const node of nodes) {
    const copied = copiedBy(node);
    if (copied === undefined) continue;
    const [copy, given] = copied;
    const original = originals.get(given) ?? given;
    if (!kept.has(copy) && !replaced.has(original)) originals.set(copy, original);
  }
  if (originals.size === 0) return {};
  return { nodes: nodes.map((node) => (isOpaque(node) ? reading(node, originals) : node)) };
});

/** The result of a node and the value of which it is a copy, with the same elements at the same places; undefined for others. */
function copiedBy({ slot, values, made }: Node): readonly [copy: Value, original: Value] | undefined {
  const [result, operand] = [slot.results[0], slot.operands[0]];
  const [original, copy] = [values[0], made[0]];
  if (slot.kind !== "map" || slot.functor !== copyFunctor || !original || !copy || !operand?.window)
    return undefined;
  const { window } = result as NonNullable<typeof result>;
  const isWhole = original.bytes === copy.bytes && window.offset === 0 && original.device === copy.device;
  const isSame = operand.window.dtype === window.dtype && sameWindow(operand.window, window);
  return isWhole && isSame && !result?.patches ? [copy, original] : undefined;
}
