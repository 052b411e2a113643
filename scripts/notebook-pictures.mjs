// Compresses the PNG pictures in the notebooks again, without a change of a pixel: half of the package is these pictures.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { constants, deflateSync, inflateSync } from "node:zlib";

const folder = fileURLToPath(new URL("../notebooks/", import.meta.url));
const pictures = /iVBORw0KGgo[A-Za-z0-9+/=]+/g;
const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_FILTERED, constants.Z_RLE];

for (const name of readdirSync(folder).filter((file) => file.endsWith(".ipynb"))) {
  const text = readFileSync(folder + name, "utf8");
  const smaller = text.replace(pictures, (base64) =>
    compressed(Buffer.from(base64, "base64")).toString("base64"),
  );
  if (smaller.length === text.length) continue;
  writeFileSync(folder + name, smaller);
  console.log(`${name}: ${text.length - smaller.length} bytes less`);
}

/** A PNG file with the smallest form of its pixels' data. */
function compressed(png) {
  const chunks = chunksOf(png);
  const pixels = inflateSync(Buffer.concat(chunks.filter(isPixels).map(({ data }) => data)));
  const forms = strategies.map((strategy) => deflateSync(pixels, { level: 9, memLevel: 9, strategy }));
  const data = forms.reduce((least, form) => (form.length < least.length ? form : least));
  const first = chunks.findIndex(isPixels);
  const rest = chunks.filter((chunk, i) => i === first || !isPixels(chunk));
  const made = Buffer.concat([
    png.subarray(0, 8),
    ...rest.map((chunk) => chunkBytes(isPixels(chunk) ? { ...chunk, data } : chunk)),
  ]);
  return made.length < png.length ? made : png;
}

function isPixels({ type }) {
  return type === "IDAT";
}

function chunksOf(png) {
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    chunks.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
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
