// %lsmagic, %help and the text of one magic's help; `name?` expands to the same call as `%help name`.
import { atMost, statement } from "./expansion.js";
import type { Expansion, Magic } from "./magic.js";

/** Expands `name?`, `%name?` and `%%name?`: `subject` keeps its percent signs; two question marks also show the source. */
export function expandHelp(subject: string, detailed: boolean): Expansion {
  return statement("help", subject, detailed || undefined);
}

/** `%lsmagic` and `%help`. */
export const helpMagics: readonly Magic[] = [
  {
    name: "lsmagic",
    kinds: ["line"],
    usage: "",
    options: [],
    doc: "Lists the available magics.",
    expand: (args) => {
      atMost("lsmagic", args, 0);
      return statement("lsmagic");
    },
  },
  {
    name: "help",
    kinds: ["line"],
    usage: "[name]",
    options: [],
    completes: ["magic", "op"],
    doc: "Shows what each magic does; with a name, the help of a magic, a function of the library, a tensor's method or a variable, as `name?` does.",
    expand: (args) => {
      atMost("help", args, 1);
      return statement("help", args.positional[0]);
    },
  },
];

/** The first sentence of a magic's doc. */
export function summary(magic: Magic): string {
  return magic.doc.split("\n\n", 1)[0]?.replaceAll("\n", " ") ?? "";
}

/** `%name usage`, one line for each kind. */
export function usageLines(magic: Magic): string[] {
  return magic.kinds.map((kind) => {
    const name = `${kind === "cell" ? "%%" : "%"}${magic.name}`;
    return magic.usage === "" ? name : `${name} ${magic.usage}`;
  });
}

/** The help of one magic: usage, doc and options, as plain text. */
export function helpText(magic: Magic): string {
  const rows = magic.options.map((option): [string, string] => {
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [`${option.short === undefined ? "" : `${option.short}, `}${option.name}${value}`, option.doc];
  });
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  const options = rows.map(([left, doc]) => `  ${left.padEnd(width)}  ${doc}`);
  const parts = [usageLines(magic).join("\n"), magic.doc];
  if (options.length > 0) parts.push(["Options:", ...options].join("\n"));
  return parts.join("\n\n");
}
