// Makes the library two files, because Node takes most of a millisecond to load a module and the library has more than a
// hundred: `base.js` is what compiler threads and the kernel's processes load of it, `library.js` is the rest. Each module's
// file remains and re-exports from its bundle, so that all importers share one instance. The code is in `base.code` and
// `library.code`, with V8's data in `base.cache` and `library.cache`.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { parse } from "acorn";

// The modules that other programs import, bundled with their dependencies.
const alone = [
  ...[
    "base/env",
    "base/launchers",
    "base/errors",
    "base/dtype",
    "functor/signature",
    "functor/constants",
    "functor/declaration",
    "functor/operand",
    "cache/folder",
    "cache/current-store",
    "cache/own-data",
    "cache/remote/remote-cache",
  ],
  ...["compiler/thread", "compiler/failure", "compiler/race", "device/cpu/toolchain", "device/cuda/nvrtc"],
  ...["device/wasm/clang", "device/wasm/job", "device/wasm/code"],
  ...["device/opencl/clang", "device/opencl/facts", "device/opencl/queue"],
];
// Modules that only threads load: their programs, and a compiler with its packages.
const ofThreads = [
  "compiler/worker",
  "compiler/processes",
  "compiler/process",
  "compiler/frames",
  "device/wasm/worker",
  "device/wasm/compiler",
  "device/wasm/command",
  "device/opencl/compiler",
  "device/opencl/probe-program",
  "collectives/identifier-thread",
  "collectives/identifier-work",
];

// The bundle loader is not part of a bundle.
const runner = "base/compiled-code";

/** Writes the bundles of the modules in one folder into another, over the compiler's output for each module. */
export async function bundleLibrary(from, to) {
  const { rolldown } = await import("rolldown");
  const paths = readdirSync(from, { recursive: true }).filter((path) => path.endsWith(".ts"));
  const modules = paths.map((path) => path.slice(0, -3).split(sep).join("/"));
  const entries = modules
    .filter((name) => !ofThreads.includes(name) && name !== runner)
    .map((name) => [name, `${from}/${name}.ts`]);
  const base = new Set(alone.map((name) => join(process.cwd(), from, `${name}.ts`)));
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    // Packages are not bundled; they are loaded on demand.
    external: /^[^./]/,
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts"] } },
    treeshake: false,
  });
  await bundle.write({
    dir: to,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    codeSplitting: {
      groups: [
        { name: "base", test: (id) => base.has(id), priority: 1 },
        { name: "library", test: () => true },
      ],
    },
    comments: false,
    keepNames: true,
    minifyInternalExports: false,
    // For profiles; the code does not name them.
    sourcemap: "hidden",
  });
  for (const name of ["base", "library"]) separateCode(to, name);
  rmSync(join(to, "rolldown-runtime.js"));
  compileCode(to);
}

/** Moves a bundle's code into a text that is one function, and leaves a module that runs it and exports its results. */
function separateCode(folder, name) {
  const path = join(folder, `${name}.js`);
  const bundles = [];
  let exported;
  const source = readFileSync(path, "utf8");
  let code = source;
  // From the last to the first, so that offsets hold. Only statements count: a text may contain a line like them.
  for (const { type, start, end } of parse(source, {
    ecmaVersion: "latest",
    sourceType: "module",
  }).body.toReversed()) {
    if (!/^(?:Import|Export)/.test(type)) continue;
    const statement = source.slice(start, end);
    const imports = /^import \{ (.*) \} from "(.*)";$/.exec(statement);
    const exports = /^export \{ (.*) \};$/.exec(statement);
    let text = "";
    if (exports) {
      exported = exports[1].split(", ").map((name) => name.split(" as "));
      text = `return { ${exported.map(([own, name = own]) => (name === own ? own : `${name}: ${own}`)).join(", ")} };`;
    } else if (imports && imports[2] !== "./rolldown-runtime.js") {
      if (imports[2].startsWith(".")) bundles.unshift(imports[2]);
      text = `const { ${imports[1].replaceAll(" as ", ": ")} } = __load("${imports[2]}");`;
    } else if (!imports) throw new Error(`${path} has an unexpected ${statement.slice(0, 100)}`);
    code = code.slice(0, start) + text + code.slice(end);
  }
  code = code.replaceAll("import.meta.url", "__url");
  if (exported === undefined) throw new Error(`${path} exports nothing`);
  // Unsupported with V8's data; `requireFrom` loads a package.
  if (/\bawait import\(/.test(code)) throw new Error(`${path} calls import()`);
  const text = inAscii(code);
  writeFileSync(
    join(folder, `${name}.code`),
    `(__load, __url, __name, __exportAll) => { ${text}\n}`,
    "latin1",
  );
  writeFileSync(
    path,
    [
      `import { runBundle } from "./${runner}.js";`,
      ...bundles.map((from, i) => `import * as bundle${i} from "${from}";`),
      `export const { ${exported.map(([own, name = own]) => name).join(", ")} } = runBundle(import.meta.url, {`,
      ...bundles.map((from, i) => `  "${from}": bundle${i},`),
      // Of the first bundle, which has no imports, so that all others can use it.
      bundles.length > 0 ? "}, bundle0.ownData);" : "});",
      "",
    ].join("\n"),
  );
}

/** Code with escapes for other characters than those of ASCII, so that it is read and kept as one byte per character. */
function inAscii(code) {
  if (/\\[^\0-\x7f]/.test(code))
    throw new Error("A backslash stands before a character that is not in ASCII");
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return code.replaceAll(/[^\0-\x7f]/g, escaped);
}

/** Lets V8 compile the bundles in a process with typical use. */
function compileCode(folder) {
  for (const name of ["base", "library"]) rmSync(join(folder, `${name}.cache`), { force: true });
  execFileSync(process.execPath, [join("scripts", "compile-code.mjs"), folder], { stdio: "inherit" });
}
