// jl.scan in compiled functions: all steps are one operation, with the bits of the plain loop and the stream of its draws.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const random = (...shape: number[]) => jl.randn(shape, { device });
const five = { length: 5 };
type Fn = (...args: jl.Tensor[]) => unknown;

/** The elements, dtypes, shapes and strides of all tensors of a result. */
function allOf(result: unknown): unknown[] {
  if (result instanceof jl.Tensor) return [{ ...bitsOf(result), strides: result.strides }];
  return typeof result === "object" && result !== null ? Object.values(result).flatMap(allOf) : [];
}

/** The results of a function, and of the next draw after it. */
function drawnBy(f: Fn, args: readonly jl.Tensor[]): unknown[] {
  jl.manualSeed(3);
  return [...allOf(f(...args)), ...allOf(jl.rand([2]))];
}

/** Expects the plain loop in a compiled function, in its first calls and replayed; returns the number of its operations. */
function expectPlain(f: Fn, args: readonly jl.Tensor[]): number {
  const want = drawnBy(f, args);
  for (const replay of [false, true]) {
    const compiled = jl.compile(f, { replay });
    for (let call = 0; call < 4; call++) expect(drawnBy(compiled, args), `call ${call}`).toEqual(want);
    if (!replay) {
      const { programs, hits } = compiled.report();
      expect([programs.length, hits]).toEqual([1, 3]);
      if (programs[0]) operations = programs[0].operations;
    }
  }
  return operations;
}
let operations = 0;

