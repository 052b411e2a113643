// Compiles the TypeScript sources to dist/, copies other files (functors, preludes and logos), bundles the library and the client of
// Redis, and minifies Plotly, which comes to 10 MB unminified and is embedded into pages.
import "./node-version.mjs";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleLibrary } from "./bundle.mjs";
import { copyTypeScript } from "./copy-typescript.mjs";
import { writeFunctions } from "./functions.mjs";
import { writeMethods } from "./methods.mjs";
import { bundleRedisClient } from "./redis-client.mjs";
import { writeReference } from "./reference.mjs";
import { buildTokens } from "./tokens.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const require = createRequire(import.meta.url);
process.chdir(root);

await writeFunctions();
writeMethods();
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
if (process.argv.includes("--clean")) rmSync("dist", { recursive: true, force: true });
const copied = /\.(cuh|h|c|cpp|svg|png|js|css|json)$/;
for (const folder of ["runtime", "magics", "kernel"]) copyAssets(folder);
if (existsSync("assets")) cpSync("assets", "dist/assets", { recursive: true });
buildTokens("dist/runtime/device/tokens");
await minifyPlotly("dist/assets/plotly.min.js");
await copyTypeScript("dist/typescript");
copyTslabTypes("dist/tslab");
await copyTemml("dist/kernel/export");
execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { stdio: "inherit" });
await bundleLanguage("dist/kernel/language/snapshot");
await bundleLibrary("runtime", "dist/runtime");
await bundleRedisClient("dist/runtime/cache/remote");
writeReference("dist/runtime/reference.json");

function copyAssets(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) copyAssets(path);
    else if (copied.test(entry.name)) cpSync(path, join("dist", path));
  }
}

// What `import "tslab"` means in a cell has the types of the package tslab; its compiler and its kernel stay behind.
function copyTslabTypes(to) {
  const manifest = require.resolve("tslab/package.json");
  const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8"));
  mkdirSync(to, { recursive: true });
  cpSync(join(dirname(manifest), "LICENSE"), join(to, "LICENSE"));
  cpSync(join(dirname(manifest), "dist", "public.d.ts"), join(to, "index.d.ts"));
  writeFileSync(join(to, "package.json"), JSON.stringify({ name, version, license }));
}

// The typesetter of formulas in exported pages, without its fonts and its other forms.
async function copyTemml(to) {
  const { build } = await import("esbuild");
  const folder = dirname(require.resolve("temml/package.json"));
  await build({
    entryPoints: [join(folder, "dist/temml.cjs")],
    outfile: join(to, "temml.cjs"),
    minify: true,
    logLevel: "warning",
  });
  cpSync(join(folder, "LICENSE"), join(to, "temml.LICENSE.txt"));
}

// One file that is other where the declarations are: a snapshot holds both.
async function bundleLanguage(path) {
  const { build } = await import("esbuild");
  const declarations = createHash("sha256");
  for (const file of readdirSync("dist", { recursive: true }).sort()) {
    if (file.endsWith(".d.ts")) declarations.update(readFileSync(join("dist", file)));
  }
  await build({
    entryPoints: [`${path}.js`],
    outfile: `${path}.cjs`,
    bundle: true,
    platform: "node",
    target: "node20",
    banner: { js: `// Declarations: ${declarations.digest("hex")}` },
    logLevel: "warning",
  });
}

// Takes seconds, so it runs only if the package is newer than its output.
async function minifyPlotly(path) {
  const source = require.resolve("plotly.js-dist/plotly.js");
  if (existsSync(path) && statSync(path).mtimeMs >= statSync(source).mtimeMs) return;
  const { build } = await import("esbuild");
  const whole = `${path}.${process.pid}`;
  await build({
    entryPoints: [source],
    outfile: whole,
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
  });
  renameSync(whole, path);
}
