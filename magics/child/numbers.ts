// %%nan and %%digits in the child: the first operation of a cell that makes a NaN or an infinity ends the cell; a table of the errors
// of each operation.
import type { DigitsRecord } from "../library.js";
import { plural } from "../render/format.js";
import type { Cell, Table } from "../render/table.js";
import { cellLines, lineOf } from "./cell-lines.js";
import type { MagicContext } from "./context.js";

type Finish = (failed: boolean) => void;

/** Checks the operations of the running cell; the returned function says how many there were. */
export function startFinite(context: MagicContext, options: { allow?: "inf" }): Finish {
  const watch = context.jl.watchFinite(options);
  return (failed) => {
    watch.stop();
    if (failed) return;
    const none = options.allow === undefined ? "no NaN and no infinity" : "no NaN";
    context.line(`${plural(watch.operations, "operation")} made ${none}.`);
  };
}

/** Follows the operations of the running cell in float64; the returned function shows their errors. */
export function startDigits(context: MagicContext): Finish {
  const { host, jl } = context;
  const before = { ...host.locals };
  const watch = jl.watchDigits();
  let last: unknown;
  host.ending((value) => {
    last = value;
  });
  return (failed) => {
    const bound = Object.entries(host.locals).flatMap(([name, one]) => (one === before[name] ? [] : [one]));
    const { digits, worst, records } = watch.stop([last, ...bound]);
    if (failed) return;
    if (records.length === 0) {
      context.line("The cell computed no floating numbers.");
      return;
    }
    const all = Number.isFinite(digits) ? `${digits.toFixed(1)} digits` : "All digits";
    const of = worst
      ? `: [${worst.index.join(", ")}] is ${number(worst.value)}, exactly ${number(worst.exact)}`
      : "";
    const apart = records.every(({ isFollowed }) => isFollowed)
      ? ""
      : ", apart from operations that are not followed";
    context.table(digitsTable(`${all} of the results hold${apart}${of}.`, records, cellLines(context)));
  };
}

function digitsTable(heading: string, records: readonly DigitsRecord[], code: readonly string[]): Table {
  const right = { align: "right" } as const;
  const others = [...new Set(records.filter((one) => !one.isFollowed).map(({ operation }) => operation))];
  return {
    heading,
    columns: [
      { title: "lost", doc: "A block for each decimal digit that is wrong beyond the dtype's own." },
      { title: "line" },
      { title: "operation" },
      { title: "dtype" },
      { title: "calls", ...right },
      { title: "adds", doc: "The relative error that its rounding adds.", ...right },
      { title: "inherits", doc: "The relative error that comes from its operands.", ...right },
      { title: "bits cancelled", doc: "The leading bits of its operands that cancel.", ...right },
      { title: "worst element" },
    ],
    rows: records.map((one) => [
      strip(one),
      { text: lineOf(one.place, code), code: true },
      {
        text: one.gradientOf ? `${one.operation} (gradient of ${one.gradientOf})` : one.operation,
        code: true,
      },
      one.dtype,
      `${one.calls}`,
      ...(one.isFollowed
        ? [error(one.added), error(one.inherited), one.bitsLost < 1 ? "" : one.bitsLost.toFixed(0)]
        : [{ text: "not followed", tone: "quiet" as const }, "", ""]),
      one.worst && one.added + one.inherited > 0
        ? `[${one.worst.index.join(", ")}]: ${number(one.worst.value)}, exactly ${number(one.worst.exact)}`
        : "",
    ]),
    ...(others.length > 0 && {
      note: `Not followed, so that their results count as exact: ${others.join(", ")}.`,
    }),
  };
}

const digitsOf: Readonly<Record<string, number>> = { float16: 3, bfloat16: 2, float64: 16, complex128: 16 };

function strip({ added, inherited, dtype }: DigitsRecord): Cell {
  const most = digitsOf[dtype] ?? 7;
  const held = -Math.log10(Math.max(added, inherited, 10 ** -most));
  const lost = Math.round(Math.max(0, most - held));
  return { text: "█".repeat(lost), tone: lost > most / 3 ? "bad" : "disk" };
}

function error(value: number): string {
  return value === 0 ? "0" : value.toExponential(0);
}

function number(value: number): string {
  return String(Number(value.toPrecision(9)));
}
