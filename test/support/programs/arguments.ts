// Random arguments of a tensor's method: from the types of its parameters, and from a recipe where a random value of the type
// would mostly be refused, such as an index out of bounds.
import * as jl from "../../../dist/runtime/index.js";
import type { DTypeName } from "../../../runtime/base/dtype.js";
import { device } from "../device.js";
import type { RandomSource } from "../random.js";
import { methods, optionsOf, type Parameter } from "./signatures.js";

/** What a step draws from. */
export interface Draw {
  readonly random: RandomSource;
  /** Another tensor of the program. */
  readonly tensor: () => jl.Tensor;
  /** A number, another one in every call of the program. */
  readonly scalar: () => number;
}

/** The dtypes of casts and of options: most choices are among few, since each costs compiles. */
export const castTypes: readonly DTypeName[] = [
  ...(["float32", "float16", "int32", "float64"] as const).flatMap((one) => [one, one, one]),
  ...(["bfloat16", "int64", "uint8", "int8", "int16", "uint16", "uint32", "uint64", "bool"] as const),
  ...(["complex64", "complex128"] as const),
];

/** A floating tensor of these elements. */
export const floats = (x: jl.Tensor): jl.Tensor => (x.dtype.kind === "float" ? x : x.abs().to("float32"));

/** Floating numbers from 0 to a greatest one. */
const among = (x: jl.Tensor, greatest: number) => floats(x).nanToNum().abs().clampMax(greatest);

/** Indexes below an extent, from elements. */
const within = (y: jl.Tensor, extent: number) => among(y, 1000).mul(3).to("int32").remainder(extent);

/** Indexes below an extent, of a shape: computed by the program, made by it, or memory of the host. */
function indexes({ random, tensor }: Draw, extent: number, shape?: readonly number[]): jl.Tensor {
  const { below, pick } = random;
  const way = below(4);
  if (way < 2) {
    const y = tensor();
    const found = within(y, extent);
    if (shape === undefined) return found;
    const size = shape.reduce((product, one) => product * one, 1);
    if (y.size >= size) return found.flatten().narrow(0, 0, size).reshape(shape);
  }
  const own = shape ?? [below(8) === 0 ? 0 : 1 + below(5)];
  const size = own.reduce((product, one) => product * one, 1);
  const numbers = Array.from({ length: size }, () => BigInt(below(extent)));
  const host = BigInt64Array.from(numbers);
  if (way === 2 && device === "cpu") return jl.fromTypedArray(host).reshape(own);
  const types =
    extent < 128 ? (["int64", "int32", "int16", "uint8"] as const) : (["int64", "int32"] as const);
  return jl.tensor(host, { device }).reshape(own).to(pick(types));
}

/** A dimension of a tensor; now and then one that it lacks. */
const dimOf = (x: jl.Tensor, { below }: RandomSource): number =>
  x.ndim === 0 ? -below(2) : below(40) === 0 ? x.ndim : below(2 * x.ndim) - x.ndim;

const extentOf = (x: jl.Tensor, dim: number): number => x.shape.at(dim) ?? 1;

/** A window of a tensor's shape for the index of a gather or a scatter: the shape, or less of one dimension. */
function indexShape(x: jl.Tensor, dim: number, { below }: RandomSource): number[] {
  const shape = [...x.shape];
  const at = dim < 0 ? dim + shape.length : dim;
  const extent = shape[at];
  if (extent !== undefined) shape[at] = below(8) === 0 ? 0 : 1 + below(Math.min(5, extent + 1));
  return shape;
}

/** A tensor of a shape: the elements of another one, repeated by broadcasting where it has fewer. */
function shaped(draw: Draw, shape: readonly number[], dtype: DTypeName): jl.Tensor {
  const y = draw.tensor();
  const size = shape.reduce((product, one) => product * one, 1);
  const flat = y.flatten();
  const values =
    flat.size >= size
      ? flat.narrow(0, 0, size).reshape(shape)
      : jl.full(shape, draw.scalar(), { dtype: "float32", device });
  return values.to(dtype);
}

type Recipe = (x: jl.Tensor, draw: Draw) => unknown[] | undefined;

const scattered =
  (hasScalar: boolean, more: (draw: Draw) => unknown[] = () => []): Recipe =>
  (x, draw) => {
    const dim = dimOf(x, draw.random);
    if (extentOf(x, dim) === 0) return undefined;
    const index = indexes(draw, extentOf(x, dim), indexShape(x, dim, draw.random));
    const isScalar = hasScalar && draw.random.below(2) === 0;
    const source = isScalar ? draw.scalar() : shaped(draw, index.shape, x.dtype.name);
    return [dim, index, source, ...more(draw)];
  };

const alongDim =
  (source: (x: jl.Tensor, shape: number[], draw: Draw) => unknown[]): Recipe =>
  (x, draw) => {
    const dim = dimOf(x, draw.random);
    if (extentOf(x, dim) === 0) return undefined;
    const index = indexes(draw, extentOf(x, dim), [draw.random.below(5)]);
    const shape = [...x.shape];
    shape[dim < 0 ? dim + shape.length : dim] = index.size;
    return [dim, index, ...source(x, shape, draw)];
  };

