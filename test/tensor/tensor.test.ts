// Tensors for users: creating, viewing, indexing, writing, printing, and errors.
import { inspect } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { anyDevice, useDevice } from "../support/device.js";

beforeAll(useDevice);

describe("making", () => {
  test("dtypes follow the data", () => {
    expect(jl.tensor([1, 2]).dtype.name).toBe("float32");
    expect(jl.tensor([1n]).dtype.name).toBe("int64");
    expect(jl.tensor([true]).dtype.name).toBe("bool");
    expect(jl.tensor([1n, 2]).dtype.name).toBe("float32");
    expect(jl.tensor([]).dtype.name).toBe("float32");
    expect(jl.tensor(new Float64Array(2)).dtype.name).toBe("float64");
    expect(jl.tensor(new Uint8Array(2)).dtype.name).toBe("uint8");
    expect(jl.tensor([1, 2], { dtype: "int16" }).dtype.name).toBe("int16");
  });
  test("an element that an integer dtype cannot hold is refused", () => {
    const refused = (data: unknown, dtype: jl.DTypeName) => () => jl.tensor(data as number[], { dtype });
    expect(() => jl.tensor([2n ** 63n])).toThrow("element 0, 9223372036854775808n, does not fit into int64");
    expect(refused([1, 3e9], "int32")).toThrow("element 1, 3000000000, does not fit into int32");
    expect(refused([-1], "uint8")).toThrow("does not fit into uint8");
    expect(refused([Number.NaN], "int16")).toThrow("NaN, does not fit into int16");
    expect(refused([1, 0.5], "int32")).toThrow("element 1, 0.5, does not fit into int32");
    expect(refused([0.5], "int64")).toThrow("0.5, does not fit into int64");
    expect(jl.tensor([255.9, -0.5]).to("uint8").toArray()).toEqual([255, 0]);
    expect(jl.tensor([-(2n ** 63n), true], { dtype: "int64" }).toArray()).toEqual([-(2n ** 63n), 1n]);
  });
  test("every dtype stores and gives back its values", () => {
    for (const dtype of Object.keys(jl.dtypes) as jl.DTypeName[]) {
      const back = jl.tensor([0, 1, 1, 0], { dtype }).to("float64" as never);
      if (jl.dtypes[dtype].kind === "complex") continue;
      expect(back.toArray(), dtype).toEqual([0, 1, 1, 0]);
    }
  });
  test("filled, counted and spaced", () => {
    expect(jl.full([2, 2], 7).toArray()).toEqual([
      [7, 7],
      [7, 7],
    ]);
    expect(jl.full([1], 0.1, { dtype: "float64" }).item()).toBe(0.1);
    expect(jl.arange(5).toArray()).toEqual([0, 1, 2, 3, 4]);
    expect(jl.arange(5).dtype.name).toBe("int32");
    expect(jl.arange(1, 2, 0.25).toArray()).toEqual([1, 1.25, 1.5, 1.75]);
    expect(jl.arange(3, 0, -1).toArray()).toEqual([3, 2, 1]);
    expect(jl.linspace(0, 1, 5).toArray()).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(jl.linspace(0, 0.3, 4, { dtype: "float64" }).at(-1).item()).toBe(0.3);
    expect(jl.logspace(0, 2, 3).toArray()).toEqual([1, 10, 100]);
    expect(jl.eye(2, 3).toArray()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(jl.zerosLike(jl.tensor([1n])).toArray()).toEqual([0n]);
  });
  test("half types round to nearest even", () => {
    const x = jl.tensor([2049, 2051, 65519, 65520, 1e-8, -0], { dtype: "float16" });
    expect(x.toArray()).toEqual([2048, 2052, 65504, Number.POSITIVE_INFINITY, 0, -0]);
    expect(jl.tensor([257, 259, 3.5e38], { dtype: "bfloat16" }).toArray()).toEqual([
      256,
      260,
      Number.POSITIVE_INFINITY,
    ]);
  });
  test("the device rounds to half types as the host does", () => {
    const bits = new Float32Array(Uint32Array.from({ length: 20000 }, (_, i) => (i * 214748) >>> 0).buffer);
    for (const dtype of ["float16", "bfloat16"] as const) {
      const onDevice = jl.tensor(bits).to(dtype).toArray();
      expect(onDevice).toEqual(jl.tensor(Array.from(bits), { dtype }).toArray());
    }
  });
  test("random numbers repeat with the seed and fill their range", () => {
    jl.manualSeed(42);
    const a = jl.rand([1000]).data();
    const b = jl.rand([1000]).data();
    jl.manualSeed(42);
    expect(jl.rand([1000]).data()).toEqual(a);
    expect(b).not.toEqual(a);
    expect(Math.min(...(a as Float32Array))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...(a as Float32Array))).toBeLessThan(1);
    const drawn = new Set(jl.randint(-2, 3, [500]).toArray() as number[]);
    expect([...drawn].sort((x, y) => x - y)).toEqual([-2, -1, 0, 1, 2]);
  });
});

