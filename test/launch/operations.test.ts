// Operations as data: what a sink can read of each, and that it holds. A batch of inputs gives the batch of results wherever an operation
// says how many of their dimensions are its core, and whatever runs an operation tests its indexes.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { allocate } from "../../dist/runtime/device/memory.js";
import { isView } from "../../dist/runtime/geometry/view.js";
import * as jl from "../../dist/runtime/index.js";
import {
  coreOf,
  isDraw,
  type LoopOperation,
  type OpaqueOperation,
  type Operation,
  type ScanOperation,
  type WriteOperation,
  wholeOperation,
} from "../../dist/runtime/launch/operation.js";
import { perform } from "../../dist/runtime/launch/perform.js";
import {
  atOnce,
  isDeferred,
  isDifferentiated,
  openSink,
  type Sink,
  sendingTo,
  sendTo,
} from "../../dist/runtime/launch/sink.js";
import { emptyTensor } from "../../dist/runtime/tensor/tensor.js";
import { device, useAnyDevice } from "../support/device.js";

const isGpu = device.startsWith("cuda");

beforeAll(useAnyDevice);
afterEach(() => void sendTo(undefined));

/** Runs a function above the open sink, and calls `seen` with each operation before it passes on. */
function watching<R>(seen: (operation: Operation) => void, run: () => R): R {
  const outer = openSink();
  const sink: Sink = {
    name: "watching",
    outer,
    take(operation, make) {
      seen(operation);
      return sendingTo(outer, () => perform(operation, make));
    },
    storage: allocate,
  };
  return sendingTo(sink, run);
}

function operationsOf(run: () => unknown): Operation[] {
  const found: Operation[] = [];
  watching((one) => found.push(one), run);
  return found;
}

/** An operation as text: its kind and name, the core of each tensor that it reads, and what else is known. */
function textOf(operation: Operation): string {
  const cores = operation.inputs.flatMap((one, i) => (isView(one) ? [coreOf(operation, i) ?? "-"] : []));
  return [
    `${operation.kind} ${operation.name}(${cores})`,
    ...(operation.out.length > 0 ? [`into ${operation.out.length}`] : []),
    ...(isDraw(operation) ? ["draws"] : []),
    ...(operation.kind === "map" && operation.options.check ? ["checked"] : []),
    ...(operation.kind === "scan" ? [`along ${operation.definition.dim}`] : []),
    ...(operation.kind === "write" ? [`along ${operation.definition.place?.dim ?? "several"}`] : []),
  ].join(" ");
}

const x = () =>
  jl.tensor([
    [3, 1, 2],
    [5, 4, 6],
  ]);

test.each<[string, () => unknown]>([
  ["map add(0)", () => x().add(1)],
  ["map add(0) into 1", () => x().add_(1)],
  ["map rand() into 1 draws", () => jl.rand([3])],
  ["map gather(0,0,0) into 1 checked", () => x().gather(0, jl.tensor([[0n, 1n, 1n]]))],
  ["reduce sum(2)", () => x().sum(1)],
  ["scan cumsum(1) along 1", () => x().cumsum(1)],
  ["scan cumsum(2) along 0", () => x().cumsum(0)],
  ["opaque sort(1)", () => x().sort()],
  ["opaque matmul(2,2)", () => x().mm(x().T)],
  ["opaque linalg.solve(2,2)", () => jl.linalg.solve(jl.eye(3), jl.ones([3, 1]))],
  ["opaque isin(0,all)", () => x().isin(jl.tensor([1, 2]))],
  ["write scatterAdd(1,1,1) into 1 along 1", () => x().scatterAdd(1, jl.tensor([[0n, 1n]]), jl.ones([1, 2]))],
  [
    "write indexPut_(-,-,-,-) into 1 along several",
    () => x().indexPut_([jl.tensor([0n]), jl.tensor([1n])], 7),
  ],
  ["launch maskedSelect(-,-)", () => x().maskedSelect(x().gt(2))],
  ["launch nonzero(-)", () => x().nonzero()],
])("a sink reads of an operation: %s", (text, run) => {
  expect(operationsOf(run).map(textOf)).toContain(text);
});

