// The walks of a stable sort of rows by unsigned keys: digit by digit from the lowest (radix sort). For each digit, the
// tiles of a row count their digits, a scan turns counts into positions, and each tile moves its elements. Here one walk
// position handles a tile, for processors; sort-blocks.ts has the walks of a GPU.
import type { DType } from "../base/dtype.js";
import { keyMask, keyText } from "./sort-keys.js";
import type { Walk } from "./walk-kernel.js";

/** A device's tile size, and the bits of a digit. */
export interface SortShape {
  readonly tile: number;
  readonly digit: number;
}

/** Tiles of a processor. */
export const hostSort: SortShape = { tile: 1 << 16, digit: 8 };

/** The walk that writes the distances of integers from the least one. */
export const distances: Walk = {
  name: "sortDistances",
  operands: ["key", "element"],
  numbers: ["least"],
  body: "  *key = T(uint64(*element) - uint64(least));",
};

/** The walk that writes the integers at distances from the least one. */
export const atDistances: Walk = {
  name: "sortedAtDistances",
  operands: ["value", "key"],
  numbers: ["least"],
  body: "  *value = T(uint64(least) + *key);",
};

const keyWalks = new Map<string, Walk>();

/** The walk that writes keys and indexes; one object per dtype, because it owns kernels. */
export function keysOf(dtype: DType): Walk {
  let walk = keyWalks.get(dtype.name);
  if (walk === undefined) {
    walk = {
      name: `sortKeys_${dtype.name}`,
      operands: ["key", "place", "element"],
      numbers: ["descending", "length"],
      helpers: keyText(dtype),
      body: [
        "  const uint64 ascending = key_of(*element);",
        `  *key = T(descending ? ascending ^ ${keyMask(dtype)} : ascending);`,
        // The keys are contiguous, so the walk position is their index. A 32-bit division takes a GPU a third of a 64-bit
        // one.
        "  *place = int32(position >> 32 == 0 ? uint32(position) % uint32(length) : position % length);",
      ].join("\n"),
    };
    keyWalks.set(dtype.name, walk);
  }
  return walk;
}

/** C++: the start of a position's tile, and its number of elements. */
export const tileStart = (tile: number): string =>
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

/** Name and operands of a walk that moves keys, with the places of their elements or without. */
export function moving(placed: boolean): Pick<Walk, "name" | "operands" | "numbers" | "heavy"> {
  return {
    name: placed ? "sortMove" : "sortMove_keys",
    operands: placed
      ? ["key_out", "place_out", "key", "place", "tile", "sums"]
      : ["key_out", "key", "tile", "sums"],
    numbers: ["length", "tiles", "shift"],
    heavy: true,
  };
}

const hostMoveOf = (placed: boolean): Walk => ({
  ...moving(placed),
  body: [
    tileStart(hostSort.tile),
    "  int64 next[256];",
    "  for (int d = 0; d < 256; ++d) next[d] = d + *tile > 0 ? sums[d * tiles + *tile - 1] : 0;",
    "  for (int64 k = 0; k < count; ++k) {",
    "    const int64 at = next[int(key[k] >> shift) & 255]++;",
    "    key_out[at] = key[k];",
    ...(placed ? ["    place_out[at] = place[k];"] : []),
    "  }",
  ].join("\n"),
});

/** The walks that move the elements of each tile to their positions for one digit: keys with places, and keys alone. */
export const hostMove: Walk = hostMoveOf(true);
export const hostMoveKeys: Walk = hostMoveOf(false);

/** The longest row that one thread sorts. */
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

const valueWalks = new Map<string, Walk>();

/** The walk that writes values and indexes: most keys determine their element, which saves reading it. */
export function valuesOf(dtype: DType): Walk {
  let walk = valueWalks.get(dtype.name);
  if (walk === undefined) {
    walk = {
      name: `sortedValues_${dtype.name}`,
      operands: ["value", "index", "key", "place", "row"],
      numbers: ["step", "descending"],
      helpers: keyText(dtype),
      body: [
        "  *index = *place;",
        `  const uint64 ascending = descending ? *key ^ ${keyMask(dtype)} : *key;`,
        "  *value = tells_element(ascending) ? element_of(ascending) : row[*place * step];",
      ].join("\n"),
    };
    valueWalks.set(dtype.name, walk);
  }
  return walk;
}
