// Expands a cell to plain TypeScript: every magic becomes its expansion, and a list of pieces maps each offset of the
// expanded text to the cell. The language process converts, completes and hovers through this map.
import { didYouMean } from "../runtime/base/errors.js";
import { parseArguments } from "./arguments.js";
import { foreignMagic } from "./foreign.js";
import { expandHelp } from "./help.js";
import { type Expansion, type Magic, UsageError } from "./magic.js";
import { type CellPart, type KnownNames, type MagicPart, splitCell } from "./parse.js";
import { expandShell } from "./shell.js";

/** A span of the expanded text and its source span in the cell. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly cellStart: number;
  readonly cellEnd: number;
  /** True: the same text in both, so that offsets correspond. */
  readonly verbatim: boolean;
}

/** A misuse of a magic: its position in the cell and a one-line message. */
export interface Problem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** A cell and its expansion. */
export interface ExpandedCell {
  readonly code: string;
  readonly text: string;
  /** In the order of the text, without gaps. */
  readonly pieces: readonly Piece[];
  readonly parts: readonly CellPart[];
  readonly problems: readonly Problem[];
}

/** Expands the magics of a cell. A misuse becomes a problem, and the rest of the cell is still expanded. */
export function expandCell(
  code: string,
  magics: readonly Magic[],
  isDeclared: (name: string) => boolean = () => false,
): ExpandedCell {
  const expander = new Expander(code, magics, isDeclared);
  expander.expandAll();
  return expander.result();
}

class Expander {
  readonly #byName: ReadonlyMap<string, Magic>;
  readonly #known: KnownNames;
  readonly #pieces: Piece[] = [];
  readonly #problems: Problem[] = [];
  readonly #parts: CellPart[] = [];
  #text = "";

  constructor(
    readonly code: string,
    magics: readonly Magic[],
    isDeclared: (name: string) => boolean,
  ) {
    this.#byName = new Map(magics.map((magic) => [magic.name, magic]));
    this.#known = {
      isDeclared,
      isLineMagic: (name) => this.#byName.get(name)?.kinds.includes("line") ?? false,
    };
  }

  result(): ExpandedCell {
    return {
      code: this.code,
      text: this.#text,
      pieces: this.#pieces,
      parts: this.#parts,
      problems: this.#problems,
    };
  }

  expandAll(): void {
    this.#expandRange(0, this.code.length);
  }

  #expandRange(from: number, to: number): void {
    for (const part of splitCell(this.code.slice(from, to), this.#known)) {
      const placed = from === 0 ? part : moved(part, from);
      this.#parts.push(placed);
      try {
        this.#expandPart(placed);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        const end = placed.kind === "magic" && placed.body ? endOfLine(this.code, placed.start) : placed.end;
        this.#problems.push({ start: placed.start, end, message: error.message });
        this.#write(";", placed.start, placed.end);
      }
    }
  }

  #expandPart(part: CellPart): void {
    switch (part.kind) {
      case "code":
        this.#copy(part.start, part.end);
        return;
      case "help":
        this.#write(expandHelp(part.subject, part.detailed).prologue, part.start, part.end);
        return;
      case "shell":
        this.#copy(part.start, part.start + part.target.length);
        this.#write(expandShell(part.command, part.isCaptured).prologue, part.start, part.end);
        return;
      case "magic":
        if (part.body === undefined) this.#expandLineMagic(part);
        else this.#expandCellMagic(part, part.body.start, part.body.end);
        return;
      default:
        part satisfies never;
    }
  }

  #expandLineMagic(part: MagicPart): void {
    if (part.percents === "%%") {
      throw new UsageError(`Cell magic \`%%${part.name}\` must stand on the first line of its cell.`);
    }
    const magic = this.#find(part.name, "line");
    const { prologue } = magic.expand(parseArguments(magic, part.raw, "%"), undefined);
    this.#copy(part.start, part.start + part.target.length);
    this.#writePrologue(prologue, part, part.end);
    if (needsSemicolon(prologue, this.code.slice(part.end))) this.#write(";", part.start, part.end);
  }

  #expandCellMagic(part: MagicPart, bodyStart: number, bodyEnd: number): void {
    const magic = this.#find(part.name, "cell");
    const body = this.code.slice(bodyStart, bodyEnd);
    if (body === "") throw new UsageError(emptyBody(magic));
    const args = parseArguments(magic, part.raw, "%%");
    let expansion = magic.expand(args, body);
    if (!expansion.keepBody) {
      this.#writePrologue(expansion.prologue, part, bodyEnd);
      return;
    }
    // The body may contain magics, whose expansion may use await.
    const inner = new Expander(body, [...this.#byName.values()], this.#known.isDeclared);
    inner.expandAll();
    if (inner.#text !== body) expansion = magic.expand(args, inner.#text);
    this.#writePrologue(expansion.prologue, part, bodyStart - 1);
    this.#copy(bodyStart - 1, bodyStart);
    this.#expandRange(bodyStart, bodyEnd);
    this.#writeEpilogue(expansion, bodyEnd);
  }

  #writeEpilogue(expansion: Expansion, end: number): void {
    if (expansion.epilogue !== undefined) this.#write(`\n${expansion.epilogue}`, end, end);
  }

  #find(name: string, kind: "line" | "cell"): Magic {
    const magic = this.#byName.get(name);
    if (magic?.kinds.includes(kind)) return magic;
    const names = [...this.#byName.values()].filter((one) => one.kinds.includes(kind)).map((one) => one.name);
    const near = didYouMean(name, names).replace(/"(.*)"/, kind === "line" ? "`%$1`" : "`%%$1`");
    const advice = magic ? "" : (foreignMagic(name) ?? near);
    const hint = advice && ` ${advice}`;
    if (kind === "line") {
      const extra = magic ? ` (But cell magic \`%%${name}\` exists, did you mean that instead?)` : "";
      throw new UsageError(`Line magic function \`%${name}\` not found${extra}.${hint}`);
    }
    const extra = magic ? ` (But line magic \`%${name}\` exists, did you mean that instead?)` : "";
    throw new UsageError(`Cell magic \`%%${name}\` not found${extra}.${hint}`);
  }

  #copy(from: number, to: number): void {
    if (from === to) return;
    const start = this.#text.length;
    this.#text += this.code.slice(from, to);
    this.#pieces.push({ start, end: this.#text.length, cellStart: from, cellEnd: to, verbatim: true });
  }

  #write(text: string, cellStart: number, cellEnd: number): void {
    if (text === "") return;
    const start = this.#text.length;
    this.#text += text;
    this.#pieces.push({ start, end: this.#text.length, cellStart, cellEnd, verbatim: false });
  }

  // Finds the user's TypeScript on the magic's line in the prologue, so that errors, completion and hover work there.
  #writePrologue(prologue: string, part: MagicPart, end: number): void {
    const lineEnd = Math.min(end, endOfLine(this.code, part.start));
    let done = 0;
    for (const { start, text } of typedPieces(part)) {
      const at = unquotedIndexOf(prologue, text, done);
      if (at < 0 || this.code.slice(start, start + text.length) !== text) continue;
      this.#write(prologue.slice(done, at), part.start, lineEnd);
      this.#copy(start, start + text.length);
      done = at + text.length;
    }
    this.#write(prologue.slice(done), part.start, lineEnd);
  }
}

