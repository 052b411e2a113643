// Chooses the library files of TypeScript that match this Node. A name that Node lacks is then a type error before the cell
// runs.

// Library files after ES2023, and for each a name that shows whether Node has it.
const newer: Readonly<Record<string, string>> = {
  "es2024.arraybuffer": "ArrayBuffer.prototype.transfer",
  "es2024.collection": "Map.groupBy",
  "es2024.object": "Object.groupBy",
  "es2024.promise": "Promise.withResolvers",
  "es2024.regexp": "RegExp.prototype.unicodeSets",
  "es2024.sharedmemory": "Atomics.waitAsync",
  "es2024.string": "String.prototype.isWellFormed",
  "es2025.collection": "Set.prototype.union",
  "es2025.float16": "Float16Array",
  "es2025.intl": "Intl.DurationFormat",
  "es2025.iterator": "Iterator",
  "es2025.promise": "Promise.try",
  "es2025.regexp": "RegExp.escape",
  "esnext.array": "Array.fromAsync",
  "esnext.collection": "Map.prototype.getOrInsert",
  "esnext.disposable": "DisposableStack",
  "esnext.error": "Error.isError",
  "esnext.sharedmemory": "Atomics.pause",
  "esnext.temporal": "Temporal",
  "esnext.typedarrays": "Uint8Array.fromBase64",
};

let assumed: readonly string[] | undefined;

/** Takes the list of another process of this Node: while a snapshot is made, Node lacks some globals. */
export function assumeLibraries(files: readonly string[]): void {
  assumed = files;
}

/** Lists TypeScript's library files for this Node. */
export function librariesOfNode(): readonly string[] {
  if (assumed) return assumed;
  const known = Object.entries(newer).filter(([, path]) => exists(path.split(".")));
  return ["es2023", ...known.map(([file]) => file)].map((name) => `lib.${name}.d.ts`);
}

function exists(path: readonly string[]): boolean {
  let owner: unknown = globalThis;
  for (const name of path) {
    if ((typeof owner !== "object" && typeof owner !== "function") || owner === null || !(name in owner)) {
      return false;
    }
    if (name !== path.at(-1)) owner = Reflect.get(owner, name);
  }
  return true;
}

/** Globals that older Nodes lack and whose absence TypeScript does not explain. */
export const newerGlobals: readonly string[] = ["DisposableStack", "Float16Array", "Iterator", "Temporal"];

/** Returns the first version of Node with all of a language edition; undefined if it is unknown. */
export function nodeWith(edition: string): number | undefined {
  return { es2024: 22, es2025: 24 }[edition];
}
