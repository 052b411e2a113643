// A picture: gray, blurred, its edges, equalized, smaller, turned.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function images(height = 24, width = 32) {
  const colors = numbers(height * width * 3, 11)
    .view(height, width, 3)
    .mul(255)
    .to("uint8");
  const gray = colors.to("float64").matmul(jl.tensor([0.299, 0.587, 0.114], { dtype: "float64" }));
  const kernel = jl.tensor([1, 2, 1], { dtype: "float64" }).outer(jl.tensor([1, 2, 1], { dtype: "float64" }));
  const around = gray
    .pad(
      [
        [1, 1],
        [1, 1],
      ].flat(),
      { mode: "replicate" },
    )
    .unfold(0, 3, 1)
    .unfold(1, 3, 1);
  const blurred = jl.einsum("hwij,ij->hw", around, kernel.div(16));
  const edges = blurred.diff(1, 1).abs().gt(20);
  const levels = gray.to("int64").reshape(-1);
  const share = levels
    .bincount({ minlength: 256 })
    .cumsum(0)
    .div(height * width);
  const equalized = share.at(levels).mul(255).round().to("uint8").view(height, width);
  const half = gray.view(height / 2, 2, width / 2, 2).mean([1, 3]);
  return { gray, blurred, edges: edges.sum(1), equalized, half, turned: colors.rot90().flip(1) };
}
