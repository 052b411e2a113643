// Compares the elements of a compiled function with those of separate calls, and says where they differ.

import type { DType } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { fromBfloat16, fromFloat16 } from "../../base/half.js";
import type { PooledStorage } from "../../device/pooled-storage.js";
import type { Slot } from "../operations/slot.js";
import type { Window } from "../operations/window.js";
import { placed } from "../schedule/description.js";

/** The error for other elements than those of the separate call; undefined if all bits are equal, except those of NaN. */
export function valueError(
  name: string,
  slot: Slot,
  window: Window,
  made: PooledStorage,
  wanted: PooledStorage,
): JitlabError | undefined {
  const [own, other] = [bytesIn(made), bytesIn(wanted)];
  if (own.equals(other)) return undefined;
  const { dtype } = window;
  const [a, b] = [numbersOf(own, dtype), numbersOf(other, dtype)];
  const parts = dtype.kind === "complex" ? 2 : 1;
  const positions: number[] = [];
  for (let k = 0; k < a.length; k++) {
    if (!Object.is(a[k], b[k]) && positions.at(-1) !== Math.floor(k / parts))
      positions.push(Math.floor(k / parts));
  }
  const [first] = positions;
  if (first === undefined) return undefined;
  const at = (list: readonly (number | bigint)[]) => {
    const texts = list
      .slice(first * parts, (first + 1) * parts)
      .map((x) => (Object.is(x, -0) ? "-0" : `${x}`));
    return parts === 1 ? texts[0] : `${texts[0]} + ${texts[1]}i`;
  };
  const index = indexOf(window, first);
  const where = index ? `at [${index.join(", ")}]` : `in element ${first} of its memory`;
  return notEqual(
    `${name}: ${placed(slot)} made ${at(a)} ${where} of ${dtype.name} [${window.shape.join(", ")}], but its separate call makes ${at(b)}. ${positions.length} of ${a.length / parts} elements differ.`,
  );
}

/** The error for a separate call that throws where the compiled function does not. */
export function refusalError(name: string, slot: Slot, { message }: Error): JitlabError {
  return notEqual(`${name}: ${placed(slot)} made a result, but its separate call throws: ${message}`);
}

/** The error for a separate call whose result has another dtype or layout. */
export function layoutError(window: Window, own: Window): Error {
  const text = ({ dtype, shape, strides }: Window) => `${dtype.name} [${shape}] with strides [${strides}]`;
  return new Error(`its result is ${text(own)} instead of ${text(window)}.`);
}

function notEqual(message: string): JitlabError {
  return new JitlabError(
    "not-equal",
    message,
    'This is a fault of jitlab, or of a functor that keeps state: please report it. jl.compile(fn, { backend: "eager" }) makes the separate calls.',
  );
}

function bytesIn({ device, pointer, bytes }: PooledStorage): Buffer {
  const copy = Buffer.alloc(bytes);
  if (bytes > 0) device.read(pointer, copy);
  return copy;
}

/** The elements, those of complex numbers in two parts. */
function numbersOf(
  { buffer, byteOffset, byteLength }: Buffer,
  { name, array }: DType,
): readonly (number | bigint)[] {
  const own = buffer.slice(byteOffset, byteOffset + byteLength);
  const numbers = Array.from(new array(own) as Iterable<number | bigint>);
  if (name === "float16") return numbers.map((bits) => fromFloat16(Number(bits)));
  return name === "bfloat16" ? numbers.map((bits) => fromBfloat16(Number(bits))) : numbers;
}

/** The index of a position in a storage; undefined if the window does not show it. */
function indexOf({ offset, shape, strides }: Window, position: number): readonly number[] | undefined {
  let rest = position - offset;
  const index = shape.map(() => 0);
  const order = shape.map((_, d) => d).filter((d) => (shape[d] as number) > 1);
  for (const d of order.sort((a, b) => (strides[b] as number) - (strides[a] as number))) {
    const stride = strides[d] as number;
    index[d] = Math.floor(rest / stride);
    rest -= (index[d] as number) * stride;
  }
  return rest === 0 && index.every((i, d) => i >= 0 && i < (shape[d] as number)) ? index : undefined;
}
