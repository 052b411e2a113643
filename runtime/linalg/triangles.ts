// The triangles that factorizations leave: the other half of a matrix is written as zero by one kernel, with a kept mask.
import { RecentValues } from "../base/recent-values.js";
import { atOnce } from "../launch/sink.js";
import { ones } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";

const masks = new RecentValues<Tensor>(32);
// Masks of larger matrices are made again: the factorizations take much longer.
const mostKept = 2 ** 22;

/** The lower or the upper triangle of each matrix, with its diagonal, as a new tensor. */
export function triangleOf(x: Tensor, isUpper: boolean): Tensor {
  const [rows, columns] = x.shape.slice(-2) as [number, number];
  if (rows * columns > mostKept) return isUpper ? x.triu() : x.tril();
  const mask = masks.get(`${rows} ${columns} ${isUpper} ${x.device.id}`, () =>
    // Not a part of a program that is being recorded.
    atOnce(() => {
      const all = ones([rows, columns], { dtype: "bool", device: x.device.name });
      return isUpper ? all.triu() : all.tril();
    }),
  );
  return mask.where(x as never, 0) as Tensor;
}
