// Polynomials by their coefficients, the highest power first, with NumPy's names.
import { countOf, optionsOf, orOptions } from "../base/arguments.js";
import { promoteTypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { onesLike, zerosLike } from "../tensor/create.js";
import { cat } from "../tensor/join.js";
import { checkDevices } from "../tensor/same-device.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { lstsq } from "./singular-values.js";

/** A vector in a floating dtype; integers become float32. */
function vectorOf(what: string, value: unknown): Tensor {
  const x = tensorOf(what, value);
  if (x.ndim !== 1) {
    throw new JitlabError(
      "bad-dimension",
      `${what}: the shape ${formatShape(x.shape)} is not that of a vector.`,
      "Use x.reshape(-1) to flatten it.",
    );
  }
  return x.dtype.kind === "float" || x.dtype.kind === "complex" ? x : x.to("float32");
}

/** Options of vander. */
export interface VanderOptions {
  /** The lowest power first. */
  readonly increasing?: boolean;
}

/**
 * The powers of the elements of a vector, one row for each: `count` columns, by default as many as elements, the highest power
 * first.
 *
 * @example jl.vander(jl.tensor([2, 3]), 3).toArray() // [[4, 2, 1], [9, 3, 1]]
 */
export function vander(x: Tensor, count?: number | VanderOptions, options?: VanderOptions): Tensor {
  const what = "vander";
  const [number, checked] = orOptions(count, options);
  const { increasing = false } = optionsOf(what, checked, ["increasing"]);
  const given = tensorOf(what, x);
  const values = given.ndim === 1 && given.dtype.kind !== "bool" ? given : vectorOf(what, given);
  const columns = countOf(what, "count", number ?? values.size);
  const each = values.unsqueeze(1);
  const ones = onesLike(each);
  if (columns < 2) return ones.narrow(1, 0, columns).clone();
  const powers = cat([ones, each.expand([values.size, columns - 1])], 1)
    .cumprod(1)
    .to(values.dtype.name);
  return increasing ? powers : powers.flip(1);
}

/**
 * The values of a polynomial at each element of `x`. `p` are its coefficients, the highest power first.
 *
 * @example jl.polyval(jl.tensor([1, 0, 2]), jl.tensor([0, 1, 3])).toArray() // [2, 3, 11]
 */
export function polyval(p: Tensor, x: Tensor): Tensor {
  const what = "polyval";
  const coefficients = tensorOf(what, p).ndim === 1 ? p : vectorOf(what, p);
  checkDevices(what, coefficients, tensorOf(what, x), ["p", "x"]);
  let result: Tensor = zerosLike(x, { dtype: promoteTypes(x.dtype.name, p.dtype.name) });
  for (let i = 0; i < coefficients.size; i++) {
    result = result.mul(x as never).add(coefficients.select(0, i) as never);
  }
  return result;
}

/**
 * The coefficients of the polynomial of a degree that is nearest to points by least squares, the highest power first. `y` is a
 * vector, or a matrix of several columns of values.
 *
 * @example jl.polyfit(jl.tensor([0, 1, 2]), jl.tensor([1, 3, 5]), 1).round().toArray() // [2, 1]
 */
export function polyfit(x: Tensor, y: Tensor, degree: number): Tensor {
  const what = "polyfit";
  const places = vectorOf(what, x);
  const columns = countOf(what, "degree", degree) + 1;
  const values = tensorOf(what, y).to(places.dtype.name);
  if (values.ndim > 2 || values.shape[0] !== places.size) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: values of shape ${formatShape(values.shape)} for ${places.size} places.`,
      "Give a value, or a row of values, for each place.",
    );
  }
  const powers = vander(places, columns);
  // Columns of one length make the equations better conditioned.
  const lengths = powers.vectorNorm(2, { dim: 0 }).to(places.dtype.name);
  const epsilon = places.dtype.name === "float64" || places.dtype.name === "complex128" ? 2 ** -52 : 2 ** -23;
  const { solution } = lstsq(powers.div(lengths), values, { rcond: places.size * epsilon });
  return solution.div(values.ndim === 2 ? lengths.unsqueeze(1) : lengths);
}
