// The TypeScript that checks cells: the fork inside tslab, whose checker looks a name up in one source file after the
// other. This is the only file that knows where it comes from; it is loaded at first use.
import { createRequire } from "node:module";
import type typescript from "@tslab/typescript-for-tslab";

/** TypeScript's types, as `ts.Node`. */
export type { typescript as ts };

/** TypeScript's functions. */
export type TypeScript = typeof typescript;

const fork = "@tslab/typescript-for-tslab";

/** Loads TypeScript. */
export function loadTypeScript(): TypeScript {
  return tslabRequire()(fork) as TypeScript;
}

/** The file that TypeScript is loaded from. */
export function typeScriptFile(): string {
  return tslabRequire().resolve(fork);
}

/** The version of TypeScript, without loading it. */
export function typescriptVersion(): string {
  return (tslabRequire()(`${fork}/package.json`) as { version: string }).version;
}

function tslabRequire(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("tslab/package.json"));
}
