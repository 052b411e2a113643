// The library: what `import * as jl from "jitlab"` gives. Importing it loads no compiler, no driver and no database.

export {
  type CompiledFunction,
  type CompileOptions,
  compile,
  eager,
  type OpenProgram,
  openProgram,
  type WatchedOperation,
  watchOperations,
} from "./api/compile.js";
export { type ExplainOptions, type Explanation, explain, explainKey, isExplainable } from "./api/explain.js";
export { type ExportedLaunch, type ExportOptions, exportLaunch } from "./api/export-launch.js";
export { type FuseOptions, type FuseTag, type FuseValue, fuse } from "./api/fuse.js";
export {
  type InputsBefore,
  type JitFunction,
  type JitOptions,
  jit,
  type ParamValues,
  type ScriptedFunction,
  type ScriptInputs,
  type ScriptParams,
  type ScriptResult,
  type TensorsOf,
} from "./api/jit.js";
export type { JitArgument, JitCallOptions } from "./api/jit-arguments.js";
export { functor } from "./api/jit-template.js";
export type { FunctorLines, LinkedKernel, LinkedListing } from "./api/linked-kernel.js";
export {
  type PrecompileEntry,
  type PrecompileOptions,
  type PrecompileProgress,
  type PrecompileReport,
  precompile,
} from "./api/precompile.js";
export { type RawArgument, type RawKernel, type RawKernelOptions, rawKernel } from "./api/raw-kernel.js";
export {
  type Carried,
  type CarriedValue,
  type ReductionFunction,
  type ReductionOptions,
  reduction,
} from "./api/reduction.js";
export * from "./api/resources.js";
export { type DType, type DTypeName, dtypes, promoteTypes, type TypedArray } from "./base/dtype.js";
export { variables } from "./base/env.js";
export { CompileError, DeviceError, didYouMean, JitlabError, nearest } from "./base/errors.js";
export {
  allGather,
  allReduce,
  type BroadcastOptions,
  broadcast,
  type CollectiveOp,
  type CollectiveOptions,
  type ExchangeOptions,
  reduceScatter,
} from "./collectives/index.js";
export { onEach } from "./collectives/on-each.js";
export { type World, world } from "./collectives/world.js";
export type { KernelResources } from "./device/device.js";
export type { Copy } from "./device/host-copy.js";
export { getNumThreads, setNumThreads } from "./device/thread-count.js";
export * as fft from "./fft/index.js";
export { math } from "./functor/script/math.js";
export type { MathFunctions } from "./functor/script/math-functions.js";
export type { ScriptOptions } from "./functor/script/script-functor.js";
export { checkpoint, customVjp } from "./grad/custom.js";
export { type GradcheckOptions, gradcheck } from "./grad/gradcheck.js";
export {
  type GradOf,
  type GradOptions,
  grad,
  gradients,
  stopGradient,
  valueAndGrad,
  vjp,
} from "./grad/gradients.js";
export { hessian, type JacobianOf, jacobian, jvp } from "./grad/jacobian.js";
export type { DeviceInfo } from "./launch/devices.js";
export { type Graph, graph } from "./launch/graph.js";
export { type OpenRecording, record, startRecording } from "./launch/launch-recorder.js";
export { type ProgramTiming, programTimings, type Region } from "./launch/program-timings.js";
export { type KernelTiming, type Launch, type Origin, type Recording, timings } from "./launch/timings.js";
export * as linalg from "./linalg/index.js";
export { polyfit, polyval, type VanderOptions, vander } from "./linalg/polynomials.js";
export { type Scanned, type ScanOptions, scan } from "./loops/scan-loop.js";
export { type Dims, type VmapOptions, vmap } from "./loops/vmap.js";
export { type WhileOptions, whileLoop } from "./loops/while-loop.js";
export {
  type CastAdvice,
  type DigitsReport,
  digits,
  type OpenDigits,
  watchDigits,
} from "./observe/digits.js";
export type { DigitsRecord, WorstElement } from "./observe/digits-watch.js";
export {
  type Birth,
  type BirthOperand,
  checkFinite,
  type FiniteOptions,
  type FiniteWatch,
  NotFiniteError,
  watchFinite,
} from "./observe/finite-check.js";
export { type MemoryReport, type MemorySaving, memoryTimeline } from "./observe/memory-timeline.js";
export {
  type MemoryLine,
  type MemoryTimeline,
  type MemoryTraceOptions,
  type OpenMemoryTrace,
  traceMemory,
} from "./observe/memory-trace.js";
export { type OpName, ops } from "./ops/index.js";
export type { Op, Scalar } from "./ops/op.js";
export * as optim from "./optim/index.js";
export {
  type DataParallel,
  dataParallel,
  type ParallelOptions,
  type ParallelStep,
  type Replica,
} from "./parallel/data-parallel.js";
export type {
  Program,
  ProgramBytes,
  ProgramKernel,
  ProgramOperation,
} from "./program/schedule/description.js";
export type { Backend } from "./program/schedule/options.js";
export type { ProgramReport } from "./program/tape/path.js";
export type { CompileReport } from "./program/tape/programs.js";
export { setVerify } from "./program/tape/verification.js";
export type { RawExtent, RawLaunch } from "./raw/launch-shape.js";
export { type Groups, groupBy } from "./tensor/counting/groups.js";
export * from "./tensor/create.js";
export { exponential, normal, randperm } from "./tensor/distributions.js";
export { type PrintOptions, setPrintOptions } from "./tensor/format.js";
export * from "./tensor/functions.js";
export { where } from "./tensor/indexing/where.js";
export {
  type ArrowChunk,
  type ArrowColumn,
  type ArrowLibrary,
  type ArrowTable,
  fromArrow,
  toArrow,
} from "./tensor/io/arrow.js";
export { type CsvOptions, readCsv } from "./tensor/io/csv.js";
export { type ReadImageOptions, readImage, type WriteImageOptions, writeImage } from "./tensor/io/image.js";
export { type LoadOptions, load, loadNpz, type NpzOptions, save, saveNpz } from "./tensor/io/npy.js";
export { type ParquetOptions, readParquet } from "./tensor/io/parquet.js";
export { loadSafetensors, type SafetensorsOptions, saveSafetensors } from "./tensor/io/safetensors.js";
export { Table, type TimeUnit } from "./tensor/io/table.js";
export { type LoadTreeOptions, loadTree, saveTree } from "./tensor/io/tree-files.js";
export {
  cartesianProd,
  cat,
  columnStack,
  concat,
  concatenate,
  dstack,
  hstack,
  type MeshgridOptions,
  meshgrid,
  stack,
  vstack,
} from "./tensor/join.js";
export { identity } from "./tensor/matrix-parts.js";
export * from "./tensor/methods.js";
export { functorOf, type OpOptions } from "./tensor/operations.js";
export type { TensorOptions } from "./tensor/placement.js";
export { einsum } from "./tensor/products/einsum.js";
export {
  type Generator,
  type GeneratorState,
  generator,
  keepStream,
  manualSeed,
  type RandomOptions,
  rand,
  randint,
  randintLike,
  randLike,
  randn,
  randnLike,
} from "./tensor/random.js";
export { broadcastTensors, type Extents } from "./tensor/rearrange.js";
export {
  all,
  any,
  argmax,
  argmin,
  max,
  mean,
  min,
  type Placed,
  prod,
  type ReduceDims,
  type ReduceFunction,
  type ReduceOptions,
  sum,
} from "./tensor/statistics/reduce.js";
export { type Nested, Tensor } from "./tensor/tensor.js";
export { fromTypedArray, type TypedArrayOptions } from "./tensor/typed-array.js";
export { type AttentionOptions, scaledDotProductAttention } from "./training/attention.js";
export { autocast } from "./training/autocast.js";
export {
  type BatchNormOptions,
  batchNorm,
  type RunningStatistics,
} from "./training/batch-norm.js";
export { type Batches, type BatchOptions, batches } from "./training/batches.js";
export { type CrossEntropyOptions, crossEntropy, type NllOptions, nllLoss } from "./training/class-losses.js";
export { type DropoutOptions, dropout } from "./training/dropout.js";
export { type EmbeddingOptions, embedding } from "./training/embedding.js";
export {
  type KaimingOptions,
  kaimingNormal,
  kaimingUniform,
  type Nonlinearity,
  type XavierOptions,
  xavierNormal,
  xavierUniform,
} from "./training/initial-values.js";
export {
  type BceOptions,
  bceWithLogits,
  type HuberOptions,
  huberLoss,
  type LossOptions,
  l1Loss,
  mseLoss,
} from "./training/losses.js";
export {
  type GroupNormOptions,
  groupNorm,
  type LayerNormOptions,
  layerNorm,
  type RmsNormOptions,
  rmsNorm,
} from "./training/normalization.js";
export { oneHot } from "./training/one-hot.js";
export * as tree from "./tree/index.js";
