// The arguments of reductions after the tensor: dimensions and options, or options alone. The checks report to plain
// JavaScript the errors that TypeScript reports at compile time.
import { checkOptions, isOptions } from "../../base/arguments.js";
import type { DTypeName } from "../../base/dtype.js";
import { isRevoked, JitlabError, show } from "../../base/errors.js";
import type { AnyDType } from "../element-types.js";
import type { Tensor } from "../tensor.js";

/** Options of a reduction. */
export interface ReduceOptions<R extends DTypeName = AnyDType, I extends boolean = boolean> {
  /** The dimensions to reduce; default: all. */
  readonly dim?: number | readonly number[] | undefined;
  /** Keeps these dimensions with extent 1. */
  readonly keepdim?: boolean | undefined;
  /** For sum, prod and mean: the dtype to convert elements to first, which is also the result's. */
  readonly dtype?: R | undefined;
  /** The tensor to write the result into: of the result's shape and dtype. */
  readonly out?: Tensor | undefined;
  /** For sum, prod, mean, any and all: a mask that broadcasts to the tensor; elements where it is false are left out. */
  readonly where?: Tensor | undefined;
  /** For min and max along one dimension: true for the pair of values and their indexes. */
  readonly indices?: I | undefined;
}

const common: readonly string[] = ["dim", "keepdim", "dtype", "out"] satisfies (keyof ReduceOptions)[];
const further: Readonly<Record<string, readonly string[]>> = {
  min: ["indices"],
  max: ["indices"],
  ...Object.fromEntries(["sum", "prod", "mean", "any", "all"].map((name) => [name, ["where"]])),
};
const namesOf = (name: string): readonly string[] => [...common, ...(further[name] ?? [])];
// With two tensors these names mean the elementwise operation.
const elementwise: Readonly<Record<string, string>> = {
  max: "maximum",
  min: "minimum",
  sum: "add",
  prod: "mul",
};

/** The options of a call of the reduction `name`; throws `bad-argument` or `unknown-option` for invalid ones. */
export function reduceOptions(name: string, args: readonly unknown[]): ReduceOptions {
  if (args.length === 0) return {};
  const [first, second] = args;
  const alone = isOptions(first);
  const surplus = args.slice(alone ? 1 : 2).find((value) => value !== undefined);
  if (surplus !== undefined) {
    throw refused(`${name}: ${show(surplus)} is one argument too many.`, "Pass dimensions and then options.");
  }
  if (!isRevoked(first) && typeof first === "object" && first !== null && "pointer" in first) {
    const other = elementwise[name];
    const hint = other === undefined ? "" : ` jl.${other}(x, y) takes two tensors.`;
    throw refused(
      `${name}: the dimension is a tensor.`,
      `Name a dimension, a list of them, or options.${hint}`,
    );
  }
  const options = alone ? first : second;
  if (options === undefined) return first === undefined ? {} : { dim: first as number | readonly number[] };
  if (!isOptions(options)) {
    throw refused(`${name}: the options are ${show(options)}.`, "Name them, as in { keepdim: true }.");
  }
  checkOptions(name, options, namesOf(name));
  if (alone || first === undefined) return options;
  if ("dim" in options && options.dim !== undefined) {
    throw refused(
      `${name}: the dimension is given twice, ${show(first)} and ${show(options.dim)}.`,
      "Pass it once.",
    );
  }
  return { ...options, dim: first as number | readonly number[] };
}

function refused(what: string, help: string): JitlabError {
  return new JitlabError("bad-argument", what, help);
}
