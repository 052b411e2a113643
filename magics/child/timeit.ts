// %timeit in the child: many runs, the first call timed separately, waiting for the device inside every run.
import type { Launch, Recording } from "../library.js";
import { formatCount, formatTime, plural } from "../render/format.js";
import { bandwidthLine } from "./bandwidth.js";
import type { MagicContext } from "./context.js";
import { compileLine } from "./time.js";

/** The arguments of %timeit. */
export interface TimeitOptions {
  readonly loops?: number;
  readonly repeat?: number;
  readonly precision?: number;
  readonly quiet?: boolean;
  readonly output?: boolean;
}

/** The value of `%timeit -o`; times are in seconds per loop. */
export interface TimeitResult {
  readonly loops: number;
  readonly repeat: number;
  readonly best: number;
  readonly worst: number;
  readonly average: number;
  readonly stdev: number;
  readonly allRuns: readonly number[];
  /** The first call, which compiles missing kernels. */
  readonly firstCall: number;
}

const defaultRepeat = 7;
const enoughSeconds = 0.2;
const mostLoops = 1e9;

/** Runs `loops` loops and returns their seconds. */
type Run = (loops: number) => number;

/** Times a function that `factory` makes again for each run, so that its set-up code is not timed. */
export function timeit(
  context: MagicContext,
  options: TimeitOptions,
  factory: () => () => unknown,
): TimeitResult | undefined {
  const timed = (body: () => unknown, loops: number): number => {
    const began = performance.now();
    for (let i = 0; i < loops; i++) body();
    context.jl.synchronize();
    return (performance.now() - began) / 1e3;
  };
  const run: Run = (loops) => timed(factory(), loops);
  const body = factory();
  const first = warmUp(context, () => timed(body, 1));
  const loops = options.loops ?? enoughLoops(run);
  const runs = Array.from({ length: options.repeat ?? defaultRepeat }, () => run(loops) / loops);
  return report(context, options, loops, runs, first);
}

/** Like {@link timeit}, for async functions. */
export async function timeitAsync(
  context: MagicContext,
  options: TimeitOptions,
  factory: () => (() => unknown) | Promise<() => unknown>,
): Promise<TimeitResult | undefined> {
  const timed = async (body: () => unknown, loops: number): Promise<number> => {
    const began = performance.now();
    for (let i = 0; i < loops; i++) await body();
    context.jl.synchronize();
    return (performance.now() - began) / 1e3;
  };
  const run = async (loops: number): Promise<number> => timed(await factory(), loops);
  const body = await factory();
  const recording = context.jl.startRecording();
  const firstCall = await timed(body, 1).catch((error: unknown) => {
    recording.stop();
    throw error;
  });
  const first = firstCallOf(firstCall, recording.stop());
  let loops = options.loops ?? 1;
  if (options.loops === undefined) {
    while (loops < mostLoops && (await run(loops)) < enoughSeconds) loops *= 10;
  }
  const runs: number[] = [];
  for (let i = 0; i < (options.repeat ?? defaultRepeat); i++) runs.push((await run(loops)) / loops);
  return report(context, options, loops, runs, first);
}

interface FirstCall {
  readonly firstCall: number;
  readonly compile: string | undefined;
  readonly launches: readonly Launch[];
}

function firstCallOf(firstCall: number, recording: Recording<unknown>): FirstCall {
  return { firstCall, compile: compileLine(recording), launches: recording.launches };
}

function warmUp(context: MagicContext, once: () => number): FirstCall {
  const recording = context.jl.startRecording();
  try {
    const firstCall = once();
    return firstCallOf(firstCall, recording.stop());
  } catch (error) {
    recording.stop();
    throw error;
  }
}

/** The power of ten of loops that takes at least 0.2 s, as IPython chooses it. */
function enoughLoops(run: Run): number {
  let loops = 1;
  while (loops < mostLoops && run(loops) < enoughSeconds) loops *= 10;
  return loops;
}

function report(
  context: MagicContext,
  options: TimeitOptions,
  loops: number,
  runs: readonly number[],
  first: FirstCall,
): TimeitResult | undefined {
  const average = runs.reduce((sum, t) => sum + t, 0) / runs.length;
  const stdev = Math.sqrt(runs.reduce((sum, t) => sum + (t - average) ** 2, 0) / runs.length);
  const [best, worst] = [Math.min(...runs), Math.max(...runs)];
  if (options.quiet !== true) {
    const show = (seconds: number) => formatTime(seconds, options.precision ?? 3);
    if (first.compile !== undefined) {
      context.line(`First call: ${show(first.firstCall)}. ${first.compile.replace(/\s+:/, ":")}`);
    }
    if (worst > 4 * best && best > 0 && worst > 1e-6) {
      context.line(
        `The slowest run took ${(worst / best).toFixed(2)} times longer than the fastest. This could mean that an intermediate result is being cached.`,
      );
    }
    const [mean, deviation] = [`${show(average)} ± ${show(stdev)} per loop`, "mean ± std. dev. of"];
    const repeats = `${plural(runs.length, "run")}, ${formatCount(loops)} ${loops === 1 ? "loop" : "loops"} each`;
    context.line(`${mean} (${deviation} ${repeats})`);
    const bandwidth = bandwidthLine(context, first.launches, average);
    if (bandwidth !== undefined) context.line(bandwidth);
  }
  if (options.output !== true) return undefined;
  const { firstCall } = first;
  return { loops, repeat: runs.length, best, worst, average, stdev, allRuns: runs, firstCall };
}
