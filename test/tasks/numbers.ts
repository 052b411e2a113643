// Numbers that look random and are the same in Python: tasks_golden.py has the same line.
import * as jl from "../../dist/runtime/index.js";

/** `count` numbers from 0 to 1 in float64. */
export function numbers(count: number, seed: number): jl.Tensor<"float64"> {
  return jl
    .arange(0, count, 1, { dtype: "float64" })
    .mul(7919 + 2 * seed)
    .add(13 * seed)
    .remainder(1009)
    .div(1009);
}
