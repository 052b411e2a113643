// A GPU's kernel for steps of an optimizer over parameters of several shapes, by threads of the host: the bits of separate calls.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { onGrid } from "../support/grid-device.js";
import { shown } from "../support/shown.js";

beforeAll(() => jl.setDevice("cpu"));

test.each([
  ["float32", 0],
  ["float32", 1],
  ["float16", 0],
  ["bfloat16", 1],
] as const)("%s, parameters %i elements into their memory", (dtype, first) => {
  const parameters = [[70], [3, 5], [4, 2, 3], [1], [5000]].map((shape) => {
    const size = shape.reduce((a, b) => a * b);
    const all = jl
      .arange(size + first)
      .to("float32")
      .sin()
      .to(dtype);
    return all.narrow(0, first, size).reshape(shape);
  });
  const { init, step } = jl.optim.adamW({ lr: jl.tensor([0.5]).sum() });
  const state = init(parameters);
  const run = () => {
    const { value, launches } = jl.record(() =>
      jl.compile(() => step(parameters, parameters, state).parameters)(),
    );
    return { elements: shown(value), launches: launches.length };
  };
  const { result, launches } = onGrid(run);
  expect(result.elements).toEqual(shown(step(parameters, parameters, state).parameters));
  const table = launches.filter(({ source }) => source.includes("struct Table "));
  expect(table).toHaveLength(1);
  expect(launches).toHaveLength(2);
});
