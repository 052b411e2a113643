// A table as a record, and its plain-text form; html.ts has the HTML form.

/** The meaning of a cell's color. */
export type Tone = "compiled" | "disk" | "remote" | "memory" | "good" | "bad" | "quiet";

/** One cell: text, or text with a tone or a tooltip. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  readonly title?: string;
  /** Code: set in a fixed-width font. */
  readonly code?: boolean;
}

/** One column. */
export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** The tooltip of the column's head. */
  readonly doc?: string;
}

/** A table with an optional heading above and note below. */
export interface Table {
  readonly heading?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | Cell)[])[];
  readonly note?: string;
}

/** The cell's text. */
export function textOf(cell: string | Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

/** The table as aligned text. */
export function tableText(table: Table): string {
  const lines = [table.columns.map((column) => column.title), ...table.rows.map((row) => row.map(textOf))];
  const widths = table.columns.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((entry, i) => {
        const width = widths[i] ?? 0;
        return table.columns[i]?.align === "right" ? entry.padStart(width) : entry.padEnd(width);
      })
      .join("  ")
      .trimEnd(),
  );
  const parts = table.rows.length === 0 ? [] : [...text];
  if (table.heading !== undefined) parts.unshift(table.heading, ...(parts.length > 0 ? [""] : []));
  if (table.note !== undefined) parts.push(...(parts.length > 0 ? [""] : []), table.note);
  return parts.join("\n");
}
