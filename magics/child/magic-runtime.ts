// The object `$magic` of cells: one method per call of expansions.
import type { CacheAction } from "../cache.js";
import type { CellHost } from "../host.js";
import type {
  Backend,
  JitOptions,
  Library,
  RawKernel,
  RawKernelOptions,
  ReductionFunction,
  ReductionOptions,
} from "../library.js";
import type { SettingName } from "../settings.js";
import type { ListingKind } from "../source.js";
import { type BenchOptions, bench } from "./bench.js";
import { runCacheAction } from "./cache.js";
import { compare } from "./compare.js";
import { compareDevices } from "./compare-devices.js";
import { compareGradients } from "./compare-gradients.js";
import { MagicContext } from "./context.js";
import { device, memory } from "./device.js";
import { type ExportRequest, exportLaunch } from "./export.js";
import { help, lsmagic } from "./help.js";
import { type InspectRequest, inspect, inspectCounters } from "./inspect.js";
import {
  type Captured,
  defineKernel,
  defineRaw,
  defineReduction,
  type Kernel,
  type Operands,
  type Outputs,
  type RawArguments,
} from "./kernel.js";
import { memoryOfCall } from "./memory.js";
import { capture, history, load, precompile, reset } from "./notebook.js";
import { type ObserverName, Observers } from "./observe.js";
import { cd, env, lines, script, setEnv, shell, writefile } from "./process.js";
import { showGuards, showProgram } from "./program.js";
import { rooflineOfCall, showMeasured } from "./roofline.js";
import { ran, runNotebook, unload } from "./run.js";
import { config } from "./settings.js";
import { type ListingRequest, showListing } from "./source.js";
import { time, timeAsync } from "./time.js";
import { type TimeitOptions, type TimeitResult, timeit, timeitAsync } from "./timeit.js";
import { showTimings } from "./timings.js";
import { asUsage } from "./usage.js";
import { who, whos } from "./variables.js";
import { type DiffRequest, showDiff, showVersions } from "./versions.js";

/** The object `$magic` of cells: the methods that magics call in the child. */
export type MagicRuntime = ReturnType<typeof makeMagicRuntime>;

type Body = () => Readonly<Record<string, unknown>>;
/** The result of a timing, for those who ask for it. */
type Timed<O> = O extends { output: true } ? TimeitResult : undefined;
type Factory = () => () => unknown;
type AsyncFactory = () => (() => unknown) | Promise<() => unknown>;