type Tree = { a: jl.Tensor; b: jl.Tensor };
const one: Readonly<Record<string, readonly [Fn, ...(() => jl.Tensor)[]]>> = {
  "of maps": [
    (h, xs) =>
      jl.scan(
        (x: jl.Tensor, y: jl.Tensor) => {
          const next = x.mul(0.9).add(y).tanh();
          return [next, next.mul(2)];
        },
        h,
        xs,
      ),
    () => random(5),
    () => random(7, 5),
  ],
  "backwards along numbers": [
    (h, xs) => jl.scan((x: jl.Tensor, y: jl.Tensor) => [x.add(y), x.mul(y)], h, xs, { reverse: true }),
    () => random(3, 4),
    () => random(6),
  ],
  "along the last dimension": [
    (h, xs) => jl.scan((x: jl.Tensor, y: jl.Tensor) => [x.add(y), y], h, xs?.movedim(2, 0) as jl.Tensor),
    () => random(3, 4),
    () => random(3, 4, 6),
  ],
  "of draws": [
    (h) => jl.scan((x: jl.Tensor) => [x.add(jl.randn([3])), x.mul(jl.rand([3]))], h, five),
    () => random(3),
  ],
  "of products of draws": [
    (h) => jl.scan((x: jl.Tensor) => [x.matmul(jl.randn([3, 3])).mul(0.4)], h, five),
    () => random(3, 3),
  ],
  "of products": [
    (h, w) =>
      jl.scan(
        (x: jl.Tensor) => {
          const next = x.matmul(w as jl.Tensor).tanh();
          return [next, next.sum()];
        },
        h,
        five,
      ),
    () => random(2, 3),
    () => random(3, 3),
  ],
  "that returns one tensor twice": [
    (h) =>
      jl.scan(
        ([a, b]: jl.Tensor[]) => {
          const sum = (a as jl.Tensor).add(b as jl.Tensor);
          return [[sum, sum], sum];
        },
        [h, h] as jl.Tensor[],
        five,
      ),
    () => random(3),
  ],
  "that returns its arguments": [(h) => jl.scan((x: jl.Tensor) => [x, x], h, five), () => random(3)],
  "that exchanges its carry": [
    (a, b) => jl.scan((x: Tree) => [{ a: x.b, b: x.a }, x.a], { a, b } as Tree, five),
    () => random(3),
    () => random(3),
  ],
  "that returns what is outside": [
    (h, k) => jl.scan((x: jl.Tensor) => [k as jl.Tensor, x.add(k as jl.Tensor)], h, five),
    () => random(3),
    () => random(3),
  ],
  "of views": [(h) => jl.scan((x: jl.Tensor) => [x.flip(0), x.narrow(0, 0, 2)], h, five), () => random(3)],
  "of numbers of its own": [
    (h) => jl.scan((x: jl.Tensor) => [x.add(jl.tensor([1.5, 2.5, 3.5]))], h, five),
    () => random(3),
  ],
  "in another order of dimensions": [
    (h) => jl.scan((x: jl.Tensor) => [x.mul(2), x.add(1)], h?.T as jl.Tensor, five),
    () => random(3, 4),
  ],
  "with writes into what it makes": [
    (h) =>
      jl.scan(
        (x: jl.Tensor) => {
          const z = jl.zeros([4]);
          z.narrow(0, 1, 3).add_(x);
          return [z.narrow(0, 0, 3).clone(), z];
        },
        h,
        five,
      ),
    () => random(3),
  ],
  "of a number and a vector": [
    (a, b) => jl.scan((x: Tree) => [{ a: x.a.mul(1.5), b: x.b.add(x.a) }, x.b], { a, b } as Tree, five),
    () => jl.tensor(2.5),
    () => random(5),
  ],
  "of halves": [
    (h) => jl.scan((x: jl.Tensor) => [x.mul(1.1).sin(), x], h, five),
    () => random(9).to("float16"),
  ],
  "of doubles": [
    (h) => jl.scan((x: jl.Tensor) => [x.square().add(0.1).sqrt(), x], h, five),
    () => random(9).to("float64"),
  ],
  "of complex numbers": [
    (h) => jl.scan((x: jl.Tensor) => [x.mul(x).add(0.1), x], h, five),
    () => random(9).to("complex64"),
  ],
  "of integers": [
    (h) => jl.scan((x: jl.Tensor) => [x.add(1), x.gt(2)], h, five),
    () => jl.tensor([1, 2, 3, 4]).to("int32"),
  ],
  "of rows": [
    (h) => jl.scan((x: jl.Tensor) => [x.softmax(1).add(x), x.amax(1)], h, five),
    () => random(3, 7),
  ],
  "of a sort": [
    (h) => jl.scan((x: jl.Tensor) => [x.sort().values.mul(1.1), x.cumsum(0)], h, five),
    () => random(7),
  ],
  "of a loop of maps": [
    (h, xs) =>
      jl.scan(
        (x: jl.Tensor, y: jl.Tensor) => {
          const { carry } = jl.scan((z: jl.Tensor) => [z.mul(0.5).add(x)], y, { length: 3 });
          return [x.add(carry), carry];
        },
        h,
        xs,
      ),
    () => random(7),
    () => random(4, 7),
  ],
  "of a loop of products": [
    (h, xs) =>
      jl.scan(
        (x: jl.Tensor, y: jl.Tensor) => {
          const { carry } = jl.scan((z: jl.Tensor) => [z.matmul(x)], y, { length: 3 });
          return [x.add(carry).tanh(), carry];
        },
        h,
        xs,
      ),
    () => random(3, 3),
    () => random(4, 3, 3),
  ],
  "of a gradient": [
    (h) =>
      jl.scan(
        (x: jl.Tensor) => [
          x.sub(
            jl
              .grad((w: jl.Tensor) => w.square().mul(w.sin()).sum())(x)
              .mul(0.1),
          ),
        ],
        h,
        five,
      ),
    () => random(6),
  ],
  "of lanes": [
    (h) => jl.scan((x: jl.Tensor) => [jl.vmap((row: jl.Tensor) => row.softmax(0))(x)], h, five),
    () => random(6, 3),
  ],
};

