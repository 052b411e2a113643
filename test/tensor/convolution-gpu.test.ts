// Convolutions by cuDNN beside the same in float64 on the host, in forms that only a library is given. `kind === "cuda"` alone runs it.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device } from "../support/device.js";

const isGpu = device.startsWith("cuda");

/** The convolution element by element in float64. */
function wanted(
  x: jl.Tensor,
  weight: jl.Tensor,
  padding: number,
  stride: number,
  dilation: number,
  groups: number,
) {
  const images = x.to("float64").pad([padding, padding, padding, padding]);
  const [outer, inner, rows, columns] = weight.shape as [number, number, number, number];
  const [, , height, width] = images.shape as [number, number, number, number];
  const count = (extent: number, size: number) =>
    Math.floor((extent - dilation * (size - 1) - 1) / stride) + 1;
  const [down, across] = [count(height, rows), count(width, columns)];
  const parts = Array.from({ length: groups }, (_, group) => {
    const own = images.narrow(1, group * inner, inner);
    const part = weight.to("float64").narrow(0, (group * outer) / groups, outer / groups);
    let sum = jl.zeros([x.shape[0] as number, outer / groups, down, across], { dtype: "float64" });
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) {
        const view = own
          .narrow(2, r * dilation, (down - 1) * stride + 1)
          .narrow(3, c * dilation, (across - 1) * stride + 1)
          .slice(`..., ::${stride}, ::${stride}`);
        sum = sum.add(jl.einsum("nchw,oc->nohw", view, part.select(3, c).select(2, r)));
      }
    return sum;
  });
  return jl.cat(parts, 1);
}

