// Functions of samples along a dimension: interpolation, integrals and derivatives, with NumPy's and PyTorch's options.
import { integersOf, numberOf, optionsOf } from "../../base/arguments.js";
import { isArray, JitlabError, show } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { dimension, dimensionsOf } from "../../geometry/views.js";
import { cat } from "../join.js";
import { checkDevices } from "../same-device.js";
import { floating } from "../statistic-options.js";
import { Tensor, tensorOf } from "../tensor.js";

/** Options of interp. */
export interface InterpOptions {
  /** The value below the first point; default: its own. */
  readonly left?: number;
  /** The value above the last point; default: its own. */
  readonly right?: number;
}

/**
 * The piecewise linear function through points, at each element: `xp` are the ascending places of the points, `fp` their
 * values, both vectors. Beyond the points it is constant.
 *
 * @example jl.tensor([0.5, 3]).interp(jl.tensor([0, 1, 2]), jl.tensor([0, 10, 40])).toArray() // [5, 40]
 */
export function interp(x: Tensor, xp: Tensor, fp: Tensor, options?: InterpOptions): Tensor {
  const what = "interp";
  const { left, right } = optionsOf(what, options, ["left", "right"]);
  const [at, places, values] = [x, xp, fp].map((one) => floating(what, one, false)) as [
    Tensor,
    Tensor,
    Tensor,
  ];
  for (const one of [places, values]) checkDevices(what, at, one, ["the elements", "the points"]);
  const count = places.size;
  if (places.ndim !== 1 || values.ndim !== 1 || values.size !== count || count === 0) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: points of shapes ${formatShape(places.shape)} and ${formatShape(values.shape)}.`,
      "xp and fp are vectors of equal length, with at least one point.",
    );
  }
  const [first, last] = [places.narrow(0, 0, 1), places.narrow(0, count - 1, 1)];
  const ends = (place: number, given: number | undefined) => given ?? values.narrow(0, place, 1);
  let inside: Tensor = values.narrow(0, count - 1, 1).add(at.mul(0));
  if (count > 1) {
    const found = places
      .searchsorted(at.contiguous(), { right: true })
      .sub(1)
      .clampMin(0)
      .clampMax(count - 2);
    const pick = (of: Tensor) => of.take(found as never);
    const [steps, rises] = [places.diff(), values.diff()];
    inside = pick(values).add(at.sub(pick(places)).mul(pick(rises).div(pick(steps))));
    inside = at.eq(last).where(values.narrow(0, count - 1, 1), inside) as Tensor;
  }
  const above = at.gt(last).where(ends(count - 1, right) as never, inside) as Tensor;
  return (at.lt(first).where(ends(0, left) as never, above) as Tensor).to(x.dtype.name);
}

/** Options of trapezoid. */
export interface TrapezoidOptions {
  /** The places of the samples: a vector, or a tensor of their shape. */
  readonly x?: Tensor;
  /** The distance of samples without places; default 1. */
  readonly dx?: number;
  /** Default: the last dimension. */
  readonly dim?: number;
}

/**
 * The integral along a dimension by the trapezoidal rule. The places of the samples may come first: `y.trapezoid(places)`.
 *
 * @example jl.tensor([0, 1, 4]).trapezoid({ dx: 2 }).item() // 6
 */
export function trapezoid(x: Tensor, places?: Tensor | TrapezoidOptions, options?: TrapezoidOptions): Tensor {
  return integral("trapezoid", x, places, options);
}

/**
 * The same as {@link trapezoid}.
 *
 * @example jl.tensor([0, 1, 4]).trapz(jl.tensor([0, 1, 3])).item() // 5.5
 */
export function trapz(x: Tensor, places?: Tensor | TrapezoidOptions, options?: TrapezoidOptions): Tensor {
  return integral("trapz", x, places, options);
}

function integral(
  what: string,
  samples: Tensor,
  places: Tensor | TrapezoidOptions | undefined,
  options: TrapezoidOptions | undefined,
): Tensor {
  const all: TrapezoidOptions =
    places instanceof Tensor ? { ...options, x: places } : (places ?? options ?? {});
  const { x, dx = 1, dim = -1 } = optionsOf(what, all, ["x", "dx", "dim"]);
  const given = tensorOf(what, samples);
  const y = given.dtype.kind === "float" || given.dtype.kind === "complex" ? given : given.to("float32");
  const along = dimension(what, dim, y.ndim);
  const count = Math.max(0, (y.shape[along] as number) - 1);
  const pairs = y.narrow(along, 0, count).add(y.narrow(along, y.shape[along] === 0 ? 0 : 1, count));
  const gaps = x === undefined ? numberOf(what, "dx", dx) : gapsOf(what, x, y, along);
  return pairs
    .mul(gaps as never)
    .sum(along)
    .div(2);
}

/** The distances of adjacent places, in the shape of samples. */
function gapsOf(what: string, given: Tensor, y: Tensor, along: number): Tensor {
  const x = tensorOf(what, given);
  checkDevices(what, y, x, ["the samples", "the places"]);
  const isVector = x.ndim === 1;
  if ((isVector ? x.size : x.shape[along]) !== y.shape[along] || (!isVector && x.ndim !== y.ndim)) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: places of shape ${formatShape(x.shape)}, for samples of shape ${formatShape(y.shape)} along dimension ${along}.`,
      "Give a vector with a place for each sample, or a tensor of the samples' shape.",
    );
  }
  const wide = isVector ? x.reshape(y.shape.map((_, d) => (d === along ? -1 : 1))) : x;
  return wide.diff(1, along);
}

