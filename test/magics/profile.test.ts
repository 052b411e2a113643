// %%profile: the timeline of a cell as text, and a trace that follows the Trace Event Format.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { makeMagicRuntime } from "../../dist/magics/child/magic-runtime.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost, fakeLibrary } from "../support/magic-host.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-profile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly cat?: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Record<string, string>;
}

/** The events of a trace file, after a check of what the format demands of each. */
function readTrace(path: string): { threads: string[]; spans: TraceEvent[] } {
  const trace = JSON.parse(readFileSync(path, "utf8"));
  expect(Object.keys(trace).sort()).toEqual(["displayTimeUnit", "traceEvents"]);
  expect(trace.displayTimeUnit).toBe("ms");
  const events: TraceEvent[] = trace.traceEvents;
  for (const event of events) {
    expect(event.ph).toMatch(/^[XM]$/);
    expect([event.pid, event.tid].every(Number.isSafeInteger)).toBe(true);
    expect(typeof event.name).toBe("string");
  }
  const spans = events.filter(({ ph }) => ph === "X");
  for (const { ts, dur, args, tid } of spans) {
    expect([ts, dur].every((us) => Number.isFinite(us) && us >= 0)).toBe(true);
    expect(Object.values(args).every((value) => typeof value === "string")).toBe(true);
    expect(events.some((event) => event.name === "thread_name" && event.tid === tid)).toBe(true);
  }
  // A viewer stacks spans of one thread: they may not overlap in part.
  for (const tid of new Set(spans.map((span) => span.tid))) {
    const own = spans.filter((span) => span.tid === tid).sort((a, b) => a.ts - b.ts);
    own.slice(1).forEach((span, i) => {
      expect(span.ts).toBeGreaterThanOrEqual((own[i]?.ts ?? 0) + (own[i]?.dur ?? 0) - 1);
    });
  }
  const threads = events.filter(({ name }) => name === "thread_name").map(({ args }) => args.name ?? "");
  return { threads, spans };
}

test("counts the time until the last queued kernel has ended, so that no share exceeds the whole", async () => {
  const host = new FakeHost();
  const library = fakeLibrary();
  const { startRecording } = library;
  library.startRecording = (options) => ({
    stop: () => {
      const recording = startRecording(options).stop();
      const launches = recording.launches.map((one) => ({ ...one, deviceStartMs: 1, deviceUs: 200_000 }));
      return { ...recording, launches: launches.slice(1, 2) };
    },
  });
  const magic = makeMagicRuntime(host, library as any);
  await host.cell(() => magic.begin("profile", { plot: false }));
  const text = host.text();
  expect(text).toMatch(/^201 ms, 1 kernel launch$/m);
  expect(text).toMatch(/^device +1 +200 ms +99.5 %$/m);
});

test("shows a lane for each device", async () => {
  const host = new FakeHost();
  const library = fakeLibrary();
  const { startRecording } = library;
  library.startRecording = (options) => ({
    stop: () => {
      const recording = startRecording(options).stop();
      const launches = recording.launches.map((one, i) => {
        const timed = { device: `cuda:${i % 2}`, deviceStartMs: 6 * i, deviceUs: 5000 };
        return { ...one, ...timed };
      });
      return { ...recording, launches };
    },
  });
  const magic = makeMagicRuntime(host, library as any);
  const trace = join(folder, "devices.json");
  await host.cell(() => magic.begin("profile", { plot: true, trace }));
  expect(host.text()).toMatch(/^cuda:0 +2 +10 ms .*\ncuda:1 +1 +5 ms/m);
  expect(readTrace(trace).threads.slice(-2)).toEqual(["cuda:0", "cuda:1"]);
  expect(host.text()).not.toMatch(/^device /m);
});

