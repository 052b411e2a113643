// Completion in the body of a cell magic that is no TypeScript, such as %%kernel and %%bash: the magic's own vocabulary,
// and the words that the body holds already.
import type { MagicPart } from "../../magics/parse.js";
import type { CellContext } from "./context.js";
import type { Completions } from "./language.js";

/** Words that can stand at the cursor in a body that the magic replaces. */
export function bodyCompletions(context: CellContext, part: MagicPart, cursor: number): Completions {
  const { code } = context.prepared.cell;
  const prefix = /\w*$/.exec(code.slice(0, cursor))?.[0] ?? "";
  const start = cursor - prefix.length;
  const around = `${code.slice(part.body?.start, start)} ${code.slice(cursor)}`;
  const vocabulary = context.magics.find((magic) => magic.name === part.name)?.bodyWords ?? [];
  const written = around.match(/[A-Za-z_]\w*/g) ?? [];
  const known = new Set(vocabulary);
  const words = [...new Set([...written, ...vocabulary])].filter(
    (word) => word.startsWith(prefix) && word !== prefix,
  );
  const matches = words.sort().map((text) => ({ text, type: known.has(text) ? "function" : "text" }));
  return { start, end: cursor, matches };
}
