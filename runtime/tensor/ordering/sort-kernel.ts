// The walks of a stable sort of rows by unsigned keys: digit by digit from the lowest (radix sort). For each digit, the
// tiles of a row count their digits, a scan turns counts into positions, and each tile moves its elements. Here one walk
// position handles a tile, for processors; sort-blocks.ts has the walks of a GPU.
import type { DType } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { keyMask, keyText } from "./sort-keys.js";

/** Bits of a digit. */
export const sortDigit = 8;

/** A device's tile size, and the walks of a pass. */
export interface SortWalks {
  readonly tile: number;
  /** Counts the digits of each tile. */
  readonly count: Walk;
  /** Move the elements of each tile to their positions for one digit. */
  readonly move: Readonly<Record<Moved, Walk>>;
}

/** What moves with the keys: their elements' places, those of the first pass, which are as yet their own, or nothing. */
export type Moved = "places" | "own" | "alone";

const hostTile = 1 << 16;

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

/** The walk that writes keys; one object per dtype, because it owns kernels. */
export function keysOf(dtype: DType): Walk {
  let walk = keyWalks.get(dtype.name);
  if (walk === undefined) {
    walk = {
      name: `sortKeys_${dtype.name}`,
      operands: ["key", "element"],
      numbers: ["descending"],
      helpers: keyText(dtype),
      body: [
        "  const uint64 ascending = key_of(*element);",
        `  *key = T(descending ? ascending ^ ${keyMask(dtype)} : ascending);`,
      ].join("\n"),
    };
    keyWalks.set(dtype.name, walk);
  }
  return walk;
}

/** C++: the start of a position's tile, and its number of elements. */
export const tileStart = (tile: number): string =>
  `  const int64 begin = *tile * ${tile}, rest = length - begin, count = rest < ${tile} ? rest : ${tile};`;

/** Name and operands of the walk that counts digits. */
export const counting: Pick<Walk, "name" | "operands" | "numbers" | "heavy"> = {
  name: "sortCount",
  operands: ["key", "counts", "tile"],
  numbers: ["length", "tiles", "shift"],
  heavy: true,
};

/** Name and operands of a walk that moves keys. */
export function moving(moved: Moved): Pick<Walk, "name" | "operands" | "numbers" | "heavy"> {
  return {
    name: moved === "places" ? "sortMove" : `sortMove_${moved}`,
    operands: [
      "key_out",
      ...(moved === "alone" ? [] : ["place_out"]),
      "key",
      ...(moved === "places" ? ["place"] : []),
      "tile",
      "sums",
    ],
    numbers: ["length", "tiles", "shift"],
    heavy: true,
  };
}

const hostMove = (moved: Moved): Walk => ({
  ...moving(moved),
  body: [
    tileStart(hostTile),
    "  int64 next[256];",
    "  for (int d = 0; d < 256; ++d) next[d] = d + *tile > 0 ? sums[d * tiles + *tile - 1] : 0;",
    "  for (int64 k = 0; k < count; ++k) {",
    "    const int64 at = next[int(key[k] >> shift) & 255]++;",
    "    key_out[at] = key[k];",
    ...(moved === "alone"
      ? []
      : [`    place_out[at] = ${moved === "places" ? "place[k]" : "int32(begin + k)"};`]),
    "  }",
  ].join("\n"),
});

/** The walks of a processor. */
export const hostSort: SortWalks = {
  tile: hostTile,
  count: {
    ...counting,
    body: [
      tileStart(hostTile),
      "  int32 own[256];",
      "  for (int d = 0; d < 256; ++d) own[d] = 0;",
      "  for (int64 k = 0; k < count; ++k) ++own[int(key[k] >> shift) & 255];",
      "  for (int d = 0; d < 256; ++d) counts[d * tiles] = own[d];",
    ].join("\n"),
  },
  move: { places: hostMove("places"), own: hostMove("own"), alone: hostMove("alone") },
};

/** The longest row that one thread sorts. */
export const shortRow = 32;

/** The walk that sorts a short row by insertion, in place, and writes the places of its elements. */
export const sortRow: Walk = {
  name: "sortRow",
  operands: ["key", "place"],
  numbers: ["length"],
  heavy: true,
  body: [
    "  for (int64 k = 0; k < length; ++k) {",
    "    const T own = key[k];",
    "    int64 at = k;",
    "    for (; at > 0 && key[at - 1] > own; --at) {",
    "      key[at] = key[at - 1];",
    "      place[at] = place[at - 1];",
    "    }",
    "    key[at] = own;",
    "    place[at] = int32(k);",
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
