// %roofline in the child: measured launches under the speeds of their device's memory and arithmetic.
import type { Launch } from "../library.js";
import { UsageError } from "../magic.js";
import { type Figure, type LinePanel, palette } from "../render/figure.js";
import { formatBytes, formatTime, plural } from "../render/format.js";
import type { Table } from "../render/table.js";
import { type Arithmetic, arithmeticOf } from "./arithmetic.js";
import { arithmeticSpeed } from "./arithmetic-speed.js";
import { cacheSpeed, copySpeed } from "./bandwidth.js";
import type { MagicContext } from "./context.js";
import { dtypeText, kernelLabel, launchesByKey } from "./describe.js";
import { launchesOf, microsecondsOf } from "./launches.js";
import type { Dot } from "./measured.js";

/** Below it neither roof is what a kernel waits for. */
const tellingShare = 0.1;
const tooSmall = "too small to say what bounds it";

const mostDots = 60;
const mostNamed = 8;
const dotRadius = 4.5;

/** The colors of what bounds a launch; `unclear` below a tenth of both roofs. */
const boundColors = {
  memory: palette.launch,
  cache: palette.warm,
  arithmetic: palette.compile,
  unclear: palette.lookup,
} as const;

type Bound = Exclude<keyof typeof boundColors, "unclear">;

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
  /** Of copies whose bytes stay in a cache. */
  readonly cache: number;
  readonly arithmetic: ReadonlyMap<string, number>;
}

/** Measures the speeds that the dots need. */
export function roofOf(context: MagicContext, device: string, dots: readonly Dot[]): Roof {
  const precisions = new Set(
    dots.flatMap(({ arithmetic }) => (arithmetic && arithmetic.perByte > 0 ? [arithmetic.precision] : [])),
  );
  const measured = [...precisions].map((one) => [one, arithmeticSpeed(context, device, one)] as const);
  const [memory, cache] = [copySpeed(context, device), cacheSpeed(context, device)];
  return { device, memory, cache, arithmetic: new Map(measured) };
}

