// Hover in a cell: a magic's help, or the type and documentation of the name at the cursor.
import { helpText } from "../../magics/help.js";
import type { CellContext } from "./context.js";
import type { Inspection } from "./language.js";
import { toText } from "./source-map.js";
import { wholeCharacters } from "./text-message.js";
import type { ts } from "./typescript.js";

/** Describes the name at the cursor; `detail` 1 adds the tags of its documentation. */
export function inspection(context: CellContext, cursor: number, detail: number): Inspection | undefined {
  const { cell, shift } = context.prepared;
  const onMagic = magicHelp(context, cursor);
  if (onMagic) return onMagic;
  const offset = toText(cell, cursor);
  if (offset === undefined) return undefined;
  const info = quickInfo(context, offset + shift);
  return info && render(context, info, detail);
}

function magicHelp({ prepared, magics }: CellContext, cursor: number): Inspection | undefined {
  for (const part of prepared.cell.parts) {
    const named =
      part.kind === "magic"
        ? {
            name: part.name,
            start: part.nameStart - part.percents.length,
            end: part.nameStart + part.name.length,
          }
        : part.kind === "help"
          ? { name: part.subject.replace(/^%+/, ""), start: part.start, end: part.end }
          : undefined;
    if (!named || cursor < named.start || cursor > named.end) continue;
    if (part.kind === "help" && !part.subject.startsWith("%")) continue;
    const magic = magics.find((one) => one.name === named.name);
    if (magic) return { text: helpText(magic), markdown: `\`\`\`text\n${helpText(magic)}\n\`\`\`` };
  }
  return undefined;
}

// The name under or before the cursor; inside a call's parentheses, the function that is called.
function quickInfo(context: CellContext, position: number): ts.QuickInfo | undefined {
  const { ts } = context;
  const info = infoAt(context, position) ?? infoAt(context, position - 1);
  if (info) return info;
  const callee = enclosingCallee(ts, context.open().source, position);
  return callee === undefined ? undefined : infoAt(context, callee);
}

function infoAt(context: CellContext, position: number): ts.QuickInfo | undefined {
  const { program } = context;
  if (position < 0) return undefined;
  context.open();
  const info = program.service.getQuickInfoAtPosition(program.cellFile, position);
  // An undeclared name has the type `any` and no kind.
  if (!info?.displayParts?.length || info.kind === "") return undefined;
  const definitions = program.service.getDefinitionAtPosition(program.cellFile, position) ?? [];
  const files = definitions.flatMap(
    ({ fileName }) => program.service.getProgram()?.getSourceFile(fileName) ?? [],
  );
  if (!program.readDocumentation(files)) return info;
  context.open();
  return program.service.getQuickInfoAtPosition(program.cellFile, position);
}

function enclosingCallee(ts: CellContext["ts"], source: ts.SourceFile, position: number): number | undefined {
  let found: number | undefined;
  const visit = (node: ts.Node): void => {
    if (position < node.getFullStart() || position > node.end) return;
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    if (isCall && position > node.expression.end) found = node.expression.end - 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function render({ ts }: CellContext, info: ts.QuickInfo, detail: number): Inspection {
  const signature = wholeCharacters(ts.displayPartsToString(info.displayParts));
  const documentation = ts.displayPartsToString(info.documentation);
  const tags = (info.tags ?? [])
    .map(({ name, text }) => ({ name, words: ts.displayPartsToString(text).trim() }))
    .filter(({ name }) => detail > 0 || /^(param|returns?|example|deprecated)$/.test(name));
  const lines = tags.map(({ name, words }) => `@${name} ${words}`.trim());
  const text = [signature, documentation, lines.join("\n")].filter((part) => part !== "").join("\n\n");
  const markdown = [`\`\`\`typescript\n${signature}\n\`\`\``, documentation, tagsMarkdown(tags)];
  return { text, markdown: markdown.filter((part) => part !== "").join("\n\n") };
}

/** The tags of a documentation as Markdown: a list of parameters, examples as code, the others as words. */
function tagsMarkdown(tags: readonly { name: string; words: string }[]): string {
  const blocks = tags.map(({ name, words }) => {
    if (name === "param") return words.replace(/^([\w$.]+)\s*-?\s*/, "- `$1`: ");
    if (name === "example") return `\`\`\`typescript\n${words}\n\`\`\``;
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return words === "" ? `**${title}**` : `**${title}**: ${words}`;
  });
  // Items of a list follow each other without a blank line.
  return blocks.map((block, i) => `${i === 0 ? "" : gapBetween(blocks[i - 1], block)}${block}`).join("");
}

function gapBetween(before = "", after: string): string {
  return before.startsWith("- ") && after.startsWith("- ") ? "\n" : "\n\n";
}
