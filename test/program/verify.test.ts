// The option verify of jl.compile: each operation also runs as its separate call, and other bits are the error not-equal.
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { valueIn } from "../../dist/runtime/program/operations/ir.js";
import { device, useAnyDevice } from "../support/device.js";
import { refused } from "../support/refusal.js";

beforeAll(useAnyDevice);
afterEach(() => jl.setVerify(false));

const body = (x: jl.Tensor, rows: jl.Tensor) => {
  x.mul_(2).narrow(0, 0, 1).fill_(3);
  const chosen = x.indexSelect(0, rows).T.add(jl.rand([4, 2]));
  x.indexAdd_(0, rows, chosen.T);
  return { chosen, sum: x.sum(0), scan: x.cumsum(1), sorted: x.sort(0).values, x };
};
const args = () => [jl.arange(12).view(3, 4).to("float32"), jl.tensor([2n, 0n])] as const;
const text = (result: Record<string, jl.Tensor>) => Object.values(result).map(String);

/** A function whose plan writes into what a result has: the value that the compiled function stores is another one. */
function faulty(options: jl.CompileOptions) {
  return jl.compile((x: jl.Tensor) => {
    const y = x.mul(2);
    // As if it had been planned from another number.
    const { node } = valueIn(y.storage as never) as unknown as { node: { operands: unknown[] } };
    node.operands[1] = 3;
    return [y.add(1), y];
  }, options);
}

describe("verify", () => {
  it("changes no result, and draws the same numbers", () => {
    jl.manualSeed(4);
    const wanted = text(body(...args()));
    const verified = jl.compile(body, { verify: true });
    for (let i = 0; i < 3; i++) {
      jl.manualSeed(4);
      expect(text(verified(...args()))).toEqual(wanted);
    }
    expect(verified.report().programs).toHaveLength(1);
  });

  it("names the first operation that differs, its line and both values", () => {
    const x = jl.full([2, 3], 5);
    expect(faulty({ name: "step" })(x)[1]?.at(0, 0).item()).toBe(15);
    const error = refused(() => faulty({ name: "step", verify: true })(x));
    expect(error?.code).toBe("not-equal");
    expect(error?.message).toMatch(
      /^step: mul of verify\.test\.ts:\d+:\d+ made 15 at \[0, 0\] of float32 \[2, 3\], but its separate call makes 10\. 6 of 6 elements differ\./,
    );
  });

  it("compares what is written in place, and what is computed later", () => {
    let kept: jl.Tensor | undefined;
    const write = jl.compile(
      (x: jl.Tensor, wrong: number) => {
        x.mul_(2);
        const { node } = valueIn(x.storage as never) as unknown as { node: { operands: unknown[] } };
        node.operands[1] = wrong;
        kept = x.sin();
      },
      { verify: true },
    );
    write(jl.ones([2]), 2);
    expect(kept?.toArray()).toEqual(jl.full([2], 2).sin().toArray());
    expect(refused(() => write(jl.ones([2]), 4))?.message).toContain("made 4 at [0]");
    expect(refused(() => kept?.toArray())?.message).toContain("sin of");
  });

  it("takes pending arguments, as those of other functions are", () => {
    for (const verify of [true, false]) {
      let pending = jl.empty([0]);
      jl.compile(
        (x: jl.Tensor) => {
          pending = x.mul(10);
        },
        { verify },
      )(jl.ones([2]));
      const f = jl.compile((x: jl.Tensor) => x.add_(1).mul(2), { verify: true });
      expect(f(pending).toArray()).toEqual([22, 22]);
      expect(pending.toArray()).toEqual([11, 11]);
    }
  });

  it("keeps what a pending result reads, whatever its separate call reads too", () => {
    for (const verify of [true, false]) {
      const [x, others] = [jl.tensor([1, 2, 3]), jl.tensor([2, 5])];
      let kept: jl.Tensor | undefined;
      jl.compile(
        () => {
          kept = x.isin(others);
        },
        { verify },
      )();
      x.neg_();
      expect(kept?.toArray()).toEqual([false, true, false]);
    }
  });

  it("leaves errors as they are", () => {
    const read = jl.compile((x: jl.Tensor, at: jl.Tensor) => x.take(at).mul(2), { verify: true });
    expect(refused(() => read(jl.ones([3]), jl.tensor([5n])))?.code).toBe("bad-index");
    expect(read(jl.ones([3]), jl.tensor([1n])).toArray()).toEqual([2]);
    const write = jl.compile((x: jl.Tensor, at: jl.Tensor) => x.indexFill_(0, at, 2), { verify: true });
    expect(refused(() => write(jl.ones([3]), jl.tensor([5n])))?.code).toBe("bad-index");
  });

  it("is refused beside exact: false, and nothing is compared there otherwise", () => {
    expect(refused(() => jl.compile(body, { verify: true, exact: false }))?.code).toBe("bad-argument");
    jl.setVerify(true);
    expect(faulty({ exact: false })(jl.ones([2]))).toHaveLength(2);
    expect(refused(() => faulty({})(jl.ones([2])))?.code).toBe("not-equal");
    expect(refused(() => faulty({ replay: true, donate: [0] })(jl.ones([2])))?.code).toBe("not-equal");
    jl.setVerify(false);
    expect(faulty({})(jl.ones([2]))).toHaveLength(2);
  });

  it("counts NaN as equal to NaN, but not 0 to -0", () => {
    const zeros = jl.compile(
      (x: jl.Tensor, wrong: number) => {
        const y = x.mul(1);
        const { node } = valueIn(y.storage as never) as unknown as { node: { operands: unknown[] } };
        node.operands[1] = wrong;
        return y;
      },
      { verify: true },
    );
    for (const dtype of ["float32", "float16", "bfloat16", "float64"] as const) {
      expect(
        zeros(jl.full([2], Number.NaN, { dtype }), -1)
          .isnan()
          .all()
          .item(),
      ).toBe(true);
      expect(refused(() => zeros(jl.zeros([2], { dtype, device }), -1))?.message).toContain("made -0 at [0]");
    }
  });
});
