// The TypeScript that checks cells: the fork inside tslab, whose checker looks a name up in one source file after the
// other. This is the only file that knows where it comes from; it is loaded at first use.
import { createRequire } from "node:module";
import type typescript from "@tslab/typescript-for-tslab";

/** TypeScript's types, as `ts.Node`. */
export type { typescript as ts };

/** TypeScript's functions. */
export type TypeScript = typeof typescript;

const fork = "@tslab/typescript-for-tslab";

let loaded: TypeScript | undefined;

/** Loads TypeScript, at the first call. */
export function loadTypeScript(): TypeScript {
  loaded ??= requireFromTslab(fork) as TypeScript;
  return loaded;
}

/** The version of TypeScript, without loading it. */
export function typescriptVersion(): string {
  return (requireFromTslab(`${fork}/package.json`) as { version: string }).version;
}

/** The file of a module that tslab brings along, or undefined. */
export function resolveFromTslab(specifier: string): string | undefined {
  try {
    return tslabRequire().resolve(specifier);
  } catch {
    return undefined;
  }
}

function requireFromTslab(specifier: string): unknown {
  return tslabRequire()(specifier);
}

function tslabRequire(): NodeJS.Require {
  return createRequire(createRequire(import.meta.url).resolve("tslab/package.json"));
}
