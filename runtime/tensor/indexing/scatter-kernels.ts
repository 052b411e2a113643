// Writes by index tensors. Several indexes may name one element, so a walk runs the lanes in parallel and the indexes of
// each lane in order.
import { type DType, dtypes } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import type { Tensor } from "../tensor.js";

/** The joins of a value with the target's element. */
export type Joining = "assign" | "sum" | "prod" | "amax" | "amin";

/** C++: a value `b` joined with the target's element `a`. */
export const joins: Readonly<Record<Joining, string>> = {
  assign: "b",
  sum: "added(a, b)",
  prod: "multiplied(a, b)",
  amax: "b > a || b != b ? b : a",
  amin: "b < a || b != b ? b : a",
};

/** C++ that the joins call. Integers wrap around, as on every device. */
export const joinHelpers: Partial<Record<Joining, string>> = Object.fromEntries(
  [
    ["sum", "added", "+"],
    ["prod", "multiplied", "*"],
  ].map(([joining, name, sign]) => [
    joining,
    [
      `template <typename V> __device__ inline V ${name}(V a, V b) { return V(a ${sign} b); }`,
      `__device__ inline uint16 ${name}(uint16 a, uint16 b) { return uint16(uint32(a) ${sign} uint32(b)); }`,
      `__device__ inline int32 ${name}(int32 a, int32 b) { return int32(uint32(a) ${sign} uint32(b)); }`,
      `__device__ inline int64 ${name}(int64 a, int64 b) { return int64(uint64(a) ${sign} uint64(b)); }`,
    ].join("\n"),
  ]),
);

const wider: Partial<Record<string, DType>> = {
  float16: dtypes.float32,
  bfloat16: dtypes.float32,
  float32: dtypes.float64,
  complex64: dtypes.complex128,
};

/** The dtype of sums and products of elements, which are rounded once; integers wrap in their own. */
export function accumulatorOf(joining: Joining, dtype: DType): DType {
  const isRounded = joining === "sum" || joining === "prod";
  return (isRounded && wider[dtype.name]) || dtype;
}

/** Adjacent lanes that a processor joins in vector registers. */
export const lanesAtOnce = 16;

const walks = new Map<string, Walk>();

/** How a walk takes its lanes. */
export interface LaneForm {
  /** Groups of adjacent lanes that share their indexes, so that memory is read in its order. */
  readonly together: boolean;
  /** The targets found so far are joined beside the target, where a hash table of the lane finds them. */
  readonly beside: boolean;
}

/** The walk that joins by `count` index tensors; one object each, because it owns kernels. */
export function scatterBy(
  joining: Joining,
  count: number,
  { together, beside }: LaneForm = { together: false, beside: false },
): Walk {
  const key = `${joining}${count}${together}${beside}`;
  let walk = walks.get(key);
  if (walk === undefined) {
    const each = Array.from({ length: count }, (_, k) => k);
    const own = [joinHelpers[joining], beside ? rounding : undefined].filter((text) => text !== undefined);
    const inLanes = together || beside;
    walk = {
      name: `scatter_${joining}${together ? "_together" : ""}${beside ? "_beside" : ""}`,
      operands: [
        ...(beside ? ["sum", "place", "slot"] : []),
        ...["target", "mark", "source", ...each.map((k) => `index${k}`)],
        ...(together ? ["first"] : []),
      ],
      numbers: [
        ...["length", "source_step"],
        ...each.flatMap((k) => [`step${k}`, `extent${k}`, `stride${k}`, `wrap${k}`]),
        ...(together ? ["lanes", "group"] : []),
        ...(beside ? ["slots", "shift"] : []),
      ],
      heavy: true,
      ...(own.length > 0 ? { helpers: own.join("\n") } : {}),
      body: [
        ...(together ? ["  const int64 count = lanes - *first < group ? lanes - *first : group;"] : []),
        ...(beside && !together ? ["  const int64 count = 1, group = 1;"] : []),
        ...(beside ? ["  int32 found = 0;", "  for (int64 j = 0; j < slots; ++j) slot[j] = -1;"] : []),
        "  for (int64 k = 0; k < length; ++k) {",
        "    int64 at = 0;",
        "    bool inside = true;",
        ...each.flatMap((k) => [
          `    const int64 named${k} = index${k}[k * step${k}], chosen${k} = named${k} + (named${k} < 0 ? wrap${k} : 0);`,
          `    inside = inside && uint64(chosen${k}) < uint64(extent${k});`,
          `    at += chosen${k} * stride${k};`,
        ]),
        "    if (!inside) { *mark = 1; continue; }",
        ...(beside ? search : []),
        ...(inLanes
          ? joinedLanes(joining, beside ? "sum + slot[h] * group" : "target + at")
          : joined(joining, "target[at]", "source[k * source_step]")),
        "  }",
        ...(beside
          ? [
              "  for (int64 s = 0; s < found; ++s)",
              "    for (int64 j = 0; j < count; ++j) put(target + place[s] + j, sum[s * group + j]);",
            ]
          : []),
      ].join("\n"),
    };
    walks.set(key, walk);
  }
  return walk;
}

const rounding = "template <typename V> __device__ inline void put(V* to, C value) { *to = cast<V>(value); }";

// Linear probing from a multiplicative hash (Knuth's golden ratio).
const search = [
  "    int64 h = int64((uint64(at) * 0x9e3779b97f4a7c15ull) >> shift);",
  "    while (slot[h] >= 0 && place[slot[h]] != at) h = (h + 1) & (slots - 1);",
  "    if (slot[h] < 0) {",
  "      slot[h] = found;",
  "      place[found] = at;",
  "      for (int64 j = 0; j < count; ++j) sum[found * group + j] = cast<C>(target[at + j]);",
  "      ++found;",
  "    }",
];

function joined(joining: Joining, target: string, source: string): string[] {
  return [
    `    const C a = cast<C>(${target}), b = cast<C>(${source});`,
    "    (void)a;",
    `    ${target} = cast<T>(C(${joins[joining]}));`,
  ];
}

function joinedLanes(joining: Joining, target: string): string[] {
  const lane = joined(joining, "to[j]", "from[j]");
  return [
    `    T* to = ${target};`,
    "    const auto* from = source + k * source_step;",
    "    int64 left = count;",
    `    for (; left >= ${lanesAtOnce}; left -= ${lanesAtOnce}, to += ${lanesAtOnce}, from += ${lanesAtOnce}) {`,
    "    JITLAB_INDEPENDENT",
    `    for (int j = 0; j < ${lanesAtOnce}; ++j) {`,
    ...lane,
    "    }",
    "    }",
    "    for (int j = 0; j < left; ++j) {",
    ...lane,
    "    }",
  ];
}

/** An index tensor of a lane: broadcast over the lanes, with its step along them and its dimension's extent. */
export interface LaneIndex {
  readonly over: Tensor;
  readonly step: number;
  readonly extent: number;
  /** True if -1 is the last element. */
  readonly wraps: boolean;
}

/** The lanes of a target, and its strides along the indexed dimensions. */
export interface LaneTarget {
  readonly over: Tensor;
  readonly strides: readonly number[];
}

/** A write of `length` values of each lane; per-lane operands have the lanes' shape. */
export interface LaneWrite {
  readonly joining: Joining;
  /** The dtype of the accumulator. */
  readonly accumulator: DType;
  readonly lanes: readonly number[];
  readonly length: number;
  readonly source: { readonly over: Tensor; readonly step: number };
  readonly indexes: readonly LaneIndex[];
}
