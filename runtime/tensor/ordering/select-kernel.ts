// The walks that select the smallest keys of long rows without sorting them. They find the threshold's digits from the
// highest, by counts in tiles of a row, then the indexes of the keys below it. A tile is one position on a processor, a
// block of threads on a GPU.
import type { DType } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { tileStart } from "./sort-kernel.js";
import { keyMask, keyText } from "./sort-keys.js";

/** Elements of a tile. */
export const selectTile = 1 << 14;
const threads = 256;
const warps = threads / 32;

/** The walks of a dtype. */
export interface SelectWalks {
  /** Counts the digits of a tile's keys with the threshold's prefix. */
  readonly digits: Walk;
  /** Counts the keys of a tile below the threshold, and those that equal it. */
  readonly below: Walk;
  /** Lists the indexes of the keys below it, and of as many equal keys as requested, in order. */
  readonly list: Walk;
}

/** The walk that adds a digit to each row's threshold: the digit of the requested rank. */
export const pickDigit: Walk = {
  name: "selectDigit",
  operands: ["threshold", "rank", "counts"],
  numbers: ["shift"],
  heavy: true,
  body: [
    "  int64 left = *rank, d = 0;",
    "  bool behind = true;",
    // Without an early exit, so that a GPU thread loads several counts at once.
    "  for (int i = 0; i < 255; ++i) {",
    "    const int64 own = counts[i];",
    "    behind = behind && left > own;",
    "    left -= behind ? own : 0;",
    "    d += behind ? 1 : 0;",
    "  }",
    "  *rank = left;",
    "  *threshold |= uint64(d) << shift;",
  ].join("\n"),
};

const walks = new Map<string, SelectWalks>();

/** The walks of a dtype on a processor or for blocks; one of each, because they own kernels. */
export function selectWalks(dtype: DType, block: boolean): SelectWalks {
  const name = `${dtype.name}${block ? "_block" : ""}`;
  const known = walks.get(name) ?? makeWalks(name, dtype, block);
  walks.set(name, known);
  return known;
}

/** The most elements that {@link firstWalk} keeps of a row. */
export const mostFirst = 128;

const firsts = new Map<string, Walk>();

/** The walk by which a processor keeps the first elements of a part of a row, in order, while it goes through the part. */
export function firstWalk(dtype: DType): Walk {
  const known = firsts.get(dtype.name) ?? {
    name: `selectFirst_${dtype.name}`,
    operands: ["places", "row", "part"],
    numbers: ["length", "step", "parts", "wanted", "descending"],
    heavy: true,
    helpers: keyText(dtype),
    body: [
      "  const int64 begin = *part * length / parts, end = (*part + 1) * length / parts;",
      `  const uint64 turn = descending ? ${keyMask(dtype)} : 0;`,
      `  uint64 best[${mostFirst}];`,
      `  int64 at[${mostFirst}];`,
      "  int held = 0;",
      "  for (int64 k = begin; k < end; ++k) {",
      "    const uint64 key = uint64(key_of(row[k * step])) ^ turn;",
      // Of equal ones the first stays.
      "    if (held == wanted && key >= best[held - 1]) continue;",
      "    int place = 0;",
      "    for (int i = 0; i < held; ++i) place += best[i] <= key ? 1 : 0;",
      "    if (held < wanted) ++held;",
      "    for (int i = held - 1; i > place; --i) best[i] = best[i - 1];",
      "    for (int i = held - 1; i > place; --i) at[i] = at[i - 1];",
      "    best[place] = key;",
      "    at[place] = k;",
      "  }",
      "  for (int i = 0; i < held; ++i) places[i] = at[i];",
    ].join("\n"),
  };
  firsts.set(dtype.name, known);
  return known;
}

const elements = new Map<string, Walk>();

/** The walk from a key to the element that has it. */
export function elementWalk(dtype: DType): Walk {
  const known = elements.get(dtype.name) ?? {
    name: `selectElement_${dtype.name}`,
    operands: ["element", "key"],
    numbers: [],
    helpers: keyText(dtype),
    body: `  *element = element_of(uint${8 * dtype.bytes}(*key));`,
  };
  elements.set(dtype.name, known);
  return known;
}

