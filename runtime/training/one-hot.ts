// Labels as rows of zeros with a one.
import { integerOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import { zeros } from "../tensor/create.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";
import { hostReads } from "../tensor/transfer.js";

/**
 * For each label a row of `numClasses` numbers, 1 at the label and 0 elsewhere, as int64; -1 stands for the largest label + 1,
 * which reads it.
 *
 * @example jl.oneHot(jl.tensor([2n, 0n]), 3).toArray() // [[0n, 0n, 1n], [1n, 0n, 0n]]
 */
export function oneHot(labels: Tensor, numClasses = -1): Tensor<"int64"> {
  const { kind, name } = tensorOf("oneHot", labels).dtype;
  if (kind !== "signed" && kind !== "unsigned")
    throw new JitlabError("dtype-refused", `oneHot: the labels are ${name}.`, "They are integers.");
  const given = integerOf("oneHot", "numClasses", numClasses);
  if (given === 0 || given < -1 || (given === -1 && labels.size === 0)) {
    throw new JitlabError(
      "bad-argument",
      `oneHot: numClasses is ${given}${labels.size === 0 ? ", and there are no labels" : ""}.`,
      "Pass the number of classes, from 1 on.",
    );
  }
  const places = labels.to("int64").unsqueeze(-1);
  if (given === -1) hostReads("oneHot without numClasses", labels);
  const count = given === -1 ? Number(labels.max().item()) + 1 : given;
  if (count < 1)
    throw new JitlabError("bad-argument", "oneHot: all labels are negative.", "They are from 0 on.");
  return zeros([...labels.shape, count], { dtype: "int64", device: labels.device.name }).scatter(
    -1,
    places,
    1,
  );
}
