// Factorizations, Fourier transforms and convolutions beside torch and NumPy, case by case in turns. peer_linalg.py holds the same
// cases.
import * as jl from "../runtime/index.js";
import { type Case, measureCases, on } from "./tensors.js";
import type { Bench } from "./trial.js";

type T = jl.Tensor;

const matrix = (n: number): T => jl.randn([n, n]);

/** A symmetric positive definite matrix of small condition. */
function definite(n: number): T {
  const a = matrix(n);
  return a.matmul(a.mT).div(n).add(jl.eye(n));
}

const matrices: readonly Case[] = [
  ...[64, 1024].flatMap((n) => [
    on(
      `solve-${n}`,
      () => [matrix(n), jl.randn([n, 1])],
      (a, b) => jl.linalg.solve(a, b),
    ),
    on(
      `inv-${n}`,
      () => [matrix(n)],
      (a) => jl.linalg.inv(a),
    ),
    on(
      `cholesky-${n}`,
      () => [definite(n)],
      (a) => jl.linalg.cholesky(a),
    ),
    on(
      `qr-${n}`,
      () => [matrix(n)],
      (a) => jl.linalg.qr(a),
    ),
    on(
      `eigh-${n}`,
      () => [definite(n)],
      (a) => jl.linalg.eigh(a),
    ),
    on(
      `svd-${n}`,
      () => [matrix(n)],
      (a) => jl.linalg.svd(a),
    ),
  ]),
  on(
    "solve-10000x16",
    () => [jl.randn([10_000, 16, 16]), jl.randn([10_000, 16, 1])],
    (a, b) => jl.linalg.solve(a, b),
  ),
];

const onGpus: readonly Case[] = [
  on(
    "rfft-2^24",
    () => [jl.randn([2 ** 24])],
    (x) => jl.fft.rfft(x),
  ),
  on(
    "fft2-64x512x512",
    () => [jl.complex(jl.randn([64, 512, 512]), jl.randn([64, 512, 512]))],
    (x) => jl.fft.fft2(x),
  ),
  on(
    "conv2d-32x64x112",
    () => [jl.randn([32, 64, 112, 112]), jl.randn([64, 64, 3, 3])],
    (x, weight) => x.conv2d(weight, { padding: 1 }),
  ),
  on(
    "conv2d-1024-by-5",
    () => [jl.randn([1, 1024, 1024]), jl.randn([1, 1, 5, 5])],
    (x, weight) => x.conv2d(weight),
  ),
  on(
    "maxpool-32x64x112",
    () => [jl.randn([32, 64, 112, 112])],
    (x) => x.maxPool2d(2),
  ),
];

/** The same in sizes of a processor. */
const onProcessors: readonly Case[] = [
  on(
    "rfft-2^20",
    () => [jl.randn([2 ** 20])],
    (x) => jl.fft.rfft(x),
  ),
  on(
    "fft2-512x512",
    () => [jl.complex(jl.randn([512, 512]), jl.randn([512, 512]))],
    (x) => jl.fft.fft2(x),
  ),
  on(
    "conv2d-4x32x56",
    () => [jl.randn([4, 32, 56, 56]), jl.randn([32, 32, 3, 3])],
    (x, weight) => x.conv2d(weight, { padding: 1 }),
  ),
];

/** The chosen cases, or all. */
export async function linearAlgebra(bench: Bench): Promise<void> {
  await measureCases(bench, "linalg", [...matrices, ...(bench.isGpu ? onGpus : onProcessors)]);
}
