// The derivative of a scan in a compiled function: the loop and its reverse are one operation each, with the bits of the plain loop.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { bitsOf } from "../support/lanes.js";

beforeAll(useAnyDevice);

type T = jl.Tensor;
type Step = (carry: never, x: never) => readonly unknown[];
interface Options {
  readonly length?: number;
  readonly reverse?: boolean;
}
type Loop = (f: Step, init: unknown, xs?: T, options?: Options) => { carry: never; ys: never };
type Case = (loop: Loop, ...args: T[]) => T;

const plain: Loop = (f, init, xs, { length, reverse = false } = {}) => {
  const elements = xs ? [...xs] : Array<undefined>(length as number).fill(undefined);
  if (reverse) elements.reverse();
  let carry = init;
  const all: T[] = [];
  for (const x of elements) {
    const [next, y] = f(carry as never, x as never);
    carry = next;
    if (y) all.push(y as T);
  }
  if (reverse) all.reverse();
  return { carry: carry as never, ys: (all.length > 0 ? jl.stack(all) : undefined) as never };
};
const scanned = ((f, init, xs, options) => jl.scan(f as never, init, xs, options)) as Loop;

const random = (seed: number, ...shape: number[]) => jl.randn(shape, { generator: jl.generator(seed) }) as T;
const [x, w] = [() => random(1, 6), () => random(2, 6)];
const xs = () => random(3, 5, 6);
const square = () => random(4, 6, 6).mul(0.3);

/** Gradients by all arguments, and the operations of the compiled function. */
function gradientsOf(f: Case, loop: Loop, args: readonly T[]) {
  jl.manualSeed(5);
  const argnums = args.map((_, i) => i);
  const compiled = jl.compile(jl.grad((...given: T[]) => f(loop, ...given), { argnums }));
  const found = compiled(...args) as T[];
  return { bits: found.map(bitsOf), operations: compiled.report().programs[0]?.operations as number };
}

