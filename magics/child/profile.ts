// %%profile in the child: the timeline of a cell as a table, a figure and a Chrome trace.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import type { Copy, Launch, Recording, Region } from "../library.js";
import { UsageError } from "../magic.js";
import { escapeHtml } from "../render/escape.js";
import { type Figure, palette } from "../render/figure.js";
import { formatBytes, formatMs, formatTime, plural } from "../render/format.js";
import { quiet } from "../render/html.js";
import type { MagicContext } from "./context.js";
import { kernelLabel } from "./describe.js";

interface Slice {
  /** The name of its lane; the kernels of a device are in that of the device's name. */
  readonly lane: string;
  /** Its subject: a kernel, or a number of bytes. */
  readonly subject: string;
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Further facts for the trace. */
  readonly details: Readonly<Record<string, string>>;
}

interface Lane {
  readonly lane: string;
  readonly color: string;
  readonly label: string;
  /** What stands beside it; its name by default. */
  readonly title?: string;
}

const hostLanes: readonly Lane[] = [
  { lane: "program", color: palette.generate, label: "compiled programs" },
  { lane: "cache", color: palette.lookup, label: "generate, look up, load" },
  { lane: "compile", color: palette.compile, label: "compile" },
  { lane: "launch", color: palette.launch, label: "launch" },
  { lane: "copy", color: palette.load, label: "copy from and to the host" },
];

/** The lanes of a recording: those of the host, and one for each device. */
function lanesOf(launches: readonly Launch[]): readonly Lane[] {
  const names = [...new Set(launches.map(({ device }) => device))].sort();
  const color = palette.device;
  const [lane = "device"] = names;
  if (names.length <= 1) return [...hostLanes, { lane, color, label: "device", title: "device" }];
  return [...hostLanes, ...names.map((name) => ({ lane: name, color, label: name }))];
}

/** Shows the timeline of a cell; with `trace`, also writes it as a Chrome trace. */
export function showProfile(
  context: MagicContext,
  recording: Recording<unknown>,
  options: { plot: boolean; trace?: string },
): void {
  const { launches, copies, regions, durationMs } = recording;
  if (launches.length === 0 && copies.length === 0) {
    context.line(`The cell launched no kernels in ${formatTime(durationMs / 1e3)}.`);
    return;
  }
  const slices = [
    ...regions.flatMap(regionSlices),
    ...launches.flatMap(launchSlices),
    ...copies.map(copySlice),
  ];
  const lanes = lanesOf(launches);
  // Queued kernels may end after the cell's last line.
  const wholeMs = slices.reduce((latest, { toMs }) => Math.max(latest, toMs), durationMs);
  const rows = lanes.map(({ lane, label }) => {
    const own = slices.filter((slice) => slice.lane === lane);
    const total = own.reduce((sum, slice) => sum + slice.toMs - slice.fromMs, 0);
    return [label, `${own.length}`, formatMs(total), `${((100 * total) / wholeMs).toFixed(1)} %`];
  });
  context.table({
    heading: `${formatTime(wholeMs / 1e3)}, ${plural(launches.length, "kernel launch")}`,
    columns: [
      { title: "phase" },
      ...["spans", "time", "share"].map((title) => ({ title, align: "right" as const })),
    ],
    rows,
  });
  if (options.plot) context.figure(profileFigure(slices, lanes));
  const trace = () => JSON.stringify(chromeTrace(slices, lanes));
  if (options.trace === undefined) {
    if (options.plot) showOpening(context, trace());
  } else {
    const path = resolve(options.trace);
    try {
      writeFileSync(path, trace());
    } catch (error) {
      throw new UsageError(`%%profile: cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`);
    }
    context.line(`Wrote ${path}; open it in ui.perfetto.dev or chrome://tracing.`);
  }
}

// The phases of one launch end to end: the other phases precede the launch. Kernel times are from the device's clock,
// because queued launches run later than they are made.
function launchSlices(launch: Launch): Slice[] {
  const { generateMs, lookupMs, compileMs, loadMs, launchMs } = launch.phases;
  const subject = kernelLabel(launch);
  const { device, variant, origin } = launch;
  const details = { dtypes: launch.dtypes.join(", "), variant, device, from: origin };
  const steps = [
    ["cache", "generate", generateMs],
    ["cache", "look up", lookupMs],
    ["compile", "compile", compileMs],
    ["cache", "load", loadMs],
    ["launch", "launch", launchMs],
  ] as const;
  let fromMs = launch.startMs - generateMs - lookupMs - compileMs - loadMs;
  const slices: Slice[] = [];
  for (const [lane, name, ms] of steps) {
    if (ms > 0) slices.push({ lane, subject, name, fromMs, toMs: fromMs + ms, details });
    fromMs += ms;
  }
  if (launch.deviceUs !== undefined) {
    const startMs = launch.deviceStartMs ?? launch.startMs;
    const toMs = startMs + launch.deviceUs / 1e3;
    slices.push({ lane: device, subject, name: "kernel", fromMs: startMs, toMs, details });
  }
  return slices;
}

