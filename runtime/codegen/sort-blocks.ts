// The sort's walks for a GPU: blocks of 256 threads handle a tile of a row with 8-bit digits, or sort a short row. A warp
// ranks its elements 32 at a time: lanes with equal digits find each other and continue the earlier counts.
import type { DType } from "../base/dtype.js";
import { hostCount, moving, type SortShape, tileStart } from "./sort-kernel.js";
import { keyBits, keyMask, keyText } from "./sort-keys.js";
import type { Walk } from "./walk-kernel.js";

const threads = 256;
const warps = threads / 32;
const bins = 256;
const each = 16;

/** Tiles of a GPU. */
export const gridSort: SortShape = { tile: threads * each, digit: 8 };

/** Like {@link hostCount}, with separate counts per 32 threads to reduce conflicts. */
export const gridCount: Walk = {
  ...hostCount,
  name: "sortCount_block",
  block: true,
  body: [
    tileStart(gridSort.tile),
    `  __shared__ int own[${warps * bins}];`,
    `  for (int i = thread; i < ${warps * bins}; i += ${threads}) own[i] = 0;`,
    "  __syncthreads();",
    `  for (int k = thread; k < count; k += ${threads})`,
    `    atomicAdd(own + (thread / 32 * ${bins} + (int(key[k] >> shift) & ${bins - 1})), 1);`,
    "  __syncthreads();",
    "  int all = 0;",
    `  for (int w = 0; w < ${warps}; ++w) all += own[w * ${bins} + thread];`,
    "  counts[thread * tiles] = all;",
  ].join("\n"),
};

/**
 * C++ statements that compute `rank[j]`, the position among equal digits of the element `keys[j]`, at `first + j * 32` of
 * the tile; and `starts`, the position of each digit's first element.
 */
const ranking = (perThread: number): string[] => [
  `  for (int i = thread; i < ${warps * bins}; i += ${threads}) seen[i] = 0;`,
  "  __syncthreads();",
  `  int* const own = seen + thread / 32 * ${bins};`,
  "  JITLAB_UNROLL",
  `  for (int j = 0; j < ${perThread}; ++j) {`,
  `    const int d = int(keys[j] >> shift) & ${bins - 1};`,
  "    const unsigned peers = __match_any_sync(0xffffffffu, unsigned(d)), before = peers & ((1u << (thread & 31)) - 1u);",
  "    const int count_before = own[d];",
  "    __syncwarp();",
  "    if (before == 0) own[d] = count_before + __popc(peers);",
  "    __syncwarp();",
  "    rank[j] = count_before + __popc(before);",
  "  }",
  "  __syncthreads();",
  // One thread per digit: sums its counts in earlier warps, then the counts of earlier digits.
  "  int all = 0;",
  `  for (int w = 0; w < ${warps}; ++w) {`,
  `    const int next = seen[w * ${bins} + thread];`,
  `    seen[w * ${bins} + thread] = all;`,
  "    all += next;",
  "  }",
  "  int sum = all;",
  "  JITLAB_UNROLL",
  "  for (int step = 1; step < 32; step *= 2) {",
  "    const int other = __shfl_up_sync(0xffffffffu, sum, step);",
  "    if ((thread & 31) >= step) sum += other;",
  "  }",
  "  if ((thread & 31) == 31) totals[thread / 32] = sum;",
  "  __syncthreads();",
  "  for (int w = 0; w < thread / 32; ++w) sum += totals[w];",
  "  starts[thread] = sum - all;",
  "  __syncthreads();",
  "  JITLAB_UNROLL",
  `  for (int j = 0; j < ${perThread}; ++j) {`,
  `    const int d = int(keys[j] >> shift) & ${bins - 1};`,
  "    rank[j] += starts[d] + own[d];",
  "  }",
];

const shared = [`  __shared__ int seen[${warps * bins}], starts[${bins}], totals[${warps}];`];

