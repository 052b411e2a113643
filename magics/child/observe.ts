// Cell magics that observe their cell: they start before the body and report after the cell.
import type { ListingKind } from "../source.js";
import { showCellCache } from "./cache.js";
import type { MagicContext } from "./context.js";
import { startMemory } from "./memory.js";
import { capture } from "./notebook.js";
import { startDigits, startFinite } from "./numbers.js";
import { showProfile } from "./profile.js";
import { startProgram } from "./program.js";
import { showRoofline } from "./roofline.js";
import { showLaunched } from "./source.js";
import { startTime } from "./time.js";
import { showCellTimings } from "./timings.js";
import { asUsage } from "./usage.js";

type Finish = (failed: boolean) => void;

const noFinish: Finish = () => {};

const observers = {
  timings: (context: MagicContext, options: { plot: boolean }): Finish => {
    const recording = context.jl.startRecording({ device: true });
    return () => showCellTimings(context, recording.stop(), options.plot);
  },
  profile: (context: MagicContext, options: { plot: boolean; trace?: string }): Finish => {
    const recording = context.jl.startRecording({ device: true });
    return () => showProfile(context, recording.stop(), options);
  },
  roofline: (context: MagicContext, options: { plot: boolean }): Finish => {
    const recording = context.jl.startRecording({ device: true });
    return () => showRoofline(context, recording.stop().launches, options.plot);
  },
  cache: (context: MagicContext): Finish => {
    const recording = context.jl.startRecording();
    return () => showCellCache(context, recording.stop());
  },
  compile: (context: MagicContext, options: { exact: boolean }): Finish =>
    startProgram(context, options.exact),
  time: (context: MagicContext): Finish => startTime(context),
  nan: startFinite,
  memory: startMemory,
  digits: (context: MagicContext): Finish => startDigits(context),
  source: (context: MagicContext, options: ListingOptions): Finish => listing(context, "source", options),
  ptx: (context: MagicContext, options: ListingOptions): Finish => listing(context, "ptx", options),
  sass: (context: MagicContext, options: ListingOptions): Finish => listing(context, "sass", options),
  capture: (context: MagicContext, options: Parameters<typeof capture>[1]): Finish => {
    capture(context, options);
    return noFinish;
  },
} as const;

/** The names of the observers that expansions start. */
export type ObserverName = keyof typeof observers;

interface ListingOptions {
  readonly arch?: string;
}

function listing(context: MagicContext, kind: ListingKind, { arch }: ListingOptions): Finish {
  const recording = context.jl.startRecording();
  return () => showLaunched(context, kind, recording.stop().launches, arch);
}

/** The open observers of the running cell. */
export class Observers {
  readonly #open: { readonly name: string; readonly finish: Finish }[] = [];

  constructor(readonly context: MagicContext) {}

  /** Starts an observer; it ends with the cell, or earlier by {@link end}. */
  begin(name: ObserverName, options: object): void {
    const start = observers[name] as (context: MagicContext, options: object) => Finish;
    const report = start(this.context, options);
    const entry = { name, finish: report };
    this.#open.push(entry);
    this.context.host.after((failed) => this.#close(entry, failed));
  }

  /** Ends the innermost observer of a name before its cell ends. */
  end(name: ObserverName): void {
    const entry = this.#open.findLast((one) => one.name === name);
    if (entry) this.#close(entry, false);
  }

  #close(entry: { readonly name: string; readonly finish: Finish }, failed: boolean): void {
    const index = this.#open.indexOf(entry);
    if (index < 0) return;
    this.#open.splice(index, 1);
    asUsage(`%%${entry.name}`, () => entry.finish(failed));
  }
}
