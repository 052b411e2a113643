// Compresses the PNG pictures in the notebooks again, without a change of a pixel: half of the package is these pictures.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { constants, deflateSync, inflateSync } from "node:zlib";
import { chunksOf, fileOf } from "./png-chunks.mjs";

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
  const made = fileOf(rest.map((chunk) => (isPixels(chunk) ? { ...chunk, data } : chunk)));
  return made.length < png.length ? made : png;
}

function isPixels({ type }) {
  return type === "IDAT";
}
