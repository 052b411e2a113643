// %inspect in the child: the kernels of a call or of a name, each as an inspector.
import { JitlabError } from "../../runtime/base/errors.js";
import type { Explanation, Launch, LinkedListing } from "../library.js";
import { UsageError } from "../magic.js";
import { formatAge, formatBytes, formatMs, formatTime, plural } from "../render/format.js";
import {
  type InspectedColumn,
  type InspectedLine,
  type Inspection,
  inspectorHtml,
  inspectorText,
} from "../render/inspector.js";
import type { MagicContext } from "./context.js";
import { count, countersDetails, shareOf, type Waits, waitsOf } from "./counters.js";
import { dtypeText, launchesByKey } from "./describe.js";
import { doubleWarning } from "./doubles.js";
import { launchesOf, microsecondsOf, tellingBytes } from "./launches.js";
import type { LaunchCounters } from "./ncu-report.js";
import { rooflineText } from "./roofline.js";
import { operationLines, resolveFunction, resourceFacts } from "./source.js";

/** The arguments of %inspect. */
export interface InspectRequest {
  /** The name of an op or functor, without a call; empty for the kernels of this process. */
  readonly target?: string;
  readonly dtypes?: readonly string[];
  readonly arch?: string;
  readonly device?: string;
  /** The number of the kernel to show, from 1 on. */
  readonly kernel?: number;
}

const mostShown = 3;
const mostListed = 40;

interface Inspected {
  readonly explanation: Explanation;
  readonly counters?: LaunchCounters | undefined;
  /** Why there are no counters. */
  readonly missing?: string;
  /** The launches of the call. */
  readonly launches: readonly Launch[];
}

/** Shows the kernels of a call, or of a name. */
export function inspect(context: MagicContext, request: InspectRequest, call?: () => unknown): void {
  if (call) show(context, request, ofCall(context, request, call));
  else if (request.target === "") showOfProcess(context, request);
  else show(context, request, ofName(context, request));
}

/** Shows the kernels of a call on a GPU with the hardware's counters. */
export async function inspectCounters(
  context: MagicContext,
  request: InspectRequest,
  call: () => unknown,
): Promise<void> {
  const recording = context.jl.startRecording();
  let launches: readonly Launch[] = [];
  const recorded = () => {
    try {
      return call();
    } finally {
      ({ launches } = recording.stop());
    }
  };
  const { counters, missing } = await count(context, recorded).finally(() => recording.stop());
  const all = inspectedOf(context, launches, undefined).map((one) => ({
    ...one,
    counters: counters.get(one.launches[0]?.key ?? ""),
    missing,
  }));
  show(context, request, all);
}

function show(context: MagicContext, request: InspectRequest, all: readonly Inspected[]): void {
  if (all.length === 0)
    throw new UsageError("%inspect: the call launched no kernel. Call a function of tensors.");
  const { kernel } = request;
  if (kernel !== undefined && kernel > all.length) {
    // A usage error is one line: the list comes before it.
    context.line(listed(all));
    throw new UsageError(`%inspect: there is no kernel ${kernel} of ${all.length}. Choose one of the list.`);
  }
  const shown = kernel === undefined ? all : [all[kernel - 1] as Inspected];
  if (shown.length > mostShown) {
    context.line(
      `${plural(all.length, "kernel")}. Choose one, for example with %inspect --kernel 1:\n${listed(all)}`,
    );
    return;
  }
  const inspections = shown.map((one) => inspectionOf(context, one));
  context.host.display({
    "text/html": inspections.map(inspectorHtml).join("\n"),
    "text/plain": inspections.map(inspectorText).join("\n\n"),
  });
}

