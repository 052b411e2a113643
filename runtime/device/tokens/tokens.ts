// Loads the native module of tokens (tokens.cpp), the only code that knows how it is made, checked and loaded.
import { readFileSync } from "node:fs";
import { sha256 } from "../../base/builtins.js";
import { libraryFile } from "../../base/files.js";
import { collectYoung } from "../garbage.js";

/** The native module: each load has tokens and notes of its own. */
export interface Tokens {
  /** An object whose death is reported by its number, once. */
  readonly Token: new (
    number: number,
  ) => object;
  /** Writes numbers of dead tokens and returns how many; they are then forgotten. */
  dead(into: Uint32Array): number;
}

// Later versions may treat finalizers differently.
const lastTriedNode = 24;

/** Loads the module for this platform; a text says why it does not work. `folder`, a URL, has other files in tests. */
export function loadTokens(folder = libraryFile("device/tokens/").href): Tokens | string {
  const platform = `${process.platform}-${process.arch}`;
  const file = new URL(`${platform}.node`, folder);
  try {
    const digests = JSON.parse(readFileSync(new URL("digests.json", folder), "utf8"));
    const known: unknown = digests[`${platform}.node`];
    if (known === undefined) return `this package has no tokens for ${platform}`;
    if (sha256(readFileSync(file)) !== known) return `${file.pathname} is damaged`;
    const loaded = { exports: {} as Tokens };
    process.dlopen(loaded, decodeURIComponent(file.pathname));
    const { Token, dead } = loaded.exports;
    if (typeof Token !== "function" || typeof dead !== "function") return `${file.pathname} has no tokens`;
    if (Number.parseInt(process.versions.node, 10) > lastTriedNode && !areFound(loaded.exports))
      return `Node ${process.versions.node} does not report them during a collection`;
    return loaded.exports;
  } catch (error) {
    const [reason = ""] = String(error instanceof Error ? error.message : error).split("\n");
    return reason;
  }
}

/** True if a minor collection reports dead tokens at once. */
function areFound({ Token, dead }: Tokens): boolean {
  const few = 8;
  for (let number = 0; number < few; number++) new Token(number);
  collectYoung();
  return dead(new Uint32Array(few)) > 0;
}
