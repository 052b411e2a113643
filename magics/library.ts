// The part of runtime/index that magics use, so that tests can replace it by a fake.
import type * as runtime from "../runtime/index.js";

/** The part of `import * as jl from "jitlab"` that magics use. */
export type Library = Pick<
  typeof runtime,
  | "Tensor"
  | "cache"
  | "compile"
  | "devices"
  | "eager"
  | "empty"
  | "explain"
  | "explainKey"
  | "exportLaunch"
  | "functorOf"
  | "getDevice"
  | "gradients"
  | "isExplainable"
  | "jit"
  | "keepStream"
  | "memory"
  | "memoryTimeline"
  | "openProgram"
  | "ops"
  | "precompile"
  | "programTimings"
  | "rawKernel"
  | "reduction"
  | "setDevice"
  | "setPrintOptions"
  | "setVerify"
  | "startRecording"
  | "synchronize"
  | "timings"
  | "traceMemory"
  | "watchDigits"
  | "watchFinite"
  | "watchOperations"
>;

export type {
  Backend,
  CacheEntry,
  CacheStatus,
  CompiledFunction,
  Copy,
  DigitsRecord,
  DTypeName,
  Explanation,
  JitCallOptions,
  JitFunction,
  JitOptions,
  KernelResources,
  KernelTiming,
  Launch,
  LinkedListing,
  MemoryReport,
  MemoryTimeline,
  Op,
  Origin,
  Program,
  ProgramTiming,
  RawArgument,
  RawKernel,
  RawKernelOptions,
  Recording,
  ReductionFunction,
  ReductionOptions,
  Region,
  Scalar,
  Tensor,
  WatchedOperation,
} from "../runtime/index.js";
