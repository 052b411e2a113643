// jl.readImage and jl.writeImage: PNG and JPEG files as tensors of rows, columns and channels. The packages fast-png and jpeg-js
// know the formats.
import { extname } from "node:path";
import { optionsOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
import { installedPackage } from "../../base/packages.js";
import { tensor } from "../create.js";
import { type Tensor, tensorOf } from "../tensor.js";
import { formatOf } from "./file-formats.js";
import { storedBytes } from "./npy.js";
import { readBytes, writeBytes } from "./tensor-files.js";

/** The part of fast-png that is used. */
interface FastPng {
  decode(bytes: Uint8Array, options: { readonly checkCrc: boolean }): Png;
  encode(png: Omit<Png, "palette">): Uint8Array;
  convertIndexedToRgb(png: Png): Uint8Array;
}
interface Png extends Pixels {
  readonly depth: number;
  readonly palette?: readonly (readonly number[])[];
}
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array | Uint8ClampedArray | Uint16Array;
}

/** The part of jpeg-js that is used. */
interface JpegJs {
  decode(bytes: Uint8Array, options: object): { width: number; height: number; data: Uint8Array };
  encode(image: { width: number; height: number; data: Uint8Array }, quality: number): { data: Uint8Array };
}

/** Options of readImage. */
export interface ReadImageOptions {
  /** The device of the tensor; default: the default device. */
  readonly device?: string;
}

/** Options of writeImage. */
export interface WriteImageOptions {
  /** Of a JPEG file, from 1 to 100; default 90. */
  readonly quality?: number;
}

const png = "fast-png";
const jpeg = "jpeg-js";
/** More than a photograph needs; a damaged file may ask for anything. */
const mostMegapixels = 1000;

/**
 * Reads a PNG or a JPEG file, by the package fast-png or jpeg-js, which you install beside jitlab. The tensor is uint8, or uint16
 * for a PNG of 16 bits, of shape [rows, columns] if gray, else [rows, columns, channels].
 *
 * @example jl.readImage("photo.png").shape // [2, 3, 3]
 */
export function readImage(path: string, options?: ReadImageOptions): Tensor {
  const { device } = optionsOf("readImage", options, ["device"]);
  const bytes = readBytes("readImage", path, "image-damaged");
  const { width, height, channels, data } = decoded(path, bytes);
  const shape = channels === 1 ? [height, width] : [height, width, channels];
  const values = data instanceof Uint16Array ? data : new Uint8Array(data);
  return tensor(values, device === undefined ? {} : { device }).reshape(...shape);
}

function decoded(path: string, bytes: Buffer): Pixels {
  const isPng = bytes.toString("latin1", 0, 4) === "\x89PNG";
  if (!isPng && bytes[0] !== 0xff) {
    const found = formatOf(bytes);
    throw new JitlabError(
      "image-format",
      `readImage: ${path} is ${found?.is ?? "neither a PNG nor a JPEG file"}.`,
      found?.advice ?? "Convert it to PNG.",
    );
  }
  return isPng
    ? decodedPng(path, bytes, installedPackage<FastPng>("readImage", png))
    : decodedJpeg(path, bytes, installedPackage<JpegJs>("readImage", jpeg));
}

function decodedPng(path: string, bytes: Buffer, library: FastPng): Pixels {
  const image = damaging(path, () => library.decode(bytes, { checkCrc: true }));
  const { width, height, depth, palette, data, channels } = image;
  if (palette) {
    const channels = palette[0]?.length ?? 3;
    return { width, height, channels, data: library.convertIndexedToRgb(image) };
  }
  return depth < 8 ? { width, height, channels, data: unpacked(image) } : { width, height, channels, data };
}

/** Gray pixels of 1, 2 or 4 bits as bytes from 0 to 255; a row begins with a byte. */
function unpacked({ width, height, depth, data }: Png): Uint8Array {
  const stride = Math.ceil((width * depth) / 8);
  const most = 2 ** depth - 1;
  return Uint8Array.from({ length: width * height }, (_, i) => {
    const bit = (i % width) * depth;
    const byte = data[Math.floor(i / width) * stride + (bit >> 3)] as number;
    return (255 / most) * ((byte >> (8 - depth - (bit & 7))) & most);
  });
}

