// The sort's walks for a GPU: blocks of threads handle a tile of a row with 8-bit digits, or sort a short row. A warp ranks
// its elements 32 at a time: lanes with equal digits find each other and continue the earlier counts.
import type { DType } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { counting, type Moved, moving, type SortWalks, sortDigit, tileStart } from "./sort-kernel.js";
import { keyBits, keyMask, keyText } from "./sort-keys.js";

const bins = 2 ** sortDigit;

/** The threads of a block, and the elements of each. */
interface Block {
  readonly threads: number;
  readonly each: number;
}

/** Counts a tile's digits; the threads of a whole tile issue all their loads before they count. */
function countBy({ threads, each }: Block): Walk {
  const tile = threads * each;
  const warps = threads / 32;
  const add = (key: string) => `atomicAdd(mine + (int(${key} >> shift) & ${bins - 1}), 1);`;
  return {
    ...counting,
    name: "sortCount_block",
    block: true,
    threads,
    body: [
      tileStart(tile),
      // A warp has counts of its own, which reduces conflicts.
      `  __shared__ int own[${warps * bins}];`,
      `  for (int i = thread; i < ${warps * bins}; i += ${threads}) own[i] = 0;`,
      "  __syncthreads();",
      `  int* const mine = own + thread / 32 * ${bins};`,
      `  if (count == ${tile}) {`,
      `    T keys[${each}];`,
      "    JITLAB_UNROLL",
      `    for (int j = 0; j < ${each}; ++j) keys[j] = key[thread + j * ${threads}];`,
      "    JITLAB_UNROLL",
      `    for (int j = 0; j < ${each}; ++j) ${add("keys[j]")}`,
      "  } else {",
      `    for (int k = thread; k < count; k += ${threads}) ${add("key[k]")}`,
      "  }",
      "  __syncthreads();",
      `  for (int d = thread; d < ${bins}; d += ${threads}) {`,
      "    int all = 0;",
      `    for (int w = 0; w < ${warps}; ++w) all += own[w * ${bins} + d];`,
      "    counts[d * tiles] = all;",
      "  }",
    ].join("\n"),
  };
}

/** Shared memory of {@link ranking}. */
const shared = ({ threads }: Block): string =>
  `  __shared__ int starts[${bins}], totals[${bins / 32}]; __shared__ uint16 seen[${(threads / 32) * bins}];`;

/**
 * C++ statements that compute `rank[j]`, the position in the tile of the element `keys[j]`, which is at `first + j * 32`; and
 * `starts`, the position of each digit's first element. A vote for each bit takes the same time for any digits.
 */
const ranking = ({ threads, each }: Block): string[] => [
  `  for (int i = thread; i < ${(threads / 32) * bins}; i += ${threads}) seen[i] = 0;`,
  "  __syncthreads();",
  `  uint16* const own = seen + thread / 32 * ${bins};`,
  "  JITLAB_UNROLL",
  `  for (int j = 0; j < ${each}; ++j) {`,
  `    const int d = int(keys[j] >> shift) & ${bins - 1};`,
  "    unsigned peers = 0xffffffffu;",
  "    JITLAB_UNROLL",
  `    for (int b = 0; b < ${sortDigit}; ++b) {`,
  "      const bool on = (d >> b & 1) != 0;",
  "      const unsigned vote = __ballot_sync(0xffffffffu, on);",
  "      peers &= on ? vote : ~vote;",
  "    }",
  "    const unsigned before = peers & ((1u << (thread & 31)) - 1u);",
  "    const int count_before = own[d];",
  "    __syncwarp();",
  "    if (before == 0) own[d] = uint16(count_before + __popc(peers));",
  "    __syncwarp();",
  "    rank[j] = count_before + __popc(before);",
  "  }",
  "  __syncthreads();",
  // One thread per digit: sums its counts in earlier warps, then the counts of earlier digits.
  "  int all = 0, sum = 0;",
  `  if (thread < ${bins}) {`,
  `    for (int w = 0; w < ${threads / 32}; ++w) {`,
  `      const int next = seen[w * ${bins} + thread];`,
  `      seen[w * ${bins} + thread] = uint16(all);`,
  "      all += next;",
  "    }",
  "    sum = all;",
  "  }",
  // All threads exchange, also those without a digit: some devices let no part of a block do so alone.
  "  JITLAB_UNROLL",
  "  for (int step = 1; step < 32; step *= 2) {",
  "    const int other = __shfl_up_sync(0xffffffffu, sum, step);",
  "    if ((thread & 31) >= step) sum += other;",
  "  }",
  `  if (thread < ${bins} && (thread & 31) == 31) totals[thread / 32] = sum;`,
  "  __syncthreads();",
  `  if (thread < ${bins}) {`,
  "    for (int w = 0; w < thread / 32; ++w) sum += totals[w];",
  "    starts[thread] = sum - all;",
  "  }",
  "  __syncthreads();",
  "  JITLAB_UNROLL",
  `  for (int j = 0; j < ${each}; ++j) {`,
  `    const int d = int(keys[j] >> shift) & ${bins - 1};`,
  "    rank[j] += starts[d] + own[d];",
  "  }",
];