describe("views", () => {
  const x = () => jl.arange(24).reshape(2, 3, 4);
  test("reshape sees through a dimension of extent 1 with any stride", () => {
    const x = jl.arange(6).reshape(2, 3).expand(2, 1, 2, 3);
    expect(x.reshape(2, 2, 3).at(1).toArray()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });
  test("share memory with what they are taken from", () => {
    const base = jl.zeros([3, 4]);
    base.select(0, 1).fill_(5);
    base.T.narrow(0, 0, 1).fill_(7);
    expect(base.toArray()).toEqual([
      [7, 0, 0, 0],
      [7, 5, 5, 5],
      [7, 0, 0, 0],
    ]);
  });
  test("slices as NumPy writes them", () => {
    expect(x().slice("0, ::-1, 1:3").toArray()).toEqual([
      [9, 10],
      [5, 6],
      [1, 2],
    ]);
    expect(x().slice("..., -1").toArray()).toEqual([
      [3, 7, 11],
      [15, 19, 23],
    ]);
    expect(x().slice("5:, :").shape).toEqual([0, 3, 4]);
    expect(x().at(1, 2, -1).item()).toBe(23);
    expect(x().at(0, "::2").shape).toEqual([2, 4]);
  });
  test("reshape views where it can and copies where it must", () => {
    const base = jl.arange(6);
    base.reshape(2, 3).fill_(1);
    expect(base.toArray()).toEqual([1, 1, 1, 1, 1, 1]);
    const turned = jl.arange(6).reshape(2, 3).T;
    expect(turned.reshape(-1).toArray()).toEqual([0, 3, 1, 4, 2, 5]);
    expect(() => turned.view(6)).toThrow(/reshape/);
    expect(jl.arange(24).reshape(4, 6).slice(":, ::2").view(2, 2, 3).toArray()).toEqual([
      [
        [0, 2, 4],
        [6, 8, 10],
      ],
      [
        [12, 14, 16],
        [18, 20, 22],
      ],
    ]);
  });
  test("permute, squeeze, unsqueeze, expand, flatten", () => {
    expect(x().permute(2, 0, 1).shape).toEqual([4, 2, 3]);
    expect(x().permute(2, 0, 1).at(3, 1, 2).item()).toBe(23);
    expect(jl.zeros([1, 3, 1]).squeeze().shape).toEqual([3]);
    expect(jl.zeros([1, 3, 1]).squeeze(0).shape).toEqual([3, 1]);
    expect(jl.zeros([3]).unsqueeze(-1).shape).toEqual([3, 1]);
    expect(jl.arange(3).expand(2, -1).toArray()).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    expect(x().T.flatten().shape).toEqual([24]);
    expect(x().flatten(1).toArray()).toEqual(x().reshape(2, 12).toArray());
    expect([x().flatten(0, 1).shape, x().flatten(-2).shape, x().flatten(1, 1).shape]).toEqual([
      [6, 4],
      [2, 12],
      [2, 3, 4],
    ]);
    expect(jl.tensor(7).flatten().shape).toEqual([1]);
    expect(() => x().flatten(2, 1)).toThrow("flatten: the first dimension 2 comes after the last one 1");
    expect(() => x().flatten(3)).toThrow(jl.JitlabError);
  });
});

describe("operations", () => {
  test("broadcast, promote and write where they are told", () => {
    const a = jl.tensor([[1], [2]]);
    const b = jl.tensor([10, 20]);
    expect(a.add(b).toArray()).toEqual([
      [11, 21],
      [12, 22],
    ]);
    const out = jl.empty([2, 2], { dtype: "float64" });
    expect(jl.mul(a, b, { out })).toBe(out);
    expect(out.toArray()).toEqual([
      [10, 20],
      [20, 40],
    ]);
    expect(a.add_(1)).toBe(a);
    expect(a.toArray()).toEqual([[2], [3]]);
    expect(jl.sub(10, b).toArray()).toEqual([0, -10]);
  });
  test("dense permuted operands keep their memory order", () => {
    const t = jl.arange(6).reshape(2, 3).T;
    const sum = t.add(t);
    expect(sum.strides).toEqual([1, 3]);
    expect(sum.toArray()).toEqual([
      [0, 6],
      [2, 8],
      [4, 10],
    ]);
  });
  test("strides of zero, negative strides, 0-d and empty tensors", () => {
    const x = jl.arange(6).reshape(2, 3);
    expect(x.slice("::-1, ::-1").add(x).toArray()).toEqual([
      [5, 5, 5],
      [5, 5, 5],
    ]);
    expect(jl.tensor(2).mul(jl.tensor(3)).shape).toEqual([]);
    expect(jl.zeros([0, 3]).add(1).shape).toEqual([0, 3]);
    expect(jl.zeros([0, 3]).toArray()).toEqual([]);
  });
  test("copy_ reads everything before it overwrites it", () => {
    const x = jl.arange(5);
    x.narrow(0, 1, 4).copy_(x.narrow(0, 0, 4));
    expect(x.toArray()).toEqual([0, 0, 1, 2, 3]);
  });
  test("interleaved views of one tensor do not overlap", () => {
    const x = jl.arange(6);
    jl.add(x.slice("::2"), 10, { out: x.slice("1::2") });
    expect(x.toArray()).toEqual([0, 10, 2, 12, 4, 14]);
  });
  test("casts saturate, and NaN becomes 0", () => {
    const x = jl.tensor([300, -300, Number.NaN, 1e10, -1.9]);
    expect(x.to("uint8").toArray()).toEqual([255, 0, 0, 255, 0]);
    expect(x.to("int8").toArray()).toEqual([127, -128, 0, 127, -1]);
    expect(x.to("int32").toArray()).toEqual([300, -300, 0, 2147483647, -1]);
    expect(x.to("bool").toArray()).toEqual([true, true, true, true, true]);
    const wide = jl.tensor([Number.POSITIVE_INFINITY, -1e30], { dtype: "float64" }).to("int64");
    expect(wide.toArray()).toEqual([2n ** 63n - 1n, -(2n ** 63n)]);
  });
});

describe("printing", () => {
  test("aligns, truncates and names shape, dtype and device", () => {
    const tensors = [
      jl.tensor([1, 2.5, -3]),
      jl.tensor([[1n, -20n]]),
      jl.tensor([1e-10, 1, Number.NaN]),
      jl.tensor([0.1, Number.POSITIVE_INFINITY]),
      jl.tensor([true, false]),
      jl.tensor([{ re: 1, im: -2.5 }]),
      jl.arange(30000).reshape(100, 3, 100),
      jl.tensor(3),
      jl.zeros([2, 0]),
    ];
    expect(anyDevice(tensors.map((x) => inspect(x)).join("\n\n"))).toMatchInlineSnapshot(`
      "tensor([ 1.0,  2.5, -3.0], shape [3], float32, DEVICE)

      tensor([[  1, -20]], shape [1, 2], int64, DEVICE)

      tensor([1.0000e-10,  1.0000e+0,        nan], shape [3], float32, DEVICE)

      tensor([0.1, inf], shape [2], float32, DEVICE)

      tensor([ true, false], shape [2], bool, DEVICE)

      tensor([1.-2.5i], shape [1], complex64, DEVICE)

      tensor([[[    0,     1,     2, ...,    97,    98,    99],
               [  100,   101,   102, ...,   197,   198,   199],
               [  200,   201,   202, ...,   297,   298,   299]],

              [[  300,   301,   302, ...,   397,   398,   399],
               [  400,   401,   402, ...,   497,   498,   499],
               [  500,   501,   502, ...,   597,   598,   599]],

              [[  600,   601,   602, ...,   697,   698,   699],
               [  700,   701,   702, ...,   797,   798,   799],
               [  800,   801,   802, ...,   897,   898,   899]],

              ...,

              [[29100, 29101, 29102, ..., 29197, 29198, 29199],
               [29200, 29201, 29202, ..., 29297, 29298, 29299],
               [29300, 29301, 29302, ..., 29397, 29398, 29399]],

              [[29400, 29401, 29402, ..., 29497, 29498, 29499],
               [29500, 29501, 29502, ..., 29597, 29598, 29599],
               [29600, 29601, 29602, ..., 29697, 29698, 29699]],

              [[29700, 29701, 29702, ..., 29797, 29798, 29799],
               [29800, 29801, 29802, ..., 29897, 29898, 29899],
               [29900, 29901, 29902, ..., 29997, 29998, 29999]]],
             shape [100, 3, 100], int32, DEVICE)

      tensor(3., shape [], float32, DEVICE)

      tensor([], shape [2, 0], float32, DEVICE)"
    `);
  });
  test("has an HTML form without scripts", () => {
    const bundle = (jl.tensor([1]) as any)[Symbol.for("Jupyter.display")]();
    expect(anyDevice(bundle["text/plain"])).toBe("tensor([1.], shape [1], float32, DEVICE)");
    expect(bundle["text/html"]).toContain("<pre");
    expect(bundle["text/html"]).not.toContain("<script");
  });
});

describe("refusals say what happened and what to do", () => {
  const x = () => jl.zeros([2, 3]);
  const cases: [string, () => unknown][] = [
    ["shapes", () => x().add(jl.zeros([4]))],
    ["unknown dtype", () => jl.zeros([1], { dtype: "flaot32" as never })],
    ["unknown dtype in to", () => x().to("float31")],
    ["ragged", () => jl.tensor([[1, 2], [3]])],
    ["bad element", () => jl.tensor(["a" as never])],
    ["array operand", () => x().add([1, 2] as never)],
    ["no tensor", () => jl.add(1, 2)],
    ["operators", () => -(x() as never)],
    ["negative size", () => jl.zeros([-1])],
    ["NaN size", () => jl.zeros([Number.NaN])],
    ["too many elements", () => jl.zeros([2 ** 30, 2 ** 30])],
    ["too many dimensions", () => jl.zeros(new Array(17).fill(1))],
    ["dimension", () => x().select(2, 0)],
    ["index", () => x().at(5)],
    ["slice", () => x().slice("a:b")],
    ["view", () => x().view(4, 2)],
    ["expand", () => x().expand(2, 4)],
    ["out shape", () => jl.add(x(), 1, { out: jl.zeros([3, 2]) })],
    ["out dtype", () => jl.add(x(), 1, { out: jl.zeros([2, 3], { dtype: "int32" }) })],
    ["dtype in place", () => jl.zeros([2], { dtype: "int32" }).add_(1.5)],
    ["extents of reshape", () => x().reshape(4)],
    ["out overlaps itself", () => jl.zeros([1, 3]).expand(2, 3).add_(1)],
    ["written by an index, overlaps itself", () => jl.zeros([1]).expand(4).scatter_(0, jl.arange(2), 3)],
    [
      "set by an index, overlaps itself",
      () =>
        jl
          .zeros([1])
          .expand(4)
          .set([jl.arange(2)], 3),
    ],
    [
      "out overlaps an input",
      () => {
        const y = jl.zeros([5]);
        return jl.add(y.narrow(0, 0, 4), 1, { out: y.narrow(0, 1, 4) });
      },
    ],
    ["float gcd", () => jl.gcd(x(), x())],
    ["item", () => x().item()],
    [
      "disposed",
      () => {
        const y = x();
        y.dispose();
        return y.add(1);
      },
    ],
    ["unknown device", () => jl.setDevice("gpu")],
    ["arange", () => jl.arange(0, 1, 0)],
    ["scalar overflow", () => jl.tensor([1], { dtype: "uint8" }).fill_(300)],
    ["bigint fill", () => jl.zeros([1], { dtype: "int32" }).fill_(2n ** 40n)],
  ];
  test.each(cases)("%s", (_, run) => {
    let message = "nothing was thrown";
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      message = (error as Error).message;
    }
    expect(message).toMatchSnapshot();
  });
  test("a disposed tensor's memory may be disposed twice", () => {
    const y = x();
    y.dispose();
    expect(() => y.dispose()).not.toThrow();
  });
});