const reduceOptions = ({ random }: Draw) => [
  random.pick(["sum", "prod", "mean", "amax", "amin"]),
  ...(random.below(2) === 0 ? [{ includeSelf: random.below(2) === 0 }] : []),
];

/** Extents of the same size as a tensor's: one dimension is split, or all are one. */
const extents: Recipe = (x, { random }) => {
  const at = x.shape.findIndex((extent: number) => extent > 0 && extent % 2 === 0);
  if (at < 0 || random.below(3) === 0) return [[-1]];
  return [[...x.shape.slice(0, at), 2, -1, ...x.shape.slice(at + 1)]];
};

const larger: Recipe = (x, { random }) => [
  [
    ...(random.below(2) === 0 ? [2] : []),
    ...x.shape.map((extent) => (extent === 1 ? 1 + random.below(3) : extent)),
  ],
];

const factors: Recipe = (x, { random }) => [x.shape.map(() => 1 + random.below(2))];

const windows = ["::2", "::-1", "1:", ":-1", "-2:", "...", ":", "1:1", "None", "..., ::2", ":, 1:"] as const;

const recipes: Readonly<Record<string, Recipe>> = {
  to: (_, { random }) => [random.pick(castTypes)],
  copy_: (x, draw) => [draw.random.below(2) === 0 ? draw.tensor() : shaped(draw, x.shape, "float32")],
  fill_: (_, { scalar }) => [scalar()],
  gather: (x, draw) => {
    const dim = dimOf(x, draw.random);
    if (extentOf(x, dim) === 0) return undefined;
    return [dim, indexes(draw, extentOf(x, dim), indexShape(x, dim, draw.random))];
  },
  indexSelect: alongDim(() => []),
  take: (x, draw) => (x.size === 0 ? undefined : [indexes(draw, x.size)]),
  takeAlongDim: (x, draw) => {
    const dim = dimOf(x, draw.random);
    if (extentOf(x, dim) === 0) return undefined;
    return [indexes(draw, extentOf(x, dim), indexShape(x, dim, draw.random)), dim];
  },
  scatter: scattered(true),
  scatter_: scattered(true),
  scatterAdd: scattered(false),
  scatterAdd_: scattered(false),
  scatterReduce: scattered(false, reduceOptions),
  scatterReduce_: scattered(false, reduceOptions),
  indexAdd: alongDim((x, shape, draw) => [shaped(draw, shape, x.dtype.name)]),
  indexAdd_: alongDim((x, shape, draw) => [shaped(draw, shape, x.dtype.name)]),
  indexCopy: alongDim((x, shape, draw) => [shaped(draw, shape, x.dtype.name)]),
  indexCopy_: alongDim((x, shape, draw) => [shaped(draw, shape, x.dtype.name)]),
  indexFill: alongDim((_x, _shape, { scalar }) => [scalar()]),
  indexFill_: alongDim((_x, _shape, { scalar }) => [scalar()]),
  at: (x, draw) => {
    const { below, pick } = draw.random;
    if (below(3) === 0) return [draw.tensor().ne(0)];
    const leading = below(2) === 0 ? [] : [pick([":", "::2", 0, "..."] as const)];
    const extent = x.shape[leading.length] ?? 1;
    return extent === 0 || leading[0] === "..." ? [...leading] : [...leading, indexes(draw, extent)];
  },
  set: (x, draw) => {
    const { below, pick } = draw.random;
    const value = below(2) === 0 ? draw.scalar() : draw.tensor();
    if (below(3) === 0) return [pick(windows), value];
    if (below(3) === 0) return [[x.gt(draw.scalar())], draw.scalar()];
    const extent = x.shape[1] ?? 1;
    return extent === 0 ? undefined : [["::2", indexes(draw, extent)], draw.scalar()];
  },
  indexPut_: (x, draw) => {
    const extent = x.shape[0] ?? 1;
    if (extent === 0) return undefined;
    const at = indexes(draw, extent);
    // Each index names a sub-tensor.
    if ((at.size * x.size) / extent > 2 ** 20) return undefined;
    return [[at], draw.scalar(), { accumulate: draw.random.below(2) === 0 }];
  },
  slice: (_, { random }) => [random.pick(windows)],
  narrow: (x, { random }) => {
    const dim = dimOf(x, random);
    const start = random.below(extentOf(x, dim) + 1);
    return [dim, start, random.below(extentOf(x, dim) - start + 1)];
  },
  select: (x, { random }) => {
    const dim = dimOf(x, random);
    return [dim, random.below(Math.max(1, extentOf(x, dim)))];
  },
  permute: (x, { random }) => {
    const order = x.shape.map((_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = random.below(i + 1);
      [order[i], order[j]] = [order[j] as number, order[i] as number];
    }
    return [order];
  },
  view: extents,
  reshape: extents,
  unflatten: (x, { random }) => {
    const dim = dimOf(x, random);
    return [dim, extentOf(x, dim) % 2 === 0 ? [2, -1] : [1, -1]];
  },
  expand: larger,
  broadcastTo: larger,
  repeat: factors,
  tile: factors,
  flip: (x, { random }) => [dimOf(x, random)],
  pad: (_, { random, scalar }) => [
    [random.below(3), random.below(3)],
    { mode: random.pick(["constant", "reflect", "replicate", "circular"]), value: scalar() },
  ],
  multinomial: (_, { random }) => [1 + random.below(2), { replacement: random.below(2) === 0 }],
  repeatInterleave: (x, draw) =>
    draw.random.below(2) === 0 ? [draw.random.below(3), 0] : [within(x, 3).flatten(), 0],
  random_: (_, { random }) => [-random.below(5), 1 + random.below(9)],
  normal_: (_, { scalar }) => [scalar(), 1],
  bernoulli_: () => [0.3],
  exponential_: () => [2],
  uniform_: () => [-1, 2],
};

/** What a method reads instead of any tensor, where most are refused. */
const readers: Readonly<Record<string, (x: jl.Tensor) => jl.Tensor>> = {
  bincount: (x) => within(x, 50).flatten(),
  bernoulli: (x) => among(x, 1),
  poisson: (x) => among(x, 20),
  multinomial: (x) => among(x, 20).add(1),
};

/** Methods whose results have more elements than their operands. */
const growing = new Set([
  "outer",
  "kron",
  "vander",
  "cdist",
  "diagEmbed",
  "tensordot",
  "repeat",
  "tile",
  "diag",
  "unfold",
  "isin",
]);

/** Not steps of a program: addresses, text with the device's name, other devices; what runs are compared by. */
const others = new Set(["toString", "asTypedArray", "dispose", "cuda", "cpu", "toJSON", "save"]);

/** The names of the methods that programs call. */
export const methodNames: readonly string[] = [...methods.keys()].filter((name) => !others.has(name));

/** The tensor that a method is called on, for a tensor of the program, and its arguments; undefined where it has none. */
export function callOf(
  name: string,
  x: jl.Tensor,
  draw: Draw,
): { readonly self: jl.Tensor; readonly args: readonly unknown[] } | undefined {
  const self = readers[name]?.(x) ?? x;
  if (growing.has(name) && self.size > 300) return undefined;
  const forms = methods.get(name) ?? [];
  const recipe = recipes[name];
  const args = recipe
    ? recipe(self, draw)
    : argumentsOf(forms.length === 0 ? [] : draw.random.pick(forms), self, draw);
  if (args === undefined) return undefined;
  if (growing.has(name) && args.some((one) => one instanceof jl.Tensor && one.size > 300)) return undefined;
  return { self, args };
}

function argumentsOf(parameters: readonly Parameter[], x: jl.Tensor, draw: Draw): unknown[] {
  const args: unknown[] = [];
  for (const parameter of parameters) {
    if (parameter.isOptional && draw.random.below(2) === 0) break;
    args.push(drawn(parameter, x, draw));
  }
  return args;
}

const dims = new Set(["dim", "dim1", "dim2", "start", "end", "a", "b", "source", "destination"]);

/** A value of a parameter's type. */
function drawn({ name, type }: Parameter, x: jl.Tensor, draw: Draw): unknown {
  const { random } = draw;
  const { below, pick } = random;
  if (/Options\b/.test(type) && !/^(Dims|number|NormOptions)/.test(type)) return optionsValue(type, x, draw);
  if (/^Tensor\b/.test(type)) {
    return /Scalar|number/.test(type) && below(3) === 0 ? draw.scalar() : draw.tensor();
  }
  if (name === "mask") return draw.tensor().ne(0);
  if (name === "p" || name === "ord") return pick([1, 2, 0, 3, Number.POSITIVE_INFINITY]);
  if (name === "q") return pick([0, 0.25, 0.5, 1]);
  if (dims.has(name) || /^(ReduceDims|Dims)/.test(type)) {
    const isList = below(4) === 0 && /readonly number|Dims/.test(type) && x.ndim > 1;
    return isList ? [0, x.ndim - 1] : dimOf(x, random);
  }
  if (name === "dims") return x.ndim > 1 ? [0, 1] : dimOf(x, random);
  if (/"/.test(type) && !/number/.test(type))
    return pick([...type.matchAll(/"([^"]+)"/g)].map((found) => found[1]));
  if (/^boolean/.test(type) || type.startsWith("I ")) return below(2) === 0;
  if (/^(R|E|T|DTypeName)\b/.test(type)) return pick(castTypes);
  if (
    /^(n|k|size|sizes|chunks|sections|bins|step|length|shifts|offset|diagonal|minlength|correction|repeats)$/.test(
      name,
    )
  ) {
    return /^(shifts|offset|diagonal)$/.test(name) ? below(5) - 2 : 1 + below(3);
  }
  return draw.scalar();
}

function optionsValue(type: string, x: jl.Tensor, draw: Draw): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const option of optionsOf(type)) {
    // Memory that is written is drawn by steps of their own.
    if (option.name === "out" || draw.random.below(3) > 0) continue;
    value[option.name] = drawn(option, x, draw);
  }
  return value;
}
