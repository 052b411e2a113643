// Logistic regression by gradient descent, and how well it tells the classes apart.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function logistic(rows = 240, width = 5, steps = 80) {
  const x = numbers(rows * width, 17)
    .view(rows, width)
    .sub(0.5);
  const truth = jl.tensor([2, -1, 0.5, 3, -2], { dtype: "float64" });
  const y = x.matmul(truth).add(numbers(rows, 19).sub(0.5)).gt(0).to("float64");
  let weights = jl.zeros([width], { dtype: "float64" });
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) {
    const guess = x.matmul(weights).sigmoid();
    weights = weights.sub(x.T.matmul(guess.sub(y)).div(rows).mul(4));
    if (step % 20 === 0) losses.push(guess.sub(y).square().mean().item());
  }
  const right = x.matmul(weights).gt(0).eq(y.gt(0.5));
  return { weights, losses: jl.tensor(losses, { dtype: "float64" }), share: right.to("float64").mean() };
}