describe("what is no operand", () => {
  const x = () => jl.ones([2, 2]);
  const half = jl.jit("template <typename T> T half_of(T x) { return x / T(2); }");
  test.each([
    ["fill_(null)", () => x().fill_(null as never)],
    ["copy_(null)", () => x().copy_(null as never)],
    ["copy_(3)", () => x().copy_(3 as never)],
    ["slice(3)", () => x().slice(3 as never)],
    ["add(null)", () => x().add(null as never)],
    ["add with a number as output", () => x().add(1, { out: 3 as never })],
    ["sum with an object as output", () => x().sum({ out: {} as never })],
    ["a jit function with a string as output", () => half(x(), { out: "y" as never })],
    ["sum over a string", () => x().sum("a" as never)],
    ["sum over null", () => x().sum(null as never)],
    ["sum of null", () => jl.sum(null as never)],
    ["a bigint as a dtype", () => jl.promoteTypes(5n as never, "int8")],
  ])("%s is refused in words", (_, call) => {
    expect(call).toThrow(jl.JitlabError);
  });
});

describe("tensors put together", () => {
  let x: jl.Tensor;
  beforeAll(() => {
    x = jl.tensor([
      [1, 2],
      [3, 4],
    ]);
  });

  test("cat joins along a dimension, in the common dtype", () => {
    expect(jl.cat([x, x.T.narrow(0, 0, 1)]).toArray()).toEqual([
      [1, 2],
      [3, 4],
      [1, 3],
    ]);
    const wide = jl.cat([x, jl.ones([2, 3], { dtype: "float64" }), jl.empty([2, 0])], -1);
    expect(wide.dtype.name).toBe("float64");
    expect(wide.toArray()).toEqual([
      [1, 2, 1, 1, 1],
      [3, 4, 1, 1, 1],
    ]);
    expect(jl.cat([x]).add_(1).toArray()).not.toEqual(x.toArray());
  });

  test("stack makes a new dimension", () => {
    const [a, b] = [jl.arange(2), jl.arange(2).mul(10)];
    expect(jl.stack([a, b]).toArray()).toEqual([
      [0, 1],
      [0, 10],
    ]);
    expect(jl.stack([a, b], 1).toArray()).toEqual([
      [0, 0],
      [1, 10],
    ]);
    expect(jl.stack([jl.tensor(1), jl.tensor(2)]).toArray()).toEqual([1, 2]);
    expect(jl.stack([...x]).toArray()).toEqual(x.toArray());
  });

  test.each([
    ["nothing", () => jl.cat([]), /cat needs an array of tensors.*jl\.cat\(\[x, y\]\)/s],
    ["a tensor alone", () => jl.stack(x as never), /stack needs an array of tensors/],
    ["a number among them", () => jl.cat([x, 1 as never]), /cat needs an array of tensors/],
    ["0-d tensors", () => jl.cat([jl.tensor(1)]), /cat: dimension 0 of a tensor with 0 dimensions/],
    [
      "other extents",
      () => jl.cat([x, jl.ones([2, 3])]),
      /\[2, 2\] of tensor 0 and \[2, 3\] of tensor 1.*dimension 0 may/s,
    ],
    ["other ranks", () => jl.cat([x, jl.ones([2])]), /\[2, 2\] of tensor 0 and \[2\] of tensor 1/],
    ["shapes to stack", () => jl.stack([x, jl.ones([1, 2])]), /stack: the shapes \[2, 2\].*must be equal/s],
    ["a dimension too many", () => jl.stack([x], 4), /stack: dimension 4/],
  ])("%s: refused", (_, make, why) => {
    expect(make).toThrow(why);
  });
});

