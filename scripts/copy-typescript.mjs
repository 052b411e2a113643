// Copies the TypeScript that checks cells into the package: as a dependency it would replace the `tsc` of the project that
// jitlab is installed in.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Writes the compiler, minified, with its libraries' declarations and its licenses into a folder. */
export async function copyTypeScript(to) {
  const from = dirname(require.resolve("typescript-6/package.json"));
  const { name, version, license } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const manifest = JSON.stringify({ name, version, license, type: "commonjs", main: "typescript.js" });
  const written = join(to, "package.json");
  if (existsSync(written) && readFileSync(written, "utf8") === manifest) return;
  const { transform } = await import("esbuild");
  mkdirSync(to, { recursive: true });
  const declarations = readdirSync(join(from, "lib")).filter((file) => /^lib\..*d\.ts$/.test(file));
  for (const file of declarations) copyFileSync(join(from, "lib", file), join(to, file));
  for (const file of ["LICENSE.txt", "ThirdPartyNoticeText.txt"]) {
    copyFileSync(join(from, file), join(to, file));
  }
  const source = readFileSync(join(from, "lib", "typescript.js"), "utf8");
  // Its debug assertions print the names of functions.
  const { code } = await transform(source, { minify: true, keepNames: true, target: "node20" });
  writeFileSync(join(to, "typescript.js"), code);
  writeFileSync(written, manifest); // last: it says that the rest is there
}
