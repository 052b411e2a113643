// Rows of adjacent elements that move together are moved in words of 16 bytes: fewer positions, and a GPU's widest accesses.
import { dtypes } from "../base/dtype.js";
import { Tensor } from "./tensor.js";

const word = dtypes.complex128;

/** The number of elements of a word, if rows of tensors of one dtype and shape consist of whole words; else 1. */
export function rowWord(tensors: readonly Tensor[], otherStrides: readonly number[] = []): number {
  const [{ dtype, shape }] = tensors as [Tensor];
  const lanes = word.bytes / dtype.bytes;
  const fits = (count: number) => count % lanes === 0;
  const all = tensors.every(
    ({ strides, pointer }) =>
      strides.at(-1) === 1 && strides.slice(0, -1).every(fits) && pointer % word.bytes === 0,
  );
  return all && fits(shape.at(-1) ?? 1) && otherStrides.every(fits) ? lanes : 1;
}

/** The tensor's memory as words of `lanes` elements, where {@link rowWord} found them. */
export function wordsOf(lanes: number, x: Tensor): Tensor {
  const shape = x.shape.with(-1, (x.shape.at(-1) as number) / lanes);
  const strides = x.strides.map((stride, d) => (d === x.ndim - 1 ? 1 : stride / lanes));
  return new Tensor(x.storage, x.offset, shape, strides, word);
}