/** Lists the kernels of this process, by the numbers that tables' tooltips name, or shows one. */
function showOfProcess(context: MagicContext, { kernel, arch }: InspectRequest): void {
  const rows = context.jl.timings();
  if (rows.length === 0)
    throw new UsageError(
      "%inspect: no kernel ran yet. Call a function of tensors, or name one: %inspect saxpy float32",
    );
  if (kernel === undefined) {
    const lines = rows.map(
      ({ op, dtypes, variant }, i) => `${`${i + 1}`.padStart(4)}  ${op} ${dtypeText(dtypes)} ${variant}`,
    );
    context.line(
      `${plural(rows.length, "kernel")} of this process. Choose one, for example with %inspect --kernel 1:`,
    );
    context.line(lines.slice(-mostListed).join("\n"));
    return;
  }
  const row = rows[kernel - 1];
  if (row === undefined)
    throw new UsageError(`%inspect: there is no kernel ${kernel} of ${rows.length}. %inspect lists them.`);
  const explanation = context.jl.explainKey(row.key, arch);
  if (explanation) show(context, {}, [{ explanation, launches: [] }]);
}

function ofName(
  context: MagicContext,
  { target = "", dtypes = [], arch, device }: InspectRequest,
): Inspected[] {
  const fn = resolveFunction(context, "%inspect", target);
  const options = {
    ...(dtypes.length > 0 && { dtypes }),
    ...(arch !== undefined && { arch }),
    ...(device !== undefined && { device }),
  } as Parameters<MagicContext["jl"]["explain"]>[1];
  return context.jl.explain(fn, options).map((explanation) => ({ explanation, launches: [] }));
}

function ofCall(context: MagicContext, { arch, device }: InspectRequest, call: () => unknown): Inspected[] {
  if (device !== undefined)
    throw new UsageError("%inspect: --device goes with a name. A call runs on the device of its tensors.");
  return inspectedOf(context, launchesOf(context, call), arch);
}

function inspectedOf(
  context: MagicContext,
  launches: readonly Launch[],
  arch: string | undefined,
): Inspected[] {
  return launchesByKey(launches).flatMap((own) => {
    const explanation = explainedFor(context, own[0], arch);
    return explanation ? [{ explanation, launches: own }] : [];
  });
}

function explainedFor({ jl }: MagicContext, { key, device }: Launch, arch?: string): Explanation | undefined {
  try {
    return jl.explainKey(key, arch);
  } catch (error) {
    if (!(error instanceof JitlabError) || error.code !== "unknown-architecture") throw error;
    throw new UsageError(
      `%inspect: the call ran on ${device}. ${error.what} Inspect a name instead: %inspect f --device cuda --arch sm_90`,
    );
  }
}

function listed(all: readonly Inspected[]): string {
  const lines = all.slice(0, mostListed).map(({ explanation, launches }, i) => {
    const { op, dtypes, variant } = explanation;
    const count = launches.length > 1 ? `, ${plural(launches.length, "launch")}` : "";
    return `${`${i + 1}`.padStart(4)}  ${op} ${dtypeText(dtypes)} ${variant}${count}`;
  });
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`      and ${more} more`] : [])].join("\n");
}

function inspectionOf(
  context: MagicContext,
  { explanation, launches, counters, missing }: Inspected,
): Inspection {
  const { op, dtypes, variant, arch, language, linked } = explanation;
  const isGpu = /^(?:sm|compute)_/.test(arch);
  const waits = linked.machine && counters && waitsOf(linked.machine, counters);
  const user = userColumn(context, explanation);
  const source = sourceColumn(explanation, language, user.lines.find(({ number }) => number === 1)?.from[0]);
  const assembly = codeColumn(isGpu ? "PTX" : "assembly", isGpu ? "ptx" : "assembly", linked.assembly);
  const machine: InspectedColumn[] = isGpu
    ? [{ ...codeColumn("SASS", "assembly", linked.machine), missing: linked.missing }]
    : [];
  const hasMachine = machine.some(({ lines }) => lines.length > 0);
  const [functor] = linked.functors;
  const warning =
    functor &&
    doubleWarning(explanation, [functor.first, functor.last])?.replace(
      /\bLine (\d+) has/,
      (_, line) => `Your line ${Number(line) - functor.first + 1} has`,
    );
  return {
    title: op,
    facts: [dtypeText(dtypes), variant, arch, ...resourceFacts(explanation.resources)],
    details: [
      ...(counters ? countersDetails(counters) : []),
      ...(missing ? [["no counters", missing] as const] : []),
      ...detailsOf(context, explanation, launches, counters === undefined && missing === undefined),
    ],
    ...(warning && { warning }),
    columns: [
      withShares(user, waits, true),
      withShares(source, waits, false),
      ...(hasMachine ? withWaits(machine, waits) : [assembly, ...machine]),
      // Beside machine code, what the driver makes it of matters to few.
      ...(hasMachine ? [{ ...assembly, isFolded: true }] : []),
    ],
    summary: summaryOf(user, isGpu ? linked.machine : linked.assembly, waits),
  };
}

