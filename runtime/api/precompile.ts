// jl.precompile: compiles kernels before their first call, many at once on all cores.

import { optionsOf } from "../base/arguments.js";
import type { DTypeName } from "../base/dtype.js";
import { CompileError, isArray, JitlabError, show } from "../base/errors.js";
import { batchClass, renderBatch } from "../codegen/batch.js";
import type { KernelSpec } from "../codegen/spec.js";
import { type BatchJob, compileBatches } from "../launch/batches.js";
import { explainCompileError } from "../launch/functor-error.js";
import { requestOf } from "../launch/kernel.js";
import type { RawCode } from "../raw/raw-kernel.js";
import { explainReduction } from "../tensor/reduce.js";
import { plannedKernel, plannedReduction } from "./explain.js";
import { explainRaw, rawKernelOf, requestOfRaw } from "./raw-kernel.js";

/**
 * One call to prepare: an operation, a reduction or a function of jl.jit, and one dtype for all inputs or one for each; or a raw
 * kernel by itself.
 */
export type PrecompileEntry = readonly [fn: unknown, ...dtypes: DTypeName[]];

/** How `precompile` works. */
export interface PrecompileOptions {
  /** A device name; default: the default device. Needs no such device to be present. */
  readonly device?: string;
  /** An architecture such as `sm_90`; default: the device's own. */
  readonly arch?: string;
  /** Compiler threads; default: all cores. */
  readonly threads?: number;
  /** Called after each kernel. */
  readonly onProgress?: (progress: PrecompileProgress) => void;
}

/** The progress of `precompile`. */
export interface PrecompileProgress {
  readonly done: number;
  readonly total: number;
  /** The kernel that was finished last. */
  readonly op: string;
  readonly dtypes: readonly string[];
}

/** What `precompile` did. */
export interface PrecompileReport {
  /** Kernels compiled now. */
  readonly compiled: number;
  /** Kernels that were stored before, or that another process compiled in the meantime. */
  readonly cached: number;
  readonly ms: number;
}

interface Job extends BatchJob {
  /** Of an elementwise kernel; a reduction's shares its text with none. */
  readonly spec: KernelSpec | undefined;
  /** Tells a failure by the user's text. */
  readonly told: (error: JitlabError) => JitlabError;
}

/**
 * Compiles kernels that the cache does not hold yet, for calls on contiguous tensors, and returns when all are stored. For a
 * reduction, also a user's, these are its kernels over everything, along the first and along the last dimension. A functor that does not
 * compile holds up no other; its error is thrown at the end.
 *
 * @example (jl.precompile([[jl.add, "float32"]]), jl.precompile([[jl.add, "float32"]])).compiled // 0
 */
export function precompile(
  entries: readonly PrecompileEntry[],
  options: PrecompileOptions = {},
): PrecompileReport {
  const began = performance.now();
  const { threads } = checked(optionsOf("precompile", options));
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
    return reduction.map((request) => ({ spec: undefined, request, shares: undefined, told }));
  }
  const raw = rawKernelOf(fn);
  if (raw) return [rawJob(raw, dtypes, place)];
  const { spec, target } = plannedKernel("precompile", fn, [], { ...place, dtypes });
  const told = (error: JitlabError) => named(spec, error);
  return [{ spec, request: requestOf(spec, target), shares: batchClass(spec), told }];
}

function rawJob(
  raw: RawCode,
  dtypes: readonly DTypeName[],
  place: Pick<PrecompileOptions, "device" | "arch">,
): Job {
  if (dtypes.length > 0) {
    throw new JitlabError(
      "argument-count",
      `precompile: ${raw.name} is a raw kernel, whose declaration has its dtypes, but ${dtypes.join(", ")} are given.`,
      "Give none.",
    );
  }
  const told = (error: JitlabError) => (error instanceof CompileError ? explainRaw(raw, error) : error);
  return { spec: undefined, request: requestOfRaw(raw, place), shares: undefined, told };
}

function badEntry(entry: unknown): JitlabError {
  return new JitlabError(
    "bad-entry",
    `precompile: every entry is a list of a function and its dtypes, but there is ${show(entry)}.`,
    'For example: jl.precompile([[jl.add, "float32"]]).',
  );
}

function checked(options: PrecompileOptions): PrecompileOptions {
  const { threads } = options;
  if (threads === undefined || (Number.isInteger(threads) && threads >= 1 && threads <= 1024)) return options;
  throw new JitlabError(
    "bad-option",
    `precompile: threads is ${show(threads)}.`,
    "Give a whole number from 1 on, or none for all cores.",
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
