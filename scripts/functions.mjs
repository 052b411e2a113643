// Writes runtime/functions.ts: one documented export per op record, because a module cannot export names that it learns
// at run time. The build runs it, so adding an op still edits one file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "runtime", "ops");
const types = { unary: "UnaryFunction", binary: "BinaryFunction", ternary: "TernaryFunction" };
const record =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\n {2}(\w+): (unary|binary|ternary)\(\{([\s\S]*?)\n {2}\}\)/g;

/** Regenerates the file; returns true where it changed. */
export function writeFunctions() {
  const entries = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()) {
    for (const [, doc, name, kind, fields] of readFileSync(join(folder, file), "utf8").matchAll(record)) {
      const options = /\n {4}options: /.test(fields) ? `<OptionsOf<typeof ops.${name}>>` : "";
      entries.push({
        doc: doc.replace(/\s*\n\s*\*?\s*/g, " ").trim(),
        name,
        type: `${types[kind]}${options}`,
      });
    }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = entries.map(
    ({ doc, name, type }) => `/** ${doc} */\nexport const ${name}: ${type} = opFunction("${name}");`,
  );
  const text = `// The function of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import {
  type BinaryFunction,
  type OptionsOf,
  opFunction,
  type TernaryFunction,
  type UnaryFunction,
} from "./operations.js";
import type { ops } from "./ops/index.js";

${lines.join("\n")}
`;
  const path = join(root, "runtime", "functions.ts");
  let before = "";
  try {
    before = readFileSync(path, "utf8");
  } catch {}
  if (text === before) return false;
  writeFileSync(path, text);
  return true;
}
