// Writes V8's data for the library's bundles: with the functions for rendering, loading and launching, which the first call
// would compile otherwise. Takes the folder of the built library.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, self, folder, stored] = process.argv;
const library = (path) => import(pathToFileURL(resolve(folder, path)).href);
const cache = stored ?? mkdtempSync(join(tmpdir(), "jitlab-build-"));
process.env.JITLAB_CACHE_DIR = cache;
process.env.JITLAB_REMOTE_CACHE = "";

const jl = await library("index.js");
launch();
if (stored === undefined) {
  // Most first calls find their kernel on disk, as does this process now.
  execFileSync(process.execPath, [self, folder, cache], { stdio: "inherit" });
  rmSync(cache, { recursive: true, force: true });
} else {
  for (const device of ["cuda", "cpu"]) {
    for (const op of [jl.add, jl.digamma, jl.sum])
      for (const kernel of jl.explain(op, { device })) void kernel.source;
  }
  const { writeCompiledCode } = await library("base/compiled-code.js");
  writeCompiledCode();
}

/** Calls operations on the processor, if this machine has a compiler. */
function launch() {
  if (!jl.devices().some(({ name }) => name === "cpu")) return;
  jl.setDevice("cpu");
  const x = jl.tensor([1, 2]);
  const f = jl.jit("float f(float a, float b) { return a * b; }");
  String(x.add(x).add_(1).digamma().sum().item());
  f(x, x).toArray();
}