/** What bounds a launch, and the share of that bound's speed that it has. */
export function boundOf(roof: Roof, { launch, seconds, arithmetic }: Dot): { by: Bound; share: number } {
  const memory = launch.bytes / seconds / roof.memory;
  const peak = arithmetic && roof.arithmetic.get(arithmetic.precision);
  const computed = peak === undefined ? 0 : (arithmetic?.perByte ?? 0) * (launch.bytes / seconds / peak);
  // What is faster than memory was in a cache.
  const isCached = memory > 1.05 && roof.cache > roof.memory;
  const nearest = isCached ? launch.bytes / seconds / roof.cache : memory;
  if (computed > nearest) return { by: "arithmetic", share: computed };
  return isCached ? { by: "cache", share: nearest } : { by: "memory", share: memory };
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
    notes.push(
      `Without floating-point operations, so at the picture's left edge: ${[...uncounted].join(", ")}.`,
    );
  if (dots.some(({ launch }) => launch.variant.startsWith("rank")))
    notes.push(
      "Steps of sorts, scans and searches (rank n) count the bytes of their positions, not of tables that they index.",
    );
  return {
    heading: `${plural(dots.length, "kernel")} on ${roof.device}: copies reach ${perSecond(roof.memory, "B")}, in the cache ${perSecond(roof.cache, "B")}${speeds.length > 0 ? `, multiply-adds ${speeds.join(", ")}` : ""}`,
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

/** The dots under the roofs, on logarithmic axes; those without floating-point operations are at the left edge. */
export function rooflineFigure(roof: Roof, dots: readonly Dot[]): Figure | undefined {
  const counted = dots.flatMap(({ arithmetic }) => (arithmetic?.perByte ? [arithmetic.perByte] : []));
  const peak = Math.max(...roof.arithmetic.values());
  if (counted.length === 0) return undefined;
  const knee = peak / roof.memory;
  // Whole decades, to the edges of the picture.
  const from = 10 ** Math.floor(Math.log10(Math.min(...counted, knee) / 4));
  const to = 10 ** Math.ceil(Math.log10(4 * Math.max(...counted, knee)));
  const points = dots.map((dot, i) => pointOf(roof, dot, from, i < mostNamed));
  const least = Math.min(...points.map(({ at: [, speed] }) => speed), (from * roof.memory) / 1e9);
  const floor = 10 ** Math.floor(Math.log10(least));
  const corners = (...all: (readonly [number, number])[]) => all.map(([x, y]) => [x, y / 1e9] as const);
  const ground = floor * 1e9;
  const areas = [
    {
      ...{ color: boundColors.memory, labels: ["memory bounds here"] },
      points: corners([from, ground], [from, from * roof.memory], [knee, peak], [knee, ground]),
    },
    {
      ...{ color: boundColors.arithmetic, labels: ["arithmetic bounds here"] },
      points: corners([knee, ground], [knee, peak], [to, peak], [to, ground]),
    },
  ].map((area) => ({ ...area, name: "", marks: "area" as const }));
  const line = (
    name: string,
    color: string,
    marks: "line" | "dashes",
    ...ends: (readonly [number, number])[]
  ) => ({
    ...{ name, color, marks, points: corners(...ends) },
  });
  const slope = (name: "memory" | "cache", speed: number, marks: "line" | "dashes") =>
    line(
      `${name}, ${perSecond(speed, "B")}`,
      boundColors[name],
      marks,
      [from, from * speed],
      [peak / speed, peak],
    );
  const roofs = [
    slope("memory", roof.memory, "line"),
    ...(roof.cache > 1.1 * roof.memory ? [slope("cache", roof.cache, "dashes")] : []),
    ...[...roof.arithmetic].map(([precision, speed]) =>
      line(
        `arithmetic, ${perSecond(speed, "FLOP")} ${precision}`,
        boundColors.arithmetic,
        speed === peak ? "line" : "dashes",
        ...([speed / roof.memory, to].map((x) => [x, speed]) as [number, number][]),
      ),
    ),
  ];
  const clouds = Object.entries(boundColors).flatMap(([bound, color]): LinePanel["series"] => {
    const own = points.filter((point) => point.bound === bound);
    if (own.length === 0) return [];
    return [
      {
        // The others have the color of their roof.
        ...{ name: bound === "unclear" ? "too small to say" : "", color, marks: "points" },
        points: own.map(({ at }) => at),
        labels: own.map(({ label }) => label),
        notes: own.map(({ note }) => note),
        radii: own.map(() => dotRadius),
      },
    ];
  });
  return {
    title: `Roofline of ${roof.device}`,
    rows: [],
    panels: [
      {
        kind: "lines",
        title: "",
        x: { label: "FLOP/byte", scale: "log", unit: "number" },
        y: { label: "GFLOP/s", scale: "log", unit: "number" },
        series: [...areas, ...roofs, ...clouds],
      },
    ],
  };
}

/** Where a launch is under the roofs; without operations at `left`, as far below the memory's roof as its speed is. */
function pointOf(roof: Roof, dot: Dot, left: number, isNamed: boolean) {
  const { launch, seconds, arithmetic } = dot;
  const { by, share } = boundOf(roof, dot);
  const perByte = arithmetic?.perByte || left;
  const speed = (perByte * launch.bytes) / seconds / 1e9;
  const name = kernelLabel(launch);
  const computed = arithmetic?.perByte
    ? `${signOf(arithmetic)}${rounded(perByte)} FLOP/byte, ${rounded(speed)} GFLOP/s`
    : `no operations, ${perSecond(launch.bytes / seconds, "B")}`;
  return {
    at: [perByte, speed] as const,
    bound: share < tellingShare ? ("unclear" as const) : by,
    label: isNamed ? name : "",
    note: `${name}: ${computed}, ${Math.round(100 * share)} % of ${by}`,
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
