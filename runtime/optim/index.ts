// jl.optim: steps of training as pure functions over trees of tensors, with PyTorch's rules and options.
export { type Adam, type AdamOptions, type AdamState, adam, adamW } from "./adam.js";
export { clipGradNorm, clipGradValue } from "./clip.js";
export type { Rate, Schedule } from "./rate.js";
export { type Rmsprop, type RmspropOptions, type RmspropState, rmsprop } from "./rmsprop.js";
export {
  type CosineOptions,
  constantLr,
  cosineLr,
  type LearningRate,
  type StepOptions,
  stepLr,
  type WarmupOptions,
} from "./schedules.js";
export { type Sgd, type SgdOptions, type SgdState, sgd } from "./sgd.js";
