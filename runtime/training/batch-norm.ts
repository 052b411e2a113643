// Normalization of channels over a batch. Running statistics are values: a call takes some and returns the next ones.
import { numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError, show } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { constant } from "../launch/sink.js";
import { asProgram } from "../program/tape/own-program.js";
import { floating } from "../tensor/statistic-options.js";
import type { Tensor } from "../tensor/tensor.js";
import { ofChannels } from "./channels.js";
import type { LayerNormOptions } from "./normalization.js";

/** The mean and the variance of each channel over earlier batches. */
export interface RunningStatistics {
  /** Zeros before the first batch. */
  readonly mean: Tensor;
  /** Ones before the first batch. */
  readonly var: Tensor;
}

/** Options of batchNorm; weight and bias have one element for each channel. */
export interface BatchNormOptions extends LayerNormOptions {
  /** True: normalizes by the batch, and returns the next statistics. False (default): by the running statistics. */
  readonly training?: boolean;
  /** The share of the batch in the next statistics; default 0.1. */
  readonly momentum?: number;
}

/**
 * Subtracts the mean of each channel, which is dimension 1, and divides by the deviation: those of the batch in training, else the running
 * ones. Returns the result with the next running statistics; in training, `undefined` stands for none. `eps` is 1e-5.
 *
 * @example jl.batchNorm(jl.tensor([[0], [2]]), undefined, { training: true, eps: 0 }).output.toArray() // [[-1], [1]]
 */
export function batchNorm<R extends RunningStatistics | undefined>(
  x: Tensor,
  running: R,
  options?: BatchNormOptions,
): { output: Tensor; running: R } {
  const what = "batchNorm";
  const names = ["weight", "bias", "training", "momentum", "eps"] as const;
  const given = optionsOf(what, options, names);
  const { weight, bias, training = false, momentum = 0.1, eps = 1e-5 } = given;
  const values = floating(what, x, false);
  const channels = values.shape[1];
  if (channels === undefined) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the tensor has the shape ${formatShape(values.shape)}.`,
      "Pass one whose dimension 1 is the channels: [batch, channels, ...].",
    );
  }
  const [scale, shift] = [
    ofChannels(what, "weight", weight, channels),
    ofChannels(what, "bias", bias, channels),
  ];
  const before = running === undefined ? undefined : statisticsOf(what, running, channels);
  const share = numberOf(what, "momentum", momentum);
  if (!(share >= 0 && share <= 1))
    throw new JitlabError("bad-argument", `${what}: momentum is ${share}.`, "Pass a number from 0 to 1.");
  const least = numberOf(what, "eps", eps);
  const across = (one: Tensor) => one.view([channels, ...values.shape.slice(2).map(() => 1)]);
  const normalized = (distance: Tensor, variance: Tensor) => {
    let found = distance.mul(variance.add(least).rsqrt());
    if (scale) found = found.mul(across(scale));
    if (shift) found = found.add(across(shift));
    return found.to(x.dtype.name);
  };
  if (!training) {
    if (before === undefined) throw noStatistics(what, running);
    const output = asProgram(what, x, () => normalized(values.sub(across(before.mean)), across(before.var)));
    return { output, running };
  }
  const count = values.size / channels;
  if (count === 1) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the shape ${formatShape(values.shape)} has one element for each channel, which has no variance.`,
      "Pass a larger batch, or leave out { training: true }.",
    );
  }
  const over = { dim: values.shape.map((_, d) => d).filter((d) => d !== 1), keepdim: true };
  const { output, mean, variance } = asProgram(what, x, () => {
    const mean = values.mean(over);
    const distance = values.sub(mean);
    const variance = distance.mul(distance).mean(over);
    return { output: normalized(distance, variance), mean, variance };
  });
  if (running === undefined || before === undefined) return { output, running };
  const next = (old: Tensor, batch: Tensor, name: "mean" | "var") =>
    old
      .mul(1 - share)
      .add(batch.view(channels).to(old.dtype.name).mul(share))
      .to(running[name].dtype.name);
  // The statistics have no part in derivatives.
  const after = constant(() => ({
    mean: next(before.mean, mean, "mean"),
    var: next(before.var, variance.mul(count / (count - 1)), "var"),
  }));
  return { output, running: after as RunningStatistics as R };
}

function statisticsOf(what: string, running: unknown, channels: number): RunningStatistics {
  if (typeof running !== "object" || running === null) throw noStatistics(what, running);
  const { mean, var: variance } = running as Partial<Record<"mean" | "var", unknown>>;
  const [own, other] = [
    ofChannels(what, "running mean", mean, channels),
    ofChannels(what, "running var", variance, channels),
  ];
  if (own === undefined || other === undefined) throw noStatistics(what, running);
  return { mean: own, var: other };
}

function noStatistics(what: string, running: unknown): JitlabError {
  return new JitlabError(
    "bad-argument",
    `${what}: the running statistics are ${show(running)}.`,
    "Pass { mean: jl.zeros([channels]), var: jl.ones([channels]) } and then what the last call returned, or { training: true } with undefined for none.",
  );
}
