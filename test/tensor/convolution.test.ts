// Convolutions and pooling beside PyTorch's results: by products of copied windows, and by sums over shifted views.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { epsilonOf, expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

const { inputs, cases } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly { call: string; result: Written }[];
}>("convolution.json.gz");

beforeAll(useAnyDevice);

test.each(cases.map(({ call, result }) => [call, result] as const))("%s", (call, result) => {
  const names = Object.keys(inputs);
  const run = new Function("jl", ...names, `return ${call};`) as (...args: unknown[]) => jl.Tensor;
  const found = run(jl, ...names.map((name) => tensorOf(inputs[name] as Written)));
  expect(found.dtype.name).toBe(result.dtype);
  expectWritten(found, result, 50 * epsilonOf(result.dtype));
});

test("half precision, NaN, and large images, which are computed as one program", () => {
  const image = jl.randn([1, 1, 300, 300]);
  const kernel = jl.tensor([0, 1, 0, 1, -4, 1, 0, 1, 0]).reshape(1, 1, 3, 3);
  const found = image.conv2d(kernel);
  const part = (row: number, column: number) => image.narrow(2, row, 298).narrow(3, column, 298);
  const wanted = part(0, 1).add(part(1, 0)).add(part(1, 2)).add(part(2, 1)).sub(part(1, 1).mul(4));
  expect(found.sub(wanted).abs().max().item()).toBeLessThan(1e-5);
  expect(image.to("float16").conv2d(kernel.to("float16")).dtype.name).toBe("float16");
  const damaged = jl.tensor([1, Number.NaN, 3, 4]).reshape(1, 2, 2);
  expect(damaged.maxPool2d(2).item()).toBeNaN();
  expect(damaged.maxPool2d(1).toArray()).toEqual(damaged.toArray());
});

test("in a compiled function", () => {
  const kernel = jl.randn([4, 3, 3, 3]);
  const step = jl.compile((x: jl.Tensor) =>
    x.mul(2).conv2d(kernel, { padding: 1 }).relu().maxPool2d(2).sum(),
  );
  for (let call = 0; call < 3; call++) {
    const x = jl.randn([2, 3, 8, 8]);
    const wanted = x.mul(2).conv2d(kernel, { padding: 1 }).relu().maxPool2d(2).sum().item();
    expect(step(x).item()).toBeCloseTo(wanted as number, 2);
  }
});

describe("what is refused", () => {
  const image = () => jl.ones([3, 5, 5]);
  test.each<[string, () => unknown]>([
    ["a weight for other channels", () => image().conv2d(jl.ones([2, 1, 3, 3]))],
    ["a weight of another dtype", () => image().conv2d(jl.ones([2, 3, 3, 3]).to("float64"))],
    ["groups that do not divide the channels", () => image().conv2d(jl.ones([2, 3, 3, 3]), { groups: 2 })],
    ["a window larger than the image", () => image().conv2d(jl.ones([2, 3, 6, 6]))],
    ["a signal as an image", () => jl.ones([2, 5]).conv2d(jl.ones([1, 2, 1, 1]))],
    [
      "integers",
      () =>
        jl
          .ones([3, 5, 5])
          .to("int32")
          .conv2d(jl.ones([2, 3, 3, 3]).to("int32")),
    ],
    ["a stride of 0", () => image().conv2d(jl.ones([2, 3, 3, 3]), { stride: 0 })],
    ["three strides", () => image().conv2d(jl.ones([2, 3, 3, 3]), { stride: [1, 1, 1] })],
    ["same with a stride", () => image().conv2d(jl.ones([2, 3, 3, 3]), { stride: 2, padding: "same" })],
    ["a bias of another length", () => image().conv2d(jl.ones([2, 3, 3, 3]), { bias: jl.ones([3]) })],
    ["margins of more than half a window", () => image().maxPool2d(2, { padding: 2 })],
    ["complex numbers for a maximum", () => image().to("complex64").maxPool2d(2)],
    ["an unknown option", () => image().avgPool2d(2, { ceilMode: true } as never)],
    ["a transposed weight for other channels", () => image().convTranspose2d(jl.ones([2, 3, 3, 3]))],
    [
      "outputPadding of a stride",
      () => image().convTranspose2d(jl.ones([3, 2, 3, 3]), { stride: 2, outputPadding: 2 }),
    ],
    ["padding of all", () => image().convTranspose2d(jl.ones([3, 2, 1, 1]), { padding: 3 })],
    ["no size", () => jl.ones([1, 1, 4]).interpolate({})],
    ["a size and a factor", () => jl.ones([1, 1, 4]).interpolate({ size: 2, scaleFactor: 2 })],
    ["a size of 0", () => jl.ones([1, 1, 4]).interpolate({ size: 0 })],
    ["two sizes of a signal", () => jl.ones([1, 1, 4]).interpolate({ size: [2, 2] })],
    ["bilinear signals", () => jl.ones([1, 1, 4]).interpolate({ size: 2, mode: "bilinear" })],
    ["an unknown mode", () => jl.ones([1, 1, 4]).interpolate({ size: 2, mode: "area" as never })],
    ["aligned corners of the nearest", () => jl.ones([1, 1, 4]).interpolate({ size: 2, alignCorners: true })],
    ["an image without a batch", () => image().interpolate({ size: 2, mode: "bicubic" })],
  ])("%s", (_, run) => {
    expect(refusal(run)).toMatchSnapshot();
  });
});