describe("a tensor in JavaScript's own ways", () => {
  test("is iterated along its first dimension, through views", () => {
    const x = jl.zeros([2, 3]);
    for (const [i, row] of [...x].entries()) row.fill_(i + 1);
    expect(x.toArray()).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ]);
    expect(() => [...jl.tensor(1)]).toThrow(/0-d tensor has nothing to iterate over/);
    expect([...jl.empty([0, 2])]).toEqual([]);
  });

  test("is written to JSON as its elements, its dtype as its name", () => {
    const x = jl.tensor([1.5, 2]);
    expect(JSON.stringify({ x, dtype: x.dtype })).toBe('{"x":[1.5,2],"dtype":"float32"}');
    expect(`${x.dtype} ${inspect(x.dtype)}`).toBe("float32 float32");
  });

  test("is in errors whose stacks begin with the caller's frame", () => {
    const limit = Error.stackTraceLimit;
    // V8's own.
    Error.stackTraceLimit = 10;
    const framesOf = (run: () => unknown): string[] => {
      try {
        run();
      } catch (error) {
        const { stack = "", name, message } = error as Error;
        expect(stack.startsWith(`${name}: ${message}\n    at `)).toBe(true);
        return stack.slice(`${name}: ${message}\n`.length).split("\n");
      }
      return [];
    };
    const x = jl.ones([2]);
    const broken = jl.jit("template <typename T> T f(T x) { return y; }");
    const all = [
      () => x.add(jl.ones([3])),
      () => jl.zeros([1], { dtype: "double" as never }),
      () => jl.compile(() => x.sub(jl.ones([3])))(),
      () => broken(x),
    ].map(framesOf);
    Error.stackTraceLimit = limit;
    for (const frames of all) expect(frames[0]).toContain("tensor.test.ts");
    for (const frames of all) expect(frames.length).toBeLessThanOrEqual(10);
  });

  test("is not cloned, and the error says what is sent to a worker", () => {
    const x = jl.ones([1]);
    const said = "Symbol(a tensor; send x.data() and x.shape, and make jl.tensor(data).view(shape) there)";
    for (const value of [x, { parts: [x.add(1).T] }])
      expect(() => structuredClone(value)).toThrow(`${said} could not be cloned.`);
  });

  test("has methods with names", () => {
    const x = jl.ones([1]);
    expect([x.sin.name, x.add_.name, x.sum.name]).toEqual(["sin", "add_", "sum"]);
  });
});
