// The library: what `import * as jl from "jitlab"` gives. Importing it loads no compiler, no driver and no database.

import "./rehearsal.js";

export * from "./create.js";
export type { KernelResources } from "./device/device.js";
export type { DeviceInfo } from "./device/index.js";
export { type DType, type DTypeName, dtypes, promoteTypes, type TypedArray } from "./dtype.js";
export { variables } from "./env.js";
export { CompileError, DeviceError, didYouMean, JitlabError, nearest } from "./errors.js";
export { type ExplainOptions, type Explanation, explain, explainKey } from "./explain.js";
export { setPrintOptions } from "./format.js";
export * from "./functions.js";
export { type FuseOptions, type FuseTag, type FuseValue, fuse } from "./fuse.js";
export { type Graph, graph } from "./graph.js";
export type { Copy } from "./host-copy.js";
export { type JitCallOptions, type JitFunction, type JitOptions, jit } from "./jit.js";
export { cuda } from "./jit-template.js";
export { cat, stack } from "./join.js";
export { type LoadOptions, load, loadNpz, save, saveNpz } from "./npy.js";
export { functorOf, type OpOptions } from "./operations.js";
export { type OpName, ops } from "./ops/index.js";
export type { Op, Scalar } from "./ops/op.js";
export type { TensorOptions } from "./placement.js";
export {
  type PrecompileEntry,
  type PrecompileOptions,
  type PrecompileProgress,
  type PrecompileReport,
  precompile,
} from "./precompile.js";
export * from "./random.js";
export { type OpenRecording, record, startRecording } from "./recorder.js";
export {
  all,
  any,
  argmax,
  argmin,
  max,
  mean,
  min,
  prod,
  type ReduceDims,
  type ReduceFunction,
  type ReduceOptions,
  sum,
} from "./reduce.js";
export * from "./session.js";
export { type Nested, Tensor } from "./tensor.js";
export { type KernelTiming, type Launch, type Origin, type Recording, timings } from "./timings.js";
export { fromTypedArray, type TypedArrayOptions } from "./typed-array.js";
