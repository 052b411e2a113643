// %history f and %diff in the child: the changes of a functor, and their effect on its code, time and bits.
import { median } from "../../runtime/base/units.js";
import type { Explanation, Tensor } from "../library.js";
import { UsageError } from "../magic.js";
import { formatAge, formatCount, formatTime, plural } from "../render/format.js";
import type { Cell } from "../render/table.js";
import type { MagicContext } from "./context.js";
import { differenceOf } from "./differences.js";
import type { Version } from "./kept-versions.js";
import { lineChanges } from "./line-changes.js";
import { resolveFunction } from "./source.js";

const mostShown = 10;

const right = { align: "right" } as const;

/** Shows the versions of a functor; with a call, each version's time and whether its results have the bits of the newest. */
export function showVersions(context: MagicContext, name: string, call?: (fn: unknown) => unknown): void {
  const all = context.versions.of("%history", name);
  const shown = all.slice(-mostShown);
  const last = all.length > 1 ? all.at(-1) : undefined;
  const runs = call && shown.map(({ fn }) => runOf(context, () => call(fn)));
  const newest = runs?.at(-1);
  const rows = shown.map((version, i) => {
    const before = all[all.indexOf(version) - 1];
    const changes = before && lineChanges(before.source.split("\n"), version.source.split("\n"));
    const facts = codeFacts(context, version.fn);
    const run = runs?.[i];
    return [
      { text: `${name}@${version.number}`, code: true },
      version.cell,
      formatAge(Date.now() - version.at),
      changes ? `+${changes.added} −${changes.removed}` : "–",
      facts.registers === undefined ? "–" : `${facts.registers}`,
      facts.instructions === undefined ? "–" : formatCount(facts.instructions),
      ...(run && newest
        ? [run.error ?? formatTime(run.seconds), resultCell(run, newest, run === newest)]
        : []),
    ];
  });
  const timed = [
    { title: "time", doc: "The median of seven calls, after one.", ...right },
    { title: "results", doc: "Compared with those of the newest version." },
  ];
  context.table({
    heading: `${name}: ${plural(all.length, "version")}`,
    columns: [
      { title: "version" },
      { title: "cell" },
      { title: "when" },
      { title: "lines", doc: "Added and removed since the version before." },
      { title: "registers", ...right },
      { title: "instructions", doc: "Of the kernel for its first dtype.", ...right },
      ...(runs ? timed : []),
    ],
    rows,
    ...(last && { note: `%diff ${name}@${last.number - 1} ${name}@${last.number} shows the last change.` }),
  });
}

interface Run {
  readonly seconds: number;
  readonly results: readonly Tensor[];
  readonly error?: string;
}

const rounds = 7;

function runOf({ jl }: MagicContext, call: () => unknown): Run {
  try {
    const value = call();
    jl.synchronize();
    const times = Array.from({ length: rounds }, () => {
      const began = performance.now();
      call();
      jl.synchronize();
      return (performance.now() - began) / 1e3;
    });
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const results = all.filter((one): one is Tensor => one instanceof jl.Tensor);
    return { seconds: median(times), results };
  } catch (error) {
    // An earlier version may take other arguments.
    return {
      seconds: 0,
      results: [],
      error: error instanceof Error ? (error.message.split("\n")[0] ?? "") : "failed",
    };
  }
}

function resultCell(run: Run, newest: Run, isNewest: boolean): Cell | string {
  if (isNewest) return "the newest";
  if (run.error !== undefined || newest.results.length === 0) return "–";
  if (run.results.length !== newest.results.length) return { text: "another number of results", tone: "bad" };
  for (const [i, result] of run.results.entries()) {
    const found = differenceOf(result, newest.results[i] as Tensor);
    if (typeof found === "string") return { text: found, tone: "bad" };
    if (found)
      return {
        text: `${formatCount(found.count)} differ, by up to ${Number(found.ulp.toPrecision(3))} ULP`,
        tone: "bad",
      };
  }
  return { text: "equal bits", tone: "good" };
}

