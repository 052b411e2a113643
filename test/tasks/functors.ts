// Functors and a reduction of one's own: two results of one kernel, and sums of squares.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function functors() {
  const x = numbers(200, 13).mul(6).sub(3);
  const swish = jl.jit(
    "template <typename T> T swish(T x, T beta = 1.5) { return x / (1 + exp(-beta * x)); }",
  );
  const polar = jl.jit<readonly jl.Tensor[]>(
    "template <typename T> void polar(T x, T y, T& radius, T& angle) { radius = hypot(x, y); angle = atan2(y, x); }",
  );
  const circle = jl.stack(polar(x, x.roll(1)));
  const squares = jl.reduction((a, b) => a + b, { identity: 0, name: "squares" });
  return { swish: swish(x), circle, squares: squares(x.square()) };
}
