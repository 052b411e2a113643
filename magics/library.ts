// The part of runtime/index that magics use, so that tests can replace it by a fake.
import type * as runtime from "../runtime/index.js";

/** The part of `import * as jl from "jitlab"` that magics use. */
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
