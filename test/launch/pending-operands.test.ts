// A launch reads operands that a compiled function kept and nobody has read: they are computed before its arguments are written, also
// where the same kernel computes them.
import { beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { drawn } from "../support/draw.js";
import { extent, type MatrixOperation, matrixOperations } from "../support/matrix-operations.js";
import { bitsOf } from "../support/shown.js";

beforeAll(useAnyDevice);

const matrix = (seed: number) =>
  jl
    .arange(extent * extent)
    .add(seed)
    .mul(1.7)
    .sin()
    .reshape(extent, extent);

/** What a compiled function keeps of an operation for later. */
function kept(operation: MatrixOperation): jl.Tensor {
  const results: jl.Tensor[] = [];
  const step = jl.compile((x: jl.Tensor, y: jl.Tensor) => {
    results.push(operation(x, y));
    return x.add(y);
  });
  step(matrix(0), matrix(1));
  return results[0] as jl.Tensor;
}

const names = Object.keys(matrixOperations);
const same = names.map((name) => [name, name] as const);
const others = names.flatMap((first) =>
  names.filter((second) => second !== first).map((second) => [first, second] as const),
);

describe("an operation of pending results", () => {
  it.each([...same, ...drawn(others, isCompiled ? 40 : 400)])("%s, then %s", (first, second) => {
    const [make, use] = [
      matrixOperations[first] as MatrixOperation,
      matrixOperations[second] as MatrixOperation,
    ];
    const settled = make(matrix(0), matrix(1));
    const bits = bitsOf(settled);
    const want = bitsOf(use(settled, settled));
    const [x, y] = [kept(make), kept(make)];
    expect(bitsOf(use(x, y)), "both operands pending").toEqual(want);
    expect(bitsOf(use(settled, kept(make))), "the second operand pending").toEqual(want);
    expect([bitsOf(x), bitsOf(y)], "the operands").toEqual([bits, bits]);
  });
});

const [W, U] = [() => matrix(2), () => matrix(3)];

describe("what a compiled function keeps", () => {
  it("is read across an await", async () => {
    const [w, u] = [W(), U()];
    const f = async (x: jl.Tensor) => {
      const first = x.matmul(w);
      await null;
      return first.matmul(u);
    };
    expect((await jl.compile(f)(matrix(0))).toArray()).toEqual((await f(matrix(0))).toArray());
  });

  it("is read by the pull of a derivative", () => {
    const w = W();
    let pull: (g: jl.Tensor) => readonly jl.Tensor[] = () => [];
    const f = (x: jl.Tensor) => {
      const made = jl.vjp((y: jl.Tensor) => y.matmul(w).matmul(y.T), x);
      pull = made.pull as typeof pull;
      return made.value;
    };
    const ones = jl.ones([extent, extent]);
    f(matrix(0));
    const want = pull(ones)[0]?.toArray();
    jl.compile(f)(matrix(0));
    expect(pull(ones)[0]?.toArray()).toEqual(want);
  });

  it("is read through the field of a class, by the next call and behind it", () => {
    const [w, u, x] = [W(), U(), matrix(0)];
    class Cell {
      state: jl.Tensor | undefined;
      readonly step = jl.compile((a: jl.Tensor) => {
        this.state = this.state ? this.state.matmul(u).add(a) : a.matmul(w);
        return this.state.tanh();
      });
    }
    const cell = new Cell();
    cell.step(x);
    cell.step(x);
    expect(cell.state?.matmul(u).toArray()).toEqual(x.matmul(w).matmul(u).add(x).matmul(u).toArray());
  });

  it("is read once more, when it is in memory", () => {
    const [product, w] = [kept((x) => x.matmul(W())), W()];
    const first = product.matmul(w).toArray();
    expect(product.matmul(w).toArray()).toEqual(first);
  });

  it("may be larger than what the same kernel makes of it", () => {
    let product = jl.zeros([1]);
    const step = jl.compile((x: jl.Tensor) => {
      product = x.matmul(jl.ones([7, 8]));
      return product.tanh();
    });
    step(jl.ones([2000, 7]));
    const made = product.matmul(jl.ones([8, 9]));
    expect([made.amin().item(), made.amax().item()]).toEqual([56, 56]);
  });

  it.skipIf(device !== "cpu")("is read in a compiled function, beside memory of the host", () => {
    const w = jl.fromTypedArray(Float32Array.from(W().data() as Float32Array)).reshape(extent, extent);
    const want = matrix(0).matmul(W()).matmul(W()).toArray();
    const product = kept((x) => x.matmul(W()));
    expect(
      jl
        .compile((x: jl.Tensor) => x.matmul(w))(product)
        .toArray(),
    ).toEqual(want);
  });

  it("is read by a graph, whose launches are those of its function alone", () => {
    const w = W();
    const product = kept((x) => x.matmul(W()));
    const step = jl.graph(() => product.matmul(w));
    const other = matrix(0).matmul(W());
    expect(step.launches).toBe(jl.graph(() => other.matmul(w)).launches);
    expect(step().toArray()).toEqual(matrix(0).matmul(W()).matmul(w).toArray());
    step.dispose();
  });
});
