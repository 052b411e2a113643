// jl.linalg on every device: those without a library of their own copy matrices to the host.
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { everyDevice } from "../support/every-device.js";
import { refusal } from "../support/refusal.js";

describe.each(everyDevice)("on %s", (device) => {
  const a = () => jl.tensor([4, 1, 1, 3], { device }).view(2, 2);

  test("results are on the device of the operands", () => {
    const x = jl.linalg.solve(a(), jl.tensor([1, 2], { device }));
    expect(x.device.name).toBe(a().device.name);
    const [first, second] = x.toArray() as [number, number];
    expect(first).toBeCloseTo(1 / 11, 6);
    expect(second).toBeCloseTo(7 / 11, 6);
    const { Q, R } = jl.linalg.qr(a());
    expect(Q.matmul(R).sub(a()).abs().max().item()).toBeLessThan(1e-6);
    const { U, S, Vh } = jl.linalg.svd(a());
    expect(U.mul(S).matmul(Vh).sub(a()).abs().max().item()).toBeLessThan(1e-5);
  });

  test("errors are those of the host", () => {
    const singular = () => jl.linalg.inv(jl.ones([2, 2], { device }));
    expect(refusal(singular)).toMatch(/^singular-matrix: linalg\.inv: the matrix \(2 x 2\) is singular/);
  });
});
