// Modules of Node that few cells import, and whose declarations are a third of Node's. The index of Node's types is read
// without them, so that no start of the language process takes them from the snapshot; an import of one brings its file.
import { join } from "node:path";

const rare = ["cluster", "http2", "https", "inspector", "repl", "test"];

/** The index of Node's types without the rare modules; offsets stay the same. */
export function withoutRareModules(index: string): string {
  return index.replace(
    /^\/\/\/( <reference path="(\w+)\.d\.ts" \/>)/gm,
    (line, rest: string, name: string) => (rare.includes(name) ? `// ${rest}` : line),
  );
}

/** The file that declares a rare module of Node's types in a folder; undefined for other modules. */
export function rareModuleFile(name: string, nodeTypes: string): string | undefined {
  const [first = ""] = name.replace(/^node:/, "").split("/");
  return rare.includes(first) ? join(nodeTypes, `${first}.d.ts`) : undefined;
}
