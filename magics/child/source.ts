// %source, %ptx and %sass in the child: finds the function of a name and lists its kernels.
import { DeviceError, didYouMean } from "../../runtime/base/errors.js";
import { enclosedLines } from "../../runtime/functor/enclosed-lines.js";
import type { Explanation, KernelResources, Launch } from "../library.js";
import { UsageError } from "../magic.js";
import { formatBytes, formatCount, plural } from "../render/format.js";
import type { Language } from "../render/highlight.js";
import type { Fold, Lines, Listing } from "../render/listing.js";
import type { ListingKind } from "../source.js";
import type { MagicContext } from "./context.js";
import { dtypeText } from "./describe.js";
import { doubleWarning } from "./doubles.js";

/** The arguments of `%source f dtypes --device D`. */
export interface ListingRequest {
  readonly target: string;
  readonly dtypes: readonly string[];
  readonly device?: string;
  readonly layout?: string;
  readonly arch?: string;
  /** True for the kernel of the derivatives. */
  readonly derivative?: boolean;
}

type ExplainOptions = Exclude<Parameters<MagicContext["jl"]["explain"]>[1], undefined>;

/** Shows the kernels of an op or functor. */
export function showListing(context: MagicContext, kind: ListingKind, request: ListingRequest): void {
  const { target, dtypes, ...rest } = request;
  const fn = resolveFunction(context, `%${kind}`, target);
  const options = { ...rest, ...(dtypes.length > 0 ? { dtypes } : {}) } as ExplainOptions;
  const explanations = context.jl.explain(fn, options);
  context.listings(explanations.map((one) => listingOf(context, kind, one)));
}

/** Shows the kernels that a cell launched; `arch` compiles them for another architecture's listing. */
export function showLaunched(
  context: MagicContext,
  kind: ListingKind,
  launches: readonly Launch[],
  arch?: string,
): void {
  const keys = [...new Set(launches.map((launch) => launch.key))];
  const explanations = keys.map((key) => context.jl.explainKey(key, arch)).filter((one) => one !== undefined);
  if (explanations.length === 0) {
    context.line("The cell launched no kernels.");
    return;
  }
  context.listings(explanations.map((one) => listingOf(context, kind, one)));
}

/** Finds the function of a name: a variable of the notebook, else an op of jl. */
export function resolveFunction(context: MagicContext, magic: string, target: string): unknown {
  const { host, jl } = context;
  const ops = jl as unknown as Readonly<Record<string, unknown>>;
  const local = lookUp(host.locals, target);
  if (jl.isExplainable(local)) return local;
  const name = target.replace(/^jl\./, "");
  const op = Object.hasOwn(ops, name) ? ops[name] : undefined;
  if (jl.isExplainable(op)) return op;
  if (local !== undefined) {
    throw new UsageError(`${magic}: ${target} is not an op or functor but ${kindOf(local)}.`);
  }
  const functors = Object.keys(host.locals).filter((key) => jl.isExplainable(host.locals[key]));
  const hint = target.includes("(")
    ? "%%source, %%ptx and %%sass above a cell show the kernels that it launches."
    : didYouMean(name, [...functors, ...Object.keys(jl.ops)]);
  throw new UsageError(
    `${magic}: no op or functor is called ${JSON.stringify(target)}.${hint && ` ${hint}`}`,
  );
}

