// The reference of the library's functions and of tensors' methods, as data: signatures, documentation, an example and its result, from
// the comments of the sources. The build writes it to dist/runtime/reference.json, which %help shows; pages.mjs makes docs/ of it.
import { writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-6";
import {
  docOf,
  exportedFunctions,
  methodsOnly,
  parsed,
  signatureOf,
  tensorFiles,
  tensorFunctions,
  textOf,
} from "./methods.mjs";
import { defaultsIn, optionsIn } from "./option-types.mjs";

const runtime = join(dirname(fileURLToPath(import.meta.url)), "..", "runtime");

/** What the library exports for the notebook's own use. */
export const internal = [
  "didYouMean",
  "explainKey",
  "functorOf",
  "isExplainable",
  "keepStream",
  "nearest",
  "openProgram",
  "startRecording",
  "watchOperations",
];

/** What calls of tensors' functions throw: a code, when, and a call. */
export const errorCases = [
  { code: "bad-operand", when: "an argument is not a tensor", call: "jl.matmul(jl.eye(2), 5)" },
  { code: "bad-shape", when: "an extent is negative or not an integer", call: "jl.zeros([-1])" },
  { code: "bad-dimension", when: "the tensor has no such dimension", call: "jl.zeros([2]).sum(1)" },
  {
    code: "shape-mismatch",
    when: "shapes do not match",
    call: "jl.zeros([2, 3]).matmul(jl.zeros([2, 3]))",
  },
  { code: "bad-index", when: "an index is out of bounds or not an integer", call: "jl.arange(3).at(3)" },
  { code: "dtype-refused", when: "the function does not support the dtype", call: "jl.arange(3).mean()" },
  {
    code: "mixed-devices",
    when: "tensors are on two devices",
    call: 'jl.ones([2], { device: "cpu" }).add(jl.ones([2], { device: "wasm" }))',
  },
  {
    code: "bad-argument",
    when: "the function does not accept this number or name",
    call: "jl.eye(2).topk(9)",
  },
  { code: "unknown-option", when: "the function has no such option", call: "jl.eye(2).sum({ axis: 0 })" },
  {
    code: "bad-element",
    when: "the dtype cannot hold an element",
    call: 'jl.tensor([3e9], { dtype: "int32" })',
  },
  { code: "empty-reduction", when: "there are no elements to reduce", call: "jl.zeros([0]).max()" },
  { code: "not-a-scalar", when: "item() of several elements", call: "jl.zeros([2]).item()" },
  {
    code: "disposed-tensor",
    when: "the memory was freed",
    call: "((x) => (x.dispose(), x.add(1)))(jl.zeros([2]))",
  },
  {
    code: "donated-tensor",
    when: "the memory was given to the results of a compiled function",
    call: "((x) => (jl.compile((y) => y.add(1), { donate: [0] })(x), x.add(1)))(jl.zeros([2]))",
  },
];

/** Entries of every function that index.ts exports and of every method, by the file that has them; operations have records instead. */
export function reference() {
  const exports = exportsOfIndex();
  const of = (path) => exportEntries(path, exports.get(path) ?? []);
  const others = [...exports.keys()].filter((path) => !path.startsWith("tensor/"));
  return [
    { title: "The tensor", tensors: true, entries: memberEntries() },
    ...tensorFiles().map((file) => ({
      title: titleOf(file),
      tensors: true,
      entries: [...methodEntries(file), ...of(`tensor/${file}`), ...reductionEntries(file)],
    })),
    ...others.map((path) => ({ title: titleOf(path), tensors: false, entries: of(path) })),
    ...namespaces().map(([name, path]) => ({
      title: namespaceTitles[name],
      tensors: false,
      entries: namespaceEntries(name, path),
    })),
  ].filter(({ entries }) => entries.length > 0);
}

/** Headings for files whose names say less than a reader would search for. */
const titles = {
  arrow: "Apache Arrow",
  bins: "Bins and histograms",
  cdist: "Distances between rows",
  "complex-pairs": "Complex numbers as pairs",
  "composed-operations": "Comparing, masking and splitting numbers",
  convolution: "Convolutions and pooling",
  covariance: "Covariances and correlations",
  create: "Creating tensors",
  format: "Printing",
  "in-place": "Writes in place by index",
  join: "Concatenating and stacking",
  npy: "NumPy files",
  "class-losses": "Losses of classes",
  "outer-products": "Kronecker and cross products",
  products: "Matrix products",
  quantiles: "Medians and quantiles",
  reduce: "Reductions",
  samples: "Interpolation, integrals and derivatives of samples",
  scan: "Cumulative sums and other scans",
  scattering: "Writes by index",
  "short-names": "Conversions and short names",
};

/** Headings of the objects that hold functions. */
const namespaceTitles = {
  fft: "Fourier transforms: jl.fft",
  linalg: "Linear algebra: jl.linalg",
  optim: "Steps of training: jl.optim",
  tree: "Trees of tensors: jl.tree",
};

function titleOf(path) {
  const key = path.split("/").at(-1).replace(/\.ts$/, "");
  if (key in titles) return titles[key];
  const name = path.split("/").at(-1).replace(/\.ts$/, "").replaceAll("-", " ");
  return name[0].toUpperCase() + name.slice(1);
}

/** The names that index.ts, or that of a folder, exports of each file; "*" stands for all. */
function exportsOfIndex(folder = "") {
  const found = new Map();
  for (const [path, clause] of exportsIn(folder)) {
    if (clause === undefined || ts.isNamedExports(clause))
      found.set(
        path,
        clause?.elements.filter((one) => !one.isTypeOnly).map(({ name }) => name.text) ?? ["*"],
      );
  }
  return found;
}

/** The objects that hold functions: their names and their folders. */
function namespaces() {
  return exportsIn("").flatMap(([path, clause]) =>
    clause && ts.isNamespaceExport(clause) ? [[clause.name.text, posix.dirname(path)]] : [],
  );
}

/** The exports of other files in a folder's index.ts: their paths in runtime/ and their clauses. */
function exportsIn(folder) {
  return parsed(join(runtime, folder, "index.ts"))
    .statements.filter((node) => ts.isExportDeclaration(node) && !node.isTypeOnly)
    .map((node) => [
      posix.join(folder, node.moduleSpecifier.text.replace(/\.js$/, ".ts")),
      node.exportClause,
    ]);
}

/** The functions of an object such as jl.linalg. */
function namespaceEntries(name, folder) {
  return [...exportsOfIndex(folder)].flatMap(([path, names]) => exportEntries(path, names, `${name}.`));
}

/** Functions of a tensor, which are methods too. */
function methodEntries(file) {
  const free = !methodsOnly.includes(file);
  const source = parsed(join(runtime, "tensor", file));
  return tensorFunctions(file).functions.map(({ name, own, signatures }) => {
    const defaults = defaultsIn(implementationOf(source, own, [source]), source);
    const withDefaults = signatures.map((signature) => ({ ...signature, defaults }));
    return entryOf(name, withDefaults, ({ parameters, returns }) => [
      ...(free && !name.endsWith("_") ? [`jl.${name}(${["x", ...parameters].join(", ")})`] : []),
      `x.${name}(${parameters.join(", ")}): ${returns}`,
    ]);
  });
}

/** Functions that index.ts exports by their names. */
function exportEntries(path, names, prefix = "") {
  const source = parsed(join(runtime, path));
  return exportedFunctions(source)
    .filter(({ name }) => (names.includes(name) || names.includes("*")) && !internal.includes(name))
    .map(({ name, nodes }) =>
      entryOf(
        `${prefix}${name}`,
        nodes.map((node) => ({
          ...signatureOf(node, source),
          defaults: defaultsIn(implementationOf(source, name, nodes), source),
        })),
        ({ parameters, returns }) => [`jl.${prefix}${name}(${parameters.join(", ")}): ${returns}`],
      ),
    );
}

/** The reductions, which are constants of one type. */
function reductionEntries(file) {
  if (file !== "statistics/reduce.ts") return [];
  const source = parsed(join(runtime, "tensor", file));
  return source.statements.filter(ts.isVariableStatement).flatMap((node) => {
    const [declaration] = node.declarationList.declarations;
    if (!textOf(declaration.type, source).startsWith("ReduceFunction<")) return [];
    const name = declaration.name.text;
    const call = "dim?: ReduceDims, options?: ReduceOptions";
    return entryOf(name, [{ doc: docOf(node, source), parameters: ["options?: ReduceOptions"] }], () => [
      `jl.${name}(x, ${call})`,
      `x.${name}(${call}): Tensor`,
    ]);
  });
}

/** The methods of the class and what it computes from its fields. */
function memberEntries() {
  const source = parsed(join(runtime, "tensor", "tensor.ts"));
  const tensor = source.statements.find((node) => ts.isClassDeclaration(node) && node.name.text === "Tensor");
  const nodes = new Map();
  for (const member of tensor.members) {
    const isMethod = ts.isMethodDeclaration(member);
    if ((!isMethod && !ts.isGetAccessor(member)) || !ts.isIdentifier(member.name)) continue;
    const known = nodes.get(member.name.text) ?? [];
    if (!(isMethod && member.body && known.length > 0)) nodes.set(member.name.text, [...known, member]);
  }
  return [...nodes].map(([name, list]) =>
    entryOf(
      name,
      list.map((node) => ({ ...signatureOf(node, source), isMethod: ts.isMethodDeclaration(node) })),
      ({ isMethod, parameters, returns }) => [
        `x.${name}${isMethod ? `(${parameters.join(", ")})` : ""}: ${returns}`,
      ],
    ),
  );
}

/** A function with what each of its signatures says; `calls` spells one. */
function entryOf(name, signatures, calls) {
  return {
    name,
    forms: signatures.map((signature) => {
      const options = optionsIn(signature.parameters ?? [], signature.defaults);
      return { calls: calls(signature), ...plainDoc(signature.doc), ...(options.length > 0 && { options }) };
    }),
  };
}

/** The node of a function with its body. */
function implementationOf(source, name, nodes) {
  const isOwn = (node) => ts.isFunctionDeclaration(node) && node.body && node.name?.text === name;
  return source.statements.find(isOwn) ?? nodes[0];
}

/** The text of a documentation comment, its example and what that gives. */
function plainDoc(comment) {
  const lines = comment
    .replace(/^\/\*\*|\*\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim());
  const whole = lines
    .join(" ")
    .replace(/\{@link (\w+)\}/g, "$1")
    .trim();
  const [text, given = ""] = whole.split("@example").map((part) => part.trim());
  const [example, gives] = given.split(" // ");
  return { text, ...(given && { example, gives }) };
}

/** Writes the entries by name to a file. */
export function writeReference(path) {
  const entries = reference().flatMap((section) => section.entries);
  writeFileSync(path, JSON.stringify(Object.fromEntries(entries.map(({ name, forms }) => [name, forms]))));
}