// A program's phases end to end; its kernels are compiled together before the first is launched.
function regionSlices({ name, operations, kernels, startMs, phases }: Region): Slice[] {
  const subject = `${name} (${plural(operations, "operation")} in ${plural(kernels, "kernel")})`;
  const steps = [
    ["plan", phases.planMs],
    ["compile", phases.compileMs],
    ["launch", phases.launchMs],
  ] as const;
  let fromMs = startMs;
  return steps.flatMap(([step, ms]): Slice[] => {
    const began = fromMs;
    fromMs += ms;
    return ms > 0 ? [{ lane: "program", subject, name: step, fromMs: began, toMs: fromMs, details: {} }] : [];
  });
}

function copySlice({ device, direction, bytes, startMs, copyMs }: Copy): Slice {
  const subject = formatBytes(bytes);
  const details = { device, bytes: `${bytes}` };
  return { lane: "copy", subject, name: direction, fromMs: startMs, toMs: startMs + copyMs, details };
}

function profileFigure(slices: readonly Slice[], lanes: readonly Lane[]): Figure {
  const series = lanes.map(({ lane, color, label }, row) => ({
    name: label,
    color,
    spans: slices
      .filter((slice) => slice.lane === lane)
      .map(({ fromMs, toMs, name, subject }) => ({
        row,
        from: Math.max(0, fromMs),
        to: toMs,
        note: `${subject}: ${name} ${formatMs(toMs - fromMs)}`,
        name: subject,
      })),
  }));
  const x = { label: "time since the cell started", scale: "linear", unit: "time" } as const;
  return {
    title: "Timeline of the cell",
    rows: lanes.map(({ lane, title = lane }) => title),
    panels: [{ kind: "spans", title: "", x, series }],
  };
}

// Compressed; a longer one would make the notebook large.
const mostTraceBytes = 200_000;

/** A button that opens the trace in Perfetto's page; it needs scripts, so an untrusted notebook shows only what to do. */
function showOpening(context: MagicContext, trace: string): void {
  const bytes = gzipSync(trace);
  if (bytes.length > mostTraceBytes) return;
  const file = "%%profile --trace trace.json writes the same as a file.";
  const button = `<button type="button" style="font-size: 12px; cursor: pointer" data-trace="${bytes.toString("base64")}" onclick="${escapeHtml(openScript)}">Open in Perfetto</button>`;
  context.host.display({
    "text/html": `<div style="font-size: 12px; ${quiet}">${button} ${file}</div>`,
    "text/plain": file,
  });
}

// Perfetto's page answers PONG once it is loaded, and takes the bytes then.
const openScript = `
var bytes = Uint8Array.from(atob(this.dataset.trace), function (one) { return one.charCodeAt(0); });
var page = 'https://ui.perfetto.dev';
var tab = window.open(page);
if (!tab) return;
var timer = setInterval(function () { tab.postMessage('PING', page); }, 100);
window.addEventListener('message', function answer(event) {
  if (event.source !== tab || event.data !== 'PONG') return;
  clearInterval(timer);
  window.removeEventListener('message', answer);
  tab.postMessage({ perfetto: { buffer: bytes.buffer, title: 'jitlab' } }, page);
});`
  .replaceAll("\n", " ")
  .trim();

/** The slices in the Trace Event Format: complete events, one thread for each lane, times in microseconds. */
function chromeTrace(slices: readonly Slice[], lanes: readonly Lane[]): object {
  const traceEvents = slices.map(({ lane, name, subject, fromMs, toMs, details }) => ({
    name: `${subject}: ${name}`,
    cat: hostLanes.some((one) => one.lane === lane) ? lane : "device",
    ph: "X",
    ts: Math.max(0, fromMs) * 1e3,
    dur: (toMs - Math.max(0, fromMs)) * 1e3,
    pid: 1,
    tid: lanes.findIndex((one) => one.lane === lane) + 1,
    args: details,
  }));
  const names = lanes.map(({ label }, i) => ({
    name: "thread_name",
    ph: "M",
    pid: 1,
    tid: i + 1,
    args: { name: label },
  }));
  return { traceEvents: [...names, ...traceEvents], displayTimeUnit: "ms" };
}