/** Calls whose operation has a core, over other elements each time. */
const batched: Record<string, () => unknown> = {
  sort: () => jl.rand([2, 5]).sort(),
  mode: () => jl.randint(0, 3, [2, 7]).mode(),
  select: () => jl.rand([2, 64]).topk(2),
  matmul: () => jl.rand([2, 3, 4]).bmm(jl.rand([2, 4, 2])),
  cdist: () => jl.cdist(jl.rand([3, 2]), jl.rand([4, 2])),
  bernoulli: () => jl.rand([4]).bernoulli(),
  cholesky: () => jl.linalg.cholesky(jl.eye(3).add(jl.ones([3, 3]).mul(jl.rand([])))),
  solve: () => jl.linalg.solve(jl.eye(3).add(jl.rand([3, 3])), jl.rand([3, 2])),
  solveTriangular: () =>
    jl.linalg.solveTriangular(jl.eye(3).add(jl.rand([3, 3])), jl.rand([3, 2]), { upper: true }),
  qr: () => jl.linalg.qr(jl.rand([4, 3])),
  eigh: () => jl.linalg.eigh(jl.eye(3).mul(jl.rand([3]))),
  svd: () => jl.linalg.svd(jl.rand([3, 2])),
};

test.each(Object.entries(batched))("a batch of %s is a batch of its results", (name, run) => {
  jl.manualSeed(3);
  const found = [run, run].map((one) =>
    operationsOf(one).find((operation) => operation.kind === "opaque" && operation.name.endsWith(name)),
  ) as OpaqueOperation[];
  // A GPU takes the largest of short rows by a walk.
  if (isGpu && name === "select") return;
  const [{ definition, inputs }, other] = found as [OpaqueOperation, OpaqueOperation];
  expect(other.definition).toBe(definition);
  const core = definition.core as readonly number[];
  expect(core).toHaveLength(inputs.length);
  // A batch goes before the core; where there is a batch already, it becomes longer.
  const isLonger = (inputs[0] as jl.Tensor).ndim > (core[0] as number);
  const joined = (a: jl.Tensor, b: jl.Tensor) => (isLonger ? jl.cat([a, b]) : jl.stack([a, b]));
  const results = (list: readonly unknown[]) =>
    perform(wholeOperation(definition, list as readonly jl.Tensor[]), emptyTensor);
  const [first, second] = [results(inputs), results(other.inputs)];
  const both = results(inputs.map((one, i) => joined(one as jl.Tensor, other.inputs[i] as jl.Tensor)));
  for (const [i, one] of both.entries()) {
    const each = joined(first[i] as jl.Tensor, second[i] as jl.Tensor);
    // A GPU's library has other routines for several matrices: they round otherwise, and turn the signs of vectors.
    if (isGpu && one.dtype.kind === "float")
      expect(one.abs().allclose(each.abs(), { atol: 1e-4 })).toBe(true);
    else expect(one.toArray()).toEqual(each.toArray());
  }
});

test("a scan and a write go along another dimension", () => {
  const scan = operationsOf(() => x().cumsum(0)).find(({ kind }) => kind === "scan") as ScanOperation;
  const [along] = perform(wholeOperation(scan.definition.along(1), [x()]), emptyTensor) as [jl.Tensor];
  expect(along.toArray()).toEqual(x().cumsum(1).toArray());
  const index = jl.tensor([1n]);
  const write = operationsOf(() => x().indexFill(0, index, 0)).find(
    ({ kind }) => kind === "write",
  ) as WriteOperation;
  const { place } = write.definition;
  expect(place).toMatchObject({ dim: 0, isRows: true });
  const target = x();
  place?.at(1, true).run([index, jl.zeros([2, 1])], [target], []);
  expect(target.toArray()).toEqual([
    [3, 0, 2],
    [5, 0, 6],
  ]);
});