/** Options of gradient. */
export interface GradientOptions {
  /** The distance of samples, one for all dimensions or one for each; or vectors of their places. Default 1. */
  readonly spacing?: number | readonly (number | Tensor)[];
  /** Default: all dimensions. */
  readonly dim?: number | readonly number[];
  /** The order of the estimate at the ends: 1 (the default) or 2. */
  readonly edgeOrder?: 1 | 2;
}

/**
 * The derivatives of samples along dimensions, one tensor for each: central differences, of the second order inside.
 *
 * @example jl.tensor([0, 1, 4, 9]).gradient().map((one) => one.toArray()) // [[1, 2, 4, 5]]
 */
export function gradient(x: Tensor, options?: GradientOptions): Tensor[] {
  const what = "gradient";
  const { spacing = 1, dim, edgeOrder = 1 } = optionsOf(what, options, ["spacing", "dim", "edgeOrder"]);
  const given = tensorOf(what, x);
  const y = given.dtype.kind === "float" || given.dtype.kind === "complex" ? given : given.to("float32");
  const dims =
    dim === undefined ? y.shape.map((_, d) => d) : dimensionsOf(what, integersOf(what, "dim", dim), y.ndim);
  const list = isArray(spacing)
    ? (spacing as readonly (number | Tensor)[])
    : dims.map(() => spacing as number);
  if (list.length !== dims.length) {
    throw new JitlabError(
      "bad-argument",
      `${what}: ${list.length} distances for ${dims.length} dimensions.`,
      "Give one number, or one for each dimension.",
    );
  }
  if (edgeOrder !== 1 && edgeOrder !== 2) {
    throw new JitlabError("bad-argument", `${what}: edgeOrder is ${show(edgeOrder)}.`, "It is 1 or 2.");
  }
  return dims.map((along, i) => derivative(what, y, along, list[i] as number | Tensor, edgeOrder));
}

function derivative(
  what: string,
  y: Tensor,
  along: number,
  spacing: number | Tensor,
  edgeOrder: 1 | 2,
): Tensor {
  const count = y.shape[along] as number;
  if (count <= edgeOrder) {
    throw new JitlabError(
      "bad-argument",
      `${what}: ${count} samples along dimension ${along} of ${formatShape(y.shape)}.`,
      `An estimate needs at least ${edgeOrder + 1}.`,
    );
  }
  const weights =
    spacing instanceof Tensor ? unevenWeights(what, y, along, spacing) : evenWeights(what, spacing);
  // The sum of samples and those after them, each times its weight.
  const weighted = (from: number, length: number, factors: readonly (Tensor | number)[]) =>
    factors
      .map((factor, i) => [factor, y.narrow(along, from + i, length)] as const)
      .filter(([factor]) => factor !== 0)
      .map(([factor, part]) => part.mul(factor as never))
      .reduce((sum, part) => sum.add(part));
  const last = count - 1 - edgeOrder;
  const first = weighted(0, 1, weights.edge(edgeOrder, false, count));
  const inside = count > 2 ? [weighted(0, count - 2, weights.inside(count))] : [];
  return cat([first, ...inside, weighted(last, 1, weights.edge(edgeOrder, true, count))], along);
}

/** What samples are multiplied by: three inside, and two or three at an end, in their order. */
interface Weights {
  inside(count: number): readonly (Tensor | number)[];
  edge(order: 1 | 2, isEnd: boolean, count: number): readonly (Tensor | number)[];
}

function evenWeights(what: string, spacing: number): Weights {
  const step = numberOf(what, "spacing", spacing);
  const of = (...factors: readonly number[]) => factors.map((factor) => factor / step);
  return {
    inside: () => of(-0.5, 0, 0.5),
    edge: (order, isEnd) => (order === 1 ? of(-1, 1) : isEnd ? of(0.5, -2, 1.5) : of(-1.5, 2, -0.5)),
  };
}

/** The weights of samples at places of unequal distances, which are exact for parabolas. */
function unevenWeights(what: string, y: Tensor, along: number, places: Tensor): Weights {
  checkDevices(what, y, places, ["the samples", "the places"]);
  if (places.ndim !== 1 || places.size !== y.shape[along]) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: places of shape ${formatShape(places.shape)}, for ${y.shape[along]} samples along dimension ${along}.`,
      "Give a vector with a place for each sample.",
    );
  }
  const gaps = places.diff().reshape(y.shape.map((_, d) => (d === along ? -1 : 1)));
  const gap = (from: number, length: number) => gaps.narrow(along, from, length);
  return {
    inside: (count) => {
      const [a, b] = [gap(0, count - 2), gap(1, count - 2)];
      const both = a.add(b);
      return [b.neg().div(a.mul(both)), b.sub(a).div(a.mul(b)), a.div(b.mul(both))];
    },
    edge: (order, isEnd, count) => {
      const near = gap(isEnd ? count - 2 : 0, 1);
      if (order === 1) return [near.reciprocal().neg(), near.reciprocal()];
      const far = gap(isEnd ? count - 3 : 1, 1);
      const both = near.add(far);
      const ends = [
        near.mul(2).add(far).div(near.mul(both)),
        both.div(near.mul(far)).neg(),
        near.div(far.mul(both)),
      ];
      return isEnd ? ends.reverse() : ends.map((one) => one.neg());
    },
  };
}