function decodedJpeg(path: string, bytes: Buffer, library: JpegJs): Pixels {
  const components = jpegComponents(bytes);
  if (components !== 1 && components !== 3) {
    throw new JitlabError(
      components === undefined ? "image-damaged" : "image-format",
      components === undefined
        ? `readImage: ${path} has no header of a JPEG image.`
        : `readImage: ${path} has ${components} components, as an image in CMYK, whose colors depend on a printer.`,
      components === undefined ? "Write it again; it may be cut short." : "Convert it to RGB first.",
    );
  }
  const { width, height, data } = damaging(path, () =>
    library.decode(bytes, {
      ...{ useTArray: true, formatAsRGBA: false, tolerantDecoding: false },
      ...{ maxResolutionInMP: mostMegapixels, maxMemoryUsageInMB: mostMegapixels * 16 },
    }),
  );
  if (components === 3) return { width, height, channels: 3, data };
  return {
    width,
    height,
    channels: 1,
    data: Uint8Array.from({ length: width * height }, (_, i) => data[3 * i] as number),
  };
}

/** The markers between C0 and CF that begin no frame. */
const tables = [0xc4, 0xc8, 0xcc];

/** The number of components that a JPEG file's frame names; undefined without a frame. */
function jpegComponents(bytes: Buffer): number | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    if (marker >= 0xc0 && marker <= 0xcf && !tables.includes(marker)) return bytes[at + 9];
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

// The libraries read behind a file's end: their error names no cause.
function damageOf(error: unknown): string {
  if (error instanceof RangeError) return "it ends too early";
  return (error instanceof Error ? error.message : String(error)).replace(/[.:\s]+$/, "");
}

function damaging<T>(path: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new JitlabError(
      "image-damaged",
      `readImage: ${path} cannot be read: ${damageOf(error)}.`,
      "Write it again; it may be cut short.",
    );
  }
}

/**
 * Writes a tensor as a PNG or a JPEG file, by the ending of its name. It is uint8, for PNG also uint16, of shape [rows, columns] or
 * [rows, columns, channels]: one to four channels in PNG, one or three in JPEG.
 *
 * @example jl.writeImage("gray.png", jl.zeros([2, 3], { dtype: "uint8" })) // undefined
 */
export function writeImage(path: string, image: Tensor, options?: WriteImageOptions): void {
  const { quality = 90 } = optionsOf("writeImage", options, ["quality"]);
  if (!(Number.isInteger(quality) && quality >= 1 && quality <= 100)) {
    throw new JitlabError("bad-argument", `writeImage: quality is ${show(quality)}.`, "It is from 1 to 100.");
  }
  const ending = typeof path === "string" ? extname(path).toLowerCase() : "";
  const isPng = ending === ".png";
  if (!isPng && ending !== ".jpg" && ending !== ".jpeg") {
    throw new JitlabError(
      "bad-argument",
      `writeImage: ${show(path)} names no format.`,
      "End the name with .png, .jpg or .jpeg.",
    );
  }
  const { shape, dtype } = tensorOf("writeImage", image);
  const [height = 0, width = 0, channels = 1] = shape;
  if (dtype.name !== "uint8" && !(isPng && dtype.name === "uint16")) {
    throw new JitlabError(
      "dtype-refused",
      `writeImage: an image of ${dtype.name} is not ${isPng ? "uint8 or uint16" : "uint8"}.`,
      'Convert numbers from 0 to 1 first: x.mul(255).round().to("uint8").',
    );
  }
  const isShaped = (shape.length === 2 || shape.length === 3) && image.size > 0;
  if (!isShaped || !(isPng ? [1, 2, 3, 4] : [1, 3]).includes(channels)) {
    throw new JitlabError(
      "bad-shape",
      `writeImage: an image of shape [${shape.join(", ")}] is no ${isPng ? "PNG" : "JPEG"} image.`,
      `Its shape is [rows, columns], or [rows, columns, channels] with ${isPng ? "1 to 4" : "3"} channels; x.permute([1, 2, 0]) moves the channels to the end.`,
    );
  }
  const bytes = storedBytes(image);
  const data = dtype.bytes === 2 ? new Uint16Array(bytes.slice().buffer) : new Uint8Array(bytes);
  const pixels = { width, height, channels, data };
  const file = isPng
    ? installedPackage<FastPng>("writeImage", png).encode({ ...pixels, depth: 8 * dtype.bytes })
    : installedPackage<JpegJs>("writeImage", jpeg).encode(opaque(pixels), quality).data;
  writeBytes("writeImage", path, [file], "image-damaged");
}

/** Pixels of four channels, which jpeg-js takes. */
function opaque({ width, height, channels, data }: Pixels): {
  width: number;
  height: number;
  data: Uint8Array;
} {
  const all = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 3; c++) all[4 * i + c] = data[channels * i + (channels === 1 ? 0 : c)] as number;
  return { width, height, data: all };
}