function makeWalks(name: string, dtype: DType, block: boolean): SelectWalks {
  const shared = { heavy: true, block, helpers: keyText(dtype) };
  const start = [
    tileStart(selectTile),
    `  const uint64 turn = descending ? ${keyMask(dtype)} : 0, border = *threshold;`,
  ];
  const key = (k: string) => `uint64(key_of(row[(begin + ${k}) * step])) ^ turn`;
  const numbers = ["length", "step", "descending"];
  const each = block ? `int k = thread; k < count; k += ${threads}` : "int64 k = 0; k < count; ++k";
  const counting = block
    ? (own: readonly string[]) => [
        `  __shared__ int own[${warps * 256}];`,
        `  for (int i = thread; i < ${warps * 256}; i += ${threads}) own[i] = 0;`,
        "  __syncthreads();",
        ...own,
        "  __syncthreads();",
        "  int all = 0;",
        `  for (int w = 0; w < ${warps}; ++w) all += own[w * 256 + thread];`,
      ]
    : (own: readonly string[]) => [
        "  int32 own[256];",
        "  for (int d = 0; d < 256; ++d) own[d] = 0;",
        ...own,
      ];
  const add = (d: string) => (block ? `atomicAdd(own + (thread / 32 * 256 + ${d}), 1);` : `++own[${d}];`);
  return {
    digits: {
      ...shared,
      name: `selectCount_${name}`,
      operands: ["counts", "row", "tile", "threshold"],
      numbers: [...numbers, "shift"],
      body: [
        ...start,
        ...(block
          ? [
              ...counting([
                `  for (${each}) {`,
                `    const uint64 digits = (${key("k")}) >> shift;`,
                `    if ((digits ^ (border >> shift)) < 256) ${add("int(digits & 255)")}`,
                "  }",
              ]),
              "  counts[thread] = all;",
            ]
          : hostDigits(key)),
      ].join("\n"),
    },
    below: {
      ...shared,
      name: `selectBelow_${name}`,
      operands: ["counts", "row", "tile", "threshold"],
      numbers: [...numbers, "tiles"],
      body: [
        ...start,
        ...counting([
          `  for (${each}) {`,
          `    const uint64 own_key = ${key("k")};`,
          `    if (own_key <= border) ${add("(own_key == border ? 1 : 0)")}`,
          "  }",
        ]),
        block
          ? "  if (thread < 2) counts[thread * tiles] = all;"
          : "  for (int d = 0; d < 2; ++d) counts[d * tiles] = own[d];",
      ].join("\n"),
    },
    list: {
      ...shared,
      name: `selectList_${name}`,
      operands: ["places", "row", "tile", "threshold", "rank", "counts", "stops"],
      numbers: [...numbers, "tiles", "wanted"],
      body: [
        ...start,
        "  if (counts[0] + counts[tiles] == 0) return;",
        "  int64 least = stops[0] - counts[0], equal = stops[tiles] - counts[tiles];",
        "  const int64 first_equal = wanted - *rank;",
        ...(block ? blockList(key) : hostList(key)),
      ].join("\n"),
    },
  };
}

// Without a branch, which a processor cannot foresee: what does not begin as the threshold does counts behind the digits. Two
// tables in turn, because equal digits wait for each other.
function hostDigits(key: (k: string) => string): string[] {
  return [
    "  int32 own[2][512];",
    "  for (int d = 0; d < 512; ++d) own[0][d] = own[1][d] = 0;",
    "  for (int64 k = 0; k < count; ++k) {",
    `    const uint64 digits = (${key("k")}) >> shift;`,
    "    const uint64 other = (digits ^ (border >> shift)) >> 8 != 0;",
    "    ++own[k & 1][(digits & 255) | (other << 8)];",
    "  }",
    "  for (int d = 0; d < 256; ++d) counts[d] = own[0][d] + own[1][d];",
  ];
}

function hostList(key: (k: string) => string): string[] {
  return [
    "  for (int64 k = 0; k < count; ++k) {",
    `    const uint64 own_key = ${key("k")};`,
    "    if (own_key < border) places[least++] = begin + k;",
    "    else if (own_key == border && equal < *rank) places[first_equal + equal++] = begin + k;",
    "  }",
  ];
}

function blockList(key: (k: string) => string): string[] {
  return [
    `  __shared__ int found[2][2][${warps}];`,
    `  for (int k = thread, turns = 0; turns * ${threads} < count; k += ${threads}, ++turns) {`,
    `    const uint64 own_key = k < count ? ${key("k")} : ~uint64(0);`,
    "    const bool less = k < count && own_key < border, same = k < count && own_key == border;",
    "    const unsigned all_less = __ballot_sync(0xffffffffu, less), all_same = __ballot_sync(0xffffffffu, same);",
    "    int (*const own)[8] = found[turns & 1];",
    "    if ((thread & 31) == 0) {",
    "      own[0][thread / 32] = __popc(all_less);",
    "      own[1][thread / 32] = __popc(all_same);",
    "    }",
    "    __syncthreads();",
    "    const unsigned before = (1u << (thread & 31)) - 1u;",
    "    int64 at_less = least + __popc(all_less & before), at_same = equal + __popc(all_same & before);",
    `    for (int w = 0; w < ${warps}; ++w) {`,
    "      if (w < thread / 32) {",
    "        at_less += own[0][w];",
    "        at_same += own[1][w];",
    "      }",
    "      least += own[0][w];",
    "      equal += own[1][w];",
    "    }",
    "    if (less) places[at_less] = begin + k;",
    "    if (same && at_same < *rank) places[first_equal + at_same] = begin + k;",
    "  }",
  ];
}
