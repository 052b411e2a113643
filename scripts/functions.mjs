// Writes runtime/functions.ts: one documented export and one pair of methods per op record, because a module cannot export
// names that it learns at run time, and because methods that TypeScript derives from the table cost each cell tens of
// milliseconds. The build runs it, so adding an op still edits one file.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "runtime", "ops");
const types = { unary: "UnaryFunction", binary: "BinaryFunction", ternary: "TernaryFunction" };
const operands = { unary: "", binary: "b: Operand, ", ternary: "b: Operand, c: Operand, " };
const record =
  /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\n {2}(\w+): (unary|binary|ternary)\(\{([\s\S]*?)\n {2}\}\)/g;

/** Regenerates the file; returns true where it changed. */
export function writeFunctions() {
  const entries = [];
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .sort()) {
    for (const [, doc, name, kind, fields] of readFileSync(join(folder, file), "utf8").matchAll(record)) {
      const options = /\n {4}options: /.test(fields) ? `OptionsOf<typeof ops.${name}>` : undefined;
      entries.push({
        doc: doc.replace(/\s*\n\s*\*?\s*/g, " ").trim(),
        name,
        kind,
        options,
      });
    }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const lines = entries.map(
    ({ doc, name, kind, options }) =>
      `/** ${doc} */\nexport const ${name}: ${types[kind]}${options ? `<${options}>` : ""} = opFunction("${name}");`,
  );
  const methods = entries.map(({ doc, name, kind, options }) => {
    const before = operands[kind];
    const own = options ? `${before}options?: ${options}` : before.replace(/, $/, "");
    return [
      `/** ${doc} */`,
      `${name}(${before}options?: OpOptions${options ? ` & ${options}` : ""}): Tensor;`,
      `/** ${doc} Written into the tensor itself. */`,
      `${name}_(${own}): Tensor;`,
    ].join("\n  ");
  });
  const text = `// The function and the methods of every op record. Written by scripts/functions.mjs from runtime/ops; edit the records instead.
import {
  type BinaryFunction,
  type OpOptions,
  type OptionsOf,
  opFunction,
  type TernaryFunction,
  type UnaryFunction,
} from "./operations.js";
import type { ops } from "./ops/index.js";
import type { Scalar } from "./ops/op.js";
import type { Tensor } from "./tensor.js";

${lines.join("\n")}

type Operand = Tensor | Scalar;

/** Every operation as a method; one with an underscore writes into its tensor and returns it. */
export interface OpMethods {
  ${methods.join("\n  ")}
}

// The class stands below this file, so its methods are declared from here.
declare module "./tensor.js" {
  interface Tensor extends OpMethods {}
}
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
