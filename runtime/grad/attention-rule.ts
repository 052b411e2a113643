// How cotangents go back through attention that a library computes. Where they are differentiated again, by operations that have
// derivatives themselves.
import type { OpaqueOperation } from "../launch/operation.js";
import { isDifferentiated } from "../launch/sink.js";
import { ones, zeros } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import type { AttentionRule } from "../tensor/whole.js";
import type { Rule } from "./rule.js";
import { send } from "./send.js";

/** Of the output and the statistics of attention. */
export const attentionRule: Rule<OpaqueOperation> = (recorder, { definition, inputs }, active) => {
  const facts = definition.rule as AttentionRule;
  const given = inputs.map((one) => recorder.keep(one));
  return (outputs) => {
    const kept = [...given, ...outputs.map((one) => recorder.keep(one))];
    return ([g, gStatistics]) => {
      if (g === undefined && gStatistics === undefined) return;
      const tensors = kept.map((one) => one.tensor());
      const [, , , output] = tensors as [Tensor, Tensor, Tensor, Tensor];
      const where = { dtype: output.dtype.name, device: output.device.name };
      const cotangent = g ?? zeros([...output.shape], where);
      const found =
        gStatistics || isDifferentiated()
          ? composed(facts, tensors, cotangent, gStatistics)
          : facts.backward([...tensors, cotangent]);
      for (const [i, to] of active.entries()) if (to) send(to, found[i] as Tensor);
    };
  };
};

/** The gradients in float32: the weights are the powers of the scores less the statistics. */
function composed(
  { scale, isCausal }: AttentionRule,
  tensors: readonly Tensor[],
  g: Tensor,
  gStatistics: Tensor | undefined,
): readonly Tensor[] {
  const [q, k, v, output, statistics, to] = [...tensors, g].map((one) => one.to("float32")) as Six;
  const scores = q.mul(scale).matmul(k.mT).sub(statistics);
  const [rows, columns] = scores.shape.slice(-2) as [number, number];
  const seen = ones([rows, columns], { dtype: "bool", device: q.device.name }).tril();
  const weights = (isCausal ? seen.where(scores, Number.NEGATIVE_INFINITY) : scores).exp();
  const shares = to.mul(output).sum({ dim: -1, keepdim: true });
  const rest = gStatistics ? shares.sub(gStatistics) : shares;
  const dScores = to.matmul(v.mT).sub(rest).mul(weights).mul(scale);
  const halves = (tensors[0] as Tensor).dtype.name;
  return [dScores.matmul(k), dScores.mT.matmul(q), weights.mT.matmul(to)].map((one) => one.to(halves));
}

type Six = [Tensor, Tensor, Tensor, Tensor, Tensor, Tensor];
