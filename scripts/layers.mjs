// Checks the source's structure: an import points to a lower layer or to a line above its own in the tables below, imports
// form no cycle, and hand-written files have at most 400 lines. Type imports count as imports.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const maxLines = 400;
const writtenByScript = /^\/\/ .*Written by scripts\//;

// Each layer's files from the bottom up; those on one line may import each other as long as no cycle forms. A name that
// ends in "/" stands for a whole folder; the longest name that fits a file decides.
const layers = {
  runtime: [
    "base/",
    // The boundary: the interface of every device.
    "device/dialect.ts device/kinds.ts device/matrix-library.ts device/loaded-code.ts device/convolution-library.ts",
    "device/device.ts",
    "device/storage.ts",
    "geometry/",
    "ops/",
    "functor/",
    "device/",
    "codegen/",
    "codegen/maps/",
    "codegen/walk-kernel.ts codegen/reductions/",
    "codegen/rows/",
    "codegen/scans/",
    "codegen/composition/",
    "cache/",
    "compiler/",
    "raw/declaration.ts",
    "launch/",
    "raw/",
    "program/operations/",
    "program/passes/",
    "program/schedule/",
    "program/tape/",
    "tensor/",
    "tensor/statistics/",
    "tensor/ordering/",
    "tensor/indexing/",
    "tensor/counting/",
    "tensor/products/",
    "tensor/io/",
    "tensor/methods.ts",
    "tree/",
    "collectives/copies.ts collectives/definition.ts",
    "collectives/",
    "training/",
    "linalg/scalar/",
    "linalg/",
    "fft/",
    "export/",
    "api/",
    "loops/",
    "grad/",
    "optim/",
    "parallel/",
    "observe/",
    "index.ts",
  ],
  magics: ["magic.ts host.ts", "lexer.ts parse.ts", "render/", "*", "index.ts"],
  kernel: [
    "node-version.ts protocol/",
    "language/ child/",
    "debugger/",
    "server/",
    "export/",
    "cli/",
    "main.ts",
  ],
};

// The layers from the bottom up, and what a layer may reach of one below it.
const order = Object.keys(layers);
const entrances = {
  magics: {
    runtime: [
      "index.ts",
      "base/cut.ts",
      "base/dtype.ts",
      "base/errors.ts",
      "base/units.ts",
      "device/kinds.ts",
      "functor/constants.ts",
      "functor/declaration.ts",
      "functor/enclosed-lines.ts",
      "functor/signature.ts",
      "raw/declaration.ts",
      "raw/element-types.ts",
    ],
  },
};

/** The violations in a folder with the layers; empty if there are none. */
function check(root) {
  const files = order.flatMap((layer) => sources(join(root, layer)).map((path) => relative(root, path)));
  const imports = new Map(files.map((file) => [file, importsOf(root, file)]));
  const complaints = [];
  for (const [file, targets] of imports) {
    const text = readFileSync(join(root, file), "utf8");
    const length = text.split("\n").length - 1;
    if (length > maxLines && !writtenByScript.test(text))
      complaints.push(`${file} has ${length} lines; the limit is ${maxLines}: split it.`);
    if (rankOf(file) === undefined) {
      complaints.push(`${file} has no place: add it to a line of the tables in scripts/layers.mjs.`);
    }
    for (const target of targets) {
      const complaint = imports.has(target)
        ? refusal(file, target)
        : `imports ${target}, which does not exist`;
      if (complaint) complaints.push(`${file} ${complaint}.`);
    }
  }
  for (const cycle of cycles(imports)) complaints.push(`Import cycle: ${cycle.join(" -> ")}`);
  return { complaints, files: files.length };
}

function refusal(file, target) {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === to) {
    const [low, high] = [rankOf(target), rankOf(file)];
    if (low === undefined || high === undefined || low <= high) return ""; // a missing entry has its own message
    return `imports ${target}, which stands above it in the layer ${from}`;
  }
  if (order.indexOf(to) > order.indexOf(from)) return `imports ${target}: ${from} stands below ${to}`;
  const allowed = entrances[from]?.[to];
  if (allowed === undefined || allowed.includes(target.slice(to.length + 1))) return "";
  return `imports ${target}: ${from} may import only ${allowed.map((name) => `${to}/${name}`).join(", ")}`;
}

function layerOf(file) {
  return file.slice(0, file.indexOf("/"));
}

function rankOf(file) {
  const layer = layerOf(file);
  const name = file.slice(layer.length + 1);
  let best;
  for (const [rank, line] of layers[layer].entries()) {
    for (const place of line.split(" ")) {
      const fits = place === "*" || (place.endsWith("/") ? name.startsWith(place) : name === place);
      const weight = place === "*" ? 0 : place.length;
      if (fits && (best === undefined || weight > best.weight)) best = { rank, weight };
    }
  }
  return best?.rank;
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}

// Static, type, re-exporting and dynamic imports, and `import("./x.js")` in types; comments are dropped first.
function importsOf(root, file) {
  const text = readFileSync(join(root, file), "utf8").replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;
  const targets = [...text.matchAll(pattern)].map((match) => match[1]).filter((name) => name.endsWith(".js"));
  return [...new Set(targets.map((name) => normalize(join(dirname(file), name.replace(/\.js$/, ".ts")))))];
}

// Every cycle that a depth-first walk closes, each once.
function cycles(imports) {
  const found = [];
  const done = new Set();
  const path = [];
  const walk = (file) => {
    if (path.includes(file)) {
      found.push([...path.slice(path.indexOf(file)), file]);
    } else if (!done.has(file)) {
      path.push(file);
      for (const target of imports.get(file) ?? []) walk(target);
      path.pop();
      done.add(file);
    }
  };
  for (const file of imports.keys()) walk(file);
  return found;
}

const { positionals } = parseArgs({ allowPositionals: true });
const { complaints, files } = check(positionals[0] ?? join(dirname(fileURLToPath(import.meta.url)), ".."));
if (complaints.length > 0) {
  console.error(
    `${complaints.join("\n")}\n\n${complaints.length} complaints; CONTRIBUTING.md explains the layers.`,
  );
  process.exitCode = 1;
} else {
  console.log(`${files} files: every import points downwards, no cycles, none over ${maxLines} lines.`);
}
