// The TypeScript that checks cells: a copy of the compiler that the package brings along, because a dependency would
// replace the `tsc` of the user's project. This is the only file that knows where it is; it is loaded at first use.
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type typescript from "typescript-6";

/** TypeScript's types, as `ts.Node`. */
export type { typescript as ts };

/** TypeScript's functions. */
export type TypeScript = typeof typescript;

const folder = new URL("../../typescript/", import.meta.url);
const require = createRequire(folder);

/** Loads TypeScript. */
export function loadTypeScript(): TypeScript {
  return require("./typescript.js") as TypeScript;
}

/** The file that TypeScript is loaded from. */
export function typeScriptFile(): string {
  return fileURLToPath(new URL("typescript.js", folder));
}

/** The version of TypeScript, without loading it. */
export function typescriptVersion(): string {
  return (require("./package.json") as { version: string }).version;
}
