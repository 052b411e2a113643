// The walks of a stable sort of rows by unsigned keys: digit by digit from the lowest (radix sort). For each digit the tiles of a
// row count theirs, the counts become places by a scan, and each tile moves its elements. A processor takes a tile with a
// digit of 8 bits by itself; on a GPU a block of threads takes one with a digit of 4 bits.
import type { DType } from "../base/dtype.js";
import { keyBits, keyText } from "./sort-keys.js";
import type { Walk } from "./walk-kernel.js";

/** How a device divides a row, and the bits of a digit. */
export interface SortShape {
  readonly tile: number;
  readonly digit: number;
}

const threads = 256;
const each = 16;

/** Tiles of a processor and of a GPU. */
export const hostSort: SortShape = { tile: 1 << 16, digit: 8 };
export const gridSort: SortShape = { tile: threads * each, digit: 4 };

const keyWalks = new Map<string, Walk>();

/** The walk that writes keys and places; one object for each dtype, because kernels belong to it. */
export function keysOf(dtype: DType): Walk {
  let walk = keyWalks.get(dtype.name);
  if (walk === undefined) {
    const mask = `((uint64(1) << ${keyBits(dtype) - 1}) * 2 - 1)`;
    walk = {
      name: `sortKeys_${dtype.name}`,
      operands: ["key", "place", "element", "at"],
      numbers: ["descending"],
      helpers: keyText(dtype),
      body: [
        "  const uint64 ascending = key_of(*element);",
        `  *key = T(descending ? ascending ^ ${mask} : ascending);`,
        "  *place = int32(*at);",
      ].join("\n"),
    };
    keyWalks.set(dtype.name, walk);
  }
  return walk;
}

const tileStart = (tile: number) =>
  `  const int64 begin = *tile * ${tile}, rest = length - begin, count = rest < ${tile} ? rest : ${tile};`;

/** The walk that counts the digits of each tile. */
export const hostCount: Walk = {
  name: "sortCount",
  operands: ["key", "counts", "tile"],
  numbers: ["length", "tiles", "shift"],
  heavy: true,
  body: [
    tileStart(hostSort.tile),
    "  int32 own[256];",
    "  for (int d = 0; d < 256; ++d) own[d] = 0;",
    "  for (int64 k = 0; k < count; ++k) ++own[int(key[k] >> shift) & 255];",
    "  for (int d = 0; d < 256; ++d) counts[d * tiles] = own[d];",
  ].join("\n"),
};

/** The walk that moves the elements of each tile to their places for one digit. */
export const hostMove: Walk = {
  name: "sortMove",
  operands: ["key_out", "place_out", "key", "place", "tile", "sums"],
  numbers: ["length", "tiles", "shift"],
  heavy: true,
  body: [
    tileStart(hostSort.tile),
    "  int64 next[256];",
    "  for (int d = 0; d < 256; ++d) next[d] = d + *tile > 0 ? sums[d * tiles + *tile - 1] : 0;",
    "  for (int64 k = 0; k < count; ++k) {",
    "    const int64 at = next[int(key[k] >> shift) & 255]++;",
    "    key_out[at] = key[k];",
    "    place_out[at] = place[k];",
    "  }",
  ].join("\n"),
};

/** As {@link hostCount}, with counts for each 32 threads so that few of them meet. */
export const gridCount: Walk = {
  ...hostCount,
  name: "sortCount_block",
  block: true,
  body: [
    tileStart(gridSort.tile),
    `  __shared__ int own[${threads}];`,
    "  own[thread] = 0;",
    "  __syncthreads();",
    `  for (int k = thread; k < count; k += ${threads}) atomicAdd(own + (thread / 32 * 16 + (int(key[k] >> shift) & 15)), 1);`,
    "  __syncthreads();",
    "  if (thread < 16) {",
    "    int all = 0;",
    `    for (int w = 0; w < ${threads / 32}; ++w) all += own[w * 16 + thread];`,
    "    counts[thread * tiles] = all;",
    "  }",
  ].join("\n"),
};

