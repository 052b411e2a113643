// Maps positions from the JavaScript to the expanded text, and from there to the user's lines.
import type { ExpandedCell, Piece } from "../../magics/expand.js";

/** A zero-based line and a column in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets of a text into positions and back. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(readonly text: string) {
    for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) this.#starts.push(i + 1);
  }

  positionAt(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - (this.#starts[low] ?? 0) };
  }

  offsetAt({ line, column }: Position): number {
    return Math.min((this.#starts[line] ?? this.text.length) + column, this.text.length);
  }

  /** The offset of a line's end, before its line break. */
  endOfLine(line: number): number {
    const next = this.#starts[line + 1];
    return next === undefined ? this.text.length : next - 1;
  }
}

/** Maps an offset of the expanded text to the cell. */
export function toCell(cell: ExpandedCell, offset: number): number {
  const piece = cell.pieces.find((one) => offset < one.end) ?? cell.pieces.at(-1);
  return piece === undefined ? 0 : inCell(piece, offset);
}

function inCell(piece: Piece, offset: number): number {
  if (!piece.verbatim) return piece.cellStart;
  return Math.min(piece.cellStart + Math.max(0, offset - piece.start), piece.cellEnd);
}

/** Maps a span of the expanded text to the cell; generated text maps to its magic's line. */
export function spanInCell(cell: ExpandedCell, start: number, end: number): { start: number; end: number } {
  const first = cell.pieces.find((one) => start < one.end) ?? cell.pieces.at(-1);
  if (first === undefined) return { start: 0, end: 0 };
  if (!first.verbatim) return { start: first.cellStart, end: first.cellEnd };
  const from = inCell(first, start);
  return { start: from, end: Math.max(from, Math.min(first.cellEnd, from + (end - start))) };
}

/** Maps an offset in the cell to the expanded text; undefined where the expansion drops it. */
export function toText(cell: ExpandedCell, offset: number): number | undefined {
  if (cell.pieces.length === 0) return 0;
  const inside = cell.pieces.filter(
    (one) => one.verbatim && one.cellStart <= offset && offset <= one.cellEnd,
  );
  const piece = inside.at(-1);
  return piece === undefined ? undefined : piece.start + (offset - piece.cellStart);
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitValues = new Map([...digits].map((digit, value) => [digit, value]));

/** One mapped place of generated text. */
export interface Segment {
  readonly generatedColumn: number;
  readonly position: Position;
}

/**
 * Makes the source map of a cell from TypeScript's map of the expanded text. `linesBefore` lines precede the mapped
 * JavaScript.
 */
export function mapToCell(
  mapText: string,
  cell: ExpandedCell,
  shift: number,
  filename: string,
  linesBefore: number,
): string {
  const { mappings } = JSON.parse(mapText) as { mappings: string };
  const text = new Lines(cell.text);
  const original = new Lines(cell.code);
  const lines = decodeMappings(mappings).map((line) =>
    line.map(({ generatedColumn, position }): Segment => {
      const offset = Math.max(0, text.offsetAt(position) - (position.line === 0 ? shift : 0));
      return { generatedColumn, position: original.positionAt(toCell(cell, offset)) };
    }),
  );
  return JSON.stringify({
    version: 3,
    sources: [filename],
    sourcesContent: [cell.code],
    names: [],
    mappings: ";".repeat(linesBefore) + encode(lines),
  });
}

/** The segments of a source map, by generated line. */
export function decodeMappings(mappings: string): Segment[][] {
  let line = 0;
  let column = 0;
  return mappings.split(";").map((generatedLine) => {
    let generatedColumn = 0;
    const segments: Segment[] = [];
    for (const text of generatedLine.split(",")) {
      const [first, , third, fourth] = numbers(text);
      if (first === undefined) continue;
      generatedColumn += first;
      if (third === undefined || fourth === undefined) continue;
      line += third;
      column += fourth;
      segments.push({ generatedColumn, position: { line, column } });
    }
    return segments;
  });
}

function numbers(text: string): number[] {
  const found: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of text) {
    const bits = digitValues.get(digit) ?? 0;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    found.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return found;
}

function encode(lines: readonly (readonly Segment[])[]): string {
  let line = 0;
  let column = 0;
  return lines
    .map((segments) => {
      let generatedColumn = 0;
      return segments
        .map((segment) => {
          const fields = [
            segment.generatedColumn - generatedColumn,
            0,
            segment.position.line - line,
            segment.position.column - column,
          ];
          generatedColumn = segment.generatedColumn;
          ({ line, column } = segment.position);
          return fields.map(digitsOf).join("");
        })
        .join(",");
    })
    .join(";");
}

function digitsOf(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = "";
  do {
    const bits = rest & 31;
    rest >>>= 5;
    text += digits.charAt(rest > 0 ? bits | 32 : bits);
  } while (rest > 0);
  return text;
}
