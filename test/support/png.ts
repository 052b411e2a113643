// Reads a PNG as resvg writes it: eight bits per channel with alpha, not interlaced.
import { inflateSync } from "node:zlib";

/** Pixels as RGBA bytes, row by row. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export function decodePng(bytes: Uint8Array): Image {
  const buffer = Buffer.from(bytes);
  if (buffer.readUInt32BE(0) !== 0x89504e47) throw new Error("not a PNG");
  const [width, height] = [buffer.readUInt32BE(16), buffer.readUInt32BE(20)];
  if (buffer[24] !== 8 || buffer[25] !== 6) throw new Error("not RGBA with eight bits");
  const parts: Buffer[] = [];
  for (let at = 8; at < buffer.length; ) {
    const length = buffer.readUInt32BE(at);
    if (buffer.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(buffer.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * 4;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const left = i >= 4 ? pixels[y * stride + i - 4]! : 0;
      const up = y > 0 ? pixels[(y - 1) * stride + i]! : 0;
      const corner = i >= 4 && y > 0 ? pixels[(y - 1) * stride + i - 4]! : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!;
      pixels[y * stride + i] = raw[y * (stride + 1) + 1 + i]! + guess;
    }
  }
  return { width, height, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** How many pixels of a rectangle are not transparent; coordinates in the picture's own units, drawn at twice the size. */
export function inkIn(image: Image, left: number, top: number, right: number, bottom: number): number {
  let count = 0;
  for (let y = top * 2; y < bottom * 2; y++) {
    for (let x = left * 2; x < right * 2; x++) if (image.pixels[(y * image.width + x) * 4 + 3]! > 32) count++;
  }
  return count;
}
