// European options: prices by Black and Scholes, their deltas, and the volatility that gives a price back.
import * as jl from "../../dist/runtime/index.js";

const normal = (x: jl.Tensor<"float64">) => x.mul(Math.SQRT1_2).erf().add(1).mul(0.5);

function price(spot: jl.Tensor<"float64">, strike: jl.Tensor<"float64">, spread: jl.Tensor<"float64">) {
  const [rate, years] = [0.03, 0.5];
  const deviation = spread.mul(Math.sqrt(years));
  const d1 = spot.div(strike).log().add(spread.square().div(2).add(rate).mul(years)).div(deviation);
  const discounted = strike.mul(Math.exp(-rate * years));
  const delta = normal(d1);
  const call = spot.mul(delta).sub(discounted.mul(normal(d1.sub(deviation))));
  return { call, put: call.sub(spot).add(discounted), delta };
}

export function options() {
  const strike = jl.linspace(60, 140, 33, { dtype: "float64" });
  const spot = jl.full([33], 100, { dtype: "float64" });
  const { call, put, delta } = price(spot, strike, jl.full([33], 0.25, { dtype: "float64" }));
  // Halving an interval for all strikes at once.
  let low = jl.full([33], 0.01, { dtype: "float64" });
  let high = jl.full([33], 1, { dtype: "float64" });
  for (let step = 0; step < 40; step++) {
    const middle = low.add(high).div(2);
    const above = price(spot, strike, middle).call.gt(call);
    high = above.where(middle, high);
    low = above.where(low, middle);
  }
  return { call, put, delta, found: low };
}