/** The lines that a user wrote: functors, or the cell's lines of a compiled function; else the operation's function. */
function userColumn(context: MagicContext, explanation: Explanation): InspectedColumn {
  const { linked, places, source, op } = explanation;
  const lines: InspectedLine[] = [];
  const placed = new Map<string, number[]>();
  for (const { place, line } of places) {
    const [name] = /^.*:\d+(?=:\d+$)/.exec(place) ?? [place];
    placed.set(name, [...(placed.get(name) ?? []), line]);
  }
  for (const [place, from] of placed) lines.push({ text: `${place}  ${cellLine(context, place)}`, from });
  const { functors } = linked;
  const range = (first: number, last: number) => {
    for (let number = first; number <= last; number++)
      lines.push({ text: linked.source[number - 1] ?? "", from: [number], number: number - first + 1 });
  };
  for (const { name, first, last } of functors) {
    if (functors.length > 1 || placed.size > 0) lines.push({ text: `// ${name}`, from: [] });
    range(first, last);
  }
  const title = functors.length > 0 || placed.size > 0 ? "your lines" : "the operation";
  const own = lines.length === 0 ? operationLines(source, op) : undefined;
  if (own) range(...own);
  const missing = "This kernel has no function of its own: the generated source has all of it.";
  return { title, language: "cpp", isSource: true, lines, missing };
}

/** The text of a line of a cell, if it is known: `In[3]:4` is line 4 of cell 3. */
function cellLine({ host }: MagicContext, place: string): string {
  const [, cell, line] = /\[(\d+)\].*:(\d+)$/.exec(place) ?? [];
  const code = host.history().find(({ number }) => number === Number(cell))?.code;
  return code?.split("\n")[Number(line) - 1]?.trim() ?? "";
}

const shortestGap = 8;

/** The generated source; runs of lines before the first functor that no code was made of are left out. */
function sourceColumn(
  { linked }: Explanation,
  language: string,
  functor: number | undefined,
): InspectedColumn {
  const { source, assembly, machine } = linked;
  const used = new Set([...assembly.from, ...(machine?.from ?? [])].flat());
  const begin = functor ?? Math.min(source.length, ...used);
  const lines: InspectedLine[] = [];
  for (let number = 1; number <= source.length; number++) {
    let end = number;
    while (end < begin && !used.has(end)) end++;
    if (end - number >= shortestGap) {
      lines.push({ text: `// lines ${number} to ${end - 1}: no code`, from: [] });
      number = end - 1;
      continue;
    }
    const text = source[number - 1] ?? "";
    lines.push({ text, number, from: /^\s*(?:\/\/.*)?$/.test(text) ? [] : [number] });
  }
  return { title: language, language: "cpp", isSource: true, lines };
}

function codeColumn(
  title: string,
  language: "ptx" | "assembly",
  listing: LinkedListing | undefined,
): InspectedColumn {
  const lines = listing?.lines.map((text, i) => ({
    text: text.replaceAll("\t", "  "),
    from: listing.from[i] ?? [],
  }));
  while (lines?.at(-1)?.text.trim() === "") lines.pop();
  return { title, language, isSource: false, lines: lines ?? [] };
}

