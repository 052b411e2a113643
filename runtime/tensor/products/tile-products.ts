// Products of bfloat16 by a processor's tile registers (AMX): 16 rows of 64 bytes each. Both factors are first laid out as
// tiles: of the left one 16 rows of 32 elements, of the right one 16 pairs of rows of 16 columns. Sums are floats.
import type { Walk } from "../../codegen/walk-kernel.js";
import { processorFact } from "../../device/processor.js";
import { contiguousStrides, sizeOf } from "../../geometry/layout.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import { releasing } from "../statistic-options.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor.js";

/** Rows of a left tile, and columns of a right one. */
const lines = 16;
/** Elements of a line along the inner dimension. */
const depth = 32;
const tileSize = lines * depth;
/** Rows and columns of a position of the product. */
const edge = 64;
// The tiles of fewer products take longer to lay out than they save.
const leastProducts = 2 ** 21;

/** C++: a tile at the end of a factor, with zeros beyond it, or one of a factor whose elements have other distances. */
const anyTile = (line: string, place: string): string => `
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      tile[32 * y + x] = ${line} < wide && ${place} < deep ? matrix[${line} * across + ${place} * step] : T{0};`;

/** The walk that lays out one tile; `line` and `at` are where it begins, `step` leads along the inner dimension. */
function layoutWalk(side: string, whole: string, line: string, place: string): Walk {
  return {
    name: `tiles_of_${side}`,
    operands: ["tile", "matrix", "line", "at"],
    numbers: ["lines", "inner", "across", "step"],
    body: `
  const int64 wide = lines - *line, deep = inner - *at;
  const bool isWhole = wide >= ${lines} && deep >= ${depth};
${whole}
${anyTile(line, place)}`,
  };
}

const layouts = {
  left: layoutWalk(
    "left",
    `
  if (isWhole && step == 1) {
    for (int y = 0; y < 16; ++y) __builtin_memcpy(tile + 32 * y, matrix + y * across, 64);
    return;
  }`,
    "y",
    "x",
  ),
  right: layoutWalk(
    "right",
    `
  uint32* pairs = reinterpret_cast<uint32*>(tile);
  if (isWhole && across == 1) {
    for (int y = 0; y < 16; ++y) {
      const T* first = matrix + 2 * y * step;
      for (int c = 0; c < 16; ++c) pairs[16 * y + c] = first[c].bits | uint32(first[step + c].bits) << 16;
    }
    return;
  }
  if (isWhole && step == 1) {
    for (int y = 0; y < 16; ++y)
      for (int c = 0; c < 16; ++c) __builtin_memcpy(&pairs[16 * y + c], matrix + c * across + 2 * y, 4);
    return;
  }`,
    "(x >> 1)",
    "(2 * y + (x & 1))",
  ),
};

const helpers = `
#ifdef __AMX_BF16__
struct alignas(64) TileShapes { uint8 palette, start, rest[14]; uint16 bytes[16]; uint8 rows[16]; };
// Asks Linux once for the right to use the registers, and sets their shapes.
inline bool opens_tiles() {
  static int answer = -1;
  if (answer < 0) {
    long result;
    // arch_prctl(ARCH_REQ_XCOMP_PERM, XTILEDATA)
    asm volatile("syscall" : "=a"(result) : "a"(158l), "D"(0x1023l), "S"(18l) : "rcx", "r11", "memory");
    answer = result == 0;
  }
  TileShapes shapes = {1, 0, {}, {}, {}};
  for (int i = 0; i < 8; ++i) {
    shapes.bytes[i] = 64;
    shapes.rows[i] = 16;
  }
  if (answer) asm volatile("ldtilecfg %0" : : "m"(shapes));
  return answer;
}
inline void close_tiles() { asm volatile("tilerelease"); }
#define ZERO(N) asm volatile("tilezero %tmm" #N)
#define LOAD(N, AT) asm volatile("tileloadd (%0,%1,1), %%tmm" #N : : "r"(AT), "r"(64l) : "memory")
#define STORE(N, AT) asm volatile("tilestored %%tmm" #N ", (%0,%1,1)" : : "r"(AT), "r"(128l) : "memory")
#define MULTIPLY(SUM, LEFT, RIGHT) asm volatile("tdpbf16ps %tmm" #RIGHT ", %tmm" #LEFT ", %tmm" #SUM)
inline void multiply_tiles(float (&sum)[32][32], const T* left, const T* right, int64 blocks) {
  const int64 below = blocks * ${tileSize};
  ZERO(0);
  ZERO(1);
  ZERO(2);
  ZERO(3);
  for (int64 k = 0; k < below; k += ${tileSize}) {
    LOAD(4, left + k);
    LOAD(6, right + k);
    LOAD(7, right + below + k);
    MULTIPLY(0, 4, 6);
    MULTIPLY(1, 4, 7);
    LOAD(5, left + below + k);
    MULTIPLY(2, 5, 6);
    MULTIPLY(3, 5, 7);
  }
  STORE(0, &sum[0][0]);
  STORE(1, &sum[0][16]);
  STORE(2, &sum[16][0]);
  STORE(3, &sum[16][16]);
}
#else
inline bool opens_tiles() { return false; }
inline void close_tiles() {}
inline void multiply_tiles(float (&)[32][32], const T*, const T*, int64) {}
#endif
// Where the registers may not be used.
inline void multiply_elements(float (&sum)[32][32], const T* left, const T* right, int64 blocks) {
  const int64 below = blocks * ${tileSize};
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) sum[y][x] = 0.0f;
    const T* row = left + y / 16 * below + y % 16 * ${depth};
    for (int64 p = 0; p < 16 * blocks; ++p) {
      const T* a = row + p / 16 * ${tileSize} + p % 16 * 2;
      for (int x = 0; x < 32; ++x) {
        const T* b = right + x / 16 * below + p * 32 + x % 16 * 2;
        sum[y][x] += cast<float>(a[0]) * cast<float>(b[0]) + cast<float>(a[1]) * cast<float>(b[1]);
      }
    }
  }
}`;