// A next line that starts with a bracket or an operator would continue the expansion.
function needsSemicolon(expansion: string, after: string): boolean {
  return !expansion.endsWith(";") && /^\s*\n\s*(?:[([`+*.,?&|=<-]|\/(?![/*]))/.test(after);
}

function emptyBody(magic: Magic): string {
  const hint = magic.kinds.includes("line") ? ` Did you mean the line magic %${magic.name} (single %)?` : "";
  return `%%${magic.name} is a cell magic, but the cell body is empty.${hint}`;
}

// The TypeScript in a raw magic's line: the text after leading options, or its pieces between semicolons.
function typedPieces(part: MagicPart): { start: number; text: string }[] {
  const options = /^(?:--?[A-Za-z]\S*\s+(?:\d+\s+)?)*/.exec(part.raw)?.[0].length ?? 0;
  const raw = part.raw.slice(options);
  const pieces: { start: number; text: string }[] = [];
  let start = part.rawStart + options;
  for (const piece of raw.includes(" ; ") ? raw.split(";") : [raw.replace(/(?:\s*;)+$/, "")]) {
    const text = piece.trim();
    if (text !== "") pieces.push({ start: start + piece.indexOf(text), text });
    start += piece.length + 1;
  }
  return pieces;
}

function unquotedIndexOf(text: string, sought: string, from: number): number {
  for (let at = text.indexOf(sought, from); at >= 0; at = text.indexOf(sought, at + 1)) {
    if (!/["'\\\w$]/.test(text.charAt(at - 1)) && !/["'\w$]/.test(text.charAt(at + sought.length))) return at;
  }
  return -1;
}

function endOfLine(code: string, from: number): number {
  const newline = code.indexOf("\n", from);
  return newline < 0 ? code.length : newline;
}

function moved(part: CellPart, by: number): CellPart {
  const shifted = { ...part, start: part.start + by, end: part.end + by };
  if (shifted.kind === "help") return { ...shifted, subjectStart: shifted.subjectStart + by };
  if (shifted.kind !== "magic") return shifted;
  const body = shifted.body && { start: shifted.body.start + by, end: shifted.body.end + by };
  return { ...shifted, nameStart: shifted.nameStart + by, rawStart: shifted.rawStart + by, body };
}
