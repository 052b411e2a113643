// Statistics of the rows of a table by groups: rows with an equal key belong to one group. Sums and the like are writes by the
// groups' indexes; quantiles read rows that are sorted by group and value.
import { numberOf } from "../../base/arguments.js";
import { JitlabError, show } from "../../base/errors.js";
import { formatShape } from "../../geometry/layout.js";
import { zeros } from "../create.js";
import { checkDevices } from "../same-device.js";
import { type Tensor, tensorOf } from "../tensor.js";

/** The groups of rows with equal keys; each statistic has an element for each group, in the order of `keys`. */
export class Groups {
  /** The distinct keys, ascending. */
  readonly keys: Tensor;
  /** The group of each row: its index in `keys`. */
  readonly indices: Tensor<"int64">;
  readonly #counts: Tensor<"int64">;

  /** Made by `jl.groupBy`. */
  constructor(key: Tensor) {
    const found = key.unique({ returnInverse: true, returnCounts: true });
    this.keys = found.values;
    this.indices = found.inverse as Tensor<"int64">;
    this.#counts = found.counts as Tensor<"int64">;
  }

  /** How many groups there are. */
  get size(): number {
    return this.keys.size;
  }

  /** The number of rows of each group. */
  count(): Tensor<"int64"> {
    return this.#counts;
  }

  /** The sum of the rows of each group; of integers and bool in int64. */
  sum(values: Tensor): Tensor {
    const x = this.#rows("sum", values);
    const wide = x.dtype.kind === "float" || x.dtype.kind === "complex" ? x : x.to("int64");
    return this.#zeros(wide).indexAdd(0, this.indices, wide as never);
  }

  /** The mean of the rows of each group, of a floating or complex dtype. */
  mean(values: Tensor): Tensor {
    const x = this.#rows("mean", values);
    if (x.dtype.kind !== "float" && x.dtype.kind !== "complex") {
      throw new JitlabError(
        "dtype-refused",
        `groupBy: mean does not take ${x.dtype.name}.`,
        'Convert it first, for example with .to("float32").',
      );
    }
    const compute = x.to(x.dtype.compute);
    const sums = this.#zeros(compute).indexAdd(0, this.indices, compute as never);
    return sums.div(this.#counts.to(compute.dtype.name) as never).to(x.dtype.name);
  }

  /** The smallest row of each group; NaN if there is one. */
  min(values: Tensor): Tensor {
    return this.#reduced("amin", this.#rows("min", values));
  }

  /** The largest row of each group; NaN if there is one. */
  max(values: Tensor): Tensor {
    return this.#reduced("amax", this.#rows("max", values));
  }

  /** The middle of the rows of each group: the mean of the middle two of an even number; NaN if there is one. */
  median(values: Tensor): Tensor {
    return this.#quantile("median", values, 0.5);
  }

  /** The value below which a part `q` of the rows of each group is, interpolated between two rows; NaN if there is one. */
  quantile(values: Tensor, q: number): Tensor {
    const part = numberOf("groupBy: quantile", "q", q);
    if (part >= 0 && part <= 1) return this.#quantile("quantile", values, part);
    throw new JitlabError(
      "bad-argument",
      `groupBy: quantile: q is ${show(q)}.`,
      "Pass a number from 0 to 1.",
    );
  }

  #quantile(what: string, values: Tensor, q: number): Tensor {
    const rows = this.#rows(what, values);
    const x = rows.dtype.kind === "float" ? rows.to(rows.dtype.compute) : rows.to("float64");
    // Sorted by value, and then by group, in which equal ones keep their order: NaN is last in each group.
    const byValue = x.argsort(0);
    const byGroup = this.indices.take(byValue).argsort(0, { stable: true });
    const sorted = x.take(byValue.take(byGroup));
    const last = this.#counts.cumsum(0).sub(1);
    const first = last.sub(this.#counts).add(1);
    const place = this.#counts.sub(1).to("float64").mul(q);
    const low = place.floor();
    const part = place.sub(low).to(x.dtype.name);
    const at = (offset: Tensor) => sorted.take(first.add(offset.to("int64")) as Tensor);
    const [a, b] = [at(low), at(place.ceil())];
    // Not a + (b - a) part, which is NaN where one end is infinite; equal ends have no part.
    const between = a.mul(part.neg().add(1) as never).add(b.mul(part as never) as never);
    const found = a.eq(b as never).where(a as never, between as never);
    const isDamaged = sorted.take(last as Tensor).isnan();
    const result = isDamaged.where(Number.NaN, found as never) as Tensor;
    return rows.dtype.kind === "float" ? result.to(rows.dtype.name) : result;
  }

  #reduced(how: "amin" | "amax", x: Tensor): Tensor {
    return this.#zeros(x).scatterReduce(0, this.indices, x as never, how, { includeSelf: false });
  }

  #zeros({ dtype, device }: Tensor): Tensor {
    return zeros([this.size], { dtype: dtype.name, device: device.name });
  }

  #rows(what: string, values: unknown): Tensor {
    const x = tensorOf(`groupBy: ${what}`, values);
    checkDevices(`groupBy: ${what}`, x, this.indices);
    if (x.ndim === 1 && x.size === this.indices.size) return x;
    throw new JitlabError(
      "shape-mismatch",
      `groupBy: ${what}: the values have shape ${formatShape(x.shape)}, for keys of ${this.indices.size} rows.`,
      "Pass a vector with an element for each row.",
    );
  }
}

/**
 * The groups of rows with equal keys, whose methods are statistics of other columns: `count sum mean min max median quantile`.
 *
 * @example jl.groupBy(jl.tensor([2, 1, 2])).mean(jl.tensor([1, 2, 5])).toArray() // [2, 3]
 */
export function groupBy(key: Tensor): Groups {
  const x = tensorOf("groupBy", key);
  if (x.ndim === 1) return new Groups(x);
  throw new JitlabError(
    "bad-dimension",
    `groupBy: the key has shape ${formatShape(x.shape)}.`,
    "It is a vector with an element for each row.",
  );
}
