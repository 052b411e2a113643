// Writes V8's data for the library's bundles: with the functions for rendering and launching, which the first call would
// compile otherwise. Takes the folder of the built library.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const library = (path) => import(pathToFileURL(resolve(process.argv[2], path)).href);
const cache = mkdtempSync(join(tmpdir(), "jitlab-build-"));
process.env.JITLAB_CACHE_DIR = cache;
process.env.JITLAB_REMOTE_CACHE = "";

const jl = await library("index.js");
for (const device of ["cuda", "cpu"]) {
  for (const op of [jl.add, jl.digamma, jl.sum])
    for (const kernel of jl.explain(op, { device })) void kernel.source;
}
const { writeCompiledCode } = await library("base/compiled-code.js");
writeCompiledCode();
rmSync(cache, { recursive: true, force: true });
