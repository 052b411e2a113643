// Pictures of arrays: one pixel per element.

import type { Tensor } from "../../runtime/index.js";
import { type Colormap, painter } from "../render/colormap.js";
import { encodeAnimation, encodePng, enlarged, type Pixels } from "../render/pixels.js";
import { type Block, blockOf, checkedColormap, isTensor, rangeOf, unplottable } from "./data.js";

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

/** An image or an animation that a notebook shows; `png()` is its file. */
export class Picture {
  readonly #encode: () => Uint8Array;
  readonly #words: string;

  /** Pictures are made by image() and animate(). */
  constructor(encode: () => Uint8Array, words: string) {
    this.#encode = encode;
    this.#words = words;
  }

  /** The bytes of its PNG file. */
  png(): Uint8Array {
    return this.#encode();
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
  const { pixels, words } = drawn("image", [block], isTensor(x) && x.dtype.name === "uint8", options);
  return new Picture(() => encodePng(pixels[0] as Pixels), `image of ${words}`);
}

/** Options of animate(). */
export interface AnimationOptions extends ImageOptions {
  /** Frames in a second; default 10. */
  readonly fps?: number;
}

/**
 * An animation of images: a list of them, or a tensor whose first dimension is the time. All frames have one size, and the same
 * numbers have the same color in all.
 */
export function animate(frames: readonly ImageData[] | Tensor, options: AnimationOptions = {}): Picture {
  const { fps = 10, ...rest } = options;
  if (!(fps >= 0.02 && fps <= 1000))
    throw unplottable("animate: fps", "a number from 0.02 to 1000", String(fps));
  if (!isTensor(frames) && !Array.isArray(frames)) {
    throw unplottable("animate: frames", "a list of images, or a tensor of [time, H, W]", frames);
  }
  const blocks = isTensor(frames)
    ? framesOf(blockOf("animate: frames", frames, [3, 4]))
    : frames.map((frame) => blockOf("animate: a frame", frame, [2, 3]));
  const [first] = blocks;
  const other = blocks.find(({ shape }) => String(shape) !== String(first?.shape));
  if (first === undefined || other !== undefined) {
    const found = first && `one of [${first.shape.join(", ")}] and one of [${other?.shape.join(", ")}]`;
    throw unplottable("animate: frames", "at least one, all of one size", found ?? "none");
  }
  const list = isTensor(frames) ? [frames] : (frames as readonly ImageData[]);
  const isBytes = list.every((one) => isTensor(one) && one.dtype.name === "uint8");
  const { pixels, words } = drawn("animate", blocks, isBytes, rest);
  const title = `animation of ${pixels.length} frames of ${words}, ${fps} a second`;
  return new Picture(() => encodeAnimation(pixels, fps), title);
}

/** The parts of a block along its first dimension. */
function framesOf({ shape: [count = 0, ...shape], values }: Block): Block[] {
  const size = values.length / Math.max(1, count);
  return Array.from({ length: count }, (_, i) => ({
    shape,
    values: values.subarray(i * size, (i + 1) * size),
  }));
}

/** Images of one shape as pixels, whose colors mean the same numbers. */
function drawn(
  what: string,
  blocks: readonly Block[],
  isBytes: boolean,
  options: ImageOptions,
): { readonly pixels: readonly Pixels[]; readonly words: string } {
  const { shape, values } = blocks[0] as Block;
  const [height = 0, width = 0, depth = 1] = shape;
  if (values.length === 0 || (shape.length === 3 && depth !== 3 && depth !== 4)) {
    throw unplottable(`${what}: x`, "of shape [H, W], [H, W, 3] or [H, W, 4]", `[${shape.join(", ")}]`);
  }
  const { scale } = options;
  // Computed only if not given, because it costs as much as drawing.
  const isGiven = options.min !== undefined && options.max !== undefined;
  const all = isGiven ? [] : blocks.map((block) => extremes(block, depth, isBytes));
  const { min = Math.min(...all.map(([least]) => least)), max = Math.max(...all.map(([, most]) => most)) } =
    options;
  const factor = scale ?? Math.min(64, Math.max(1, Math.floor(usualWidth / Math.max(width, height))));
  if (!Number.isInteger(factor) || factor < 1 || factor > 64) {
    throw unplottable(`${what}: scale`, "a whole number from 1 to 64", String(factor));
  }
  const colormap = depth === 1 ? checkedColormap(what, options.colormap) : undefined;
  const pixels = blocks.map((block) => {
    const own = { width, height, bytes: new Uint8Array(width * height * 4) };
    if (colormap !== undefined) paint(own, block, colormap, min, max);
    else copy(own, block, depth, min, max);
    return factor === 1 ? own : enlarged(own, factor);
  });
  const range = `${Number(min.toPrecision(4))} to ${Number(max.toPrecision(4))}`;
  return { pixels, words: `${width} × ${height} pixels, ${range}` };
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
