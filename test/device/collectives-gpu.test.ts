// Collectives and copies between GPUs. `kind === "cuda"` lets the stage of GPUs run it; it needs two of them, and NCCL.
import { describe, expect, test } from "vitest";
import { ncclVersion } from "../../dist/runtime/device/cuda/nccl.js";
import * as jl from "../../dist/runtime/index.js";
import { refusal } from "../support/refusal.js";

const gpus = jl
  .devices()
  .flatMap(({ name, kind, available }) => (kind === "cuda" && available ? [name] : []));
const pair = gpus.slice(0, 2);
const has = pair.length === 2 && ncclVersion() !== undefined;
const why = has
  ? ""
  : ` (skipped: ${gpus.length} GPUs, NCCL ${ncclVersion() ?? "is missing"}; two and NCCL are needed)`;

type Pair = [jl.Tensor, jl.Tensor];
const members = (shape: number[], dtype: jl.DTypeName = "float32"): Pair =>
  pair.map((device, i) => {
    jl.manualSeed(i + 1);
    return jl.rand(shape, { device: "cpu" }).mul(100).add(1).to(dtype).to(device);
  }) as Pair;
const onHost = (tensors: readonly jl.Tensor[]) => tensors.map((one) => one.to("cpu")) as Pair;
const bits = (tensors: readonly jl.Tensor[]) =>
  tensors.map((one) => Buffer.from(one.data().buffer).toString("hex"));

describe.skipIf(!has)(`two GPUs${why}`, () => {
  const sizes = [[1], [7], [3, 5, 8], [2 ** 20], [2 ** 20 + 6]];

  test("copies between them arrive, of every size, and with work queued before and after", () => {
    for (const shape of sizes) {
      const [x] = members(shape);
      const [before] = bits([x]);
      const there = x
        .mul(2)
        .to(pair[1] as string)
        .div(2);
      x.fill_(0);
      expect(bits([there, there.to(pair[0] as string)])).toEqual([before, before]);
    }
  });

  test("each op of each dtype gives both the same bits, those of the host for two members", () => {
    const dtypes = [
      "float32",
      "float64",
      "float16",
      "bfloat16",
      "int8",
      "uint8",
      "int16",
      "int32",
      "int64",
    ] as const;
    for (const dtype of dtypes)
      for (const op of ["sum", "mean", "min", "max", "prod"] as const)
        for (const shape of sizes) {
          if (op === "mean" && /int/.test(dtype)) continue;
          const given = members(shape, dtype);
          const [p, q] = jl.allReduce(given, { op }) as Pair;
          expect([p.device.name, q.device.name, p.dtype.name]).toEqual([...pair, dtype]);
          const [x, y] = onHost(given);
          const want = {
            sum: x.add(y),
            mean: x.add(y),
            min: x.minimum(y),
            max: x.maximum(y),
            prod: x.mul(y),
          }[op];
          const host = op === "mean" ? want.div(2) : want;
          const [a, b, c] = bits([p, q, host]);
          expect(b, `${dtype} ${op} ${shape}`).toBe(a);
          // NCCL may join halves in another precision.
          if (!/float16/.test(dtype)) expect(c, `${dtype} ${op} ${shape}`).toBe(a);
        }
  });

  test("broadcasts, gathers and scatters move elements of every dtype", () => {
    for (const dtype of ["float32", "bfloat16", "bool", "int16", "complex128"] as const)
      for (const shape of [[2], [6, 3], [2 ** 18, 2]]) {
        const given = members(shape, dtype);
        const [x, y] = onHost(given);
        for (const root of [0, 1]) {
          const want = bits([root === 0 ? x : y])[0];
          expect(bits(jl.broadcast(given, { root }))).toEqual([want, want]);
        }
        const all = bits([jl.cat([x, y])])[0];
        expect(bits(jl.allGather(given))).toEqual([all, all]);
        if (dtype === "bool" || dtype === "bfloat16") continue;
        const sum = x.add(y);
        const half = (shape[0] as number) / 2;
        expect(bits(jl.reduceScatter(given))).toEqual(
          bits([sum.narrow(0, 0, half), sum.narrow(0, half, half)]),
        );
      }
  });

  test("views, scalars, and complex sums", () => {
    const given = members([64, 32]).map((x) => x.T) as Pair;
    const [x, y] = onHost(given);
    expect(bits(jl.allReduce(given))).toEqual(bits([x.add(y), x.add(y)]));
    const pairs = members([8], "complex64");
    const [p, q] = onHost(pairs);
    expect(bits(jl.allReduce(pairs))).toEqual(bits([p.add(q), p.add(q)]));
    expect(
      jl.allGather(pair.map((device, i) => jl.full([], i, { device }))).map((one) => one.toArray()),
    ).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  const body = (x: jl.Tensor, y: jl.Tensor) => {
    const [p, q] = jl.allReduce([x.mul(x).add(1), y.mul(y).add(1)], { op: "mean" }) as Pair;
    return [p.sub(1).mul(2), q.sub(1).mul(2)];
  };

  test("compiled functions and their replays give the bits of separate calls, in both runs", () => {
    for (const replay of [false, true]) {
      const step = jl.compile(body, { replay });
      const given = members([1000, 33]);
      const want = bits(body(...given));
      for (let i = 0; i < 40; i++) expect(bits(step(...given))).toEqual(want);
      expect(step.report().breaks).toEqual([]);
      if (replay) expect(step.report().replayed).toBeGreaterThan(30);
    }
  });

  test("graphs record them, and read new elements", () => {
    const given = members([4096]);
    const step = jl.graph(() => body(...given));
    for (let i = 0; i < 5; i++) {
      for (const one of given) one.add_(i);
      expect(bits(step())).toEqual(bits(body(...given)));
    }
  });

  test("derivatives", () => {
    const given = members([100]);
    const gradient = jl.grad((x: jl.Tensor) =>
      (jl.allReduce([x.mul(x), given[1]], { op: "mean" })[0] as jl.Tensor).sum(),
    );
    expect(bits([gradient(given[0])])).toEqual(bits([given[0]]));
  });

  test("many collectives between other work, without a wait", () => {
    let [x, y] = members([1 << 16]);
    let [a, b] = onHost([x, y]);
    for (let i = 0; i < 200; i++) {
      [x, y] = jl.allReduce([x.mul(0.5), y.mul(0.25)]) as Pair;
      [a, b] = [a.mul(0.5).add(b.mul(0.25)), a.mul(0.5).add(b.mul(0.25))];
    }
    expect(bits([x, y])).toEqual(bits([a, b]));
  });

  test("recordings name them", async () => {
    const { launches } = await jl.record(() => jl.allReduce(members([16])), { device: true });
    expect(launches.map(({ op }) => op)).toContain("allReduce");
  });

  test("a refused call leaves the others working", () => {
    const given = members([4]);
    expect(refusal(() => jl.allReduce([given[0], given[1].narrow(0, 0, 2)]))).toMatch(/differ/);
    expect(refusal(() => jl.allReduce([given[0], given[0]]))).toMatch(/two tensors are on cuda:0/);
    expect(jl.allReduce(given).map(({ shape }) => shape)).toEqual([[4], [4]]);
  });
});

test.skipIf(gpus.length === 0)(`one GPU is the identity (needs a GPU; there are ${gpus.length})`, () => {
  const x = jl.ones([3], { device: gpus[0] as string });
  expect(jl.allReduce([x])[0]).toBe(x);
});
