// The product of batches of matrices as a walk: a position computes a tile of the result, or one element on a GPU. The
// products of an element are added in the order of the inner dimension, so that equal calls give equal bits.
import { isInteger } from "../../base/dtype.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import type { View } from "../../geometry/view.js";
import { isFactor, launchProduct, productLibrary } from "../../launch/product-launch.js";
import { composing } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { arange } from "../create.js";
import { releasing } from "../statistic-options.js";
import { type Tensor, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { isTiledWay, multiplyTiles } from "./tile-products.js";
import { multiplyVector, sums } from "./vector-product.js";

/** The walk over tiles of some rows and columns; `wide` names the type that adds up integers of at most 32 bits. */
function tiles(rows: number, columns: number, wide: string): Walk {
  return {
    name: `matmul_${rows}x${columns}`,
    operands: ["out", "left", "right", "row", "column"],
    numbers: [
      "rows",
      "columns",
      "inner",
      "out_row",
      "out_column",
      "left_row",
      "left_step",
      "right_step",
      "right_column",
    ],
    heavy: true,
    helpers: sums(wide),
    body: [
      `  const int down = rows - *row < ${rows} ? int(rows - *row) : ${rows};`,
      `  const int across = columns - *column < ${columns} ? int(columns - *column) : ${columns};`,
      `  Sum sum[${rows}][${columns}];`,
      `  for (int r = 0; r < ${rows}; ++r) for (int c = 0; c < ${columns}; ++c) sum[r][c] = Sum(0);`,
      `  if (down == ${rows} && across == ${columns} && right_column == 1) {`,
      "    for (int64 k = 0; k < inner; ++k)",
      `      for (int r = 0; r < ${rows}; ++r) {`,
      "        const Sum x = Sum(cast<C>(left[r * left_row + k * left_step]));",
      "        JITLAB_INDEPENDENT",
      `        for (int c = 0; c < ${columns}; ++c) sum[r][c] = sum[r][c] + x * Sum(cast<C>(right[k * right_step + c]));`,
      "      }",
      "  } else {",
      "    for (int64 k = 0; k < inner; ++k)",
      "      for (int r = 0; r < down; ++r) {",
      "        const Sum x = Sum(cast<C>(left[r * left_row + k * left_step]));",
      "        for (int c = 0; c < across; ++c)",
      "          sum[r][c] = sum[r][c] + x * Sum(cast<C>(right[k * right_step + c * right_column]));",
      "      }",
      "  }",
      "  for (int r = 0; r < down; ++r)",
      "    for (int c = 0; c < across; ++c) out[r * out_row + c * out_column] = cast<T>(C(sum[r][c]));",
    ].join("\n"),
  };
}

/** The tile of a processor: its sums stay in vector registers. */
export const tiled = { walk: tiles(4, 32, "uint32"), rows: 4, columns: 32 };
/** The tile of a GPU thread. */
export const single = { walk: tiles(1, 1, "uint64"), rows: 1, columns: 1 };

// Libraries copy factors into blocks first, and use few threads for many short rows.
const thin = { rows: 2 ** 13, columns: 64, inner: 64 };

/** True if a processor multiplies faster by tiles than by its library: many rows by a small matrix. */
function isThin(left: Tensor, right: Tensor): boolean {
  const [, rows, inner] = left.shape as [number, number, number];
  const columns = right.shape[2] as number;
  const fits = rows >= thin.rows && inner <= thin.inner && columns > 1 && columns <= thin.columns;
  return fits && left.dtype.kind === "float" && left.device.target.dialect.gpu === undefined;
}

/** A batch over one right factor as one product of more rows; undefined where the rows are not evenly spaced. */
function joined(left: Tensor, right: Tensor): readonly [Tensor, Tensor] | undefined {
  const [batch, rows, inner] = left.shape as [number, number, number];
  const [apart, row, step] = left.strides as [number, number, number];
  if (batch <= 1 || right.strides[0] !== 0 || apart !== rows * row) return undefined;
  const all = windowOf(left, { shape: [1, batch * rows, inner], strides: [0, row, step], offset: 0 });
  return [all, right.narrow(0, 0, 1)];
}

/** The products of two batches `[batch, rows, inner]` and `[batch, inner, columns]` of one dtype. */
export function batchProduct(left: Tensor, right: Tensor): Tensor {
  const one = joined(left, right);
  if (one) return batchProduct(...one).view([...left.shape.slice(0, 2), ...right.shape.slice(2)]);
  const { device, dtype } = left;
  const library = productLibrary(device);
  // Processor libraries do not multiply halves; float32 holds their products and rounds once.
  const isWidened = library && dtype.compute !== dtype.name && !library.dtypes.includes(dtype.name);
  if (isWidened && !isTiledWay(left, right)) {
    return composing("matmul", () =>
      releasing(left.to(dtype.compute), (a) =>
        releasing(right.to(dtype.compute), (b) =>
          releasing(batchProduct(a, b), (product) => product.to(dtype.name)),
        ),
      ),
    );
  }
  // Small integers fill a processor's vector registers badly; a product wraps around to the same element.
  if (!device.target.dialect.gpu && dtype.bytes < 4 && isInteger(dtype)) {
    return composing("matmul", () => batchProduct(left.to("int32"), right.to("int32")).to(dtype.name));
  }
  return (wholeResults(productOperation, [left, right]) as [Tensor])[0];
}

const productOperation = opaqueDefinition(
  "matmul",
  ([left, right]) => {
    const { dtype, shape } = left as View;
    return [[dtype, shape.with(2, (right as View).shape[2] as number)]];
  },
  (factors, [result]) => {
    const [left, right] = factors as [Tensor, Tensor];
    const out = result as Tensor;
    if (isTiledWay(left, right)) return multiplyTiles(out, left, right);
    const library = productLibrary(out.device);
    const isEmpty = out.size === 0 || left.size === 0;
    const isTiled = !library || isEmpty || isThin(left, right);
    if (isTiled || !launchProduct(library, out, factorOf(left), factorOf(right))) {
      if (!isEmpty && multiplyVector(out, left, right)) return;
      walkTiles(out, left, right);
    }
  },
  { core: [2, 2], hasOneBatch: true },
);

function factorOf(matrices: Tensor): Tensor {
  return isFactor(matrices) ? matrices : matrices.contiguous();
}

function walkTiles(out: Tensor, left: Tensor, given: Tensor): void {
  const [batch, rows, inner] = left.shape as [number, number, number];
  const columns = given.shape[2] as number;
  const tile = out.device.target.dialect.gpu ? single : tiled;
  // A tile of several rows reads adjacent columns in vector registers.
  const right = tile === tiled && rows >= tile.rows && given.strides[2] !== 1 ? given.contiguous() : given;
  const places = { dtype: "int64", device: out.device.name } as const;
  const over = [batch, Math.ceil(rows / tile.rows), Math.ceil(columns / tile.columns)];
  const lay = (view: Tensor, down: number, across: number) =>
    windowOf(view, {
      shape: over,
      strides: [view.strides[0] as number, down * tile.rows, across * tile.columns],
      offset: 0,
    });
  const [outStrides, leftStrides, rightStrides] = [out, left, right].map(
    (view) => view.strides.slice(1) as [number, number],
  ) as [[number, number], [number, number], [number, number]];
  const first = (count: number, step: number) => arange(0, count * step, step, places);
  launchWalk(
    tile.walk,
    over,
    [lay(out, ...outStrides)],
    [
      lay(left, leftStrides[0], 0),
      lay(right, 0, rightStrides[1]),
      first(over[1] as number, tile.rows).unsqueeze(1),
      first(over[2] as number, tile.columns),
    ],
    [rows, columns, inner, ...outStrides, ...leftStrides, ...rightStrides],
  );
}