const gridMoveOf = (placed: boolean): Walk => ({
  ...moving(placed),
  name: `${moving(placed).name}_block`,
  block: true,
  body: [
    tileStart(gridSort.tile),
    `  __shared__ T stage[${gridSort.tile}];`,
    `  __shared__ int64 bases[${bins}];`,
    ...shared,
    `  const int first = thread / 32 * ${32 * each} + (thread & 31);`,
    // The padding of an incomplete tile has the last digit and is sorted last.
    `  T keys[${each}];`,
    `  int rank[${each}], to[${each}];`,
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${each}; ++j) keys[j] = first + j * 32 < count ? key[first + j * 32] : T(~T(0));`,
    ...ranking(each),
    "  bases[thread] = (thread + *tile > 0 ? sums[thread * tiles + *tile - 1] : 0) - starts[thread];",
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${each}; ++j) stage[rank[j]] = keys[j];`,
    "  __syncthreads();",
    "  JITLAB_UNROLL",
    `  for (int i = 0; i < ${each}; ++i) {`,
    `    const int k = thread + i * ${threads};`,
    "    const T own_key = stage[k];",
    `    to[i] = k < count ? int(bases[int(own_key >> shift) & ${bins - 1}] + k) : -1;`,
    "    if (to[i] >= 0) key_out[to[i]] = own_key;",
    "  }",
    ...(placed
      ? [
          "  __syncthreads();",
          "  int32* const order = reinterpret_cast<int32*>(stage);",
          "  JITLAB_UNROLL",
          `  for (int j = 0; j < ${each}; ++j) if (first + j * 32 < count) order[rank[j]] = place[first + j * 32];`,
          "  __syncthreads();",
          "  JITLAB_UNROLL",
          `  for (int i = 0; i < ${each}; ++i) if (to[i] >= 0) place_out[to[i]] = order[thread + i * ${threads}];`,
        ]
      : []),
  ].join("\n"),
});

/** Like {@link hostMove} and {@link hostMoveKeys}: the tile is reordered in shared memory, and written from there. */
export const gridMove: Walk = gridMoveOf(true);
export const gridMoveKeys: Walk = gridMoveOf(false);

const rowWalks = new Map<string, Walk>();

/** The longest row that one block sorts. */
export function blockRow(dtype: DType): number {
  return threads * (dtype.bytes > 4 ? 8 : 16);
}

/** The walk in which a block sorts a row of at most {@link blockRow} elements: values and indexes. */
export function blockSort(dtype: DType, length: number): Walk {
  const perThread = length <= threads * 4 ? 4 : blockRow(dtype) / threads;
  const name = `sortRow_block_${dtype.name}_${perThread}`;
  let walk = rowWalks.get(name);
  if (walk === undefined) {
    walk = {
      name,
      operands: ["value", "index", "row"],
      numbers: ["length", "step", "descending"],
      block: true,
      heavy: true,
      helpers: keyText(dtype),
      body: rowBody(dtype, perThread),
    };
    rowWalks.set(name, walk);
  }
  return walk;
}

function rowBody(dtype: DType, perThread: number): string {
  const bits = keyBits(dtype);
  const key = dtype.bytes > 4 ? "uint64" : "uint32";
  const size = threads * perThread;
  return [
    `  __shared__ ${key} stage[${size}];`,
    `  __shared__ uint16 order[${size}];`,
    ...shared,
    `  const int first = thread / 32 * ${32 * perThread} + (thread & 31);`,
    `  ${key} keys[${perThread}];`,
    `  int rank[${perThread}], places[${perThread}];`,
    "  JITLAB_UNROLL",
    `  for (int j = 0; j < ${perThread}; ++j) {`,
    "    const int k = places[j] = first + j * 32;",
    "    const uint64 ascending = k < length ? key_of(row[k * step]) : 0;",
    // The padding of an incomplete tile has the last key and is sorted last.
    `    keys[j] = k < length ? ${key}(descending ? ascending ^ ${keyMask(dtype)} : ascending) : ${key}(~${key}(0));`,
    "  }",
    `  for (int shift = 0; shift < ${bits}; shift += 8) {`,
    ...ranking(perThread).map((line) => `  ${line}`),
    "    JITLAB_UNROLL",
    `    for (int j = 0; j < ${perThread}; ++j) {`,
    "      stage[rank[j]] = keys[j];",
    "      order[rank[j]] = uint16(places[j]);",
    "    }",
    "    __syncthreads();",
    "    JITLAB_UNROLL",
    `    for (int j = 0; j < ${perThread}; ++j) {`,
    "      keys[j] = stage[first + j * 32];",
    "      places[j] = order[first + j * 32];",
    "    }",
    "    __syncthreads();",
    "  }",
    `  for (int k = thread; k < length; k += ${threads}) {`,
    "    index[k] = order[k];",
    "    value[k] = row[order[k] * step];",
    "  }",
  ].join("\n");
}
