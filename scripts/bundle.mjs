// Makes the library two files, because Node takes most of a millisecond to load a module and the library has more than a
// hundred: `base.js` is what compiler threads and the kernel's processes load of it, `library.js` is the rest. Where
// a module was, a file stays that gives on its exports from there, so that all importers share one instance.
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";

// What programs beside the library import; what these need goes with them.
const alone = [
  ...[
    "base/env",
    "base/errors",
    "base/dtype",
    "functor/signature",
    "functor/constants",
    "functor/declaration",
    "functor/operand",
    "cache/folder",
    "cache/current-store",
    "cache/remote/remote-cache",
  ],
  ...["compiler/thread", "compiler/race", "device/cpu/toolchain", "device/cuda/nvrtc"],
  ...["device/wasm/clang", "device/wasm/job", "device/wasm/code"],
];
// What only threads load: their programs, and a compiler that brings packages with it.
const ofThreads = ["compiler/worker", "device/wasm/worker", "device/wasm/compiler", "device/wasm/command"];

/** Writes the bundles of the modules in one folder into another, over what the compiler has made of each module. */
export async function bundleLibrary(from, to) {
  const { rolldown } = await import("rolldown");
  const paths = readdirSync(from, { recursive: true }).filter((path) => path.endsWith(".ts"));
  const modules = paths.map((path) => path.slice(0, -3).split(sep).join("/"));
  const entries = modules
    .filter((name) => !ofThreads.includes(name))
    .map((name) => [name, `${from}/${name}.ts`]);
  const base = new Set(alone.map((name) => join(process.cwd(), from, `${name}.ts`)));
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    // Packages stay where they are, and are loaded where something needs them.
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
    sourcemap: true,
  });
}