test("shows every lane and writes them as a trace", async () => {
  const host = new FakeHost();
  const magic = makeMagicRuntime(host, fakeLibrary() as any);
  const trace = join(folder, "trace.json");
  await host.cell(() => magic.begin("profile", { plot: true, trace }));
  expect(host.text().replace(trace, "trace.json")).toMatchInlineSnapshot(`
    "90 ms, 3 kernel launches

    phase                      spans     time   share
    compiled programs              4  10.6 ms  11.8 %
    generate, look up, load        6     6 ms   6.7 %
    compile                        1    77 ms  85.6 %
    launch                         3    84 μs   0.1 %
    copy from and to the host      1   500 μs   0.6 %
    device                         2    10 μs   0.0 %
    Timeline of the cell

    █ compiled programs  ▓ generate, look up, load  ▒ compile  ░ launch  ▪ copy from and to the host  · device
    program                                  ████      10.6 ms
    cache    ▓                                   ▓▓    6 ms
    compile   ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒      77 ms
    launch                                             84 μs
    copy                                               500 μs
    device                                             10 μs
    Wrote trace.json; open it in ui.perfetto.dev or chrome://tracing."
  `);
  const { threads, spans } = readTrace(trace);
  expect(threads).toEqual([
    "compiled programs",
    "generate, look up, load",
    "compile",
    "launch",
    "copy from and to the host",
    "device",
  ]);
  expect(spans.find(({ cat }) => cat === "compile")).toMatchObject({
    name: "gcd int64: compile",
    ts: 2750,
    dur: 77_000,
    args: { device: "cuda:0", from: "compiled", variant: "contiguous" },
  });
  expect(spans.find(({ cat }) => cat === "copy")).toMatchObject({ name: "7.8 KiB: to host", ts: 88_000 });
});

test("a real cell: copies to the device and back, and kernels where the device ran them", async () => {
  jl.setDevice("cpu");
  const host = new FakeHost();
  const magic = makeMagicRuntime(host, jl);
  const trace = join(folder, "real.json");
  await host.cell(() => {
    magic.begin("profile", { plot: false, trace });
    jl.tensor([1, 2, 3]).exp().sin().data();
  });
  const { spans } = readTrace(trace);
  const lane = (cat: string) => spans.filter((span) => span.cat === cat);
  expect(lane("launch").map(({ name }) => name)).toEqual(["exp float32: launch", "sin float32: launch"]);
  expect(lane("copy").map(({ name }) => name)).toEqual(["12 bytes: to device", "12 bytes: to host"]);
  const [exp, sin] = lane("device");
  const [read] = lane("copy").slice(1);
  expect(sin?.ts).toBeGreaterThanOrEqual((exp?.ts ?? 0) + (exp?.dur ?? 0) - 1);
  expect(read?.ts).toBeGreaterThanOrEqual((sin?.ts ?? 0) + (sin?.dur ?? 0) - 1);
});

test("a button holds the trace and opens it in Perfetto's page", async () => {
  const host = new FakeHost();
  const magic = makeMagicRuntime(host, fakeLibrary() as any);
  const file = join(folder, "same.json");
  await host.cell(() => magic.begin("profile", { plot: false, trace: file }));
  host.shown = [];
  await host.cell(() => magic.begin("profile", { plot: true }));
  const html = host.shown
    .map((one) => (typeof one === "string" ? "" : String(one.data["text/html"])))
    .find((text) => text.includes("data-trace"));
  const [, base64 = "", script = ""] = /data-trace="([^"]*)" onclick="([^"]*)"/.exec(html ?? "") ?? [];
  expect(gunzipSync(Buffer.from(base64, "base64")).toString()).toBe(readFileSync(file, "utf8"));
  // The page answers PONG, and takes the bytes as a buffer.
  const posted: any[] = [];
  const tab = { postMessage: (message: unknown) => posted.push(message) };
  let heard: (event: object) => void = () => {};
  const page = {
    open: (address: string) => {
      expect(address).toBe("https://ui.perfetto.dev");
      return tab;
    },
    addEventListener: (_: string, listener: typeof heard) => {
      heard = listener;
    },
    removeEventListener: () => {},
  };
  const source = script
    .replaceAll("&#39;", "'")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  new Function("window", source).call({ dataset: { trace: base64 } }, page);
  heard({ source: {}, data: "PONG" });
  expect(posted.filter((one) => one !== "PING")).toEqual([]);
  heard({ source: tab, data: "PONG" });
  expect(Buffer.from(posted.at(-1).perfetto.buffer).toString("base64")).toBe(base64);
});
