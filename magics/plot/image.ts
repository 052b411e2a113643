// Pictures of arrays: one pixel per element.

import type { Tensor } from "../../runtime/index.js";
import { type Colormap, painter } from "../render/colormap.js";
import { encodePng, enlarged, type Pixels } from "../render/pixels.js";
import { checkedColormap } from "./charts.js";
import { type Block, blockOf, isTensor, rangeOf, unplottable } from "./data.js";

/** Rows of numbers, or of pixels of three or four numbers: red, green, blue, opacity. */
export type ImageData =
  | Tensor
  | readonly ArrayLike<number | bigint>[]
  | readonly (readonly ArrayLike<number | bigint>[])[];

/** Options of image(). */
export interface ImageOptions {
  /** The colors of an image of one number per pixel. */
  readonly colormap?: Colormap;
  /** The numbers of the first and the last color; for color images, of zero and full intensity. */
  readonly min?: number;
  readonly max?: number;
  /** The size of a pixel on the page; small images are enlarged unless given. */
  readonly scale?: number;
}

/** An image that a notebook shows; `png()` is its file. */
export class Picture {
  readonly #pixels: Pixels;
  readonly #words: string;

  /** Pictures are made by image(). */
  constructor(pixels: Pixels, words: string) {
    this.#pixels = pixels;
    this.#words = words;
  }

  /** The bytes of its PNG file. */
  png(): Uint8Array {
    return encodePng(this.#pixels);
  }

  toString(): string {
    return this.#words;
  }

  [Symbol.for("Jupyter.display")](): object {
    return { "image/png": this.png(), "text/plain": this.#words };
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.#words;
  }
}

const usualWidth = 256;

/**
 * An image of a tensor or of nested arrays: [H, W] by a colormap, by default from the smallest to the largest number; [H, W,
 * 3] and [H, W, 4] as colors from 0 to 1, or to 255 if a number exceeds 1 or the dtype is uint8.
 */
export function image(x: ImageData, options: ImageOptions = {}): Picture {
  const block = blockOf("image: x", x, [2, 3]);
  const [height = 0, width = 0, depth = 1] = block.shape;
  if (block.values.length === 0 || (block.shape.length === 3 && depth !== 3 && depth !== 4)) {
    throw unplottable("image: x", "of shape [H, W], [H, W, 3] or [H, W, 4]", `[${block.shape.join(", ")}]`);
  }
  const isBytes = isTensor(x) && x.dtype.name === "uint8";
  const { scale } = options;
  // Computed only if not given, because it costs as much as drawing.
  const [least, greatest] =
    options.min === undefined || options.max === undefined ? extremes(block, depth, isBytes) : [0, 1];
  const { min = least, max = greatest } = options;
  const factor = scale ?? Math.min(64, Math.max(1, Math.floor(usualWidth / Math.max(width, height))));
  if (!Number.isInteger(factor) || factor < 1 || factor > 64) {
    throw unplottable("image: scale", "a whole number from 1 to 64", String(factor));
  }
  const pixels = { width, height, bytes: new Uint8Array(width * height * 4) };
  if (depth === 1) paint(pixels, block, checkedColormap("image", options.colormap), min, max);
  else copy(pixels, block, depth, min, max);
  const words = `image of ${width} × ${height} pixels, ${Number(min.toPrecision(4))} to ${Number(max.toPrecision(4))}`;
  return new Picture(factor === 1 ? pixels : enlarged(pixels, factor), words);
}

function extremes({ values }: Block, depth: number, isBytes: boolean): readonly [number, number] {
  if (depth === 1) return rangeOf(values);
  return [0, isBytes || rangeOf(values)[1] > 1 ? 255 : 1];
}

function paint({ bytes }: Pixels, { values }: Block, colormap: Colormap, min: number, max: number): void {
  const colors = new Uint32Array(bytes.buffer);
  const color = painter(colormap, min, max);
  for (let i = 0; i < values.length; i++) colors[i] = color(values[i] ?? Number.NaN);
}

function copy({ bytes }: Pixels, { values }: Block, depth: number, min: number, max: number): void {
  const scale = 255 / (max - min);
  bytes.fill(255);
  for (let i = 0; i * depth < values.length; i++) {
    for (let part = 0; part < depth; part++) {
      const share = ((values[i * depth + part] ?? 0) - min) * scale;
      bytes[i * 4 + part] = Math.round(Math.min(255, Math.max(0, share || 0)));
    }
  }
}
