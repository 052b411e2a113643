// The guarantees of indexing by tensors beyond PyTorch's results: the messages, no writes if an index is out of range, equal
// bits, and deferred operations.
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { allocate } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { perform } from "../../dist/runtime/launch/perform.js";
import { atOnce, sendTo } from "../../dist/runtime/launch/sink.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);
afterEach(() => void sendTo(undefined));

const message = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof jl.JitlabError) return error.message;
    throw error;
  }
  return "no error";
};

describe("an index outside", () => {
  const index = () =>
    jl.tensor([
      [0n, 1n],
      [7n, 1n],
    ]);
  test("is named with its position", () => {
    const x = jl.arange(6).reshape(3, 2);
    expect(message(() => x.at(index()))).toBe(
      "at: index 7 at position [1, 0] of the index tensor is outside dimension 0, which has 3 elements.\nIndexes run from -3 to 2.",
    );
    expect(message(() => x.gather(0, index()))).toBe(
      "gather: index 7 at position [1, 0] of the index tensor is outside dimension 0, which has 3 elements.\nIndexes run from 0 to 2.",
    );
    expect(x.at(jl.tensor([2n])).toArray()).toEqual([[4, 5]]);
    const last = jl.tensor([2n ** 64n - 1n], { dtype: "uint64" });
    expect(message(() => x.at(last))).toContain("at: index 9223372036854775807 or more at position [0]");
    expect(message(() => x.set(last, 1))).toContain("set: index 9223372036854775807 or more");
  });
  test("is one of floats that has a fraction; whole ones are taken", () => {
    const x = jl.arange(6).reshape(3, 2);
    for (const dtype of ["float32", "float16", "float64"] as const) {
      const whole = jl.tensor([2, -1, 0], { dtype });
      expect(x.at(whole).toArray()).toEqual(x.at(whole.to("int64")).toArray());
      expect(
        jl
          .compile((i: jl.Tensor) => x.add(0).at(i.neg()))(whole)
          .toArray(),
      ).toEqual(x.at(whole.to("int64").neg()).toArray());
    }
    expect(
      jl
        .zeros([3])
        .scatterAdd(0, jl.tensor([2, 0]), jl.ones([2]))
        .toArray(),
    ).toEqual([1, 0, 1]);
    for (const odd of [0.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      expect(message(() => x.at(jl.tensor([1, odd])))).toContain(
        "at: an index that is not a whole number, or -9223372036854775808 or less, at position [1] of the index tensor",
      );
    }
    expect(message(() => x.at(jl.tensor([1e30])))).toContain("at: index 9223372036854775807 or more at");
  });
  test("leaves the tensor as it was", () => {
    const x = jl.zeros([3]);
    const outside = jl.tensor([0n, 3n]);
    expect(message(() => x.scatter_(0, outside, 1))).toContain("scatter_: index 3 at position [1]");
    expect(message(() => x.set(outside, 1))).toContain("set: index 3 at position [1]");
    expect(message(() => x.indexAdd_(0, outside, jl.ones([2])))).toContain(
      "indexAdd_: index 3 at position [1]",
    );
    expect(x.toArray()).toEqual([0, 0, 0]);
  });
});

test("an index without dimensions reads one element", () => {
  const x = jl.arange(6);
  expect(x.take(jl.tensor(3n)).item()).toBe(3);
  expect(x.sum().gather(0, jl.tensor(0n)).item()).toBe(15n);
});

describe("whole rows", () => {
  // Rows of whole words of 16 bytes move as words; others, and rows that do not start at a word, as elements.
  test.each([
    ["float32", 8, 0],
    ["float32", 8, 1],
    ["float32", 6, 0],
    ["int8", 32, 0],
    ["float16", 24, 8],
    ["float64", 2, 1],
    ["complex64", 4, 2],
    ["complex128", 3, 1],
  ] as const)("of %s, %i elements from column %i", (dtype, columns, first) => {
    const x = jl
      .arange(20 * 40)
      .remainder(100)
      .to(dtype)
      .reshape(20, 40)
      .narrow(1, first, columns);
    const rows = [3, 0, 19, 3, 7];
    const index = jl.tensor(rows.map(BigInt));
    const want = jl.stack(rows.map((row) => x.at(row))).toArray();
    expect(x.indexSelect(0, index).toArray()).toEqual(want);
    expect(x.at(index).toArray()).toEqual(want);
    expect(
      x
        .reshape(4, 5, columns)
        .at(jl.tensor([2n, 0n]), jl.tensor([1n, 4n]))
        .toArray(),
    ).toEqual([x.at(11).toArray(), x.at(4).toArray()]);
    expect(
      x
        .reshape(4, 5, columns)
        .indexSelect(1, jl.tensor([4n, 1n]))
        .toArray(),
    ).toEqual(
      jl.stack([x.reshape(4, 5, columns).select(1, 4), x.reshape(4, 5, columns).select(1, 1)], 1).toArray(),
    );
    expect(message(() => x.indexSelect(0, jl.tensor([3n, 20n])))).toContain("index 20 at position [1]");
  });
});

describe("rows that share an index", () => {
  const given = [0n, 4n, 1n, 4n, 4n, 2n];
  // Adjacent lanes are joined together; those of a transposed copy are not.
  test.each([
    ["float32", 3],
    ["float32", 16],
    ["float64", 37],
    ["int32", 300],
    ["float16", 40],
    ["complex64", 20],
  ] as const)("of %s, %i lanes, are joined as lane by lane", (dtype, lanes) => {
    const source = jl.randn([given.length, lanes]).mul(9).to(dtype);
    const start = jl.randn([5, lanes]).mul(9).to(dtype);
    const apart = (x: jl.Tensor) => x.T.contiguous().T;
    const index = jl.tensor(given);
    for (const write of [
      (x: jl.Tensor, from: jl.Tensor) => x.indexAdd(0, index, from),
      (x: jl.Tensor, from: jl.Tensor) => x.indexCopy(0, index, from),
    ]) {
      const together = write(start, source);
      expect(together.toArray()).toEqual(write(apart(start), apart(source)).toArray());
      expect(together.at(3).toArray()).toEqual(start.at(3).toArray());
    }
    expect(start.indexCopy(0, index, source).at(4).toArray()).toEqual(source.at(4).toArray());
  });
  test("with an index outside are not written", () => {
    const x = jl.zeros([5, 20]);
    expect(message(() => x.indexAdd_(0, jl.tensor([0n, 5n]), jl.ones([2, 20])))).toContain(
      "index 5 at position [1] of the index tensor",
    );
    expect(x.sum().item()).toBe(0);
  });
});

test("many additions at one place give equal bits each time", () => {
  const index = jl.randint(0, 7, [20000], { dtype: "int64" });
  const values = jl.randn([20000]);
  const once = jl.zeros([7]).scatterAdd(0, index, values).data();
  for (let i = 0; i < 3; i++) expect(jl.zeros([7]).scatterAdd(0, index, values).data()).toEqual(once);
  const exact = new Float64Array(7);
  for (const [i, at] of (index.data() as BigInt64Array).entries())
    exact[Number(at)]! += values.data()[i] as number;
  for (const [i, sum] of exact.entries()) expect(once[i]).toBeCloseTo(sum, 3);
});

test("large masks are counted in parts", () => {
  const mask = jl.arange(100_003).remainder(3).eq(0);
  const places = mask.nonzero();
  expect(places.shape).toEqual([33335, 1]);
  expect(places.at(-1, 0).item()).toBe(100002n);
  expect(jl.arange(100_003).maskedSelect(mask).sum().item()).toBe(jl.arange(100_003).mul(mask).sum().item());
});

test("memory that overlaps is read before it is written", () => {
  const x = jl.arange(4);
  x.set(jl.tensor([0n, 1n, 2n]), x.slice("1:"));
  expect(x.toArray()).toEqual([1, 2, 3, 3]);
  const y = jl.arange(4);
  y.scatter_(0, jl.tensor([3n, 2n, 1n, 0n]), y);
  expect(y.toArray()).toEqual([3, 2, 1, 0]);
});

test("a sink is given the writes in their order", () => {
  const notes: string[] = [];
  const x = jl.zeros([3]);
  sendTo({
    name: "notes",
    outer: undefined,
    take(operation, make) {
      notes.push(operation.name);
      return atOnce(() => perform(operation, make));
    },
    storage: allocate,
  });
  x.mul_(2).scatterAdd_(0, jl.tensor([2n]), jl.tensor([5]));
  sendTo(undefined);
  expect(notes).toEqual(["mul", "scatterAdd_"]);
  expect(x.toArray()).toEqual([0, 0, 5]);
});

test("a scatter outside says so, before it writes in place, and the next one works", () => {
  const said = "index 3 at position [1] of the index tensor is outside dimension 0, which has 3 elements.";
  const [x, outside, ones] = [jl.zeros([3]), jl.tensor([0n, 3n, 1n]), jl.ones([3])];
  for (const write of [
    () => x.scatterAdd(0, outside, ones),
    () => x.scatter(0, outside, ones),
    () => x.scatterAdd_(0, outside, ones),
    () => x.indexAdd(0, outside, ones),
  ]) {
    expect(message(write)).toContain(said);
    expect(x.toArray()).toEqual([0, 0, 0]);
    expect(x.scatterAdd(0, jl.tensor([2n, 0n, 2n]), ones).toArray()).toEqual([1, 0, 2]);
  }
});

test.each(["scatter", "scatterAdd", "indexAdd", "indexCopy"] as const)(
  "%s refuses -1, alone, in place, in rows and in a compiled function",
  (name) => {
    const call = (x: jl.Tensor, index: jl.Tensor, values: jl.Tensor, suffix = "") =>
      (x as unknown as Record<string, (...args: unknown[]) => jl.Tensor>)[`${name}${suffix}`]?.(
        0,
        index,
        values,
      );
    const said = "index -1 at position [1] of the index tensor is outside dimension 0, which has 3 elements.";
    const [x, below, values] = [jl.zeros([3]), jl.tensor([0n, -1n]), jl.ones([2])];
    expect(message(() => call(x, below, values))).toContain(said);
    expect(message(() => call(x, below, values, "_"))).toContain(said);
    expect(x.toArray()).toEqual([0, 0, 0]);
    const compiled = jl.compile(
      (x: jl.Tensor, index: jl.Tensor) => call(x, index, values.mul(2)) as jl.Tensor,
    );
    expect(message(() => compiled(x, below).toArray())).toContain(said);
    if (name.startsWith("index"))
      expect(message(() => call(jl.zeros([3, 40]), below, jl.ones([2, 40])))).toContain(said);
  },
);

test("kernels are timed and recorded as others", async () => {
  const recording = await jl.record(() => void jl.arange(3).take(jl.tensor([1n])));
  expect(recording.launches.map(({ op }) => op)).toContain("gather");
  expect(jl.timings().some(({ op }) => op === "gather")).toBe(true);
});

describe("in a compiled function", () => {
  type Body = (x: jl.Tensor, index: jl.Tensor) => jl.Tensor;
  const table = () => jl.arange(30).mul(0.37).sin().reshape(6, 5);
  const wide = () =>
    jl.tensor([
      [0n, 4n],
      [2n, 2n],
      [1n, 0n],
      [3n, 3n],
      [4n, 4n],
      [0n, 1n],
    ]);
  const list = () => jl.tensor([3n, 0n, 5n, 3n]);
  // The kernels of each: 1 where the read shares the kernel of all other maps.
  const cases: readonly (readonly [string, Body, () => jl.Tensor, number])[] = [
    ["rows in a chain", (x, i) => x.indexSelect(0, i).mul(2).add(1), list, 1],
    ["columns", (x, i) => x.indexSelect(1, i.remainder(5)).exp().add(1), list, 1],
    ["an index that is computed", (x, i) => x.indexSelect(0, i.add(1).remainder(6)).neg(), list, 1],
    ["an index of int32", (x, i) => x.at(i.to("int32")).neg(), list, 1],
    ["negative indexes", (x, i) => x.at(i.sub(6)).mul(x.take(i.sub(30)).unsqueeze(1)), list, 2],
    ["two index tensors", (x, i) => x.at(i, i.remainder(5)).exp(), list, 1],
    ["an index between slices", (x, i) => x.reshape(2, 3, 5).at(":", i.remainder(3), "::2").exp(), list, 1],
    ["elements of rows and their sum", (x, i) => x.gather(1, i).exp().sum(-1), wide, 1],
    ["rows and their mean", (x, i) => x.indexSelect(0, i).sub(1).mean(1), list, 1],
    ["a read by what the kernel reduces", (x) => x.gather(1, x.argmax(1, { keepdim: true })).neg(), list, 1],
    ["a view of the result", (x, i) => x.gather(1, i).mul(2).T.add(1), wide, 1],
    ["a transposed source", (x, i) => x.T.gather(0, i.T).add(1), wide, 1],
    ["half types", (x, i) => x.to("float16").indexSelect(0, i).mul(3).to("float32"), list, 2],
    ["bool", (x, i) => x.gt(0).indexSelect(0, i).logicalNot().add(1), list, 2],
    ["a source that is computed", (x, i) => x.exp().gather(1, i).add(1), wide, 2],
    ["a source that is read otherwise too", (x, i) => x.take(i).add(x.flatten().narrow(0, 0, 4)), list, 1],
    ["one element by itself", (x, i) => x.sum().gather(0, i.sum().mul(0)).add(x.sum()), list, 2],
    ["a sum of all", (x, i) => x.take(i).exp().sum(), list, 1],
    ["nothing but its index", (x, i) => x.at(i.sub(6)), list, 1],
    ["whole words of rows", (x, i) => x.narrow(1, 0, 4).contiguous().indexSelect(0, i), list, 2],
    ["sums of columns", (x, i) => x.gather(1, i).exp().sum(0), wide, 1],
  ];

  test.each(cases)("%s", (_, body, index, kernels) => {
    const bits = (y: jl.Tensor) => [y.dtype.name, y.shape, y.strides, ...y.contiguous().data()];
    const [x, i] = [table(), index()];
    const want = bits(body(x, i));
    const fused = jl.compile(body, { fullGraph: true });
    expect(bits(fused(x, i))).toEqual(want);
    expect(bits(fused(x, i))).toEqual(want);
    expect(fused.report()).toMatchObject({ misses: [], breaks: [] });
    expect(fused.program()?.kernels).toHaveLength(kernels);
  });

  test("a read without maps around it is the kernel of the separate call", async () => {
    const x = jl.rand([64, 32]);
    const body: Body = (from, i) => from.indexSelect(0, i);
    const key = async (call: () => void) => (await jl.record(call)).launches.map((one) => one.key);
    const separate = await key(() => body(x, list()));
    const fused = jl.compile(body);
    expect(await key(() => fused(x, list()))).toEqual(separate);
    expect(jl.explain(fused, x, list()).map((kernel) => kernel.key)).toEqual(separate);
    const map = jl.compile((from: jl.Tensor, i: jl.Tensor) => from.indexSelect(0, i).neg());
    expect(jl.explain(map, x, list())[0]?.key).not.toBe(separate[0]);
  });

  const outside = () => jl.tensor([3n, 7n, 5n]);
  const said = "index 7 at position [1] of the index tensor is outside dimension 0, which has 6 elements.";
  const failure = (body: Body, index = outside(), x = table()) =>
    message(() => jl.compile(body, { fullGraph: true })(x, index));

  test("an index outside is the error of the separate call, with the kernel", () => {
    expect(failure((x, i) => x.indexSelect(0, i).mul(2))).toMatch(
      new RegExp(
        `^indexSelect: ${said.replace(/[[\]]/g, "\\$&")}\nIndexes run from 0 to 5.\nThe kernel computes indexSelect of .*, mul of `,
      ),
    );
    expect(failure((x, i) => x.indexSelect(0, i.sub(1).add(1)).sum(-1))).toContain(said);
    expect(failure((x, i) => x.at(i).mul(2).T.add(1))).toContain(said);
    // Two reads in one kernel, the second one outside.
    expect(failure((x, i) => x.at(i.sub(2)).add(x.indexSelect(0, i)))).toContain(`indexSelect: ${said}`);
    const step = jl.compile((x: jl.Tensor, i: jl.Tensor) => x.indexSelect(0, i).add(1));
    expect(message(() => step(table(), outside()))).toContain(said);
    expect(message(() => step(table(), jl.tensor([0n, 1n, 2n])))).toBe("no error");
  });

  test("of a result that nobody needs, too", () => {
    const body: Body = (x, i) => {
      x.indexSelect(0, i);
      return x.add(1);
    };
    expect(failure(body)).toContain(said);
  });

  test("it leaves what is written later as it was, and writes what was written before", () => {
    const [early, late] = [jl.zeros([5]), jl.zeros([5])];
    const beside = jl.zeros([3, 5]);
    const body: Body = (x, i) => {
      early.add_(1);
      beside.add_(1);
      const y = x.indexSelect(0, i).sum(0);
      late.add_(y);
      late.narrow(0, 0, 2).fill_(9);
      return y;
    };
    expect(failure(body)).toContain(said);
    expect(early.toArray()).toEqual([1, 1, 1, 1, 1]);
    expect(beside.sum().item()).toBe(15);
    expect(late.toArray()).toEqual([0, 0, 0, 0, 0]);
    const fused = jl.compile(body);
    fused(table(), jl.tensor([3n, 0n, 5n]));
    expect(late.toArray().slice(0, 2)).toEqual([9, 9]);
  });

  test("an index outside is an error also where another read has run since", () => {
    const read = (x: jl.Tensor, i: jl.Tensor) => {
      const chosen = x.indexSelect(0, i).mul(2);
      jl.eager(() => jl.ones([3]).take(jl.tensor([0n])));
      return chosen;
    };
    expect(message(() => jl.compile(read)(table(), outside()))).toContain(said);
  });

  test("a kept result of such a read is never given", () => {
    let kept: jl.Tensor | undefined;
    const body: Body = (x, i) => {
      kept = x.indexSelect(0, i).mul(2);
      return kept;
    };
    expect(failure(body)).toContain(said);
    expect(message(() => kept?.toArray())).toContain(said);
  });

  test("writes into the source and into the index come after the read", () => {
    const body: Body = (x, i) => {
      const y = x.indexSelect(0, i).mul(2);
      x.fill_(5);
      i.fill_(99);
      return y.add(x.narrow(0, 0, 4));
    };
    const want = body(table(), list()).toArray();
    expect(jl.compile(body)(table(), list()).toArray()).toEqual(want);
    const own: Body = (x, i) => {
      const at = i.add(0);
      const y = x.indexSelect(0, at);
      at.fill_(99);
      x.add_(1);
      return y;
    };
    expect(failure(own)).toContain("indexSelect: an index is outside dimension 0");
    expect(jl.compile(own)(table(), list()).toArray()).toEqual(own(table(), list()).toArray());
  });

  test("calls are replayed, and a plan is described without running", () => {
    const step = jl.compile((x: jl.Tensor, i: jl.Tensor) => x.indexSelect(0, i).add(1), { replay: true });
    for (let k = 0; k < 4; k++) step(table(), list());
    expect(step.report()).toMatchObject({ replayed: 1, unreplayed: [] });
    expect(step.report().programs[0]?.needs).toBe("float32[...], int64[n,1]");
    expect(step.program()?.operations[0]?.text).toBe("indexSelect(float32[...], int64[4,1])");
    expect(jl.explain(step, table(), list())).toHaveLength(1);
  });
});
