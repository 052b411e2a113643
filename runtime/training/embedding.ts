// Rows of a table by integers, such as a vector for each word.
import { integerOf, optionsOf } from "../base/arguments.js";
import { inNameOf, JitlabError } from "../base/errors.js";
import { formatShape } from "../geometry/layout.js";
import { constant } from "../launch/sink.js";
import { indexSelect } from "../tensor/indexing/gathering.js";
import { type Tensor, tensorOf } from "../tensor/tensor.js";

/** Options of embedding. */
export interface EmbeddingOptions {
  /** A row whose derivative is 0, such as that of a word that fills up sentences; below 0 it counts from the end. */
  readonly paddingIdx?: number;
}

/**
 * The rows of a table at indexes of any shape; a row has the last dimension of the result.
 *
 * @example jl.embedding(jl.tensor([[1n, 0n]]), jl.tensor([[1, 2], [3, 4]])).toArray() // [[[3, 4], [1, 2]]]
 */
export function embedding(indexes: Tensor, table: Tensor, options?: EmbeddingOptions): Tensor {
  const what = "embedding";
  const { paddingIdx } = optionsOf(what, options, ["paddingIdx"]);
  const { kind, name } = tensorOf(what, indexes).dtype;
  const [rows, length] = tensorOf(what, table).shape;
  if (kind !== "signed" && kind !== "unsigned")
    throw new JitlabError(
      "dtype-refused",
      `${what}: the indexes are ${name}.`,
      "They are integers: indexes.long().",
    );
  if (rows === undefined || length === undefined || table.ndim !== 2) {
    throw new JitlabError(
      "shape-mismatch",
      `${what}: the table has the shape ${formatShape(table.shape)}.`,
      "Pass the indexes first, and then a table of the shape [rows, length of a row].",
    );
  }
  const places = indexes.reshape(-1);
  const found = inNameOf(what, "indexSelect", () => indexSelect(table, 0, places)).view([
    ...indexes.shape,
    length,
  ]);
  if (paddingIdx === undefined) return found;
  const padding = integerOf(what, "paddingIdx", paddingIdx);
  if (padding < -rows || padding >= rows) {
    throw new JitlabError(
      "bad-argument",
      `${what}: paddingIdx is ${padding}, and the table has ${rows} rows.`,
      "Pass the number of a row.",
    );
  }
  const isPadding = indexes.eq(padding < 0 ? padding + rows : padding).unsqueeze(-1);
  return isPadding.where(
    constant(() => found.clone()),
    found,
  );
}
