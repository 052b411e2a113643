// Rows of adjacent elements that move together are moved in words of 16 bytes: fewer positions, and a GPU's widest accesses.
import { dtypes } from "../base/dtype.js";
import type { View } from "./view.js";

const word = dtypes.complex128;

/** The number of elements of a word, if rows of views of one dtype and shape consist of whole words; else 1. */
export function rowWord(views: readonly View[], otherStrides: readonly number[] = []): number {
  const [{ dtype, shape }] = views as [View];
  const lanes = word.bytes / dtype.bytes;
  const fits = (count: number) => count % lanes === 0;
  const all = views.every(
    ({ strides, pointer }) =>
      strides.at(-1) === 1 && strides.slice(0, -1).every(fits) && pointer % word.bytes === 0,
  );
  return all && fits(shape.at(-1) ?? 1) && otherStrides.every(fits) ? lanes : 1;
}

/** A view's memory as words of `lanes` elements, where {@link rowWord} found them. */
export function wordsOf(lanes: number, view: View): View {
  const { pointer, device, size, isContiguous, storage } = view;
  const last = view.shape.length - 1;
  const shape = view.shape.with(last, (view.shape[last] as number) / lanes);
  const strides = view.strides.map((stride, d) => (d === last ? 1 : stride / lanes));
  return { pointer, shape, strides, dtype: word, device, size: size / lanes, isContiguous, storage };
}
