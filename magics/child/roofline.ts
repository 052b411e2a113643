// %roofline in the child: measured launches under the speeds of their device's memory and arithmetic.
import type { Launch } from "../library.js";
import { UsageError } from "../magic.js";
import { curveColors, type Figure, ink, type LinePanel } from "../render/figure.js";
import { formatBytes, formatTime, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import { type Arithmetic, arithmeticOf } from "./arithmetic.js";
import { arithmeticSpeed } from "./arithmetic-speed.js";
import { copySpeed } from "./bandwidth.js";
import type { MagicContext } from "./context.js";
import { dtypeText, kernelLabel, launchesByKey } from "./describe.js";
import { launchesOf, microsecondsOf } from "./launches.js";
import type { Dot } from "./measured.js";

/** Below it neither roof is what a kernel waits for. */
const tellingShare = 0.1;
const tooSmall = "too small to say what bounds it";

const mostDots = 60;
const mostNamed = 8;

/** Shows the launches of a call under the rooflines of their devices. */
export function rooflineOfCall(context: MagicContext, plot: boolean, call: () => unknown): void {
  const launches = launchesOf(context, call);
  if (launches.length === 0)
    throw new UsageError("%roofline: the call launched no kernel. Call a function of tensors.");
  showRoofline(context, launches, plot);
}

/** Shows recorded launches under the rooflines of their devices, one figure for each. */
export function showRoofline(context: MagicContext, launches: readonly Launch[], plot: boolean): void {
  const dots = dotsOf(context, launches);
  context.measured.add(dots);
  show(context, dots, plot, "The cell launched no kernels.");
}

/** Shows what %roofline, %%roofline and %inspect measured in this session. */
export function showMeasured(context: MagicContext, plot: boolean): void {
  show(
    context,
    context.measured.all(),
    plot,
    "No launch was measured yet: %roofline f(x) measures a call, %%roofline a cell.",
  );
}

/** `0.125 FLOP/byte; 81 % of the memory's speed on cuda:0`, of the longest of a kernel's launches. */
export function rooflineText(context: MagicContext, launches: readonly Launch[]): string {
  const dots = dotsOf(context, launches);
  context.measured.add(dots);
  const [dot] = dots;
  if (dot === undefined) return "";
  const { arithmetic, launch } = dot;
  const bound = boundOf(roofOf(context, launch.device, dots), dot);
  const computed = arithmetic
    ? `${arithmetic.isLeast ? "≥ " : ""}${rounded(arithmetic.perByte)} FLOP/byte; `
    : "";
  if (bound.share < tellingShare) return `${computed}${tooSmall} on ${launch.device}`;
  return `${computed}${Math.round(100 * bound.share)} % of the ${bound.by}'s speed on ${launch.device}`;
}

function show(context: MagicContext, dots: readonly Dot[], plot: boolean, none: string): void {
  if (dots.length === 0) {
    context.line(none);
    return;
  }
  const devices = grouped(dots, ({ launch }) => launch.device);
  const roofs = [...devices].map(([device, own]) => [roofOf(context, device, own), own] as const);
  context.table(...roofs.map(([roof, own]) => rooflineTable(roof, own)));
  if (!plot) return;
  for (const [roof, own] of roofs) {
    const figure = rooflineFigure(roof, own);
    if (figure) context.figure(figure);
  }
}

/** The launches by kernel and size, the longest first. */
export function dotsOf({ jl }: MagicContext, launches: readonly Launch[]): Dot[] {
  const dots = launchesByKey(launches).flatMap((own) => {
    const code = jl.explainKey(own[0].key);
    if (code === undefined) return [];
    const { machine, assembly } = code.linked;
    const arithmetic = arithmeticOf((machine ?? assembly)?.lines ?? [], code.arch);
    return [...grouped(own, ({ bytes }) => bytes).values()].map((group): Dot => {
      const timed = group.map((launch) => [microsecondsOf(launch) / 1e6, launch] as const);
      const [[seconds, launch]] = timed.sort(([a], [b]) => a - b) as [(typeof timed)[0]];
      return { launch, count: group.length, seconds, arithmetic };
    });
  });
  return dots.sort((a, b) => b.seconds * b.count - a.seconds * a.count).slice(0, mostDots);
}

function grouped<K, V>(values: readonly V[], keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

/** The speeds of a device, in bytes and operations per second; the second by precision. */
export interface Roof {
  readonly device: string;
  readonly memory: number;
  readonly arithmetic: ReadonlyMap<string, number>;
}

/** Measures the speeds that the dots need. */
export function roofOf(context: MagicContext, device: string, dots: readonly Dot[]): Roof {
  const precisions = new Set(
    dots.flatMap(({ arithmetic }) => (arithmetic && arithmetic.perByte > 0 ? [arithmetic.precision] : [])),
  );
  const measured = [...precisions].map((one) => [one, arithmeticSpeed(context, device, one)] as const);
  return { device, memory: copySpeed(context, device), arithmetic: new Map(measured) };
}

/** What bounds a launch, and the share of that bound's speed that it has. */
export function boundOf(roof: Roof, { launch, seconds, arithmetic }: Dot): { by: string; share: number } {
  const memory = launch.bytes / seconds / roof.memory;
  const peak = arithmetic && roof.arithmetic.get(arithmetic.precision);
  const computed = peak === undefined ? 0 : (arithmetic?.perByte ?? 0) * (launch.bytes / seconds / peak);
  return computed > memory ? { by: "arithmetic", share: computed } : { by: "memory", share: memory };
}

const meanings = {
  "≥": "counts one round of loops of unknown length, and of called functions.",
  "≤": "counts branches that are not always taken.",
  "~": "counts one round of loops of unknown length, and branches that are not always taken.",
};

/** How sure the number of operations is. */
function signOf({ isLeast, isMost }: Arithmetic): string {
  return isLeast && isMost ? "~ " : isLeast ? "≥ " : isMost ? "≤ " : "";
}

function rooflineTable(roof: Roof, dots: readonly Dot[]): Table {
  const number = { align: "right" } as const;
  const speeds = [...roof.arithmetic].map(([precision, speed]) => `${perSecond(speed, "FLOP")} ${precision}`);
  const signs = new Set(dots.map(({ arithmetic }) => (arithmetic ? signOf(arithmetic).trim() : "")));
  const notes = Object.entries(meanings).flatMap(([sign, text]) =>
    signs.has(sign) ? [`${sign} ${text}`] : [],
  );
  const uncounted = new Set(
    dots.filter(({ arithmetic }) => !arithmetic || arithmetic.perByte === 0).map(({ launch }) => launch.op),
  );
  if (uncounted.size > 0 && uncounted.size < dots.length)
    notes.push(`Without floating-point operations, so in the table only: ${[...uncounted].join(", ")}.`);
  if (dots.some(({ launch }) => launch.variant.startsWith("rank")))
    notes.push(
      "Steps of sorts, scans and searches (rank n) count the bytes of their positions, not of tables that they index.",
    );
  return {
    heading: `${plural(dots.length, "kernel")} on ${roof.device}: copies reach ${perSecond(roof.memory, "B")}${
      speeds.length > 0 ? `, multiply-adds ${speeds.join(", ")}` : ""
    }`,
    columns: [
      { title: "kernel" },
      { title: "dtypes" },
      { title: "layout" },
      { title: "launches", ...number },
      { title: "time", doc: "Of the fastest launch.", ...number },
      { title: "reads and writes", ...number },
      { title: "memory", ...number },
      {
        title: "FLOP/byte",
        doc: "Floating-point operations for each byte, counted in the machine code.",
        ...number,
      },
      { title: "arithmetic", ...number },
      { title: "bound by", doc: "The nearer roof, and the share of its speed." },
    ],
    rows: dots.map((dot) => {
      const { launch, count, seconds, arithmetic } = dot;
      const { by, share } = boundOf(roof, dot);
      const sign = arithmetic ? signOf(arithmetic) : "";
      return [
        { text: launch.op, code: true },
        dtypeText(launch.dtypes),
        launch.variant,
        `${count}`,
        formatTime(seconds),
        formatBytes(launch.bytes),
        perSecond(launch.bytes / seconds, "B"),
        arithmetic ? `${sign}${rounded(arithmetic.perByte)}` : "–",
        arithmetic ? `${sign}${perSecond((arithmetic.perByte * launch.bytes) / seconds, "FLOP")}` : "–",
        share < tellingShare
          ? {
              text: "too small to say",
              tone: "quiet" as const,
              title: `${Math.round(100 * share)} % of ${by}`,
            }
          : `${by}, ${by === "arithmetic" ? sign : ""}${Math.round(100 * share)} %`,
      ];
    }),
    ...(notes.length > 0 && { note: notes.join("\n") }),
  };
}

/** The dots under the roofs, on logarithmic axes; undefined if no kernel has floating-point operations. */
export function rooflineFigure(roof: Roof, dots: readonly Dot[]): Figure | undefined {
  const points = dots.flatMap((dot) => {
    const { launch, seconds, arithmetic } = dot;
    if (arithmetic === undefined || arithmetic.perByte === 0) return [];
    const { by, share } = boundOf(roof, dot);
    const speed = (arithmetic.perByte * launch.bytes) / seconds / 1e9;
    const note = `${kernelLabel(launch)}: ${signOf(arithmetic)}${rounded(arithmetic.perByte)} FLOP/byte, ${rounded(speed)} GFLOP/s, ${Math.round(100 * share)} % of ${by}`;
    return [{ name: kernelLabel(launch), at: [arithmetic.perByte, speed] as const, note }];
  });
  if (points.length === 0) return undefined;
  const all = points.map(({ at: [x] }) => x);
  const ridge = Math.max(...roof.arithmetic.values()) / roof.memory;
  const [from, to] = [Math.min(...all) / 2, Math.max(...all, ridge) * 4];
  const roofs = [...roof.arithmetic].map(([precision, peak], i): LinePanel["series"][number] => {
    const knee = peak / roof.memory;
    const ends = [from, Math.min(Math.max(knee, from), to), to] as const;
    return {
      name: `${precision}: ${perSecond(roof.memory, "B")}, ${perSecond(peak, "FLOP")}`,
      color: ink.text,
      points: ends.map((x) => [x, Math.min(x * roof.memory, peak) / 1e9]),
      marks: i === 0 ? "line" : "dashes",
    };
  });
  const named = points.length <= mostNamed;
  const groups = named ? points.map((one) => [one]) : [points];
  const clouds = groups.map((group, i): LinePanel["series"][number] => ({
    name: named ? (group[0]?.name ?? "") : "kernels",
    color: curveColors[i % curveColors.length] ?? ink.text,
    points: group.map(({ at }) => at),
    notes: group.map(({ note }) => note),
    marks: "points",
  }));
  return {
    title: `Roofline of ${roof.device}`,
    rows: [],
    panels: [
      {
        kind: "lines",
        title: "",
        x: { label: "FLOP/byte", scale: "log", unit: "number" },
        y: { label: "GFLOP/s", scale: "log", unit: "number" },
        series: [...roofs, ...clouds],
      },
    ],
  };
}

const units = ["", "k", "M", "G", "T", "P"];

/** `2.62 TB/s`. */
function perSecond(value: number, unit: string): string {
  const power = value > 0 ? Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(value) / 3))) : 0;
  return `${rounded(value / 1000 ** power)} ${units[power]}${unit}/s`;
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}
