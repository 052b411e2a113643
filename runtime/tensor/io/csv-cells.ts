// Tables of text as columns: reads a file's bytes cell by cell into numbers, or into the numbers of distinct texts. Text of
// UTF-8, as RFC 4180 has it: cells that begin with a quote end with one, and have others doubled.
import { JitlabError, show } from "../../base/errors.js";

/** A column: numbers, of which empty cells are NaN; or for each row the place of its text among the distinct ones. */
export type CsvColumn =
  | { readonly kind: "numbers"; readonly values: Float64Array }
  | { readonly kind: "texts"; readonly values: Int32Array; readonly texts: readonly string[] };

const [tab, newline, carriage, space, quote] = [9, 10, 13, 32, 34] as const;
const [plus, minus, point, zero, nine] = [43, 45, 46, 48, 57] as const;

// A number of at most 15 digits times or divided by a power of ten that a double holds is rounded once (Clinger 1990).
const powers = Array.from({ length: 23 }, (_, i) => 10 ** i);
const mostDigits = 15;
const written = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const special = new Map([
  ...["", "nan", "na", "null"].map((text) => [text, Number.NaN] as const),
  ...["inf", "+inf", "infinity"].map((text) => [text, Number.POSITIVE_INFINITY] as const),
  ...["-inf", "-infinity"].map((text) => [text, Number.NEGATIVE_INFINITY] as const),
]);

/** The number of a cell's text; undefined if it is none. */
function numberIn(text: string): number | undefined {
  return written.test(text) ? Number(text) : special.get(text.toLowerCase());
}

/** Reads cells one after another. */
class Cells {
  /** The next byte. */
  at = 0;
  /** The bytes of the cell that was read last; without its quotes, if it has some. */
  from = 0;
  to = 0;
  isQuoted = false;
  /** True if the cell was the last one of its row. */
  isLast = false;
  row = 0;
  /** Where the empty lines at the end of the file begin. */
  readonly #end: number;

  constructor(
    readonly what: string,
    readonly bytes: Buffer,
    readonly delimiter: number,
  ) {
    if (bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf) this.at = 3;
    let end = bytes.length;
    while (end > 0 && this.#isBreak(end - 1)) end--;
    this.#end = end;
  }

  /** Goes to the next row; false at the end of the file. An empty line is one where rows have one cell, which is empty. */
  begins(columns: number): boolean {
    if (columns > 1) while (this.at < this.#end && this.#isBreak(this.at)) this.at++;
    this.row++;
    return this.at < this.#end;
  }

  #isBreak(at: number): boolean {
    return this.bytes[at] === newline || this.bytes[at] === carriage;
  }

  next(): void {
    const { bytes, delimiter } = this;
    if (bytes[this.at] === quote) this.#quoted();
    else {
      let at = this.at;
      this.from = at;
      for (
        let byte = bytes[at];
        at < bytes.length && byte !== delimiter && byte !== newline;
        byte = bytes[++at]
      );
      this.to = at > this.from && bytes[at - 1] === carriage && bytes[at] !== delimiter ? at - 1 : at;
      this.isQuoted = false;
      this.at = at;
    }
    this.isLast = bytes[this.at] !== delimiter;
    this.at++;
  }

  #quoted(): void {
    const { bytes, delimiter } = this;
    this.from = ++this.at;
    this.isQuoted = true;
    for (;;) {
      const end = bytes.indexOf(quote, this.at);
      if (end < 0) throw this.damaged("a quote that is never closed");
      this.at = end + 1;
      if (bytes[this.at] !== quote) break;
      this.at++;
    }
    this.to = this.at - 1;
    if (bytes[this.at] === carriage) this.at++;
    const after = bytes[this.at];
    if (this.at < bytes.length && after !== delimiter && after !== newline) {
      throw this.damaged("text behind a closing quote");
    }
  }

  /** The text of the cell. */
  text(): string {
    const text = this.bytes.toString("utf8", this.from, this.to);
    return this.isQuoted ? text.replaceAll('""', '"') : text;
  }

  /** The number of the cell; undefined if it is none. */
  number(): number | undefined {
    const { bytes } = this;
    let at = this.from;
    let end = this.to;
    while (at < end && (bytes[at] === space || bytes[at] === tab)) at++;
    while (at < end && (bytes[end - 1] === space || bytes[end - 1] === tab)) end--;
    const first = at;
    const isNegative = bytes[at] === minus;
    if (isNegative || bytes[at] === plus) at++;
    let value = 0;
    let digits = 0;
    let decimals = -1;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte >= zero && byte <= nine) {
        value = value * 10 + (byte - zero);
        digits++;
        if (decimals >= 0) decimals++;
      } else if (byte === point && decimals < 0) decimals = 0;
      else break;
    }
    if (at < end || digits === 0 || digits > mostDigits) {
      return numberIn(bytes.toString("latin1", first, end));
    }
    if (decimals > 0) value /= powers[decimals] as number;
    return isNegative ? -value : value;
  }

  damaged(problem: string): JitlabError {
    return new JitlabError(
      "csv-damaged",
      `${this.what}: row ${this.row} has ${problem}.`,
      'Cells with commas, quotes or line breaks are quoted: "a, ""b""".',
    );
  }
}