const product: Walk = {
  name: "matmul_tiles",
  operands: ["out", "left", "right", "row", "column"],
  numbers: ["rows", "columns", "blocks"],
  heavy: true,
  helpers,
  body: `
  alignas(64) float sum[32][32];
  const bool isOpen = opens_tiles();
  for (int64 top = 0; top < ${edge} && *row + top < rows; top += 32) {
    for (int64 first = 0; first < ${edge} && *column + first < columns; first += 32) {
      const T* a = left + top * ${depth} * blocks;
      const T* b = right + first * ${depth} * blocks;
      if (isOpen) multiply_tiles(sum, a, b, blocks);
      else multiply_elements(sum, a, b, blocks);
      const int64 down = rows - *row - top, across = columns - *column - first;
      T* at = out + top * columns + first;
      for (int y = 0; y < 32 && y < down; ++y, at += columns) {
        if (across >= 32) for (int x = 0; x < 32; ++x) at[x] = cast<T>(sum[y][x]);
        else for (int x = 0; x < across; ++x) at[x] = cast<T>(sum[y][x]);
      }
    }
  }
  if (isOpen) close_tiles();`,
};

/** True if a processor multiplies two batches fastest by its tiles. */
export function isTiledWay(left: Tensor, right: Tensor): boolean {
  const { device, dtype } = left;
  const extents = [left.shape[1], left.shape[2], right.shape[2]] as [number, number, number];
  const pays = Math.min(...extents) >= lines && sizeOf(extents) >= leastProducts;
  return pays && dtype.name === "bfloat16" && device.target.kind === "cpu" && hasTiles();
}

function hasTiles(): boolean {
  return processorFact("flags")?.split(" ").includes("amx_bf16") ?? false;
}

/** Writes the products of two batches `[batch, rows, inner]` and `[batch, inner, columns]` of bfloat16. */
export function multiplyTiles(out: Tensor, left: Tensor, right: Tensor): void {
  releasing(laidOut("left", left), (a) =>
    releasing(laidOut("right", right.transpose(1, 2)), (b) =>
      launchProduct(out, a, b, left.shape[2] as number),
    ),
  );
}

function launchProduct(out: Tensor, left: Tensor, right: Tensor, inner: number): void {
  const [batch, rows, columns] = out.shape as [number, number, number];
  const blocks = Math.ceil(inner / depth);
  const over = [batch, Math.ceil(rows / edge), Math.ceil(columns / edge)];
  const step = edge * depth * blocks;
  const lay = (tensor: Tensor, strides: readonly [number, number]) =>
    windowOf(tensor, { shape: over, strides: [tensor.strides[0] as number, ...strides], offset: 0 });
  launchWalk(
    product,
    over,
    [lay(out, [edge * columns, edge])],
    [
      lay(left, [step, 0]),
      lay(right, [0, step]),
      firstsOf(over[1] as number, edge, out).unsqueeze(1),
      firstsOf(over[2] as number, edge, out),
    ],
    [rows, columns, blocks],
  );
}

/** A factor `[batch, lines, inner]` as tiles, of whole edges of lines. */
function laidOut(side: "left" | "right", factor: Tensor): Tensor {
  const [batch, count, inner] = factor.shape as [number, number, number];
  const [apart, across, step] = factor.strides as [number, number, number];
  const over = [batch, (Math.ceil(count / edge) * edge) / lines, Math.ceil(inner / depth)];
  const shape = [...over, tileSize];
  const tiles = emptyTensor(shape, contiguousStrides(shape), factor.dtype, factor.device);
  const window = (tensor: Tensor, strides: readonly number[]) =>
    windowOf(tensor, { shape: over, strides, offset: 0 });
  launchWalk(
    layouts[side],
    over,
    [window(tiles, tiles.strides.slice(0, 3))],
    [
      window(factor, [apart, across * lines, step * depth]),
      firstsOf(over[1] as number, lines, factor).unsqueeze(1),
      firstsOf(over[2] as number, depth, factor),
    ],
    [count, inner, across, step],
  );
  return tiles;
}

function firstsOf(count: number, step: number, { device }: Tensor): Tensor {
  return arange(0, count * step, step, { dtype: "int64", device: device.name });
}