const cases: Readonly<Record<string, [Case, ...(() => T)[]]>> = {
  "by what the step reads from outside": [
    (loop, h, w) => (loop((h: T, x: T) => [h.mul(w).sin().add(x), h.square()], h, xs()).carry as T).sum(),
    x,
    w,
  ],
  "of linear steps, which store nothing": [
    (loop, h) => (loop((h: T, x: T) => [h.mul(0.9).add(x), h], h, xs()).carry as T).square().sum(),
    x,
  ],
  "of results alone": [
    (loop, h, w) => (loop((h: T, x: T) => [h.mul(w).sin().add(x), h.square().sum()], h, xs()).ys as T).sum(),
    x,
    w,
  ],
  "of a carry that is also a result": [
    (loop, h, w) => {
      const step = (h: T, x: T) => {
        const next = h.mul(w).sin().add(x).mul(h);
        return [next, next];
      };
      const { carry, ys } = loop(step, h, xs());
      return (ys as T)
        .sin()
        .sum()
        .add((carry as T).sum());
    },
    x,
    w,
  ],
  "by what is used around the loop too": [
    (loop, h, w) => (loop((h: T, x: T) => [h.mul(w).sin().add(x)], h.mul(w), xs()).carry as T).mul(w).sum(),
    x,
    w,
  ],
  "of a tensor that is written later": [
    (loop, h, w) => {
      const v = w.clone();
      const { carry } = loop((h: T, x: T) => [h.mul(v).sin().add(x.mul(v))], h, xs());
      v.mul_(3);
      return (carry as T).mul(v).sum();
    },
    x,
    w,
  ],
  "of a variable that is set later": [
    (loop, h, w) => {
      let v = w.mul(1);
      const { carry } = loop((h: T, x: T) => [h.mul(v).sin().add(x.mul(v))], h, xs());
      v = v.mul(3);
      return (carry as T).mul(v).sum();
    },
    x,
    w,
  ],
  "of products": [
    (loop, h, W) =>
      (
        loop((h: T, x: T) => [W.T.matmul(h).add(W.matmul(h)).add(x).tanh(), h.sum()], h, xs()).carry as T
      ).sum(),
    x,
    square,
  ],
  "by parts of a tensor": [
    (loop, h, W) =>
      (
        loop((h: T, x: T) => [W.select(0, 1).mul(h).add(W.select(0, 2)).add(x).tanh()], h, xs()).carry as T
      ).sum(),
    x,
    square,
  ],
  "by the elements along which it goes back": [
    (loop, h, all) => {
      const { carry, ys } = loop((h: T, x: T) => [h.mul(x).sin(), h.mul(x.cos())], h, all, { reverse: true });
      return (carry as T).sum().add((ys as T).square().sum());
    },
    x,
    xs,
  ],
  "with draws": [
    (loop, h, w) =>
      (
        loop(
          (h: T) => [
            h
              .mul(w)
              .add(jl.randn([6]))
              .mul(jl.rand([6])),
          ],
          h,
          xs(),
        ).carry as T
      ).sum(),
    x,
    w,
  ],
  "by elements of which some are dropped": [
    (loop, h, all) => {
      const step = (h: T, x: T) => [
        h
          .mul(0.5)
          .add(x)
          .tanh()
          .mul(jl.rand([6]).gt(0.5)),
      ];
      return (loop(step, h, all).carry as T).square().sum();
    },
    x,
    xs,
  ],
  "of rows": [
    (loop, h, w) => (loop((h: T, x: T) => [h.mul(w).softmax(0).add(x)], h, xs()).carry as T).square().sum(),
    x,
    w,
  ],
  "beside a counter": [
    (loop, h, w) => {
      const step = ([h, i]: [T, T]) => [[h.gt(0).where(h.mul(w), h.mul(i)), i.add(1)]];
      const init = [h, jl.tensor(1, { dtype: "int32" })];
      return (loop(step, init, xs()).carry as [T, T])[0].square().sum();
    },
    x,
    w,
  ],
  "of a counter alone": [
    (loop, w) => {
      const init = jl.tensor(1, { dtype: "int32" });
      return (loop((i: T) => [i.add(1), w.mul(i).sin()], init, undefined, { length: 4 }).ys as T).sum();
    },
    w,
  ],
  "past constants": [
    (loop, h, w) =>
      (loop((h: T) => [h.mul(jl.stopGradient(w)).add(jl.stopGradient(h)), h.sin()], h, xs()).carry as T)
        .add(w)
        .sum(),
    x,
    w,
  ],
  "with checkpoint": [
    (loop, h, w) => {
      const own = jl.checkpoint((h: T, w: T, x: T) => h.mul(w).sin().mul(x));
      return (loop((h: T, x: T) => [own(h, w, x), h.sin()], h, xs()).carry as T).sum();
    },
    x,
    w,
  ],
  "with customVjp": [
    (loop, h, w) => {
      const own = jl.customVjp(
        (h: T) => h.floor(),
        (g: T) => [g.mul(2)],
      );
      return (loop((h: T) => [own(h).mul(w), h.sin()], h, xs()).carry as T).sum();
    },
    x,
    w,
  ],
  "of writes in place": [
    (loop, h, w) => {
      const step = (h: T) => {
        const z = h.clone();
        z.narrow(0, 0, 2).mul_(w.narrow(0, 0, 2));
        return [z.sin(), z];
      };
      return (loop(step, h, xs()).ys as T).sum();
    },
    x,
    w,
  ],
  "of loops in loops": [
    (loop, h, w) => {
      const step = (h: T, x: T) => {
        const { carry, ys } = loop((k: T) => [k.mul(w).sin().mul(x), k.mul(h)], h.add(x), undefined, {
          length: 3,
        });
        return [carry, ys];
      };
      return (loop(step, h, xs()).ys as T).sum();
    },
    x,
    w,
  ],
  "of a gradient": [
    (loop, h, w) =>
      jl
        .grad((h: T) => (loop((h: T, x: T) => [h.mul(w).sin().add(x), h.square()], h, xs()).ys as T).sum())(h)
        .square()
        .sum(),
    x,
    w,
  ],
  "of lanes in a step": [
    (loop, h, w) =>
      (loop((h: T) => [jl.vmap((row: T) => row.mul(w).softmax(0))(h)], h, xs()).carry as T).square().sum(),
    square,
    w,
  ],
  "of a loop of lanes": [
    (loop, all, w) =>
      jl
        .vmap((h: T) =>
          (loop((h: T, x: T) => [h.mul(w).sin().add(x), h.square().sum()], h, xs()).ys as T).sum(),
        )(all)
        .sum(),
    square,
    w,
  ],
  "of lanes of gradients": [
    (loop, all, w) => {
      const own = (h: T, v: T) =>
        (loop((h: T, x: T) => [h.mul(v).sin().add(x), h.square().sum()], h, xs()).ys as T).sum();
      return jl
        .vmap(jl.grad(own), { inDims: [0, null] })(all, w)
        .sum();
    },
    square,
    w,
  ],
  "of one tensor twice": [
    (loop, h, w) => {
      const [a, b] = loop(([a, b]: [T, T]) => [[a.mul(w), b.add(a)]], [h, h], xs()).carry as [T, T];
      return a.sum().add(b.sum());
    },
    x,
    w,
  ],
  "of a carry in turns": [
    (loop, h, w) => {
      const [a, b] = loop(([a, b]: [T, T], x: T) => [[b, a.mul(x)]], [h, w], xs()).carry as [T, T];
      return a.sum().add(b.mul(2).sum());
    },
    x,
    w,
  ],
  "of a transposed carry": [
    (loop, h, w) => (loop((h: T) => [h.mul(w).sin()], h.T, xs()).carry as T).sum(),
    square,
    w,
  ],
};

