// The tensors that a random program is given: every dtype, shape and layout, and memory of every kind.
import * as jl from "../../../dist/runtime/index.js";
import type { DTypeName } from "../../../runtime/base/dtype.js";
import { device } from "../device.js";
import type { RandomSource } from "../random.js";

const layouts = [
  ...["dense", "dense", "dense", "dense"],
  ...["transposed", "transposed", "permuted", "expanded", "reversed", "strided", "offset", "overlapping"],
  ...["host", "pending"],
] as const;

/** A tensor that a program is given. */
export interface Leaf {
  readonly dtype: DTypeName;
  readonly shape: readonly number[];
  readonly layout: (typeof layouts)[number];
  /** True for elements such as infinities and the least integers. */
  readonly isSpecial: boolean;
}

// Each dtype costs compiles: most programs are of few.
const few: readonly DTypeName[] = ["float32", "float32", "float32", "float16", "int32", "bool"];
const all: readonly DTypeName[] = [
  ...few,
  ...(["float64", "bfloat16", "complex64", "complex128", "int64", "int16", "int8"] as const),
  ...(["uint8", "uint16", "uint32", "uint64"] as const),
];
// Rows of few elements, of a few threads, of a warp and of a block of a GPU, whole and not; rows of several parts.
const widths = [6, 6, 6, 6, 1, 16, 33, 70, 1030, 2100] as const;
const extents = [1, 2, 3, 5, 7, 0, 4, 33] as const;

/** The shapes of large tensors: of millions of elements, or just of more than the parts that kernels divide tensors into. */
const large = {
  whole: [[2 ** 20 + 3], [1031, 1021], [3, 2 ** 19 + 1], [2 ** 19 + 1, 3]],
  parts: [[2 ** 13 + 3], [515, 17], [3, 2 ** 12 + 1], [2 ** 11 + 1, 3]],
} as const;

/** How large the largest tensors of a program are. */
export type Largest = keyof typeof large;

/** Shapes that fit each other: one, parts of it that broadcast, and others. */
function family({ below, pick }: RandomSource, largest: Largest): (readonly number[])[] {
  const way = below(100);
  if (way < 60) {
    const width = pick(widths);
    return [[4, width], [4, width], [4, width], [width], [4, 1], [width, 4], []];
  }
  if (way < 75) {
    const side = pick([31, 32, 33, 40] as const);
    return [[side, side], [side, side], [side, side], [side], [side, 1], []];
  }
  if (way < 98) {
    const shape = Array.from({ length: below(6) }, () => pick(extents));
    const ones = shape.map((extent) => (below(2) === 0 ? 1 : extent));
    return [shape, shape, shape, ones, shape.slice(1), [...shape].reverse(), []];
  }
  const shape = pick<readonly number[]>(large[largest]);
  return [shape, shape, shape.slice(1), shape.map((extent, i) => (i === 0 ? 1 : extent)), []];
}

/** The leaves of a program. */
export function drawLeaves(random: RandomSource, largest: Largest): Leaf[] {
  const { below, pick } = random;
  const dtypes = below(3) === 0 ? all : few;
  const shapes = family(random, largest);
  return Array.from({ length: 2 + below(3) }, () => ({
    dtype: pick(dtypes),
    shape: pick(shapes),
    layout: pick(layouts),
    isSpecial: below(5) === 0,
  }));
}

const special: Readonly<Record<string, readonly number[]>> = {
  float: [
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 1e-40, 65504, -1e30, 0.5, 1],
    // Outside of the range of an integer dtype, or of halves.
    ...[127.5, -129, 255.5, 40_000, 70_000, 2 ** 31, -(2 ** 31) - 600, 2 ** 32, 2 ** 63, -1e20, 2 ** 64],
  ],
  complex: [Number.POSITIVE_INFINITY, -0, 0, 1e-40, 1e30, -1, 0.5],
  bool: [0, 1],
};
const least = { int8: 7, int16: 15, int32: 31, int64: 63 } as const;

function elements({ dtype, isSpecial }: Leaf, size: number, place: number): jl.Tensor {
  const { kind } = jl.dtypes[dtype];
  const fill = (values: readonly number[]) =>
    jl.tensor(
      Float64Array.from({ length: size }, (_, k) => values[(k * 7 + place) % values.length] as number),
      { device },
    );
  const ofKind = special[kind];
  if (isSpecial && ofKind) return fill(ofKind).to(dtype);
  if (isSpecial) {
    const bits = least[dtype as keyof typeof least] ?? 0;
    const low = -(2n ** BigInt(bits));
    const values = bits > 0 ? [low, low + 1n, -1n, 0n, 1n, -low - 1n] : [0n, 1n, 127n, 255n];
    const numbers = Array.from({ length: size }, (_, k) => values[(k + place) % values.length] as bigint);
    return jl.tensor(BigInt64Array.from(numbers), { device }).to(dtype);
  }
  const numbers = Array.from({ length: size }, (_, k) => (((k + place) * 37) % 19) / 4 - 2);
  return jl.tensor(Float32Array.from(numbers), { device }).to(dtype);
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, extent) => product * extent, 1);

/** Makes a leaf's tensor, in new memory. */
export function tensorOf(leaf: Leaf, place: number): jl.Tensor {
  const { shape, layout } = leaf;
  const dense = (own: readonly number[]) => elements(leaf, sizeOf(own), place).reshape(own).clone();
  switch (layout) {
    case "transposed":
      return dense([...shape].reverse()).permute(shape.map((_, i) => shape.length - 1 - i));
    case "permuted":
      if (shape.length === 0) return dense(shape);
      return dense([...shape.slice(1), ...shape.slice(0, 1)]).movedim(-1, 0);
    case "expanded": {
      const at = shape.length - 1;
      return dense(shape.map((extent, i) => (i === at ? 1 : extent))).expand(shape);
    }
    case "reversed":
      return dense(shape)
        .flip(shape.map((_, i) => i))
        .clone()
        .slice(shape.map(() => "::-1").join(", ") || "...");
    case "strided":
      return dense([...shape, 2]).select(-1, 1);
    case "offset":
      return dense([3, ...shape]).select(0, 1);
    case "overlapping": {
      const [rows = 0, columns = 0] = shape;
      if (shape.length !== 2 || rows === 0 || columns === 0) return dense(shape);
      return dense([rows + columns - 1]).unfold(0, columns, 1);
    }
    case "host":
      return device === "cpu" ? shared(dense(shape)) : dense(shape);
    case "pending":
      return pendingOf(dense(shape), place);
    default:
      return dense(shape);
  }
}

/** A tensor whose memory the host may write. */
function shared(x: jl.Tensor): jl.Tensor {
  x.asTypedArray();
  return x;
}

/** A result that a compiled function kept: of a map, or of other launches. */
const pendingOf = (x: jl.Tensor, place: number): jl.Tensor => {
  let kept = x;
  jl.compile((given: jl.Tensor) => {
    const { name, kind } = given.dtype;
    const way = kind === "complex" ? 0 : place % 3;
    if (way === 1) kept = given.sort(-1).values;
    else if (way === 2) kept = given.roll(1);
    else kept = name === "bool" ? given.logicalNot() : given.neg();
  })(x);
  return kept;
};
