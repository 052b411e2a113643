// Listings of a compile with line information: the information is taken out of the text, and each line keeps the lines of the
// source that it was made of, the innermost function's first, then those of its callers.

/** A listing, and for each of its lines the lines of the source, counted from 1. */
export interface LinkedListing {
  readonly lines: readonly string[];
  readonly from: readonly (readonly number[])[];
}

class Links {
  readonly lines: string[] = [];
  readonly from: (readonly number[])[] = [];

  add(line: string, from: readonly number[]): void {
    this.lines.push(line);
    this.from.push(from);
  }
}

const none: readonly number[] = [];

/** PTX whose directives `.loc` name lines of the first file. */
export function linkedPtx(text: string): LinkedListing {
  const links = new Links();
  // By file, line and column: where the function of a place was inlined.
  const callers = new Map<string, string>();
  const chainOf = (place: string): readonly number[] => {
    const chain: number[] = [];
    for (let at: string | undefined = place; at !== undefined && chain.length < 64; at = callers.get(at)) {
      const [file, line] = at.split(" ").map(Number);
      if (file === 1 && line && !chain.includes(line)) chain.push(line);
    }
    return chain;
  };
  let current = none;
  let inDebug = false;
  for (const line of text.split("\n")) {
    const loc = /^\s*\.loc\s+(\d+) (\d+) (\d+)(?:.*inlined_at (\d+) (\d+) (\d+))?/.exec(line);
    if (loc) {
      const [, file, row, column, ...caller] = loc;
      const place = `${file} ${row} ${column}`;
      if (caller[0] !== undefined) callers.set(place, caller.join(" "));
      current = chainOf(place);
    } else if (/^\s*\.section\s+\.debug/.test(line)) inDebug = true;
    else if (inDebug) inDebug = !/^\s*\}/.test(line);
    else if (!/^\s*\.file\s/.test(line)) links.add(line, /^\s+(?!\.)\S/.test(line) ? current : none);
  }
  return links;
}

/** The host's assembly, whose directives `.loc` name lines of the first file; directives for debuggers are left out. */
export function linkedAssembly(text: string): LinkedListing {
  const links = new Links();
  let own = "1";
  let current = none;
  for (const line of text.split("\n")) {
    // The first file with a name; DWARF 5 counts it as 0 too.
    const file = /^\s+\.file\s+(\d+) /.exec(line)?.[1];
    if (file !== undefined && file !== "0" && links.lines.length === 0) own = file;
    const loc = /^\s+\.loc\s+(\d+) (\d+)/.exec(line);
    if (loc) current = loc[1] === own && loc[2] !== "0" ? [Number(loc[2])] : none;
    else if (!/^(?:\s+\.(?:file\s|cfi_)|\s*\.L(?:VL|BB|BE|BI|FB|FE|M|func_(?:begin|end)|tmp)\w*:)/.test(line))
      links.add(line, /^\s+(?![.#])\S/.test(line) ? current : none);
  }
  return links;
}

/** A SASS instruction without most of the space around its predicate. */
function narrow(line: string): string {
  return line.replace(
    /^\s*(\/\*[0-9a-f]+\*\/)\s+(@!?\w+)?\s*/,
    (_, at, predicate = "") => `${at} ${predicate.padStart(5)} `,
  );
}

/** A disassembly whose comments name lines of a file, as nvdisasm prints them with --print-line-info-inline. */
export function linkedSass(text: string, file: string): LinkedListing {
  const links = new Links();
  let current: number[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const place = /^\s*\/\/## File "([^"]*)", line (\d+)/.exec(line);
    if (place) {
      if (!isOpen) current = [];
      isOpen = true;
      const number = Number(place[2]);
      const isOwn = (place[1] as string).split("/").at(-1) === file;
      if (isOwn && !current.includes(number)) current.push(number);
      continue;
    }
    isOpen = false;
    const isInstruction = /^\s*\/\*[0-9a-f]+\*\//.test(line);
    if (isInstruction || /^\.L\w*:/.test(line))
      links.add(isInstruction ? narrow(line) : line, isInstruction ? current : none);
  }
  return links;
}