describe.runIf(isGpu)(isGpu ? "on a GPU" : "on a GPU, which was not asked for", () => {
  beforeAll(() => jl.manualSeed(5));

  test("the library is cuDNN", () => {
    expect(getDevice().convolutions?.()?.name).toMatch(/^cuDNN \d+\.\d+/);
  });

  const forms = [
    [[2, 3, 9, 7], [4, 3, 3, 3], 1, 1, 1, 1],
    [[1, 4, 33, 20], [6, 2, 5, 3], 2, 3, 1, 2],
    [[3, 8, 17, 17], [8, 8, 3, 3], 0, 2, 2, 1],
    [[1, 1, 5, 5], [1, 1, 5, 5], 4, 1, 1, 1],
    [[2, 64, 28, 28], [32, 64, 3, 3], 1, 1, 1, 1],
  ] as const;
  describe.each(["float32", "float64"] as const)("%s", (dtype) => {
    test.each(forms)("%j by %j, padding %i, stride %i, dilation %i, groups %i", (input, size, ...rest) => {
      const [padding, stride, dilation, groups] = rest;
      const [x, weight] = [jl.randn([...input], { dtype }), jl.randn([...size], { dtype })];
      const call = () => x.conv2d(weight, { padding, stride, dilation, groups });
      const found = call();
      const right = wanted(x, weight, padding, stride, dilation, groups);
      expect(found.shape).toEqual(right.shape);
      const bound = (dtype === "float32" ? 2e-6 : 4e-15) * (right.abs().max().item() as number);
      expect(found.to("float64").sub(right).abs().max().item()).toBeLessThan(bound);
      expect(call().equal(found)).toBe(true);
    });
  });

  // The half types' sums are rounded once, from float32.
  describe.each([
    ["float16", 2 ** -11],
    ["bfloat16", 2 ** -8],
  ] as const)("%s", (dtype, rounding) => {
    test.each(forms)("%j by %j, padding %i, stride %i, dilation %i, groups %i", (input, size, ...rest) => {
      const [padding, stride, dilation, groups] = rest;
      const [x, weight] = [jl.randn([...input]).to(dtype), jl.randn([...size]).to(dtype)];
      const call = () => x.conv2d(weight, { padding, stride, dilation, groups });
      const found = call();
      expect(found.dtype.name).toBe(dtype);
      const right = wanted(x, weight, padding, stride, dilation, groups);
      const bound = right
        .abs()
        .mul(1.01 * rounding)
        .add(right.abs().max().mul(2e-6));
      expect(found.to("float64").sub(right).abs().le(bound).all().item()).toBe(true);
      expect(call().equal(found)).toBe(true);
    });
  });

  // On the processor a convolution is composed of operations with rules of their own.
  const loss =
    (padding: number, stride: number, dilation: number, groups: number) =>
    (x: jl.Tensor, weight: jl.Tensor, g: jl.Tensor) =>
      x.conv2d(weight, { padding, stride, dilation, groups }).mul(g).sum();
  describe.each([
    ["float64", 1e-14],
    ["float32", 4e-6],
    ["float16", 1e-3],
    ["bfloat16", 8e-3],
  ] as const)("gradients in %s", (dtype, bound) => {
    test.each(forms)("%j by %j, padding %i, stride %i, dilation %i, groups %i", (input, size, ...rest) => {
      const [x, weight] = [jl.randn([...input]).to(dtype), jl.randn([...size]).to(dtype)];
      const [padding, stride, dilation, groups] = rest;
      const g = jl.randn(x.conv2d(weight, { padding, stride, dilation, groups }).shape).to(dtype);
      const slopes = jl.grad(loss(...rest), { argnums: [0, 1] });
      const host = [x, weight, g].map((one) => one.to("float64").to("cpu") as jl.Tensor);
      const right = slopes(...(host as [jl.Tensor, jl.Tensor, jl.Tensor]));
      for (const [i, found] of slopes(x, weight, g).entries()) {
        expect(found.dtype.name).toBe(dtype);
        const want = right[i] as jl.Tensor;
        const error = found
          .to("float64")
          .to("cpu")
          .sub(want as never)
          .abs()
          .max();
        expect(error.item()).toBeLessThan(bound * (want.abs().max().item() as number));
        expect(slopes(x, weight, g)[i]?.equal(found as never)).toBe(true);
      }
    });
  });

  test.each([
    [[2, 4, 5, 7], [4, 3, 3, 3], { stride: 2, padding: 1, outputPadding: 1 }],
    [[1, 6, 8, 8], [6, 2, 4, 4], { stride: 2, padding: 1, groups: 2 }],
    [[1, 2, 4, 4], [2, 3, 3, 2], { stride: 1, dilation: 2, padding: 2 }],
  ] as const)("the transposed convolution of %j by %j with %j, and its gradients", (input, size, options) => {
    const [x, weight] = [
      jl.randn([...input], { dtype: "float64" }),
      jl.randn([...size], { dtype: "float64" }),
    ];
    const f = (a: jl.Tensor, b: jl.Tensor) => a.convTranspose2d(b, options);
    const sum = (a: jl.Tensor, b: jl.Tensor) => f(a, b).square().sum();
    const slopes = jl.grad(sum, { argnums: [0, 1] });
    const host = [x, weight].map((one) => one.to("cpu")) as [jl.Tensor, jl.Tensor];
    const near = (found: jl.Tensor, want: jl.Tensor) =>
      expect(found.to("cpu").allclose(want, { rtol: 1e-10, atol: 1e-10 })).toBe(true);
    near(f(x, weight), f(...host));
    const right = slopes(...host);
    for (const [i, found] of slopes(x, weight).entries()) near(found, right[i] as jl.Tensor);
    expect(jl.gradcheck(sum, [x, weight])).toBe(true);
  });

  test("second derivatives", () => {
    const [x, weight] = [
      jl.randn([1, 2, 4, 4], { dtype: "float64" }),
      jl.randn([2, 2, 3, 3], { dtype: "float64" }),
    ];
    const inner = jl.grad((a: jl.Tensor, b: jl.Tensor) => a.conv2d(b, { padding: 1 }).square().sum());
    const outer = (a: jl.Tensor, b: jl.Tensor) => inner(a, b).sin().sum();
    expect(jl.gradcheck(outer, [x, weight])).toBe(true);
  });

  test("signals, views that begin anywhere, and infinite elements, which reach their windows alone", () => {
    const all = jl.randn([2 * 3 * 50 + 1]);
    const x = all.narrow(0, 1, 300).reshape([2, 3, 50]);
    const weight = jl.randn([4, 3, 5]);
    const found = x.conv1d(weight, { padding: 2, stride: 3 });
    const asImage = wanted(x.unsqueeze(2).pad([2, 2]), weight.unsqueeze(2), 0, 1, 1, 1).squeeze(2);
    const right = asImage.slice("..., ::3");
    expect(found.to("float64").sub(right).abs().max().item()).toBeLessThan(1e-5);
    const image = jl.zeros([1, 2, 40, 40]);
    image.select(3, 20).select(2, 20).fill_(Number.POSITIVE_INFINITY);
    const spread = image.conv2d(jl.ones([2, 2, 3, 3]), { padding: 1 });
    expect(spread.isfinite().logicalNot().sum().item()).toBe(18n);
  });

  test("compiled, and differentiated by both factors", () => {
    const weight = jl.randn([4, 3, 3, 3]);
    const step = (x: jl.Tensor, w: jl.Tensor) => x.mul(2).conv2d(w, { padding: 1 }).relu().sum();
    const compiled = jl.compile(step);
    for (let call = 0; call < 3; call++) {
      const x = jl.randn([2, 3, 8, 8]);
      expect(compiled(x, weight).item()).toBeCloseTo(step(x, weight).item() as number, 2);
    }
    const [x, w] = [
      jl.randn([1, 2, 5, 4], { dtype: "float64" }),
      jl.randn([3, 2, 3, 3], { dtype: "float64" }),
    ];
    const sum = (a: jl.Tensor, b: jl.Tensor) => a.conv2d(b, { padding: 1 }).square().sum();
    expect(jl.gradcheck(sum, [x, w])).toBe(true);
    const both = { argnums: [0, 1] } as const;
    const [slopes, through] = [jl.grad(sum, both)(x, w), jl.grad(jl.compile(sum), both)(x, w)];
    for (const [i, slope] of slopes.entries()) {
      expect(
        slope
          .sub(through[i] as never)
          .abs()
          .max()
          .item(),
      ).toBeLessThan(1e-10);
    }
  });
});
