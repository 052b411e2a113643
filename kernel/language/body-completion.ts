// Completion in the body of a cell magic that is not TypeScript, such as %%kernel and %%bash: the magic's own vocabulary,
// the words already in the body, and the library's operations behind `jl::`.
import type { MagicPart } from "../../magics/parse.js";
import type { CellContext } from "./context.js";
import type { Completions } from "./language.js";

/** Words that can stand at the cursor in a body that the magic replaces. */
export function bodyCompletions(context: CellContext, part: MagicPart, cursor: number): Completions {
  const { code } = context.prepared.cell;
  const prefix = /\w*$/.exec(code.slice(0, cursor))?.[0] ?? "";
  const start = cursor - prefix.length;
  if (/\bjl\s*::\s*$/.test(code.slice(0, start))) {
    const names = context.vocabulary.ops.filter((name) => name.startsWith(prefix));
    return { start, end: cursor, matches: names.map((text) => ({ text, type: "function" })) };
  }
  const around = `${code.slice(part.body?.start, start)} ${code.slice(cursor)}`;
  const vocabulary = context.magics.find((magic) => magic.name === part.name)?.bodyWords ?? [];
  const present = around.match(/[A-Za-z_]\w*/g) ?? [];
  const known = new Set(vocabulary);
  const words = [...new Set([...present, ...vocabulary])].filter(
    (word) => word.startsWith(prefix) && word !== prefix,
  );
  const matches = words.sort().map((text) => ({ text, type: known.has(text) ? "function" : "text" }));
  return { start, end: cursor, matches };
}