describe("a scan in a compiled function", () => {
  for (const [name, [f, ...make]] of Object.entries(one))
    test(`${name} is one operation`, () => {
      expect(
        expectPlain(
          f,
          make.map((each) => each()),
        ),
      ).toBe(1);
    });

  test("joins the operations around it", () => {
    const f: Fn = (h, w) => {
      const u = (w as jl.Tensor).exp().T;
      const { carry, ys } = jl.scan((x: jl.Tensor) => [x.matmul(u).tanh(), x], (h as jl.Tensor).mul(2), five);
      const other = jl.scan((x: jl.Tensor) => [x.mul(0.1)], h as jl.Tensor, five).carry;
      const third = jl.scan((x: jl.Tensor) => [x.mul(0.2)], h as jl.Tensor, five).carry;
      return [carry.add(1), ys.sum(0), u, other, third];
    };
    expectPlain(f, [random(3, 3), random(3, 3)]);
  });

  test("goes on from the layout that its first step settles", () => {
    const dense: Fn = (h) =>
      jl.scan((x: jl.Tensor) => [x.mul(2).contiguous(), x.sum(1)], (h as jl.Tensor).T, five);
    expectPlain(dense, [random(3, 4)]);
    const spread: Fn = (h) =>
      jl.scan((x: jl.Tensor) => [x.mul(2), x.add(1)], (h as jl.Tensor).expand(4, 3), five);
    expectPlain(spread, [random(3)]);
    const turning = jl.compile((h: jl.Tensor) => jl.scan((x: jl.Tensor) => [x.T.mul(2)], h, five));
    expect(refusal(() => turning(random(3, 3)))).toMatchInlineSnapshot(`
      "bad-layout: scan: tensor 0 of the carry, of shape [3, 3], has the strides [1, 3] after one step, and [3, 1] after the next.
      Return it from each step in one layout: x.contiguous()."
    `);
  });

  test("goes on from the layout that its first steps settle one after the other", () => {
    // A sum of a row has another order where the tensor is transposed, as the first carry is after one step.
    const f: Fn = (h, k, xs) =>
      jl.scan(
        ([a, b]: jl.Tensor[], x: jl.Tensor) => [[(b as jl.Tensor).mul(2), x], (a as jl.Tensor).sum(1)],
        [h as jl.Tensor, (k as jl.Tensor).T],
        xs,
      );
    for (let call = 0; call < 10; call++) expectPlain(f, [random(3, 4), random(4, 3), random(6, 3, 4)]);
  });

  test("of lanes is one operation of all lanes", () => {
    const w = random(4, 4);
    const loops: readonly Fn[] = [
      (h, xs) =>
        jl.scan(
          (x: jl.Tensor, y: jl.Tensor) => [x.mul(0.9).add(y).tanh(), x.mul(y)],
          h as jl.Tensor,
          xs as jl.Tensor,
        ),
      (h, xs) =>
        jl.scan(
          (x: jl.Tensor, y: jl.Tensor) => [x.softmax(0).add(y), x.sum()],
          h as jl.Tensor,
          xs as jl.Tensor,
          { reverse: true },
        ),
      (h) => jl.scan((x: jl.Tensor) => [x.add(w.sum(0)), x], h as jl.Tensor, five),
    ];
    for (const f of loops)
      for (const inDims of [
        [0, 0],
        [0, null],
        [null, 0],
      ] as const) {
        const args = [
          inDims[0] === 0 ? random(3, 4) : random(4),
          inDims[1] === 0 ? random(3, 5, 4) : random(5, 4),
        ];
        const mapped = jl.vmap(f as (...all: jl.Tensor[]) => unknown, { inDims }) as Fn;
        const lanes = [0, 1, 2].map((lane) =>
          allOf(f(...args.map((x, i) => (inDims[i] === 0 ? x.select(0, lane) : x)))),
        );
        for (const run of [mapped, jl.compile(mapped)]) {
          const [carry, ys] = Object.values(run(...args) as object) as [jl.Tensor, jl.Tensor];
          for (const [lane, want] of lanes.entries())
            expect(allOf([carry.select(0, lane), ys.select(0, lane)])).toEqual(want);
        }
        const compiled = jl.compile((...all: jl.Tensor[]) => mapped(...all));
        compiled(...args);
        const names = compiled.program()?.operations.map(({ name }) => name) ?? [];
        expect(names.filter((name) => name === "scan")).toEqual(["scan"]);
        expect(names.length).toBeLessThan(8);
      }
  });

  test("of lanes draws what all lanes draw", () => {
    const f = jl.vmap((h: jl.Tensor) => jl.scan((x: jl.Tensor) => [x.add(jl.randn([4]))], h, five).carry);
    const h = random(3, 4);
    expect(drawnBy(jl.compile(f) as Fn, [h])).toEqual(drawnBy(f as Fn, [h]));
  });

  test("with other numbers in each call is planned once", () => {
    for (const product of [false, true]) {
      const f = (h: jl.Tensor, rate: number) =>
        jl.scan((x: jl.Tensor) => [product ? x.matmul(x).mul(rate) : x.mul(rate)], h, five).carry;
      const compiled = jl.compile(f);
      const h = random(3, 3);
      for (const rate of [0.5, 0.25, 0.5, 0.75])
        expect(bitsOf(compiled(h, rate))).toEqual(bitsOf(f(h, rate)));
      expect(compiled.report().hits).toBe(3);
    }
  });

  test("runs step by step where the host takes part in each", () => {
    const reads: Fn = (h) =>
      jl.scan((x: jl.Tensor) => [x.sum().gt(0).item() ? x.neg() : x.mul(2)], h as jl.Tensor, five);
    const indexes: Fn = (h) =>
      jl.scan((x: jl.Tensor) => [x.indexSelect(0, jl.tensor([2n, 0n, 1n])).mul(2)], h as jl.Tensor, five);
    const draws: Fn = (h) => {
      const generator = jl.generator(7);
      return jl.scan((x: jl.Tensor) => [x.add(jl.rand([3], { generator }))], h as jl.Tensor, five);
    };
    const empty: Fn = (h) => jl.scan((x: jl.Tensor) => [x.mul(2), x], (h as jl.Tensor).narrow(0, 0, 0), five);
    for (const f of [reads, indexes, draws, empty]) {
      const h = random(3);
      const want = drawnBy(f, [h]);
      const compiled = jl.compile(f);
      for (let call = 0; call < 2; call++) expect(drawnBy(compiled, [h])).toEqual(want);
    }
  });

  test("writes a tensor from outside in each step", () => {
    const count = (run: (f: () => unknown) => unknown) => {
      const [counter, h] = [jl.zeros([2]), jl.ones([2])];
      run(() =>
        jl.scan(
          (x: jl.Tensor) => {
            counter.add_(x);
            return [x.add(1)];
          },
          h,
          five,
        ),
      );
      run(() =>
        jl.scan(
          (x: jl.Tensor) => {
            x.add_(1);
            return [x, x.mul(2)];
          },
          h,
          five,
        ),
      );
      return [bitsOf(counter), bitsOf(h)];
    };
    expect(count((f) => jl.compile(f)())).toEqual(count((f) => f()));
  });

  test("with autocast casts in each step", () => {
    const f = jl.autocast(
      "bfloat16",
      (h: jl.Tensor) => jl.scan((x: jl.Tensor) => [x.matmul(x).to("float32")], h, five).carry,
    );
    const h = random(3, 3);
    expect(bitsOf(jl.compile(f)(h))).toEqual(bitsOf(f(h)));
  });

  test("refuses a step that does not do the same each time", () => {
    const h = random(3);
    const bad = (f: (x: jl.Tensor) => jl.Tensor) =>
      refusal(() => jl.compile(() => jl.scan((x: jl.Tensor) => [f(x)], h, five))()).replace(
        /[\w-]+\.ts:\d+:\d+/g,
        "PLACE",
      );
    let i = 0;
    expect(bad((x) => x.mul(i++))).toMatchInlineSnapshot(`
      "impure-step: scan: the step does not do the same in each call: a number of mul of scan-program.PLACE was 0, then 1.
      In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs."
    `);
    expect(bad((x) => (i++ % 2 === 0 ? x.sin() : x.cos()))).toMatchInlineSnapshot(`
      "impure-step: scan: the step does not do the same in each call: operation 1 was sin of scan-program.PLACE, then cos of scan-program.PLACE.
      In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs."
    `);
    expect(bad((x) => (i++ % 2 === 0 ? x.sin() : x.sin().cos()))).toMatchInlineSnapshot(`
      "impure-step: scan: the step does not do the same in each call: cos of scan-program.PLACE is new the second time.
      In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs."
    `);
    expect(bad((x) => x.add(jl.tensor([i++, 1, 2])))).toMatchInlineSnapshot(`
      "impure-step: scan: the step does not do the same in each call: add of scan-program.PLACE reads another tensor the second time.
      In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs."
    `);
    const kept: jl.Tensor[] = [h];
    expect(
      bad((x) => {
        kept.push(x.mul(2));
        return x.add(kept.at(-2) as jl.Tensor);
      }),
    ).toMatchInlineSnapshot(`
      "impure-step: scan: the step does not do the same in each call: add of scan-program.PLACE reads another tensor the second time.
      In a compiled function a step is recorded once, for all steps. What changes from step to step belongs to the carry, or to xs."
    `);
  });

  test("refuses a tensor that a step has kept", () => {
    let kept: jl.Tensor | undefined;
    const failing = jl.compile(() =>
      jl.scan(
        (x: jl.Tensor) => {
          kept = x.mul(2);
          return [x.reshape(7)];
        },
        random(3),
        five,
      ),
    );
    expect(refusal(failing)).toMatch("shape-mismatch");
    expect(refusal(() => kept?.toArray())).toMatch("was disposed");
    jl.compile(() =>
      jl.scan(
        (x: jl.Tensor) => {
          kept = x.mul(2);
          return [x.add(1)];
        },
        random(3),
        five,
      ),
    )();
    expect(refusal(() => kept?.toArray())).toMatch("was disposed");
  });

  test("by each way of compiling", () => {
    const w = random(3, 3);
    const f = (h: jl.Tensor) => {
      const maps = jl.scan((x: jl.Tensor) => [x.mul(0.9).sin(), x], h, five);
      return [...Object.values(maps), jl.scan((x: jl.Tensor) => [x.matmul(w).tanh()], h, five).carry];
    };
    const h = random(3, 3);
    const want = f(h).map(bitsOf);
    for (const options of [
      { backend: "steps" },
      { verify: true },
      { donate: [0] },
      { fullGraph: true },
    ] as const) {
      const compiled = jl.compile(f, options);
      for (let call = 0; call < 2; call++)
        expect(compiled(h.clone()).map(bitsOf), JSON.stringify(options)).toEqual(want);
    }
  });

  test("may be explained before it runs", () => {
    const step = jl.compile((h: jl.Tensor) => jl.scan((x: jl.Tensor) => [x.mul(0.9).sin()], h, five).carry);
    expect(jl.explain(step, random(3))).toBeDefined();
  });

  test("of 1 000 steps has one launch, or plans one step", () => {
    const maps = jl.compile((h: jl.Tensor) => jl.scan((x: jl.Tensor) => [x.mul(0.99)], h, { length: 1000 }));
    maps(random(3));
    expect(maps.program()?.kernels.length).toBe(1);
    const w = random(3, 3);
    const products = jl.compile((h: jl.Tensor) =>
      jl.scan((x: jl.Tensor) => [x.matmul(w).tanh()], h, { length: isCompiled ? 1000 : 50 }),
    );
    products(random(2, 3));
    expect(products.program()?.operations.length).toBe(1);
  });

  test.skipIf(!isCompiled).each([false, true])(
    "of many steps in one kernel may be divided, reversed %s",
    (reverse) => {
      const step = (x: jl.Tensor, y: jl.Tensor): [jl.Tensor, jl.Tensor] => {
        const next = x
          .mul(0.9)
          .add(y)
          .add(jl.rand([2]));
        return [next, next.mul(2)];
      };
      const half = 140_000;
      const xs = jl.arange(2 * half, { dtype: "float32" }).remainder(7);
      const whole = (h: jl.Tensor, xs: jl.Tensor) => jl.scan(step, h, xs, { reverse });
      const halves = (h: jl.Tensor, xs: jl.Tensor) => {
        const [a, b] = [xs.narrow(0, 0, half), xs.narrow(0, half, half)];
        const first = jl.scan(step, h, reverse ? b : a, { reverse });
        const { carry, ys } = jl.scan(step, first.carry, reverse ? a : b, { reverse });
        return { carry, ys: jl.cat(reverse ? [ys, first.ys] : [first.ys, ys]) };
      };
      const [a, b] = [whole, halves].map((f) => drawnBy(jl.compile(f), [jl.ones([2]), xs]));
      expect(JSON.stringify(a) === JSON.stringify(b)).toBe(true);
    },
  );
});
