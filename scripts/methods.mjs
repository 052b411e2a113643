// Writes runtime/tensor/methods.ts: exported functions of a tensor in runtime/tensor/ become methods too. A function whose
// first parameter is `x: Tensor` is one; a name that ends in "_" is a method only. Their signatures and documentation are
// copied, because methods that TypeScript derives cost each cell time. The build runs it.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-6";
import { writeChanged } from "./write-changed.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "runtime", "tensor");

/** Files whose functions are methods only. */
export const methodsOnly = ["indexing/in-place.ts", "indexing/indexing.ts", "short-names.ts"];

/** Functions whose public name is not a valid JavaScript function name. */
const reserved = { var_: "var" };

/** The functions of a tensor that a file exports: name, documentation, and each signature's parts as text. */
export function tensorFunctions(file) {
  const source = parsed(join(folder, file));
  const ofTensors = (node) => /^x: Tensor(<D>)?$/.test(textOf(node.parameters[0], source)) && node.type;
  const functions = exportedFunctions(source)
    .filter(({ nodes }) => ofTensors(nodes[0]))
    .map(({ name: own, nodes }) => ({
      name: reserved[own] ?? own,
      own,
      doc: docOf(nodes[0], source),
      signatures: nodes.map((node) => ({
        ...signatureOf(node, source),
        parameters: parametersOf(node, source).slice(1),
      })),
    }));
  return { functions, imports: importsOf(source, file) };
}

/** A file's syntax tree. */
export function parsed(path) {
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
}

/** The functions that a file exports: their names, and the nodes of their signatures. */
export function exportedFunctions(source) {
  const found = new Map();
  for (const node of source.statements) {
    if (!ts.isFunctionDeclaration(node) || !node.name) continue;
    if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    const nodes = found.get(node.name.text) ?? [];
    // The implementation of an overloaded function is not a signature.
    if (!node.body || nodes.length === 0) found.set(node.name.text, [...nodes, node]);
  }
  return [...found].map(([name, nodes]) => ({ name, nodes }));
}

/** A node's text on one line. */
export function textOf(node, source) {
  return node?.getText(source).replace(/\s+/g, " ") ?? "";
}

/** The documentation comment of a node, or the empty string. */
export function docOf(node, source) {
  return node.jsDoc?.at(-1)?.getText(source) ?? "";
}

/** A function's or method's signature in parts. */
export function signatureOf(node, source) {
  return {
    doc: docOf(node, source),
    generics: (node.typeParameters ?? [])
      .map((one) => textOf(one, source))
      .filter((one) => one !== "D extends DTypeName"),
    parameters: parametersOf(node, source),
    returns: textOf(node.type, source) || "void",
  };
}

/** The parameters of a signature, those with defaults as optional ones. */
function parametersOf(node, source) {
  return node.parameters.map((parameter) =>
    textOf(parameter, source)
      .replace(/^(\w+): (.*) = .*$/, "$1?: $2")
      .replace(/^(\w+) = (.*)$/, (_, name, value) => `${name}?: ${typeOf(value)}`),
  );
}

/** The type of a literal that a parameter has by default. */
function typeOf(literal) {
  return literal === "true" || literal === "false" ? "boolean" : /^["']/.test(literal) ? "string" : "number";
}

/** The source of each name that a file imports or declares as a type. */
function importsOf(source, file) {
  const from = new Map();
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      if (bindings && ts.isNamedImports(bindings))
        for (const { name } of bindings.elements)
          from.set(name.text, specifier(file, node.moduleSpecifier.text));
    } else if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
      from.set(node.name.text, moduleOf(file));
    }
  }
  return from;
}

/** A module as the folder's own files import it. */
function moduleOf(file) {
  return `./${file.replace(/\.ts$/, ".js")}`;
}

/** The same for a module that a file imports. */
function specifier(file, imported) {
  const path = posix.join(posix.dirname(file), imported);
  return path.startsWith("..") ? path : `./${path}`;
}

/** The files of functions of tensors, by their names. */
export function tensorFiles() {
  const others = ["functions.ts", "methods.ts", "tensor.ts"];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !others.includes(file))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
}

/** Regenerates the file; returns true if it changed. */
export function writeMethods() {
  const types = new Map([
    ["../base/dtype.js", new Set(["DTypeName"])],
    ["./element-types.js", new Set(["AnyDType"])],
    ["./tensor.js", new Set(["Tensor"])],
  ]);
  const modules = [];
  const lines = [];
  for (const file of tensorFiles()) {
    const { functions, imports } = tensorFunctions(file);
    if (functions.length === 0) continue;
    const names = functions.map(({ name, own }) => ({ name, own }));
    modules.push({ module: moduleOf(file), names, free: !methodsOnly.includes(file) });
    for (const { name, signatures } of functions) {
      for (const { doc, generics, parameters, returns } of signatures) {
        const own = generics.length > 0 ? `<${generics.join(", ")}>` : "";
        const signature = `${own}(${parameters.join(", ")}): ${returns}`;
        for (const [word] of signature.matchAll(/\b[A-Z]\w*/g)) {
          const where = imports.get(word);
          if (where) types.set(where, (types.get(where) ?? new Set()).add(word));
        }
        if (doc) lines.push(`  ${doc}`);
        lines.push(`  ${name}${signature};`);
      }
    }
  }
  const free = modules
    .filter((one) => one.free)
    .map(({ module, names }) => {
      const list = names.map(({ name, own }) => (name === own ? name : `${own} as ${name}`));
      return `export { ${list.join(", ")} } from "${module}";`;
    });
  const text = `// The functions of tensors as methods. Written by scripts/methods.mjs from the files of runtime/tensor; edit those instead.
${[...types].map(([where, words]) => `import type { ${[...words].sort().join(", ")} } from "${where}";`).join("\n")}
${modules.map(({ module, names }) => `import { ${names.map(({ own }) => own).join(", ")} } from "${module}";`).join("\n")}
import { methodOf } from "./operations.js";
import { attach } from "./tensor.js";

${free.join("\n")}

/** Every function of a tensor as a method. */
export interface TensorMethods<D extends DTypeName> {
${lines.join("\n")}
}

declare module "./tensor.js" {
  interface Tensor<out D extends DTypeName = AnyDType> extends TensorMethods<D> {}
}

const methods = { ${modules.flatMap(({ names }) => names.map(({ name, own }) => (name === own ? name : `${name}: ${own}`))).join(", ")} };
for (const [name, fn] of Object.entries(methods)) attach(name, methodOf(fn as (...args: unknown[]) => unknown));
`;
  return writeChanged(join(folder, "methods.ts"), text);
}
