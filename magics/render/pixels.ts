// Pixels as a PNG file: one chunk for the header, one for the rows of each frame, one for the end.
import { crc32, deflateSync } from "node:zlib";

/** A picture of bytes red, green, blue, opacity, from the top left. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** The PNG of pixels. */
export function encodePng(pixels: Pixels): Uint8Array {
  return file([headerOf(pixels), chunk("IDAT", dataOf(pixels))]);
}

/**
 * The animated PNG of frames of one size at a rate per second, repeated forever. Viewers that do not know animations show the
 * first frame. https://www.w3.org/TR/png-3/#apng-frame-based-animation
 */
export function encodeAnimation(frames: readonly Pixels[], perSecond: number): Uint8Array {
  let sequence = 0;
  const numbers = (...words: readonly number[]) => {
    const bytes = Buffer.alloc(4 * words.length);
    for (const [i, word] of words.entries()) bytes.writeUInt32BE(word, 4 * i);
    return bytes;
  };
  const control = ({ width, height }: Pixels) => {
    const delay = Buffer.from([...shorts(Math.round(1000 / perSecond), 1000), 0, 0]);
    return chunk("fcTL", Buffer.concat([numbers(sequence++, width, height, 0, 0), delay]));
  };
  const chunks = frames.flatMap((frame, i) => {
    const before = control(frame);
    const data = dataOf(frame);
    return [
      before,
      i === 0 ? chunk("IDAT", data) : chunk("fdAT", Buffer.concat([numbers(sequence++), data])),
    ];
  });
  return file([headerOf(frames[0] as Pixels), chunk("acTL", numbers(frames.length, 0)), ...chunks]);
}

function shorts(...words: readonly number[]): number[] {
  return words.flatMap((word) => [word >> 8, word & 255]);
}

function file(chunks: readonly Buffer[]): Uint8Array {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, ...chunks, chunk("IEND", Buffer.alloc(0))]);
}

function headerOf({ width, height }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8); // eight bits, with opacity
  return chunk("IHDR", header);
}

function dataOf({ width, height, bytes }: Pixels): Buffer {
  const row = width * 4;
  const rows = Buffer.alloc((row + 1) * height); // each row begins with its filter: none
  for (let y = 0; y < height; y++) rows.set(bytes.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return deflateSync(rows, { level: 3 });
}

/** The PNG of pixels as base64. */
export function base64Png(pixels: Pixels): string {
  return Buffer.from(encodePng(pixels)).toString("base64");
}

/** The same pixels, each as a square of `factor` times `factor`. */
export function enlarged({ width, height, bytes }: Pixels, factor: number): Pixels {
  const source = new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  const target = new Uint32Array(width * factor * height * factor);
  for (let y = 0; y < height * factor; y++) {
    const from = Math.floor(y / factor) * width;
    for (let x = 0; x < width * factor; x++) {
      target[y * width * factor + x] = source[from + Math.floor(x / factor)] ?? 0;
    }
  }
  return { width: width * factor, height: height * factor, bytes: new Uint8Array(target.buffer) };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
