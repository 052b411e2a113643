// Completion on a magic's line: its name, its options, their values, and its words, all from the magics' own records.

import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import type { ArgumentKind, Magic } from "../../magics/magic.js";
import type { MagicPart } from "../../magics/parse.js";
import { type Setting, settings } from "../../magics/settings.js";
import { deviceKinds } from "../../runtime/device/kinds.js";
import type { CellContext } from "./context.js";
import type { Completion, Completions } from "./language.js";

/** Completes a magic's name if the cursor follows percent signs and part of a name. */
export function nameCompletions(context: CellContext, cursor: number): Completions | undefined {
  const { code } = context.prepared.cell;
  const before = code.slice(0, cursor);
  const typed = /(?:^|\n)[^\S\n]*(?:[^\n]*=\s*)?(%%?)(\w*)$/.exec(before);
  if (!typed) return undefined;
  const [, percents = "", name = ""] = typed;
  if (!isMagicPlace(context, cursor, percents, name)) return undefined;
  const start = cursor - name.length - percents.length;
  const isFirstLine = code.slice(0, start).trim() === "";
  const kinds = percents === "%%" ? ["%%"] : isFirstLine ? ["%", "%%"] : ["%"];
  const texts = kinds.flatMap((sign) =>
    context.magics
      .filter((magic) => magic.kinds.includes(sign === "%" ? "line" : "cell") && magic.name.startsWith(name))
      .map((magic) => sign + magic.name),
  );
  return { start, end: cursor, matches: texts.sort().map((text) => ({ text, type: "magic" })) };
}

// The splitter does not count a lone `%` or `%%` as a magic, but decides where one with a name is.
function isMagicPlace(context: CellContext, cursor: number, percents: string, name: string): boolean {
  const { code, parts } = context.prepared.cell;
  if (name !== "")
    return parts.some((part) => part.kind === "magic" && part.nameStart === cursor - name.length);
  const before = code.slice(0, cursor - percents.length).trimEnd();
  return (
    before === "" ||
    /[;{}=]$/.test(before) ||
    (percents === "%" && /\n[^\S\n]*%$/.test(code.slice(0, cursor)))
  );
}

/** Completes the words after a magic's name; undefined if they are TypeScript. */
export function magicCompletions(
  context: CellContext,
  part: MagicPart,
  cursor: number,
): Completions | undefined {
  if (cursor < part.rawStart) return undefined;
  const magic = context.magics.find((one) => one.name === part.name);
  if (magic === undefined) return undefined;
  const before = context.prepared.cell.code.slice(part.rawStart, cursor);
  const word = /\S*$/.exec(before)?.[0] ?? "";
  const start = cursor - word.length;
  const assigned = /^(--[\w-]+)=(.*)$/.exec(word);
  if (assigned) {
    const [, name = "", value = ""] = assigned;
    return answer(cursor - value.length, cursor, choices(magic, name), value);
  }
  if (word.startsWith("-")) {
    const options = magic.options.map((option) => ({ text: option.name, type: "option" }));
    return answer(start, cursor, options, word);
  }
  const previous = /(\S+)\s+\S*$/.exec(before)?.[1] ?? "";
  if (magic.completes?.includes("setting")) {
    const [, name, typed = ""] = /^(\w+)\s*[=\s]\s*(\S*)$/.exec(before) ?? [];
    const setting: Setting | undefined = settings.find((one) => one.name === name);
    if (setting) {
      const values = (setting.choices ?? setting.completions ?? []).map((text) => ({ text, type: "value" }));
      return answer(cursor - typed.length, cursor, values, typed);
    }
  }
  const values = choices(magic, previous);
  if (values.length > 0) return answer(start, cursor, values, word);
  const kinds = magic.completes ?? [];
  if (kinds.includes("expression")) return undefined;
  if (kinds.includes("path")) return pathCompletions(context, cursor);
  if (kinds.includes("op") && word.startsWith("jl.")) {
    return answer(start + 3, cursor, operations(context), word.slice(3));
  }
  const options = usageWords(magic).map((text) => ({ text, type: "keyword" }));
  return answer(start, cursor, [...kinds.flatMap((kind) => words(context, kind)), ...options], word);
}

/** Completes the path before the cursor. */
export function pathCompletions(context: CellContext, cursor: number): Completions {
  const word = /[^\s"'=]*$/.exec(context.prepared.cell.code.slice(0, cursor))?.[0] ?? "";
  const name = word.slice(word.lastIndexOf("/") + 1);
  const typed = word.slice(0, word.length - name.length).replace(/^~\//, `${homedir()}/`);
  const folder = resolve(context.cwd, typed === "" ? "." : dirname(`${typed}x`));
  return answer(cursor - name.length, cursor, entriesOf(folder, name.startsWith(".")), name);
}

function answer(start: number, end: number, candidates: readonly Completion[], prefix: string): Completions {
  const matches = candidates.filter(({ text }) => text.startsWith(prefix));
  return { start, end, matches };
}

function choices(magic: Magic, name: string): Completion[] {
  const option = magic.options.find((one) => one.name === name || one.short === name);
  return option?.value === undefined ? [] : (option.choices ?? []).map((text) => ({ text, type: "value" }));
}

// A usage such as `status|list|clear` lists the words that a magic takes.
function usageWords(magic: Magic): string[] {
  const [first = ""] = magic.usage.split(" ");
  return first.includes("|") ? first.replace(/[[\]]/g, "").split("|") : [];
}

function words(context: CellContext, kind: ArgumentKind): Completion[] {
  const { vocabulary, variables, magics } = context;
  switch (kind) {
    case "op":
      return [...[...variables].sort().map((text) => ({ text, type: "variable" })), ...operations(context)];
    case "dtype":
      return vocabulary.dtypes.map((text) => ({ text, type: "type" }));
    case "device":
      return deviceKinds.map((text) => ({ text, type: "value" }));
    case "magic":
      return magics.map((magic) => ({ text: magic.name, type: "magic" }));
    case "setting":
      return settings.map(({ name }) => ({ text: name, type: "property" }));
    case "path":
    case "expression":
      return [];
    default:
      return kind satisfies never;
  }
}

function operations({ vocabulary }: CellContext): Completion[] {
  return vocabulary.ops.map((text) => ({ text, type: "function" }));
}

function entriesOf(folder: string, dotFiles: boolean): Completion[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => dotFiles || !entry.name.startsWith("."))
      .map((entry) => ({ text: entry.isDirectory() ? `${entry.name}/` : entry.name, type: "path" }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
  } catch {
    return [];
  }
}
