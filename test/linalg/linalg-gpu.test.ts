// jl.linalg and jl.fft by a GPU's libraries: PyTorch's results, and the forms that its routines divide differently: many small
// matrices, few large ones. `kind === "cuda"` alone runs it.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { device } from "../support/device.js";
import { largest } from "../support/linalg.js";
import { testLinalg } from "../support/linalg-suite.js";
import { refusal } from "../support/refusal.js";
import { epsilonOf } from "../support/written.js";

const isGpu = device.startsWith("cuda");
const dtypes = ["float32", "float64", "complex64", "complex128"] as const;
testLinalg("cuSOLVER", isGpu, dtypes);

describe.runIf(isGpu)(isGpu ? "on a GPU" : "on a GPU, which was not asked for", () => {
  beforeAll(() => jl.manualSeed(5));

  test("the libraries are those of CUDA", () => {
    expect(getDevice().matrices?.()?.name).toMatch(/^cuSOLVER \d+\.\d/);
    expect(getDevice().transforms?.()?.name).toMatch(/^cuFFT \d+\.\d/);
  });

  describe.each(dtypes)("matrices of %s", (dtype) => {
    const random = (...shape: number[]) => {
      const real = () => jl.randn(shape, { dtype: "float64" });
      return (dtype.startsWith("complex") ? jl.complex(real(), real()) : real()).to(dtype);
    };
    const adjoint = (x: jl.Tensor) => (dtype.startsWith("complex") ? x.mT.conj() : x.mT);
    const error = (x: jl.Tensor, y: jl.Tensor) => largest(x.sub(y as never)) / largest(y);
    // Few of a size beyond one call for all, many of one call, and the sizes around the limit of Jacobi's batches.
    const batches = [
      [2, 300, 300],
      [300, 16, 16],
      [70, 33, 33],
      [5, 32, 32],
      [1, 129, 129],
    ];
    test.each(batches.map((shape) => [shape.join(" x "), shape] as const))("%s", (_, shape) => {
      const n = shape.at(-1) as number;
      const bound = 60 * n * epsilonOf(dtype);
      const a = random(...shape);
      const b = random(...shape.slice(0, -1), 3);
      const x = jl.linalg.solve(a, b);
      const scale = a
        .abs()
        .sum(-1)
        .amax(-1)
        .mul(x.abs().amax([-2, -1]));
      expect(
        largest(
          a
            .matmul(x as never)
            .sub(b)
            .abs()
            .amax([-2, -1])
            .div(scale as never),
        ),
      ).toBeLessThan(bound);
      const definite = a
        .matmul(adjoint(a) as never)
        .div(n)
        .add(jl.eye(n, n, { dtype }) as never);
      const L = jl.linalg.cholesky(definite);
      expect(error(L.matmul(adjoint(L) as never), definite)).toBeLessThan(bound);
      const y = jl.linalg.choleskySolve(b, L);
      expect(error(definite.matmul(y as never), b)).toBeLessThan(bound * 10);
      const { Q, R } = jl.linalg.qr(a);
      expect(error(Q.matmul(R as never), a)).toBeLessThan(bound);
      const { eigenvalues, eigenvectors } = jl.linalg.eigh(definite);
      const back = eigenvectors.mul(eigenvalues.unsqueeze(-2)).matmul(adjoint(eigenvectors) as never);
      expect(error(back, definite)).toBeLessThan(bound);
      const { U, S, Vh } = jl.linalg.svd(a);
      expect(error(U.mul(S.unsqueeze(-2)).matmul(Vh as never), a)).toBeLessThan(bound);
      const { P, L: lower, U: upper } = jl.linalg.lu(a);
      expect(error(P.matmul(lower as never).matmul(upper as never), a)).toBeLessThan(bound);
    });
  });

  test("a singular matrix among many, by its place", () => {
    const a = jl.eye(16).expand([500, 16, 16]).clone();
    a.select(0, 321).fill_(1);
    expect(refusal(() => jl.linalg.inv(a))).toMatch(/^singular-matrix: linalg\.inv: matrix 321 of 500/);
    expect(jl.linalg.det(a).select(0, 321).item()).toBe(0);
  });

  test("memory stays bounded over many calls", () => {
    const a = jl.randn([40, 64, 64]);
    const live = () => jl.memory.stats().find((one) => one.device === "cuda:0")?.liveBytes ?? 0;
    const call = () => {
      for (const each of Object.values(jl.linalg.svd(a))) (each as jl.Tensor).dispose();
      jl.linalg.solve(a, a).dispose();
    };
    call();
    const before = live();
    for (let i = 0; i < 20; i++) call();
    expect(live() - before).toBeLessThan(8 * 2 ** 20);
  });

  test("transforms in a graph, whose replays read new elements", () => {
    const x = jl.randn([8, 96], { dtype: "float64" });
    const graph = jl.graph(() => jl.fft.rfft(x));
    for (let i = 0; i < 3; i++) {
      x.copy_(jl.randn([8, 96], { dtype: "float64" }));
      // Other transforms between replays, which use memory of their own.
      jl.fft.fft(jl.randn([1000, 96])).dispose();
      expect(largest(graph().sub(jl.fft.rfft(x)))).toBeLessThan(1e-12);
    }
  });

  test("pairs that begin at an odd number", () => {
    const x = jl.randn([65]).narrow(0, 1, 64);
    expect(largest(jl.fft.rfft(x).sub(jl.fft.rfft(x.clone())))).toBe(0);
    const half = jl.fft.rfft(x);
    const before = half.clone();
    expect(largest(jl.fft.irfft(half).sub(x))).toBeLessThan(1e-5);
    expect(largest(half.sub(before))).toBe(0);
  });
});