function lookUp(locals: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = locals;
  for (const part of path.split(".")) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return undefined;
    if (!(part in value)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return `a ${typeof value}`;
  return `a ${value.constructor?.name ?? "plain object"}`;
}

function listingOf(context: MagicContext, kind: ListingKind, explanation: Explanation): Listing {
  const { op, dtypes, variant, arch, language } = explanation;
  const facts = [dtypeText(dtypes), variant];
  if (kind === "source") {
    const text = explanation.source;
    const own = userLines(context, text);
    // A functor in TypeScript, or of no variable, is known by the lines around it.
    const marked = own ?? enclosedLines(text) ?? operationLines(text, op);
    const warning = own && doubleWarning(explanation, own);
    return {
      title: op,
      facts: [...facts, language, ...resourceFacts(resourcesIfCompiled(explanation))],
      text: withPlaces(explanation),
      language: "cpp",
      folded: foldsOf(text, marked),
      ...(marked && { marked }),
      ...(warning && { warning }),
    };
  }
  const gpu = /^(?:sm|compute)_/.test(arch);
  // Checked before the text is read, which compiles it. The source needs no compiler, so this is skipped for it.
  const { cached } = explanation;
  // A host compiler's assembly serves as both assembly and machine code.
  const sass = kind === "sass" && gpu;
  const title = sass ? "SASS" : gpu ? "PTX" : "assembly";
  const text = sass ? explanation.sass : explanation.ptx;
  const origin = cached ? "from the cache" : "compiled for this listing";
  const known = [...facts, arch, title, origin, ...resourceFacts(explanation.resources)];
  const shown: Language = gpu && !sass ? "ptx" : "assembly";
  return { title: op, facts: known, text, language: shown };
}

const shortestFold = 8;

/** The common start of kernels, from the second line on, and the helper functions around the one that the functor calls. */
function foldsOf(text: string, marked: Lines | undefined): Fold[] {
  const lines = text.split("\n");
  const end = lines.findLastIndex((line) => /\binline To cast\(From /.test(line)) + 1;
  if (end <= shortestFold) return [];
  const folds: Fold[] = [{ lines: [2, end], what: "types, conversions and math functions" }];
  const functor = marked?.[0] ?? 0;
  const [first, last] = algorithmLines(lines, end, marked) ?? [functor, functor - 1];
  const helpersBefore: Fold = { lines: [end + 1, first - 1], what: "functions that it calls" };
  const helpersAfter: Fold = { lines: [last + 1, functor - 1], what: "other functions" };
  const isLong = ({ lines: [from, to] }: Fold) => to - from >= shortestFold - 1;
  folds.push(...[helpersBefore, helpersAfter].filter(isLong));
  return folds;
}

/** The lines of the function that holds an operation's algorithm, with its comment, if the operation only calls it. */
function algorithmLines(
  lines: readonly string[],
  after: number,
  marked: Lines | undefined,
): Lines | undefined {
  if (marked === undefined) return undefined;
  const body = lines.slice(marked[0] - 1, marked[1]).join("\n");
  const [, name] = /\{\s*return jl::(\w+)\([^{}]*\);\s*\}$/.exec(body) ?? [];
  if (name === undefined) return undefined;
  const isHead = (line: string) => new RegExp(`^(?:template <[^>]*> )?[\\w ]*\\b${name}\\(`).test(line);
  const head = lines.findIndex((line, i) => i >= after && i < marked[0] - 1 && isHead(line));
  if (head < 0) return undefined;
  const end = /\}$/.test(lines[head] ?? "") ? head : lines.indexOf("}", head);
  let first = head;
  while (lines[first - 1]?.startsWith("//")) first--;
  return [first + 1, end + 1];
}

// The source needs no compiler, so resources are shown only for kernels that are already compiled.
function resourcesIfCompiled(explanation: Explanation): KernelResources | undefined {
  try {
    return explanation.cached ? explanation.resources : undefined;
  } catch (error) {
    if (error instanceof DeviceError) return undefined;
    throw error;
  }
}

/** Describes registers, memory and occupancy. */
export function resourceFacts(resources: KernelResources | undefined): string[] {
  if (resources === undefined) return [];
  const { registers, sharedBytes, localBytes, occupancy } = resources;
  return [
    plural(registers, "register"),
    sharedBytes === 0 ? "no shared memory" : `${formatBytes(sharedBytes)} of shared memory`,
    localBytes === 0 ? "no spills" : `${formatBytes(localBytes)} of local memory (spills, arrays)`,
    occupancy
      ? `occupancy ${Math.round((100 * occupancy.threads) / occupancy.of)} % (${formatCount(occupancy.threads)} of ${formatCount(occupancy.of)} threads)`
      : "occupancy: needs such a GPU",
  ];
}

/** The source with the source positions of a compiled function's operations as comments. */
function withPlaces({ source, places }: Explanation): string {
  const lines = source.split("\n");
  for (const { line, place } of places) lines[line - 1] += `  // ${place}`;
  return lines.join("\n");
}

/** The lines of a user's functor inside a generated kernel. */
function userLines(context: MagicContext, text: string): Lines | undefined {
  for (const local of Object.values(context.host.locals)) {
    const source = context.jl.isExplainable(local) && (local as { source?: unknown }).source;
    const body = typeof source === "string" ? source.trim() : "";
    const at = body === "" ? -1 : text.indexOf(body);
    if (at >= 0) return linesOf(text, at, body.length);
  }
  return undefined;
}

/** The lines of an op's function inside a generated kernel. */
export function operationLines(text: string, op: string): Lines | undefined {
  const own = new RegExp(`^template <typename T>\\n[^\\n]*\\bop_${op}\\([\\s\\S]*?^}`, "m").exec(text);
  return own ? linesOf(text, own.index, own[0].length) : undefined;
}

function linesOf(text: string, at: number, length: number): Lines {
  const first = text.slice(0, at).split("\n").length;
  return [first, first + text.slice(at, at + length).split("\n").length - 1];
}
