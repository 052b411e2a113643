// Where the host time of one call goes, from the profiler's samples: each sample belongs to a function, and a table maps
// functions to stages. Needs no clock inside the library, because calls are shorter than reading one.
import { existsSync, readFileSync } from "node:fs";
import type { Runtime } from "node:inspector";
import { Session } from "node:inspector/promises";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

// The first pattern that fits "source function" decides. Functions without a file are native: those are the FFI's.
const stages: readonly (readonly [string, RegExp])[] = [
  ["garbage collection", /^ \(garbage collector\)$/],
  ["other", /^ \(/],
  ["FFI", /^ /],
  ["allocation", /(tensor|memory|storage|size-class|collector)\.ts |makeOutput/],
  ["iterator", /(loop-nest|layout|layout-class)\.ts |nestOf/],
  ["checks", /(operand|overlap)\.ts |deviceOf/],
  ["arguments", /(\/kernel|argument-writers)\.ts |reduce-launch\.ts write/],
  [
    "lookup",
    /(dispatch|reduce|reduce-launch|reduce-passes|reduce-spec|kernel-tables|loaded-kernel|sink|operations|jit|functor|timings|recorder|graph|op-form)\.ts /,
  ],
  ["FFI", /\/device\//],
  ["other", /./],
];

const profiledMs = 1000;
const samplingUs = 100;

/** The share of each stage in the time of a call, largest first. */
export async function stageShares(call: () => unknown): Promise<Record<string, number>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.setSamplingInterval", { interval: samplingUs });
    await session.post("Profiler.start");
    repeat(call);
    const { profile } = await session.post("Profiler.stop");
    const hits = new Map<string, number>();
    for (const { callFrame, hitCount = 0 } of profile.nodes) {
      if (callFrame.url === import.meta.url || callFrame.functionName === "(idle)") continue;
      const where = `${sourceOf(callFrame)} ${callFrame.functionName || "native"}`;
      const stage = stages.find(([, pattern]) => pattern.test(where))?.[0] ?? "other";
      hits.set(stage, (hits.get(stage) ?? 0) + hitCount);
    }
    const total = [...hits.values()].reduce((sum, count) => sum + count, 0);
    const shares = [...hits].map(([stage, count]): [string, number] => [stage, count / total]);
    return Object.fromEntries(shares.sort((a, b) => b[1] - a[1]));
  } finally {
    session.disconnect();
  }
}

const maps = new Map<string, SourceMap | undefined>();

/** The source file of a function; the library's are bundled. Empty for a native function. */
function sourceOf({ url, lineNumber, columnNumber }: Runtime.CallFrame): string {
  if (!maps.has(url)) maps.set(url, url.startsWith("file:") ? mapBeside(fileURLToPath(url)) : undefined);
  const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
  return entry && "originalSource" in entry ? entry.originalSource : url;
}

function mapBeside(path: string): SourceMap | undefined {
  const map = `${path}.map`;
  return existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined;
}

function repeat(call: () => unknown): void {
  const until = performance.now() + profiledMs;
  while (performance.now() < until) {
    for (let i = 0; i < 1000; i++) call();
  }
}
