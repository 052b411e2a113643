// %lsmagic, %help and `name?` in the child.
import { inspect } from "node:util";
import { didYouMean } from "../../runtime/base/errors.js";
import { helpText, summary, usageLines } from "../help.js";
import type { Op } from "../library.js";
import { type Magic, UsageError } from "../magic.js";
import { escapeHtml, htmlText } from "../render/escape.js";
import { codeFont, quiet, tableHtml } from "../render/html.js";
import { type Table, tableText } from "../render/table.js";
import { findMagic, magics } from "../table.js";
import type { MagicContext } from "./context.js";
import { dtypeText } from "./describe.js";
import { type Form, formsOf, optionText, reference } from "./reference.js";
import { showListing } from "./source.js";

/** Lists the magics, like IPython. */
export function lsmagic(context: MagicContext): void {
  const names = (kind: "line" | "cell", percents: string) =>
    magics
      .filter((magic) => magic.kinds.includes(kind))
      .map((magic) => `${percents}${magic.name}`)
      .sort()
      .join("  ");
  context.line(`Available line magics:\n${names("line", "%")}\n`);
  context.line(`Available cell magics:\n${names("cell", "%%")}\n`);
  context.line("Automagic is OFF, % prefix IS needed for line magics.");
}

/** Shows the help of a magic, an op, a function of the library, or a variable, and on demand its source; of all magics without a name. */
export function help(context: MagicContext, subject?: string, detailed = false): void {
  if (subject === undefined) {
    show(context, overview());
    return;
  }
  const name = subject.replace(/^%+/, "");
  const magic = findMagic(name);
  const { locals } = context.host;
  if (subject.startsWith("%")) {
    if (!magic) throw unknownMagic(subject, name);
    showMagic(context, magic);
    if (detailed) showSource(context, `expansion of ${subject}`, String(magic.expand));
    return;
  }
  const path = name.split(".");
  const owner = (path[0] as string) in locals ? locals : globalThis;
  const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], owner);
  // A tensor's methods are also ops; a user's functor may have the name of one.
  const functor = context.jl.functorOf(value);
  const opName = functor && !functor.user ? functor.name : name.replace(/^jl\./, "");
  const op = opOf(context, opName);
  const forms = formsOf(context.jl, path, value);
  if (op && (value === undefined || functor?.user === false)) {
    showOp(context, opName, op);
    if (detailed) showListing(context, "source", { target: name, dtypes: [] });
  } else if (forms) {
    showForms(context, path.at(-1) as string, forms);
    if (detailed && value !== undefined) showSource(context, name, String(value));
  } else if (value !== undefined || name in locals) {
    showValue(context, name, value);
    if (detailed && functor) showListing(context, "source", { target: name, dtypes: [] });
    else if (detailed && typeof value === "function") showSource(context, name, String(value));
  } else if (magic) {
    showMagic(context, magic);
  } else {
    const known = [
      ...Object.keys(locals),
      ...Object.keys(context.jl.ops),
      ...Object.keys(reference()),
      ...magics.map((one) => one.name),
    ];
    const hint = didYouMean(name, known);
    throw new UsageError(`Object \`${subject}\` not found.${hint && ` ${hint}`}`);
  }
}

function unknownMagic(subject: string, name: string): UsageError {
  const hint = didYouMean(
    name,
    magics.map((one) => one.name),
  );
  return new UsageError(`Object \`${subject}\` not found.${hint && ` ${hint}`}`);
}

function overview(): Table {
  return {
    heading: "Magics",
    columns: [{ title: "magic" }, { title: "what it does" }],
    rows: magics.map((magic) => [
      {
        text: magic.kinds.map((kind) => (kind === "cell" ? `%%${magic.name}` : `%${magic.name}`)).join(" "),
        code: true,
      },
      summary(magic),
    ]),
    note: "%name? shows the help of one magic, gcd? of an op or a variable; !command runs a shell command.",
  };
}

function show(context: MagicContext, table: Table): void {
  context.host.display({ "text/html": tableHtml(table), "text/plain": tableText(table) });
}

