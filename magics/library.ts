// What the magics use of the library: a narrow view of runtime/index, so that tests can put a fake in its place.
import type * as runtime from "../runtime/index.js";

/** The part of `import * as jl from "jitlab"` that magics stand on. */
export type Library = Pick<
  typeof runtime,
  | "cache"
  | "devices"
  | "empty"
  | "explain"
  | "explainKey"
  | "functorOf"
  | "getDevice"
  | "jit"
  | "memory"
  | "ops"
  | "precompile"
  | "setDevice"
  | "setPrintOptions"
  | "startRecording"
  | "synchronize"
  | "timings"
>;

export type {
  CacheEntry,
  CacheStatus,
  Copy,
  DTypeName,
  Explanation,
  JitCallOptions,
  JitFunction,
  JitOptions,
  KernelResources,
  KernelTiming,
  Launch,
  Op,
  Origin,
  Recording,
  Scalar,
  Tensor,
} from "../runtime/index.js";
