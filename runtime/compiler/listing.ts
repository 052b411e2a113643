// Extracts one kernel from a listing of several: its code, and the functions and tables that it refers to. Detects the
// format: PTX, WebAssembly text, g++ and clang++ assembly, nvdisasm or cuobjdump output.

/** A function or a table of a listing. */
interface Item {
  readonly name: string;
  readonly text: string;
}

interface Listing {
  readonly head: string;
  readonly items: readonly Item[];
}

/** The part of PTX or assembly that belongs to a kernel; the whole if the kernel is alone in it, or not found. */
export function listingOf(symbol: string, text: string): string {
  const { head, items } =
    listingFormats.find(({ looks }) => looks.test(text))?.read(text) ?? assemblyOf(text);
  const own = items.find((item) => item.name === symbol);
  if (!own || items.length === 1) return text;
  const kept = new Set([own]);
  // The set grows while it is iterated: items named by a kept item are kept too.
  for (const item of kept) {
    const words = new Set(item.text.match(/[\w.$]+/g));
    for (const other of items) if (words.has(other.name)) kept.add(other);
  }
  return `${[head, ...items.filter((item) => kept.has(item)).map((item) => item.text)].join("\n")}\n`;
}

/** The part of a disassembly that belongs to a kernel; the whole if it is not found. */
export function disassemblyOf(symbol: string, text: string): string {
  const parts = text.split(/^(?=\/\/-+ \.text\.|\s*Function : )/m);
  const own = parts.find((part) => /^(?:\/\/-+ \.text\.|\s*Function : )(\S+)/.exec(part)?.[1] === symbol);
  return own ?? text;
}

/** Every function and every table has its own section; the head declares the types of all functions. */
function webAssemblyOf(text: string): Listing {
  const [first = "", ...sections] = text.split(/^(?=\t\.section\t)/m);
  const head = first.split("\n").filter((line) => !line.startsWith("\t.functype\t"));
  const items = sections.map((section) => ({
    name: /^([\w.$]+):/m.exec(section)?.[1] ?? "",
    text: section.trimEnd(),
  }));
  return { head: head.join("\n").trimEnd(), items };
}

const listingFormats: readonly { readonly looks: RegExp; readonly read: (text: string) => Listing }[] = [
  { looks: /^\.address_size /m, read: ptxOf },
  { looks: /^\t\.functype\t/m, read: webAssemblyOf },
];

/** A body is enclosed by lines that are braces; the rest of PTX is single lines or lists. */
function ptxOf(text: string): Listing {
  const begins = /^\.(?:visible|weak|extern|entry|func|global|const|shared)\b/;
  const head: string[] = [];
  const chunks: string[][] = [];
  let inside = false;
  for (const line of text.split("\n")) {
    if (!inside && begins.test(line)) chunks.push([]);
    if (inside || !/^\s*(?:\/\/.*)?$/.test(line)) (chunks.at(-1) ?? head).push(line);
    if (line === "{") inside = true;
    else if (line === "}") inside = false;
  }
  const items = chunks.map((lines) => {
    const [first = ""] = lines;
    const name = /\.entry\s+([\w$]+)/.exec(first) ?? /\.func\s+(?:\([^)]*\)\s*)?([\w$]+)/.exec(first);
    return {
      name: (name ?? /([\w$]+)(?:\[\d*\])*\s*(?:=|;|$)/.exec(first))?.[1] ?? "",
      text: `\n${lines.join("\n")}`,
    };
  });
  return { head: head.join("\n"), items };
}

/** A function extends from the line that exports its name to the line with its size; constants have their own labels. */
function assemblyOf(text: string): Listing {
  const items: Item[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const exported = /^\s+\.(?:globl|weak)\s+(\S+)/.exec(line)?.[1];
    if (exported !== undefined) {
      const size = lines.findIndex(
        (other, i) => i > at && /^\s+\.size\s+([^\s,]+)/.exec(other)?.[1] === exported,
      );
      if (size < 0) continue;
      items.push({ name: exported, text: lines.slice(at, size + 1).join("\n") });
      at = size;
      continue;
    }
    const label = /^(\.LC\w*):/.exec(line)?.[1] ?? /^\s+\.set\s+(\.LC\w*),/.exec(line)?.[1];
    if (label === undefined) continue;
    const data = lines.findIndex(
      (other, i) =>
        i > at && !/^\s+\.(?:long|quad|byte|short|value|zero|set|4byte|8byte|word|xword)\b/.test(other),
    );
    items.push({ name: label, text: lines.slice(at, Math.max(at + 1, data)).join("\n") });
    at = Math.max(at, data - 1);
  }
  return { head: "", items };
}