/** As {@link hostMove}: threads count the digits of their runs, the counts become ranks, and the tile is written in its new order. */
export const gridMove: Walk = {
  ...hostMove,
  name: "sortMove_block",
  block: true,
  body: [
    tileStart(gridSort.tile),
    `  __shared__ T stage[${threads * (each + 1)}];`,
    `  __shared__ uint16 ranks[${each * threads}];`,
    `  __shared__ int runs[${threads}], groups[16], starts[16];`,
    "  __shared__ int64 bases[16];",
    `  for (int k = thread; k < count; k += ${threads}) stage[k + k / ${each}] = key[k];`,
    "  if (thread < 16) bases[thread] = thread + *tile > 0 ? sums[thread * tiles + *tile - 1] : 0;",
    `  for (int d = 0; d < 16; ++d) ranks[d * ${threads} + thread] = 0;`,
    "  __syncthreads();",
    // What is missing to a whole tile has the last digit and stays behind all.
    `  T keys[${each}];`,
    `  int places[${each}], local[${each}];`,
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${each}; ++j) {`,
    `    keys[j] = thread * ${each} + j < count ? stage[thread * ${each + 1} + j] : T(~T(0));`,
    `    ++ranks[(int(keys[j] >> shift) & 15) * ${threads} + thread];`,
    "  }",
    "  __syncthreads();",
    // The counts in the order of digits and threads become the number of elements before them.
    "  int sum = 0;",
    `  for (int j = 0; j < ${each}; ++j) sum += ranks[thread * ${each} + j];`,
    "  runs[thread] = sum;",
    "  __syncthreads();",
    "  if (thread < 16) {",
    "    int all = 0;",
    "    for (int j = 0; j < 16; ++j) {",
    "      const int next = runs[thread * 16 + j];",
    "      runs[thread * 16 + j] = all;",
    "      all += next;",
    "    }",
    "    groups[thread] = all;",
    "  }",
    "  __syncthreads();",
    // A group is a digit: its start is the sum of those before it.
    "  if (thread < 16) {",
    "    int all = 0;",
    "    for (int j = 0; j < thread; ++j) all += groups[j];",
    "    starts[thread] = all;",
    "  }",
    "  __syncthreads();",
    "  sum = starts[thread / 16] + runs[thread];",
    `  for (int j = 0; j < ${each}; ++j) {`,
    `    const int next = ranks[thread * ${each} + j];`,
    `    ranks[thread * ${each} + j] = uint16(sum);`,
    "    sum += next;",
    "  }",
    "  __syncthreads();",
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${each}; ++j) {`,
    `    local[j] = ranks[(int(keys[j] >> shift) & 15) * ${threads} + thread]++;`,
    "    stage[local[j]] = keys[j];",
    "  }",
    "  __syncthreads();",
    "  JITLAB_UNROLL",
    `  for (int i = 0; i < ${each}; ++i) {`,
    `    const int k = thread + i * ${threads};`,
    "    const T own = stage[k];",
    "    const int d = int(own >> shift) & 15;",
    "    const int64 at = bases[d] - starts[d] + k;",
    "    if (k < count) key_out[at] = own;",
    "    places[i] = k < count ? int(at) : -1;",
    "  }",
    "  __syncthreads();",
    "  int32* const order = reinterpret_cast<int32*>(stage);",
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${each}; ++j) if (thread * ${each} + j < count) order[local[j]] = place[thread * ${each} + j];`,
    "  __syncthreads();",
    "  JITLAB_UNROLL",
    `  for (int i = 0; i < ${each}; ++i) if (places[i] >= 0) place_out[places[i]] = order[thread + i * ${threads}];`,
  ].join("\n"),
};

/** The longest row that a thread sorts by itself. */
export const shortRow = 32;

/** The walk that sorts a short row by insertion, in place. */
export const sortRow: Walk = {
  name: "sortRow",
  operands: ["key", "place"],
  numbers: ["length"],
  heavy: true,
  body: [
    "  for (int64 k = 1; k < length; ++k) {",
    "    const T own = key[k];",
    "    const int32 from = place[k];",
    "    int64 at = k;",
    "    for (; at > 0 && key[at - 1] > own; --at) {",
    "      key[at] = key[at - 1];",
    "      place[at] = place[at - 1];",
    "    }",
    "    key[at] = own;",
    "    place[at] = from;",
    "  }",
  ].join("\n"),
};

/** The walk that reads the elements at their places. */
export const sortedValues: Walk = {
  name: "sortedValues",
  operands: ["value", "index", "place", "row"],
  numbers: ["step"],
  body: ["  *index = *place;", "  *value = row[*place * step];"].join("\n"),
};