/** The distinct texts of a column, found by the bytes of cells. */
class Texts {
  readonly texts: string[] = [];
  #table = new Int32Array(64).fill(-1);
  readonly #hashes: number[] = [];
  // The bytes where each text stands first; from -1 on if these have quotes.
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  /** The place of a cell's text. */
  placeOf(cells: Cells): number {
    // A quoted text and the same one without quotes are equal.
    const text = cells.isQuoted ? cells.text() : undefined;
    const hash = text === undefined ? hashOf(cells.bytes, cells.from, cells.to) : hashOfText(text);
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    for (let place = this.#table[slot] as number; place >= 0; place = this.#table[slot] as number) {
      if (this.#hashes[place] === hash && this.#isEqual(place, cells, text)) return place;
      slot = (slot + 1) & mask;
    }
    const place = this.texts.length;
    this.texts.push(text ?? cells.text());
    this.#hashes.push(hash);
    this.#starts.push(cells.isQuoted ? -1 : cells.from);
    this.#lengths.push(cells.to - cells.from);
    this.#table[slot] = place;
    if (2 * place > mask) this.#grow();
    return place;
  }

  #isEqual(place: number, cells: Cells, text: string | undefined): boolean {
    const start = this.#starts[place] as number;
    if (text !== undefined || start < 0) return this.texts[place] === (text ?? cells.text());
    const { bytes, from } = cells;
    const length = cells.to - from;
    if (this.#lengths[place] !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[from + i]) return false;
    return true;
  }

  #grow(): void {
    const table = new Int32Array(this.#table.length * 4).fill(-1);
    const mask = table.length - 1;
    for (const [place, hash] of this.#hashes.entries()) {
      let slot = hash & mask;
      while ((table[slot] as number) >= 0) slot = (slot + 1) & mask;
      table[slot] = place;
    }
    this.#table = table;
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  return hash ^ (hash >>> 15);
}

function hashOfText(text: string): number {
  const bytes = Buffer.from(text);
  return hashOf(bytes, 0, bytes.length);
}

/** The columns of a file by their names in the first row. */
export function columnsOf(what: string, bytes: Buffer, delimiter: number): Map<string, CsvColumn> {
  const head = new Cells(what, bytes, delimiter);
  const names: string[] = [];
  // Empty lines before the names are skipped.
  if (head.begins(Number.POSITIVE_INFINITY)) {
    do {
      head.next();
      names.push(head.text());
    } while (!head.isLast);
  }
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (names.length === 0 || twice !== undefined) {
    throw new JitlabError(
      "csv-damaged",
      `${what}: ${twice === undefined ? "the file is empty" : `two columns have the name ${show(twice)}`}.`,
      "The first row has the names of the columns, each its own.",
    );
  }
  const isText = names.map(() => false);
  for (;;) {
    const read = readRows(what, bytes, delimiter, head.at, isText);
    if (typeof read !== "number") return new Map(names.map((name, i) => [name, read[i] as CsvColumn]));
    // A column that begins with numbers has a text: it is read again as texts.
    isText[read] = true;
  }
}

/** All rows from a byte on; or the column of numbers that has a text. */
function readRows(
  what: string,
  bytes: Buffer,
  delimiter: number,
  start: number,
  isText: readonly boolean[],
): CsvColumn[] | number {
  const cells = new Cells(what, bytes, delimiter);
  cells.at = start;
  cells.row = 1;
  const count = isText.length;
  const texts = isText.map((is) => (is ? new Texts() : undefined));
  let capacity = Math.max(16, Math.ceil((bytes.length - start) / (4 * count)));
  let values = isText.map((is) => (is ? new Int32Array(capacity) : new Float64Array(capacity)));
  let rows = 0;
  while (cells.begins(count)) {
    if (rows === capacity) {
      capacity *= 2;
      values = values.map((own) => {
        const wider = new (own.constructor as typeof Float64Array)(capacity);
        wider.set(own);
        return wider;
      });
    }
    for (let column = 0; column < count; column++) {
      cells.next();
      if (cells.isLast !== (column === count - 1)) {
        const number = cells.isLast ? `only ${column + 1}` : "more";
        throw cells.damaged(`${number} cells, and the first one has ${count}`);
      }
      const own = values[column] as Float64Array;
      const known = texts[column];
      if (known !== undefined) own[rows] = known.placeOf(cells);
      else {
        const number = cells.number();
        if (number === undefined) return column;
        own[rows] = number;
      }
    }
    rows++;
  }
  return values.map((own, i): CsvColumn => {
    const known = texts[i];
    const kept = own.slice(0, rows);
    if (known === undefined) return { kind: "numbers", values: kept as Float64Array };
    return { kind: "texts", values: kept as Int32Array, texts: known.texts };
  });
}
