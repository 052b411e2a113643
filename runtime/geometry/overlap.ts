// Checks overlaps: the elements of an output must be distinct, and an output must not share elements with another output, or
// with an input unless both are the same view.
import { JitlabError } from "../base/errors.js";
import type { Storage } from "../device/storage.js";
import { bytesMeet } from "./common-bytes.js";
import { formatShape, overlapsItself, sameNumbers } from "./layout.js";
import { isView, type View } from "./view.js";

/** Throws `output-overlap` if an output overlaps itself, another output, or part of an input. */
export function checkOverlap(what: string, outputs: readonly View[], operands: readonly unknown[]): void {
  for (const out of outputs) {
    if (!out.isContiguous && overlapsItself(out.shape, out.strides)) {
      throw new JitlabError(
        "output-overlap",
        `${what}: elements of the output of shape ${formatShape(out.shape)} share memory (strides ${formatShape(out.strides)}).`,
        "Write into a contiguous() copy instead of an expanded view.",
      );
    }
    for (const operand of operands) {
      if (isView(operand) && overlapsPartly(out, operand)) {
        throw new JitlabError(
          "output-overlap",
          `${what}: the output of shape ${formatShape(out.shape)} overlaps an input of shape ${formatShape(operand.shape)} without being the same view of it.`,
          "Clone the input first, or write into another tensor.",
        );
      }
    }
    for (const other of outputs) {
      if (other !== out && bytesMeet(out, out.pointer, other, other.pointer)) {
        throw new JitlabError(
          "output-overlap",
          `${what}: two outputs share memory.`,
          "Give each output separate memory.",
        );
      }
    }
  }
}

function overlapsPartly(out: View, input: View): boolean {
  if (out === input || areDisjoint(out, input) || !bytesMeet(out, out.pointer, input, input.pointer))
    return false;
  const same =
    out.pointer === input.pointer &&
    out.dtype.bytes === input.dtype.bytes &&
    sameNumbers(out.shape, input.shape) &&
    sameNumbers(out.strides, input.strides);
  return !same;
}

/** True for disjoint dense views: a fast check without strides, because every call makes it. */
function areDisjoint(a: View, b: View): boolean {
  if (!a.isContiguous || !b.isContiguous) return false;
  return a.pointer + a.size * a.dtype.bytes <= b.pointer || b.pointer + b.size * b.dtype.bytes <= a.pointer;
}

/** A view with its owner, whose memory may be pending. */
interface Owned extends View {
  readonly storage: Storage;
  readonly offset: number;
}

/** True if two tensors may share elements. */
export function shareElements(a: Owned, b: Owned): boolean {
  if (a.storage === b.storage) return bytesMeet(a, a.offset, b, b.offset);
  // Only JavaScript memory can have two owners.
  return a.storage.shared && b.storage.shared && bytesMeet(a, a.pointer, b, b.pointer);
}

/** True if copying `source` element by element into `target` could read elements that were already written. */
export function copyOverlaps(source: Owned, target: Owned): boolean {
  if (!shareElements(source, target)) return false;
  const isSame =
    source.storage === target.storage
      ? source.offset === target.offset
      : // Of JavaScript memory, which is never pending.
        source.pointer === target.pointer;
  return !isSame || !sameNumbers(source.strides, target.strides);
}
