import { expect, test } from "vitest";
import { findNvrtc } from "../../dist/runtime/device/cuda/library-search.js";
import * as jl from "../../dist/runtime/index.js";
import { fetchCode } from "../../dist/runtime/launch/obtain.js";
import { requestsOnGpu } from "../support/gpu-text.js";

jl.setDevice("cpu");
const x = jl.ones([4096]);

function isQuick(body: (x: jl.Tensor) => jl.Tensor): boolean | undefined {
  const [request, ...more] = requestsOnGpu(() => jl.compile(body)(x));
  expect(more).toHaveLength(0);
  return request?.quick;
}

test("short compositions over contiguous elements need no slow optimizations", () => {
  expect(isQuick((a) => a.sin().mul(2).add(a))).toBe(true);
  expect(isQuick((a) => a.zeta(a).add(1))).toBe(false);
  expect(
    isQuick((a) =>
      a
        .reshape([64, 64])
        .t()
        .add(a.reshape([64, 64]))
        .mul(2),
    ),
  ).toBe(false);
  const many = (a: jl.Tensor) =>
    Array.from({ length: 9 }, (_, i) => i + 2).reduce((b, n) => b.mul(n).sqrt(), a);
  expect(isQuick(many)).toBe(false);
});

test("a user's functor needs them if it has loops", () => {
  const short = jl.jit("template <typename T> T twice(T x) { return x + x; }");
  const long = jl.jit(
    "template <typename T> T raised(T x) { T y = x; for (int i = 0; i < 100; ++i) y *= x; return y; }",
  );
  const [own] = requestsOnGpu(() => short(x));
  const [looped] = requestsOnGpu(() => long(x));
  expect([own?.quick, looped?.quick]).toEqual([true, false]);
});

test("an operation by itself has them", () => {
  expect(requestsOnGpu(() => x.sin()).map(({ quick }) => quick)).toEqual([false]);
});

test.skipIf(!findNvrtc())("NVRTC makes machine code of the same roundings without them", () => {
  const [request] = requestsOnGpu(() => jl.compile((a: jl.Tensor) => a.exp().div(3).sub(a))(x));
  if (!request) throw new Error("There is no kernel.");
  const roundings = (assembly: string) =>
    [...assembly.matchAll(/(?:fma|div|ex2)\.\S+/g)].map(([word]) => word).sort();
  // By another name, because the cache has one kernel of a text and a name.
  const quick = fetchCode({ ...request, symbol: `${request.symbol} ` }).assembly;
  expect(roundings(quick)).toEqual(roundings(fetchCode({ ...request, quick: false }).assembly));
  expect(roundings(quick).length).toBeGreaterThan(4);
});
