// Lloyd's k-means: distances by a product, sums of groups by an index.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function kMeans(count = 400, width = 4, groups = 6, steps = 8) {
  const points = numbers(count * width, 5).view(count, width);
  let centers = points.at(`:${groups}`).clone();
  let nearest = jl.zeros([count], { dtype: "int64" });
  for (let step = 0; step < steps; step++) {
    nearest = points.cdist(centers).argmin(1);
    const sums = jl.zeros([groups, width], { dtype: "float64" }).indexAdd(0, nearest, points);
    const sizes = nearest.bincount({ minlength: groups });
    centers = sums.div(sizes.clamp(1).unsqueeze(1));
  }
  return { centers, nearest, sizes: nearest.bincount({ minlength: groups }) };
}