function showMagic(context: MagicContext, magic: Magic): void {
  const usage = usageLines(magic).map(
    (line) => `<div style="${codeFont}; font-weight: 600">${htmlText(line)}</div>`,
  );
  const options = magic.options.map((option) => {
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [
      { text: `${option.short ? `${option.short}, ` : ""}${option.name}${value}`, code: true },
      option.doc,
    ];
  });
  const table =
    options.length === 0 ? "" : tableHtml({ columns: [{ title: "option" }, { title: "" }], rows: options });
  context.host.display({
    "text/html": [...usage, paragraphs(magic.doc), table].join("\n"),
    "text/plain": helpText(magic),
  });
}

// Docs are paragraphs; those indented by four spaces are code. Backquotes mark code inside a line.
function paragraphs(doc: string): string {
  return doc
    .split("\n\n")
    .map((part) => {
      if (part.startsWith("    ")) {
        const text = part.replace(/^ {4}/gm, "");
        return `<pre style="margin: 6px 0 6px 16px; ${codeFont}; font-size: 13px; background-color: transparent">${escapeHtml(text)}</pre>`;
      }
      const text = htmlText(part.replaceAll("\n", " "));
      return `<div style="margin: 6px 0">${text.replace(/`([^`]*)`/g, `<span style="${codeFont}">$1</span>`)}</div>`;
    })
    .join("\n");
}

function showSource(context: MagicContext, title: string, text: string): void {
  context.listings([{ title, facts: ["JavaScript"], text, language: "cpp" }]);
}

function opOf(context: MagicContext, name: string): Op | undefined {
  const ops = context.jl.ops as Readonly<Record<string, Op>>;
  return Object.hasOwn(ops, name) ? ops[name] : undefined;
}

const common = "the result has the operands' common dtype";
// The rules of dtypes in words.
const dtypeWords: Readonly<Record<Op["rule"], string>> = {
  sameAsInput: common,
  ordered: `real numbers; ${common}`,
  realNumbers: `real numbers without bool; ${common}`,
  toFloat: "integers and bool become float32",
  toRealFloat: "real numbers; integers and bool become float32",
  floatsOnly: "floating dtypes",
  floatsOrComplex: "floating and complex dtypes",
  toFloat64: "the result is float64, or complex128 of complex numbers",
  boolToInt64: "bool becomes int64",
  toReal: "the result of complex numbers is real",
  toFloatReal: "integers and bool become float32; the result of complex numbers is real",
  toComplex: "real numbers; the result is complex",
  toBool: "the result is bool",
  floatsToBool: "the result is bool",
  orderedToBool: "real numbers; the result is bool",
  integersOnly: "integers",
  integersOrBool: "integers and bool",
};

function showOp(context: MagicContext, name: string, op: Op): void {
  const names = ["a", "b", "c"].slice(0, op.arity).join(", ");
  const rows: [string, string][] = [
    ["call", `jl.${name}(${names})  or  a.${name}(${names.slice(3)})`],
    ["functor", op.functor],
    ...(op.formula === undefined ? [] : ([["formula", op.formula]] as [string, string][])),
    ["dtypes", dtypeWords[op.rule]],
    ...accuracyRow(op),
    ["cached", cachedKernels(context, name)],
    ...(op.operator === undefined ? [] : ([["operator", op.operator]] as [string, string][])),
    ...(op.numpy === undefined ? [] : ([["NumPy", op.numpy]] as [string, string][])),
    ["example", op.example],
  ];
  const table: Table = {
    columns: [{ title: "" }, { title: "" }],
    rows: rows.map(([key, text]) => [key, { text, code: true }]),
  };
  const bare = {
    "text/html": tableHtml(table),
    "text/plain": rows.map(([k, v]) => `${k.padEnd(9)} ${v}`).join("\n"),
  };
  context.host.display({
    "text/html": `<div style="${codeFont}; font-weight: 600">jl.${escapeHtml(name)}</div><div style="margin: 6px 0">${htmlText(op.doc)}</div>${bare["text/html"]}`,
    "text/plain": `jl.${name}\n${op.doc}\n\n${bare["text/plain"]}`,
  });
}

function accuracyRow({ ulp: { float32, float64 } }: Op): [string, string][] {
  if (float32 === 0 && float64 === 0) return [];
  return [["accuracy", `within ${float32} ULP in float32, ${float64} in float64`]];
}

const mostCached = 5;

/** The kernels of a function in the cache: `float32 contiguous; int64 strided2`. */
function cachedKernels({ jl }: MagicContext, op: string): string {
  const own = jl.cache.list().filter((entry) => entry.op === op);
  const texts = [...new Set(own.map(({ dtypes, variant }) => `${dtypeText(dtypes)} ${variant}`))];
  const more = texts.length > mostCached ? [`${texts.length - mostCached} more`] : [];
  return texts.length === 0 ? "no kernel yet" : [...texts.slice(0, mostCached), ...more].join("; ");
}

/** A function of the library or a method: how it is called, what it does, and an example. */
function showForms(context: MagicContext, name: string, forms: readonly Form[]): void {
  const lines = forms.flatMap(({ calls, text, options = [], example, gives }) => [
    ...calls,
    ...(text ? [text] : []),
    ...options.map((option) => `    ${optionText(option)}`),
    ...(example ? [`    ${example} // ${gives}`] : []),
    "",
  ]);
  const heading = `<div style="${codeFont}; font-weight: 600">${escapeHtml(name)}</div>`;
  const parts = forms.map(({ calls, text, options = [], example, gives }) => {
    const code = calls.map((call) => `<div style="${codeFont}">${escapeHtml(call)}</div>`).join("");
    return (
      code +
      paragraphs(
        [text, ...options.map(optionText), ...(example ? [`    ${example} // ${gives}`] : [])].join("\n\n"),
      )
    );
  });
  context.host.display({
    "text/html": [heading, ...parts].join("\n"),
    "text/plain": lines.join("\n").trimEnd(),
  });
}

