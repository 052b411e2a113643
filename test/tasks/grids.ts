// Heat that spreads over a plate, by slices, and Conway's Life on a torus, by roll.
import * as jl from "../../dist/runtime/index.js";
import { numbers } from "./numbers.js";

export function heat(steps = 60) {
  const plate = jl.zeros([20, 30], { dtype: "float64" });
  plate.set("0", 100);
  plate.set("5:9, 10:14", 50);
  for (let step = 0; step < steps; step++) {
    const around = plate
      .at("2:, 1:-1")
      .add(plate.at(":-2, 1:-1"))
      .add(plate.at("1:-1, 2:"))
      .add(plate.at("1:-1, :-2"));
    plate.set("1:-1, 1:-1", around.div(4));
  }
  return { plate, mean: plate.mean(), hottest: plate.at("1:").max(1) };
}

export function life(steps = 30) {
  let cells = numbers(24 * 32, 3)
    .view(24, 32)
    .lt(0.35);
  for (let step = 0; step < steps; step++) {
    let near = jl.zeros([24, 32], { dtype: "int64" });
    for (const down of [-1, 0, 1]) {
      for (const across of [-1, 0, 1]) {
        if (down !== 0 || across !== 0) near = near.add(cells.roll([down, across], [0, 1]));
      }
    }
    cells = near.eq(3).logicalOr(cells.logicalAnd(near.eq(2)));
  }
  return { cells, alive: cells.sum() };
}
