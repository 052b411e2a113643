// Writes by index tensors. Several indexes may name one element, so a walk runs the lanes in parallel and the indexes of
// each lane in order.
import type { Walk } from "../codegen/walk-kernel.js";
import type { Tensor } from "./tensor.js";

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

/** Adjacent lanes that a processor joins in vector registers. */
export const lanesAtOnce = 16;

const walks = new Map<string, Walk>();

/**
 * The walk that joins by `count` index tensors; one object each, because it owns kernels. `together` walks groups of adjacent
 * lanes that share their indexes, so that memory is read in its order.
 */
export function scatterBy(joining: Joining, count: number, together = false): Walk {
  const key = `${joining}${count}${together}`;
  let walk = walks.get(key);
  if (walk === undefined) {
    const each = Array.from({ length: count }, (_, k) => k);
    const own = joinHelpers[joining];
    walk = {
      name: `scatter_${joining}${together ? "_together" : ""}`,
      operands: ["target", "mark", "source", ...each.map((k) => `index${k}`), ...(together ? ["first"] : [])],
      numbers: [
        "length",
        "source_step",
        ...each.flatMap((k) => [`step${k}`, `extent${k}`, `stride${k}`, `wrap${k}`]),
        ...(together ? ["lanes", "group"] : []),
      ],
      heavy: true,
      ...(own ? { helpers: own } : {}),
      body: [
        ...(together ? ["  const int64 count = lanes - *first < group ? lanes - *first : group;"] : []),
        "  for (int64 k = 0; k < length; ++k) {",
        "    int64 at = 0;",
        "    bool inside = true;",
        ...each.flatMap((k) => [
          `    const int64 named${k} = index${k}[k * step${k}], chosen${k} = named${k} + (named${k} < 0 ? wrap${k} : 0);`,
          `    inside = inside && uint64(chosen${k}) < uint64(extent${k});`,
          `    at += chosen${k} * stride${k};`,
        ]),
        "    if (!inside) { *mark = 1; continue; }",
        ...(together ? joinedLanes(joining) : joined(joining, "target[at]", "source[k * source_step]")),
        "  }",
      ].join("\n"),
    };
    walks.set(key, walk);
  }
  return walk;
}

function joined(joining: Joining, target: string, source: string): string[] {
  return [
    `    const C a = cast<C>(${target}), b = cast<C>(${source});`,
    "    (void)a;",
    `    ${target} = cast<T>(C(${joins[joining]}));`,
  ];
}

function joinedLanes(joining: Joining): string[] {
  const lane = joined(joining, "to[j]", "from[j]");
  return [
    "    T* to = target + at;",
    "    const T* from = source + k * source_step;",
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

/** An index tensor of a lane: broadcast over the lanes, with its step along them and its dimension. */
export interface LaneIndex {
  readonly over: Tensor;
  readonly step: number;
  readonly extent: number;
  readonly stride: number;
  /** True if -1 is the last element. */
  readonly wraps: boolean;
}
