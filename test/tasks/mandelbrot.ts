// The Mandelbrot set: how many steps each point of a grid stays near.
import * as jl from "../../dist/runtime/index.js";

export function mandelbrot(rows = 24, columns = 36, steps = 40) {
  const re = jl.linspace(-2.2, 0.8, columns, { dtype: "float64" });
  const im = jl.linspace(-1.2, 1.2, rows, { dtype: "float64" }).unsqueeze(1);
  let x = jl.zeros([rows, columns], { dtype: "float64" });
  let y = jl.zeros([rows, columns], { dtype: "float64" });
  let inside = jl.zeros([rows, columns], { dtype: "int64" });
  for (let step = 0; step < steps; step++) {
    const near = x.mul(x).add(y.mul(y)).le(4);
    inside = inside.add(near);
    const next = x.mul(x).sub(y.mul(y)).add(re);
    y = near.where(x.mul(2).mul(y).add(im), y);
    x = near.where(next, x);
  }
  return { inside, total: inside.sum(), never: inside.eq(steps).sum() };
}
