// The Fourier transform along one dimension of any length. A length with a large prime factor is a convolution of a longer,
// smooth one (Bluestein, A linear filtering approach to the computation of discrete Fourier transform, 1970).
import { tensor } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { factorsOf, smoothLength, tableOf, writeRoot } from "./factors.js";
import { transformed } from "./passes.js";

/** The transform of a complex tensor along a dimension, times a factor. */
export function transform(x: Tensor, dim: number, isInverse: boolean, factor: number): Tensor {
  const length = x.shape[dim] as number;
  if (factorsOf(length)) return transformed(x, { dim, isInverse, factor });
  const { dtype, device } = x;
  const long = smoothLength(2 * length - 1);
  // exp(-pi i k^2 / length): squares are taken modulo twice the length, where the roots repeat.
  const writeChirp = (to: Float64Array, at: number, k: number) =>
    writeRoot(to, at, (k * k) % (2 * length), 2 * length);
  const chirp = tableOf(`chirp ${length}`, dtype, device, () => {
    const roots = new Float64Array(2 * length);
    for (let k = 0; k < length; k++) writeChirp(roots, 2 * k, k);
    return tensor(roots, { dtype: dtype.name, device: device.name });
  });
  const filter = tableOf(`filter ${length}`, dtype, device, () => {
    const roots = new Float64Array(2 * long);
    for (let k = 0; k < length; k++) {
      for (const at of k === 0 ? [0] : [k, long - k]) {
        writeChirp(roots, 2 * at, k);
        roots[2 * at + 1] = -(roots[2 * at + 1] as number);
      }
    }
    // In float64, because its errors would be in every element of the result.
    const wide = tensor(roots, { dtype: "complex128", device: device.name });
    return transformed(wide, { dim: 0, isInverse: false, factor: 1 });
  });
  const along = (table: Tensor) => table.view([-1, ...x.shape.slice(dim + 1).map(() => 1)]);
  const given = isInverse ? x.conj() : x;
  const margins = x.shape
    .slice(dim)
    .flatMap((_, i, all) => (i === all.length - 1 ? [0, long - length] : [0, 0]));
  const padded = given.mul(along(chirp)).pad(margins);
  const spectrum = transformed(padded, { dim, isInverse: false, factor: 1 }).mul(along(filter));
  const found = transformed(spectrum, { dim, isInverse: true, factor: factor / long });
  const result = found.narrow(dim, 0, length).mul(along(chirp));
  return isInverse ? result.conj() : result;
}
