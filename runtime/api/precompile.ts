// jl.precompile: compiles kernels before their first call, many at once on all cores.

import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { CompileError, isArray, JitlabError, show } from "../base/errors.js";
import { batchClass, renderBatch } from "../codegen/maps/batch.js";
import type { KernelSpec } from "../codegen/maps/map-spec.js";
import { type BatchJob, compileBatches } from "../launch/batches.js";
import { explainCompileError } from "../launch/functor-error.js";
import { requestOf } from "../launch/requests.js";
import type { RawCode } from "../raw/raw-kernel.js";
import { explainReduction } from "../tensor/statistics/reduce.js";
import { plannedKernel, plannedReduction } from "./explain.js";
import { explainRaw, rawKernelOf, requestOfRaw } from "./raw-kernel.js";

/**
 * One call to compile for: an operation, a reduction or a function of jl.jit, and one dtype for all inputs or one for each;
 * or a raw kernel alone.
 */
export type PrecompileEntry = readonly [fn: unknown, ...dtypes: DTypeName[]];

/** Options of `precompile`. */
export interface PrecompileOptions {
  /** A device name; default: the default device. The device need not be present. */
  readonly device?: string;
  /** An architecture such as `sm_90`; default: the device's own. */
  readonly arch?: string;
  /** Compilers at once; default: all cores. */
  readonly threads?: number;
  /** Called after each kernel. */
  readonly onProgress?: (progress: PrecompileProgress) => void;
}

/** The progress of `precompile`. */
export interface PrecompileProgress {
  readonly done: number;
  readonly total: number;
  /** The last finished kernel. */
  readonly op: string;
  readonly dtypes: readonly string[];
}

/** The result of `precompile`. */
export interface PrecompileReport {
  /** Kernels compiled now. */
  readonly compiled: number;
  /** Kernels that were already stored, or that another process compiled in the meantime. */
  readonly cached: number;
  readonly ms: number;
}

interface Job extends BatchJob {
  /** For elementwise kernels; reductions do not share their text. */
  readonly spec: KernelSpec | undefined;
  /** Reports a failure in the user's text. */
  readonly told: (error: JitlabError) => JitlabError;
}

/**
 * Compiles missing kernels for calls on contiguous tensors, and returns when all are stored. For a reduction these are its
 * kernels over all elements, along the first and along the last dimension. If a functor does not compile, the others still
 * do; its error is thrown at the end.
 *
 * @example (jl.precompile([[jl.add, "float32"]]), jl.precompile([[jl.add, "float32"]])).compiled // 0
 */
export function precompile(
  entries: readonly PrecompileEntry[],
  options: PrecompileOptions = {},
): PrecompileReport {
  const began = performance.now();
  const { threads } = checked(optionsOf("precompile", options, ["device", "arch", "threads", "onProgress"]));
  if (!isArray(entries)) throw badEntry(entries);
  const jobs = entries.flatMap((entry) => jobsOf(entry, options));
  const failures: JitlabError[] = [];
  const counts = { compiled: 0, stored: 0 };
  let done = 0;
  compileBatches(jobs, {
    threads,
    textOf: (batch) => renderBatch(batch.flatMap(({ spec }) => spec ?? [])),
    done: ({ told, request }, result) => {
      if (typeof result === "string") counts[result]++;
      else failures.push(told(result));
      const { op, dtypes } = request;
      options.onProgress?.({ done: ++done, total: jobs.length, op, dtypes });
    },
  });
  if (failures.length > 0) throw combined(failures, jobs.length);
  return { compiled: counts.compiled, cached: counts.stored, ms: performance.now() - began };
}

function jobsOf(entry: PrecompileEntry, { device, arch }: PrecompileOptions): readonly Job[] {
  if (!isArray(entry)) {
    throw badEntry(entry);
  }
  const [fn, ...dtypes] = entry;
  const place = { ...(device === undefined ? {} : { device }), ...(arch === undefined ? {} : { arch }) };
  const reduction = plannedReduction("precompile", fn, { ...place, dtypes });
  if (reduction) {
    const told = (error: JitlabError) => explainReduction(fn, error) as JitlabError;
    return reduction.map((request) => ({ spec: undefined, request, shares: () => undefined, told }));
  }
  const raw = rawKernelOf(fn);
  if (raw) return [rawJob(raw, dtypes, place)];
  const { spec, target } = plannedKernel("precompile", fn, [], { ...place, dtypes });
  const told = (error: JitlabError) => named(spec, error);
  return [{ spec, request: requestOf(spec, target), shares: () => batchClass(spec), told }];
}

function rawJob(
  raw: RawCode,
  dtypes: readonly DTypeName[],
  place: Pick<PrecompileOptions, "device" | "arch">,
): Job {
  if (dtypes.length > 0) {
    throw new JitlabError(
      "argument-count",
      `precompile: ${raw.name} is a raw kernel with declared dtypes, but got ${dtypes.join(", ")}.`,
      "Omit the dtypes.",
    );
  }
  const told = (error: JitlabError) => (error instanceof CompileError ? explainRaw(raw, error) : error);
  return { spec: undefined, request: requestOfRaw(raw, place), shares: () => undefined, told };
}

function badEntry(entry: unknown): JitlabError {
  return new JitlabError(
    "bad-entry",
    `precompile: every entry must be a list of a function and its dtypes, but got ${show(entry)}.`,
    'For example: jl.precompile([[jl.add, "float32"]]).',
  );
}

function checked(options: PrecompileOptions): PrecompileOptions {
  const { threads } = options;
  if (threads === undefined || (Number.isInteger(threads) && threads >= 1 && threads <= 1024)) return options;
  throw new JitlabError(
    "bad-option",
    `precompile: threads is ${show(threads)}.`,
    "Pass a whole number from 1 on, or omit it for all cores.",
  );
}

function named({ functor, compute }: KernelSpec, error: JitlabError): JitlabError {
  if (!(error instanceof CompileError)) return error;
  const explained = functor.user ? explainCompileError(functor, error) : error;
  if (explained !== error) return explained;
  return new CompileError(
    `${functor.name} (${compute.name}) does not compile. ${error.what}`,
    error.log,
    error.help,
  );
}

function combined(failures: readonly JitlabError[], total: number): JitlabError {
  const [first] = failures as readonly [JitlabError];
  if (failures.length === 1 || !(first instanceof CompileError)) return first;
  return new CompileError(
    `${failures.length} of ${total} kernels do not compile.`,
    failures.map(({ message }) => message).join("\n"),
  );
}