/** Creates the object for a host and a library. */
export function makeMagicRuntime(host: CellHost, library: Library) {
  const context = new MagicContext(host, library);
  const observers = new Observers(context);
  return {
    /** Makes the function of a %%kernel cell. */
    kernel: <Inputs extends readonly unknown[], Parameters, Results extends readonly unknown[]>(
      source: string,
      options: JitOptions,
    ) =>
      defineKernel(context, source, options) as Kernel<
        Operands<Inputs>,
        Captured<Parameters>,
        Outputs<Results>
      >,
    /** Makes the function of a %%cuda cell. */
    cuda: <Kinds extends readonly unknown[]>(source: string, name: string, options: RawKernelOptions) =>
      defineRaw(context, source, name, options) as RawKernel<RawArguments<Kinds>>,
    /** Makes the function of a %%reduction cell. */
    reduction: (source: string, options: ReductionOptions) =>
      defineReduction(context, source, options) as ReductionFunction,
    /** Starts an observer, which shows its result after the cell. */
    begin: (observer: ObserverName, options: object) => observers.begin(observer, options),
    end: (observer: ObserverName) => observers.end(observer),
    show: (kind: ListingKind, request: ListingRequest) =>
      asUsage(`%${kind}`, () => showListing(context, kind, request)),
    timings: (options: { name?: string; plot: boolean }) => showTimings(context, options),
    cache: (action?: CacheAction) => asUsage("%cache", () => runCacheAction(context, action)),
    time: <T>(run: () => T) => time(context, run),
    timeAsync: <T>(run: () => Promise<T>) => timeAsync(context, run),
    timeit: <const O extends TimeitOptions>(options: O, factory: Factory) =>
      timeit(context, options, factory) as Timed<O>,
    timeitAsync: <const O extends TimeitOptions>(options: O, factory: AsyncFactory) =>
      timeitAsync(context, options, factory) as Promise<Timed<O>>,
    bench: <const O extends BenchOptions>(options: O, cases: (n: number) => readonly (() => unknown)[]) =>
      bench(context, options, cases),
    inspect: (request: InspectRequest, call?: () => unknown) =>
      context.unchecked(() =>
        call ? inspect(context, request, call) : asUsage("%inspect", () => inspect(context, request)),
      ),
    inspectCounters: (request: InspectRequest, call: () => unknown) =>
      inspectCounters(context, request, call),
    roofline: ({ plot }: { plot: boolean }, call?: () => unknown) =>
      call ? rooflineOfCall(context, plot, call) : showMeasured(context, plot),
    versions: <F>(name: string, _fn?: F, call?: (fn: F) => unknown) =>
      showVersions(context, name, call as (fn: unknown) => unknown),
    diff: (request: DiffRequest) => asUsage("%diff", () => showDiff(context, request)),
    exportLaunch: (request: ExportRequest, call: () => unknown) =>
      context.unchecked(() => exportLaunch(context, request, call)),
    program: (name: string, fn: unknown, call?: () => unknown) =>
      context.unchecked(() => showProgram(context, name, fn, call)),
    guards: (name: string, fn: unknown) => showGuards(context, name, fn),
    compare: (backends: readonly Backend[], body: Body) =>
      context.unchecked(() => compare(context, backends, body)),
    compareGradients: (name: string, fn: unknown, args: readonly unknown[]) =>
      context.unchecked(() => compareGradients(context, name, fn, args)),
    compareDevices: (names: readonly string[], body: Body) =>
      context.unchecked(() => compareDevices(context, names, body)),
    device: (name?: string) => asUsage("%device", () => device(context, name)),
    memory: () => memory(context),
    memoryOfCall: (name: string, fn: (...args: never[]) => unknown, args: readonly unknown[]) =>
      context.unchecked(() => memoryOfCall(context, name, fn, args)),
    lsmagic: () => lsmagic(context),
    help: (subject?: string, detailed?: boolean) => help(context, subject, detailed),
    who: (types: readonly string[]) => who(context, types),
    whos: (types: readonly string[]) => whos(context, types),
    reset: () => reset(context),
    load: (path: string) => load(context, path),
    history: (options: { last?: number; numbers: boolean }) => history(context, options),
    config: (name?: SettingName, value?: string) =>
      asUsage(`%config ${name}`, () => config(context, name, value)),
    precompile: (words: readonly string[], options: { device?: string }) =>
      asUsage("%precompile", () => precompile(context, words, options)),
    capture: (options: Parameters<typeof capture>[1]) => capture(context, options),
    cd: (folder: string) => cd(context, folder),
    pwd: () => process.cwd(),
    env,
    setEnv: (name: string, value: string) => setEnv(context, name, value),
    shell: (command: string) => shell(context, command),
    lines: (command: string) => lines(context, command),
    script: (
      command: readonly string[],
      body: string,
      options: { out: boolean; err: boolean; check: boolean },
    ) => script(context, command, body, options),
    writefile: (path: string, text: string, append: boolean) => writefile(context, path, text, append),
    rich: (mime: string, text: string) => host.display({ [mime]: text, "text/plain": text }),
    /** The steps of %run: before and after the import of a module, and for a notebook. */
    unload: (path: string) => unload(context, path),
    ran: (module: object, path: string, specifier: string) => ran(context, module, path, specifier),
    runNotebook: (path: string) => runNotebook(context, path),
  };
}
