// Writes the README's figures beside other libraries from the newest result of `npm run bench` on a GPU.
// Usage: node scripts/figures.mjs [--check], which only compares and exits with 1 where they differ.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const shown = [
  ...["first/gcd-cold", "first/gcd-disk", "first/start", "host/add", "host/jit"],
  ...["bandwidth/add", "bandwidth/row", "bandwidth/transposed", "bandwidth/chain", "bandwidth/lgamma"],
];
const peers = ["torch", "cupy", "jax"];
const opening = "<!-- figures: written by `node scripts/figures.mjs` -->\n";
const closing = "<!-- end of figures -->";

const results = join(root, "bench/results");
const name = readdirSync(results)
  .filter((file) => file.endsWith("-cuda.json"))
  .sort()
  .at(-1);
const { rows, peers: versions } = JSON.parse(readFileSync(join(results, name), "utf8"));
const number = (value) => (value === undefined ? "–" : String(Number(value.toPrecision(3))));
const lines = shown
  .map((id) => rows.find((row) => row.id === id))
  .filter((row) => row?.ours !== undefined)
  .map(({ title, unit, ours, peers: theirs }) => [
    title,
    unit.replace("us", "μs"),
    ...[ours, ...peers.map((peer) => theirs[peer])].map(number),
  ]);
const header = ["", "unit", "jitlab", ...peers.map((peer) => `${peer} ${versions[peer]}`)];
const table = [header, header.map((_, i) => (i < 2 ? "---" : "---:")), ...lines].map(
  (row) => `| ${row.join(" | ")} |`,
);
const block = `\n${table.join("\n")}\n\nRecorded in [${name}](bench/results/${name}), with everything else that was measured.\n\n`;

const path = join(root, "README.md");
const readme = readFileSync(path, "utf8");
const from = readme.indexOf(opening) + opening.length;
const written = readme.slice(0, from) + block + readme.slice(readme.indexOf(closing));
if (process.argv.includes("--check")) process.exitCode = written === readme ? 0 : 1;
else writeFileSync(path, written);
