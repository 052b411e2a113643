// Initial values have PyTorch's deviations, and the options of random tensors.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { writtenData } from "../support/written.js";

const { initial } = writtenData<{
  readonly initial: readonly {
    name: "kaiming" | "xavier";
    shape: number[];
    options: object;
    deviation: number;
  }[];
}>("training.json.gz");

beforeAll(useAnyDevice);

test.each(initial)("$name $shape $options", ({ name, shape, options, deviation }) => {
  const draw = () => ({ ...options, dtype: "float64", generator: jl.generator(5) }) as const;
  const normal = jl[`${name}Normal`](shape, draw());
  const like = jl.randn(shape, { dtype: "float64", generator: jl.generator(5) });
  expect(normal.div(like).sub(deviation).abs().max().item()).toBeLessThan(1e-12);
  const bound = deviation * Math.sqrt(3);
  const uniform = jl[`${name}Uniform`](shape, draw());
  const from0 = jl.rand(shape, { dtype: "float64", generator: jl.generator(5) });
  const error = uniform.sub(from0.mul(2).sub(1).mul(bound)).abs().max();
  expect(error.item()).toBeLessThan(1e-12);
});

test("their dtype is float32, or another floating one", () => {
  expect(jl.kaimingUniform([2, 3]).dtype.name).toBe("float32");
  expect(jl.xavierNormal([2, 3], { dtype: "bfloat16" }).dtype.name).toBe("bfloat16");
});

test("what cannot be right is refused", () => {
  expect(refusal(() => jl.kaimingNormal([3]))).toContain("the shape is [3]");
  expect(refusal(() => jl.kaimingNormal([3, 2], { mode: "fan_in" as "fanIn" }))).toContain(
    '"fanIn", "fanOut"',
  );
  expect(refusal(() => jl.kaimingNormal([3, 2], { nonlinearity: "toString" as "relu" }))).toContain("selu");
  expect(refusal(() => jl.xavierUniform([3, 2], { dtype: "int32" }))).toContain("xavierUniform");
  expect(refusal(() => jl.xavierUniform([3, 2], { gian: 2 } as object))).toContain('Did you mean "gain"?');
  expect(refusal(() => jl.xavierUniform([3, -2]))).toContain("xavierUniform");
  expect(refusal(() => jl.xavierUniform([3, 2], { generator: 5 as never }))).toContain("generator is 5");
});