describe("what runs an operation tests its indexes", () => {
  const outside = () => jl.arange(3).take(jl.tensor([0n, 7n]));

  test("below a sink that passes it on", () => {
    expect(() => watching(() => {}, outside)).toThrow(/index 7 at position \[1\].*has 3 elements/);
  });

  test("and the indexes of a batch, which a sink passes on instead", () => {
    const checked = operationsOf(() => jl.arange(3).take(jl.tensor([0n, 1n]))).find(
      (one) => one.kind === "map" && one.options.check,
    );
    const check = checked?.kind === "map" ? checked.options.check : undefined;
    const over = check?.over(check.all.map((one) => ({ ...one, index: jl.tensor([[0n], [5n]]) })));
    expect(() => over?.test()).toThrow(/index 5 at position \[1, 0\]/);
  });
});

describe("a loop", () => {
  const steps = 3;
  /** Running sums as a loop. */
  const loop = (values: jl.Tensor): LoopOperation => {
    const body: LoopOperation["body"] = ([sum], [value]) => {
      const next = (sum as jl.Tensor).add(value as jl.Tensor);
      return [[next], [next]];
    };
    const carry = [jl.zeros([])];
    const run = () => {
      let sums: readonly unknown[] = carry;
      const results: jl.Tensor[] = [];
      for (let t = 0; t < steps; t++) {
        const [next, [result]] = body(sums as jl.Tensor[], [values.select(0, t)]);
        sums = next;
        results.push(result as jl.Tensor);
      }
      return [...(sums as jl.Tensor[]), jl.stack(results)];
    };
    const inputs = [...carry, values];
    const facts = { kind: "loop", name: "sums", steps, isReversed: false, out: [] } as const;
    return { ...facts, carry, along: [values], inputs, body, run, defer: () => undefined };
  };
  const sums = (values: jl.Tensor) => perform(loop(values), emptyTensor)[1] as jl.Tensor;

  test("is its steps where no sink takes it as one operation", () => {
    const values = jl.tensor([1, 2, 3]);
    expect(sums(values).toArray()).toEqual([1, 3, 6]);
    expect(jl.compile(sums)(values).toArray()).toEqual([1, 3, 6]);
    expect(
      jl
        .grad((v: jl.Tensor) => sums(v).sum())(values)
        .toArray(),
    ).toEqual([3, 2, 1]);
    expect(jl.autocast("float16", sums)(values).toArray()).toEqual([1, 3, 6]);
  });

  test("is one operation to a sink that takes it", () => {
    let body = 0;
    const sink: Sink = {
      name: "loops",
      outer: undefined,
      take: (operation, make) => {
        if (operation.kind === "loop") body++;
        return atOnce(() => perform(operation, make));
      },
      storage: allocate,
    };
    const values = jl.tensor([1, 2, 3]);
    expect(sendingTo(sink, () => sums(values)).toArray()).toEqual([1, 3, 6]);
    expect(body).toBe(1);
  });
});

test("the questions see through a sink that they do not know", () => {
  const asked = () =>
    watching(
      () => {},
      () => [isDifferentiated(), isDeferred()],
    );
  const seen: boolean[][] = [asked()];
  jl.grad((v: jl.Tensor) => {
    seen.push(asked());
    return v.sum();
  })(x());
  jl.compile((v: jl.Tensor) => {
    seen.push(asked());
    return v.sum();
  })(x());
  expect(seen).toEqual([
    [false, false],
    [true, false],
    [false, true],
  ]);
  // The form with the derivative of the function: of equal elements the first one.
  const most = (v: jl.Tensor) =>
    watching(
      () => {},
      () => v.max(0, { indices: true }).values,
    );
  expect(
    jl
      .grad(most)(jl.tensor([1, 2, 2]))
      .toArray(),
  ).toEqual([0, 1, 0]);
});
