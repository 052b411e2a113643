// The chunks of PNG files: reads and writes them, and joins pictures to an animated one.
import { decode, encode } from "fast-png";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The chunks of a file, each with its type and its data. */
export function chunksOf(png) {
  const chunks = [];
  for (let at = signature.length; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

/** A file of chunks. */
export function fileOf(chunks) {
  return Buffer.concat([signature, ...chunks.map(chunkBytes)]);
}

function chunkBytes({ type, data }) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  data.copy(bytes, 8);
  bytes.writeUInt32BE(checksum(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** The checksum of a chunk: CRC-32, which zlib of Node 20 lacks. */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

/** An animated PNG of pictures of one size, each shown for `ms`: after the first one, only the rectangle that changed. */
export function animation(frames) {
  const pictures = frames.map(({ png }) => decode(png));
  const [{ width, height }] = pictures;
  let sequence = 0;
  const body = frames.flatMap(({ ms }, i) => {
    const area = i === 0 ? { x: 0, y: 0, width, height } : changed(pictures[i - 1], pictures[i]);
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    [area.width, area.height, area.x, area.y].forEach((value, at) => {
      control.writeUInt32BE(value, 4 + 4 * at);
    });
    control.writeUInt16BE(ms, 20);
    control.writeUInt16BE(1000, 22);
    const pixels = chunksOf(Buffer.from(encode(cropped(pictures[i], area), { zlib: { level: 9 } })));
    const data = Buffer.concat(pixels.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data));
    const frame = { type: "fcTL", data: control };
    if (i === 0) return [frame, { type: "IDAT", data }];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [frame, { type: "fdAT", data: Buffer.concat([number, data]) }];
  });
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(frames.length);
  const [header] = chunksOf(Buffer.from(encode(cropped(pictures[0], { x: 0, y: 0, width, height }))));
  const end = { type: "IEND", data: Buffer.alloc(0) };
  return fileOf([header, { type: "acTL", data: counts }, ...body, end]);
}

/** The rectangle outside of which two pictures are equal; a pixel where they are. */
function changed(before, after) {
  const { width, height, channels } = after;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let i = 0; i < after.data.length; i++) {
    if (before.data[i] === after.data[i]) continue;
    const pixel = Math.floor(i / channels);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A part of a picture without its opacity, in 32 levels of each color, which a page does not show to a reader. */
function cropped({ width, channels, data }, area) {
  const pixels = new Uint8Array(area.width * area.height * 3);
  let at = 0;
  for (let y = area.y; y < area.y + area.height; y++)
    for (let x = area.x; x < area.x + area.width; x++)
      for (let part = 0; part < 3; part++)
        pixels[at++] = Math.round(
          (Math.round((data[(y * width + x) * channels + part] * 31) / 255) * 255) / 31,
        );
  return { width: area.width, height: area.height, channels: 3, depth: 8, data: pixels };
}