const screenLines = 30;
const nameLines = 12;
const width = 100;

/** A value in as many lines as a screen has: of a large object the names of its properties. */
function onScreen(name: string, value: unknown): string {
  const lines = inspect(value, { depth: 2 }).split("\n");
  if (lines.length <= screenLines) return lines.join("\n");
  const keys = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (keys.length < screenLines)
    return [...lines.slice(0, screenLines), `... (${lines.length} lines)`].join("\n");
  const rows = [""];
  let shown = 0;
  for (const key of keys) {
    if (`${rows.at(-1)} ${key}`.length > width) {
      if (rows.length === nameLines) break;
      rows.push("");
    }
    rows.push(`${rows.pop()} ${key}`.trim());
    shown++;
  }
  const rest = shown < keys.length ? [`... and ${keys.length - shown} more`] : [];
  return [
    ...rows,
    ...rest,
    "",
    `${name}.${keys[0]}? describes one of them; Tab after ${name}. lists all.`,
  ].join("\n");
}

function showValue(context: MagicContext, name: string, value: unknown): void {
  const source = typeof value === "function" ? (value as { source?: unknown }).source : undefined;
  const listed = typeof source === "string" ? source : onScreen(name, value);
  const entry = (value as { name?: unknown } | undefined)?.name;
  const isFunctor = typeof source === "string" && typeof entry === "string";
  const text = isFunctor ? `${listed}\n\nIn the cache: ${cachedKernels(context, entry)}` : listed;
  const type =
    value === null
      ? "null"
      : typeof value === "object"
        ? (value.constructor?.name ?? "object")
        : typeof value;
  context.host.display({
    "text/html": `<div><span style="${codeFont}; font-weight: 600">${escapeHtml(name)}</span> <span style="${quiet}">${escapeHtml(type)}</span></div><pre style="margin: 6px 0; ${codeFont}; font-size: 13px; background-color: transparent">${escapeHtml(text)}</pre>`,
    "text/plain": `${name}: ${type}\n${text}`,
  });
}
