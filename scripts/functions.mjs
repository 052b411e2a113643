// Writes runtime/functions.ts: one documented export per op record, because a module cannot export names that it learns
// at run time. The build runs it, so adding an op still edits one file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "runtime", "ops");
const types = { unary: "UnaryFunction", binary: "BinaryFunction", ternary: "TernaryFunction" };
const record = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\n\s{2}(\w+): (unary|binary|ternary)\(/g;

/** Regenerates the file; returns true where it changed. */
export function writeFunctions() {
  const entries = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()) {
    for (const [, doc, name, kind] of readFileSync(join(folder, file), "utf8").matchAll(record)) {
      entries.push({ doc: doc.replace(/\s*\n\s*\*?\s*/g, " ").trim(), name, kind });
    }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const used = [...new Set(entries.map((entry) => types[entry.kind]))].sort();
  const lines = entries.map(
    ({ doc, name, kind }) => `/** ${doc} */\nexport const ${name}: ${types[kind]} = opFunction("${name}");`,
  );
  const text = `// The function of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import { ${[...used.map((type) => `type ${type}`), "opFunction"].sort(byName).join(", ")} } from "./operations.js";

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

function byName(a, b) {
  return a.replace("type ", "").toLowerCase() < b.replace("type ", "").toLowerCase() ? -1 : 1;
}