describe("the gradient of a scan in a compiled function", () => {
  for (const [name, [f, ...make]] of Object.entries(cases))
    test(`${name} is a loop`, () => {
      const args = make.map((each) => each());
      const [want, found] = [gradientsOf(f, plain, args), gradientsOf(f, scanned, args)];
      expect(found.bits).toEqual(want.bits);
      expect(found.operations).toBeLessThan(want.operations / 1.5);
    });

  test("of a loop that runs step by step is that of its steps", () => {
    const turned: Case = (loop, h, w) =>
      (loop((h: T) => [h.mul(w).sin().contiguous()], h.T, xs()).carry as T).sum();
    const along: Case = (loop, h, w) => {
      const step = (h: T, x: T) => [h.mul(x).mul(w).sin().contiguous()];
      return (loop(step, h.T, random(3, 5, 6, 6)).carry as T).sum();
    };
    const index = jl.tensor([1, 0, 2, 3, 5, 4], { dtype: "int64" });
    const read: Case = (loop, h, w) =>
      (loop((h: T) => [h.gather(0, index).mul(w)], h, xs()).carry as T).sum();
    for (const [f, h] of [
      [turned, square()],
      [along, square()],
      [read, x()],
    ] as const)
      expect(gradientsOf(f, scanned, [h, w()]).bits).toEqual(gradientsOf(f, plain, [h, w()]).bits);
  });

  test("leaves what nothing is differentiated by alone", () => {
    const f: Case = (loop, w) => {
      const { carry } = loop((h: T) => [h.add(jl.rand([6])), h.sin()], x(), xs());
      return (carry as T)
        .mul(w)
        .add(jl.rand([6]))
        .sum();
    };
    expect(gradientsOf(f, scanned, [w()]).bits).toEqual(gradientsOf(f, plain, [w()]).bits);
  });

  test("refuses a step that changes", () => {
    let counter = 0;
    const f = (h: T) => jl.scan((x: T) => [x.mul(++counter).sin()], h, undefined, { length: 4 }).carry.sum();
    expect(() => jl.compile(jl.grad(f))(x())).toThrow(/does not do the same in each call/);
  });

  test("of many steps has few operations, in each call", () => {
    const W = random(1, 8, 8).mul(0.1);
    const all = random(2, 200, 4, 8);
    const cell = (loop: Loop) => (W: T) =>
      (loop((h: T, x: T) => [h.matmul(W).add(x).tanh()], jl.zeros([4, 8]), all).carry as T).square().mean();
    const compiled = jl.compile(jl.grad(cell(scanned)));
    const want = bitsOf(jl.grad(cell(plain))(W));
    for (let call = 0; call < 3; call++) expect(bitsOf(compiled(W))).toEqual(want);
    expect(compiled.report().programs[0]?.operations).toBeLessThan(20);
  });

  test("of a step by elements is a kernel each way", () => {
    const f = (h: T, w: T) =>
      jl.scan((x: T): [T] => [x.mul(w).sin()], h, undefined, { length: 50 }).carry.sum();
    const compiled = jl.compile(jl.grad(f, { argnums: [0, 1] }));
    const args = [x(), w()] as const;
    compiled(...args);
    const found: { launches: readonly unknown[] } = jl.record(() => compiled(...args));
    // The loops, and what fills the first cotangents.
    expect(found.launches.length).toBeLessThan(6);
  });
});
