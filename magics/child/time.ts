// %time in the child: one run, with compiling listed separately.
import type { Recording } from "../library.js";
import { formatTime, plural } from "../render/format.js";
import type { MagicContext } from "./context.js";
import { launchesByKey } from "./describe.js";

/** Stops the clocks and, unless the code failed, prints them. */
export type StopTime = (failed: boolean) => void;

/** Starts the clocks of %time. */
export function startTime(context: MagicContext): StopTime {
  const recording = context.jl.startRecording();
  const cpu = process.cpuUsage();
  const began = performance.now();
  return (failed) => {
    if (failed) {
      recording.stop();
      return;
    }
    context.jl.synchronize();
    const wall = (performance.now() - began) / 1e3;
    const { user, system } = process.cpuUsage(cpu);
    const [u, s] = [user / 1e6, system / 1e6];
    context.line(`CPU times: user ${formatTime(u)}, sys: ${formatTime(s)}, total: ${formatTime(u + s)}`);
    context.line(`Wall time: ${formatTime(wall)}`);
    const compile = compileLine(recording.stop());
    if (compile !== undefined) context.line(compile);
  };
}

/** Times a function and returns its value; prints nothing if it throws. */
export function time<T>(context: MagicContext, run: () => T): T {
  const stop = startTime(context);
  let failed = true;
  try {
    const value = run();
    failed = false;
    return value;
  } finally {
    stop(failed);
  }
}

/** Like {@link time}, for an async function. */
export async function timeAsync<T>(context: MagicContext, run: () => Promise<T>): Promise<T> {
  const stop = startTime(context);
  let failed = true;
  try {
    const value = await run();
    failed = false;
    return value;
  } finally {
    stop(failed);
  }
}

/** `Compile  : 77.1 ms (1 kernel compiled, 2 from disk)`, `Load` without a compiled one, undefined if all were loaded. */
export function compileLine(recording: Recording<unknown>): string | undefined {
  const fresh = launchesByKey(recording.launches)
    .map(([first]) => first)
    .filter((launch) => launch.origin !== "memory");
  if (fresh.length === 0) return undefined;
  const ms = fresh.reduce((sum, { phases }) => {
    return sum + phases.generateMs + phases.lookupMs + phases.compileMs + phases.loadMs;
  }, 0);
  const compiled = fresh.filter((launch) => launch.origin === "compiled").length;
  const disk = fresh.length - compiled;
  const parts = [
    compiled > 0 ? `${plural(compiled, "kernel")} compiled` : "",
    disk > 0 ? `${compiled > 0 ? disk : plural(disk, "kernel")} from disk` : "",
  ];
  const what = compiled > 0 ? "Compile  " : "Load     ";
  return `${what}: ${formatTime(ms / 1e3)} (${parts.filter(Boolean).join(", ")})`;
}