/** Moves a tile: it is reordered in shared memory, and written from there. */
function moveBy(block: Block, moved: Moved): Walk {
  const { threads, each } = block;
  const tile = threads * each;
  const placed = moved !== "alone";
  const place =
    moved === "places"
      ? "first + j * 32 < count ? place[first + j * 32] : 0"
      : "int32(begin) + first + j * 32";
  const loop = (statement: string) => ["  JITLAB_UNROLL", `  for (int j = 0; j < ${each}; ++j) ${statement}`];
  return {
    ...moving(moved),
    name: `${moving(moved).name}_block`,
    block: true,
    threads,
    resident: 2,
    body: [
      tileStart(tile),
      `  __shared__ T stage[${tile}];`,
      `  __shared__ int bases[${bins}];`,
      shared(block),
      `  const int first = thread / 32 * ${32 * each} + (thread & 31);`,
      `  T keys[${each}];`,
      `  int rank[${each}];`,
      // The padding of an incomplete tile has the last digit and is sorted last.
      ...loop("keys[j] = first + j * 32 < count ? key[first + j * 32] : T(~T(0));"),
      ...ranking(block),
      `  if (thread < ${bins})`,
      "    bases[thread] = int(thread + *tile > 0 ? sums[thread * tiles + *tile - 1] : 0) - starts[thread];",
      // A thread issues all its loads before the next barrier.
      ...(placed ? [`  int32 places[${each}], to[${each}];`, ...loop(`places[j] = ${place};`)] : []),
      ...loop("stage[rank[j]] = keys[j];"),
      "  __syncthreads();",
      "  JITLAB_UNROLL",
      `  for (int j = 0; j < ${each}; ++j) {`,
      `    const int k = thread + j * ${threads};`,
      "    const T own_key = stage[k];",
      `    const int at = bases[int(own_key >> shift) & ${bins - 1}] + k;`,
      ...(placed ? ["    to[j] = k < count ? at : -1;"] : []),
      "    if (k < count) key_out[at] = own_key;",
      "  }",
      ...(placed
        ? [
            "  __syncthreads();",
            "  int32* const order = reinterpret_cast<int32*>(stage);",
            ...loop("order[rank[j]] = places[j];"),
            "  __syncthreads();",
            ...loop(`if (to[j] >= 0) place_out[to[j]] = order[thread + j * ${threads}];`),
          ]
        : []),
    ].join("\n"),
  };
}

function walksOf(block: Block): SortWalks {
  return {
    tile: block.threads * block.each,
    count: countBy(block),
    move: { places: moveBy(block, "places"), own: moveBy(block, "own"), alone: moveBy(block, "alone") },
  };
}

// A tile of keys, and what ranks them, fit the 48 KiB of shared memory that every GPU gives a block.
const narrow = walksOf({ threads: 512, each: 16 });
const wide = walksOf({ threads: 512, each: 8 });

/** The walks of a GPU for keys of a dtype. */
export function gridSort(key: DType): SortWalks {
  return key.bytes > 4 ? wide : narrow;
}

const rowThreads = 256;
const rowWalks = new Map<string, Walk>();

/** The longest row that one block sorts. */
export function blockRow(dtype: DType): number {
  return rowThreads * (dtype.bytes > 4 ? 8 : 16);
}

/** The walk in which a block sorts a row of at most {@link blockRow} elements: values and indexes. */
export function blockSort(dtype: DType, length: number): Walk {
  const perThread = length <= rowThreads * 4 ? 4 : blockRow(dtype) / rowThreads;
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
  const block = { threads: rowThreads, each: perThread };
  const size = rowThreads * perThread;
  return [
    `  __shared__ ${key} stage[${size}];`,
    `  __shared__ uint16 order[${size}];`,
    shared(block),
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
    ...ranking(block).map((line) => `  ${line}`),
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
    `  for (int k = thread; k < length; k += ${rowThreads}) {`,
    "    index[k] = order[k];",
    "    value[k] = row[order[k] * step];",
    "  }",
  ].join("\n");
}
