// The product of a matrix and a vector on a processor without a library, which is as fast as memory: where rows are contiguous
// each is multiplied in vector registers, else several rows are added up at once. The order of additions depends on the
// extents alone.
import type { Walk } from "../../codegen/walk-kernel.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import { type Tensor, windowOf } from "../tensor.js";

/** C++: the type `Sum` that adds up products. Integers wrap around, which C++ defines only for unsigned ones; `wide` holds small ones. */
export function sums(wide: string): string {
  return [
    "template <typename V> struct sum_of { typedef V type; };",
    ...["int8", "uint8", "int16", "uint16", "int32", "uint32"].map(
      (name) => `template <> struct sum_of<${name}> { typedef ${wide} type; };`,
    ),
    "template <> struct sum_of<int64> { typedef uint64 type; };",
    "typedef sum_of<C>::type Sum;",
  ].join("\n");
}

const operands = ["out", "matrix", "vector", "row"];
const numbers = ["rows", "inner", "out_step", "matrix_row", "matrix_step", "vector_step"];
const lanes = 16;

const rowWise = {
  rows: 32,
  walk: {
    name: "matvec_rows",
    operands,
    numbers,
    heavy: true,
    helpers: sums("uint32"),
    body: `
  const int down = rows - *row < 32 ? int(rows - *row) : 32;
  for (int r = 0; r < down; ++r) {
    const auto line = matrix + r * matrix_row;
    Sum part[${lanes}];
    for (int c = 0; c < ${lanes}; ++c) part[c] = Sum(0);
    int64 k = 0;
    for (; k + ${lanes} <= inner; k += ${lanes}) {
      JITLAB_INDEPENDENT
      for (int c = 0; c < ${lanes}; ++c) part[c] = part[c] + Sum(cast<C>(line[k + c])) * Sum(cast<C>(vector[k + c]));
    }
    for (int c = 0; k < inner; ++k, ++c) part[c] = part[c] + Sum(cast<C>(line[k])) * Sum(cast<C>(vector[k]));
    for (int c = 0; c < 8; ++c) part[c] = part[c] + part[c + 8];
    for (int c = 0; c < 4; ++c) part[c] = part[c] + part[c + 4];
    out[r * out_step] = cast<T>(C((part[0] + part[2]) + (part[1] + part[3])));
  }`,
  } satisfies Walk,
};

const columnWise = {
  rows: 64,
  walk: {
    name: "matvec_columns",
    operands,
    numbers,
    heavy: true,
    helpers: sums("uint32"),
    body: `
  Sum sum[64];
  for (int r = 0; r < 64; ++r) sum[r] = Sum(0);
  if (rows - *row >= 64) {
    for (int64 k = 0; k < inner; ++k) {
      const auto line = matrix + k * matrix_step;
      const Sum x = Sum(cast<C>(vector[k * vector_step]));
      JITLAB_INDEPENDENT
      for (int r = 0; r < 64; ++r) sum[r] = sum[r] + x * Sum(cast<C>(line[r]));
    }
    for (int r = 0; r < 64; ++r) out[r * out_step] = cast<T>(C(sum[r]));
  } else {
    const int down = int(rows - *row), whole = down / 16 * 16;
    for (int64 k = 0; k < inner; ++k) {
      const auto line = matrix + k * matrix_step;
      const Sum x = Sum(cast<C>(vector[k * vector_step]));
      for (int first = 0; first < whole; first += 16) {
        JITLAB_INDEPENDENT
        for (int r = 0; r < 16; ++r) sum[first + r] = sum[first + r] + x * Sum(cast<C>(line[first + r]));
      }
      for (int r = whole; r < down; ++r) sum[r] = sum[r] + x * Sum(cast<C>(line[r]));
    }
    for (int r = 0; r < down; ++r) out[r * out_step] = cast<T>(C(sum[r]));
  }`,
  } satisfies Walk,
};

/** Multiplies batches of matrices by one column, or one row by batches of matrices; false for others. */
export function multiplyVector(out: Tensor, left: Tensor, right: Tensor): boolean {
  if (out.device.target.dialect.gpu) return false;
  if (right.shape[2] === 1) return multiply(out, left, right);
  if (left.shape[1] !== 1) return false;
  return multiply(out.transpose(1, 2), right.transpose(1, 2), left.transpose(1, 2));
}

/** `out` is `[batch, rows, 1]`, the matrix `[batch, rows, inner]`, the vector `[batch, inner, 1]`. */
function multiply(out: Tensor, matrix: Tensor, given: Tensor): boolean {
  const [batch, rows, inner] = matrix.shape as [number, number, number];
  const [, row, step] = matrix.strides as [number, number, number];
  const isRowWise = step === 1 || inner === 1;
  if (!isRowWise && row !== 1) return false;
  const vector = isRowWise && given.strides[1] !== 1 ? given.contiguous() : given;
  const { walk, rows: tile } = isRowWise ? rowWise : columnWise;
  const over = [batch, Math.ceil(rows / tile)];
  const lay = (view: Tensor, down: number) =>
    windowOf(view, { shape: over, strides: [view.strides[0] as number, down * tile], offset: 0 });
  const first = arange(0, (over[1] as number) * tile, tile, { dtype: "int64", device: out.device.name });
  launchWalk(
    walk,
    over,
    [lay(out, out.strides[1] as number)],
    [lay(matrix, row), lay(vector, 0), first],
    [rows, inner, out.strides[1] as number, row, step, vector.strides[1] as number],
  );
  return true;
}
