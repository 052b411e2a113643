// Pixels as a PNG file: one chunk for the header, one for the rows, one for the end.
import { crc32, deflateSync } from "node:zlib";

/** A picture of bytes red, green, blue, opacity, from the top left. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** The PNG of pixels. */
export function encodePng({ width, height, bytes }: Pixels): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8); // eight bits, with opacity
  const row = width * 4;
  const rows = Buffer.alloc((row + 1) * height); // each row begins with its filter: none
  for (let y = 0; y < height; y++) rows.set(bytes.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows, { level: 3 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
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