function detailsOf(
  context: MagicContext,
  explanation: Explanation,
  launches: readonly Launch[],
  isTimed: boolean,
): (readonly [string, string])[] {
  const { jl } = context;
  const details: (readonly [string, string])[] = [];
  const [first] = launches;
  if (first) {
    const us = Math.min(...launches.map(microsecondsOf));
    const rate = us > 0 && first.bytes > 0 ? `, ${Number((first.bytes / us / 1e3).toPrecision(3))} GB/s` : "";
    details.push(["reads and writes", formatBytes(first.bytes)]);
    if (isTimed) details.push([`time on ${first.device}`, `${formatTime(us / 1e6)}${rate}`]);
    if (launches.length > 1) details.push(["launches", `${launches.length}`]);
    if (isTimed && first.bytes >= tellingBytes) details.push(["roofline", rooflineText(context, launches)]);
  }
  const entry =
    keyOf(explanation) === undefined
      ? undefined
      : jl.cache.list().find(({ key }) => key === keyOf(explanation));
  if (entry) {
    const by = entry.own ? "this process" : `process ${entry.pid} on ${entry.host}`;
    const when = formatAge(Date.now() - entry.createdAt);
    details.push(["compiled", `${when} by ${by} in ${formatMs(entry.compileMs)}`]);
    const why = entry.own ? jl.cache.why(entry.key) : "";
    if (why !== "") details.push(["because", why]);
    details.push(["fetched from the cache", plural(entry.hits, "time")]);
  }
  return details;
}

/** The key of a kernel; undefined without its compiler. */
function keyOf(explanation: Explanation): string | undefined {
  try {
    return explanation.key;
  } catch (error) {
    if (error instanceof JitlabError) return undefined;
    throw error;
  }
}

/** A source's lines with their shares of the samples; `inclusive`: with those of the functions that they call. */
function withShares(column: InspectedColumn, waits: Waits | undefined, inclusive: boolean): InspectedColumn {
  if (waits === undefined) return column;
  const lines = column.lines.map((line) => {
    const share = shareOf(waits, line.from, inclusive);
    return share ? { ...line, share } : line;
  });
  return { ...column, lines };
}

function withWaits(
  columns: readonly InspectedColumn[],
  waits: Waits | undefined,
): readonly InspectedColumn[] {
  return columns.map((column) => ({
    ...column,
    lines: column.lines.map((line, i) => {
      const share = waits?.ofLine(i);
      return share ? { ...line, share } : line;
    }),
  }));
}

const mostKinds = 6;

/** Each of the user's lines that became code, with its instructions. */
function summaryOf(
  user: InspectedColumn,
  code: LinkedListing | undefined,
  waits: Waits | undefined,
): string[] {
  if (code === undefined) return [];
  const found = user.lines.flatMap(({ text, from }) => {
    const own = code.lines.filter((_, i) => code.from[i]?.some((line) => from.includes(line)));
    const kinds = new Map<string, number>();
    for (const line of own) {
      const name = /^\s*(?:\/\*\w+\*\/\s*)?(?:@!?\w+\s+)?([A-Za-z][\w]*)/.exec(line)?.[1] ?? "";
      if (name !== "") kinds.set(name, (kinds.get(name) ?? 0) + 1);
    }
    const sorted = [...kinds].sort(([, a], [, b]) => b - a);
    const words = sorted.slice(0, mostKinds).map(([name, count]) => (count > 1 ? `${count} ${name}` : name));
    const more = sorted.length > mostKinds ? ", ..." : "";
    const share = waits && shareOf(waits, from, true);
    const waited = share ? `; ${share.percent} % of the samples, ${share.note}` : "";
    const told = `${plural(own.length, "instruction")}: ${words.join(", ")}${more}${waited}`;
    return own.length === 0 ? [] : [[text.trimEnd(), told] as const];
  });
  const width = Math.min(60, Math.max(0, ...found.map(([text]) => text.length)));
  return found.map(([text, told]) => `  ${text.padEnd(width)}  ${told}`);
}