/** Registers and instructions of a function's first kernel; none where its compiler is missing. */
function codeFacts({ jl }: MagicContext, fn: unknown): { registers?: number; instructions?: number } {
  try {
    const [explanation] = jl.explain(fn, {});
    if (explanation === undefined) return {};
    const { resources } = explanation;
    return { instructions: codeOf(explanation).length, ...(resources && { registers: resources.registers }) };
  } catch {
    return {};
  }
}

/** The instructions of a kernel without their addresses. */
function codeOf({ linked }: Explanation): string[] {
  const { lines } = linked.machine ?? linked.assembly;
  return lines.flatMap((line) => {
    const text = line
      .replace(/^\/\*\w+\*\/\s*/, "")
      .replaceAll("\t", " ")
      .trim();
    return text === "" || /^(?:[.}{)]|\/\/|#)/.test(text) || /^[\w$.]+:$/.test(text) ? [] : [text];
  });
}

/** The arguments of %diff. */
export interface DiffRequest {
  readonly words: readonly string[];
  readonly sass: boolean;
  readonly device?: string;
  readonly arch?: string;
}

interface Side {
  readonly name: string;
  readonly text: string;
  readonly explanation: () => Explanation;
}

/** Shows the changes between two versions of a functor, or between its kernels for two dtypes or layouts. */
export function showDiff(context: MagicContext, request: DiffRequest): void {
  const [one, other] = sidesOf(context, request);
  const kernels = request.sass ? [one.explanation(), other.explanation()] : [];
  const [before, after] = request.sass
    ? (kernels.map(codeOf) as [string[], string[]])
    : [one.text.split("\n"), other.text.split("\n")];
  const changes = lineChanges(before, after);
  if (changes.added + changes.removed === 0) {
    context.line(`${one.name} and ${other.name} have the same ${request.sass ? "machine code" : "text"}.`);
    return;
  }
  context.listings([
    {
      title: `${one.name} → ${other.name}`,
      facts: [`+${changes.added} −${changes.removed} lines`, ...factsOf(kernels)],
      text: changes.lines.join("\n"),
      language: request.sass ? "assembly" : "cpp",
    },
  ]);
}

function factsOf(kernels: readonly Explanation[]): string[] {
  const [one, other] = kernels;
  if (!one || !other) return [];
  const facts = [`${codeOf(one).length} → ${codeOf(other).length} instructions`];
  const [before, after] = [one.resources, other.resources];
  if (before && after) facts.push(`${before.registers} → ${after.registers} registers`);
  return facts;
}

function sidesOf(context: MagicContext, { words, device, arch }: DiffRequest): readonly [Side, Side] {
  const place = { ...(device !== undefined && { device }), ...(arch !== undefined && { arch }) };
  const explained = (fn: unknown, more: object) => {
    const [found] = context.jl.explain(fn, { ...place, ...more });
    return found as Explanation;
  };
  const [first = "", second = "", third] = words;
  if (third === undefined) {
    const sides = [first, second].map((word): Side => {
      const { fn, source } = versionOf(context, word);
      return { name: word, text: source, explanation: () => explained(fn, {}) };
    });
    return sides as unknown as readonly [Side, Side];
  }
  const fn = resolveFunction(context, "%diff", first);
  const sides = [second, third].map((word): Side => {
    const options = /^(?:contiguous|strided\d*)$/.test(word) ? { layout: word } : { dtypes: [word] };
    const explanation = explained(fn, options);
    return { name: `${first} ${word}`, text: explanation.source, explanation: () => explanation };
  });
  return sides as unknown as readonly [Side, Side];
}

/** The version of `f@2`. */
function versionOf(context: MagicContext, word: string): Version {
  const [, name = "", number] = /^([\w$]+)@(\d+)$/.exec(word) ?? [];
  if (name === "") throw new UsageError(`%diff: ${JSON.stringify(word)} is not a version such as f@2.`);
  const all = context.versions.of("%diff", name);
  const found = all.find((one) => one.number === Number(number));
  if (found) return found;
  throw new UsageError(
    `%diff: ${name} has the versions ${all.map((one) => `${name}@${one.number}`).join(", ")}, not ${word}.`,
  );
}
