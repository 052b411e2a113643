// Properties of operations over random shapes, strides (also zero and negative), broadcasts and dtypes: equal to the
// reference evaluator, for every form of call. The cases come from a seed; their kernels are compiled in batches in advance.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import type { DTypeName } from "../../runtime/base/dtype.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import { type AnyCall, compileCalls } from "../conformance/kernels.js";
import { device, useAnyDevice } from "../support/device.js";
import { dtypes } from "../support/functor-harness.js";
import { type Dimension, elementsOf, evaluate, type Modelled, model, stored } from "../support/model.js";

const seed = Number(process.env.JITLAB_PROPERTY_SEED ?? 20261121);
const runs = { numRuns: Number(process.env.JITLAB_PROPERTY_RUNS ?? 40), seed, endOnFailure: true } as const;

type Function = (...args: unknown[]) => jl.Tensor;
const functions = jl as unknown as Record<string, Function>;
const records = jl.ops as Readonly<Record<string, Op>>;
const names = Object.keys(jl.dtypes) as DTypeName[];
// Operations whose definition has no accuracy of its own, of every arity, dtype rule and role.
const exact = [
  ...["neg", "abs", "square", "sign", "logicalNot", "isnan", "bitwiseNot", "floor", "conj", "real"],
  ...[
    "add",
    "sub",
    "mul",
    "maximum",
    "fmin",
    "eq",
    "lt",
    "gcd",
    "bitwiseXor",
    "floorDivide",
    "remainder",
    "leftShift",
  ],
  ...["where", "clamp", "addcmul"],
];

const dimension: fc.Arbitrary<Dimension> = fc.record({
  step: fc.constantFrom(1, 1, 1, 2, -1, -2, 0),
  skip: fc.constantFrom(0, 0, 1),
});
// Extents on both sides of what tiles, vectors and threads begin at.
const extent = fc.constantFrom<number>(0, 1, 2, 3, 5, 33, 65);
const shapeOf = fc
  .array(extent, { maxLength: 4 })
  .filter((shape) => shape.reduce((size, one) => size * one, 1) <= 5000);

/** How an operand is laid out; it takes a dtype and a shape later. */
interface Layout {
  readonly dimensions: readonly Dimension[];
  readonly order: readonly number[];
}
const layoutFor = (shape: readonly number[]): fc.Arbitrary<Layout> =>
  fc.record({
    dimensions: fc.array(dimension, { minLength: shape.length, maxLength: shape.length }),
    order: fc.shuffledSubarray([...shape.keys()], { minLength: shape.length }),
  });

/** Integers that every dtype holds; products of three stay small. */
function element(dtype: DTypeName, i: number): Scalar {
  const value = ((i * 7919) % 11) - (jl.dtypes[dtype].kind === "unsigned" ? 0 : 5);
  const whole = Math.abs(value) === 0 ? 3 : value;
  const { kind } = jl.dtypes[dtype];
  if (kind === "bool") return i % 3 !== 0;
  if (kind === "complex") return { re: whole, im: (i % 5) - 2 };
  return kind === "float" ? whole : BigInt(kind === "unsigned" ? Math.abs(whole) : whole);
}

const tensorOf = (shape: readonly number[], { dimensions, order }: Layout, dtype: DTypeName): Modelled =>
  model(shape, dimensions, order, dtype, (i) => element(dtype, i), device);

/** A plan of one operand: a tensor that broadcasts to the result's shape, or a host scalar. */
const operandFor = (shape: readonly number[], scalars: boolean) =>
  fc
    .record({
      dtype: fc.constantFrom(...names),
      drop: fc.constantFrom(0, 0, 0, 1, 9),
      flat: fc.array(fc.boolean(), { minLength: shape.length, maxLength: shape.length }),
      narrow: fc.boolean(),
      scalar: scalars
        ? fc.constantFrom(undefined, undefined, undefined, 3, true, 2n, { re: 1, im: 2 })
        : fc.constant(undefined),
    })
    .chain(({ dtype, drop, flat, narrow, scalar }) => {
      const kept = shape.slice(Math.min(drop, shape.length));
      const own = kept.map((one, d) => (narrow && flat[d] && one !== 0 ? 1 : one));
      return layoutFor(own).map((layout) => ({ shape: own, layout, dtype, scalar }));
    });

interface Case {
  readonly name: string;
  readonly op: Op;
  readonly operands: readonly (Modelled | Scalar)[];
  /** How the output is laid out where one is given. */
  readonly out: Layout;
}
const caseOf = (choice: readonly string[]): fc.Arbitrary<Case> =>
  fc
    .record({ name: fc.constantFrom(...choice), shape: shapeOf })
    .chain(({ name, shape }) => {
      const op = records[name] as Op;
      const operands = Array.from({ length: op.arity }, (_, i) => operandFor(shape, i > 0 && !op.operands));
      return fc.record({
        name: fc.constant(name),
        op: fc.constant(op),
        plans: fc.tuple(...operands),
        // Result dimensions are at most those of the shape; further layouts go unused.
        out: layoutFor(shape),
      });
    })
    .map(({ name, op, plans, out }) => ({
      name,
      op,
      operands: plans.map((plan) =>
        plan.scalar !== undefined ? plan.scalar : tensorOf(plan.shape, plan.layout, plan.dtype),
      ),
      out,
    }));

const valuesOf = (operands: Case["operands"]) =>
  operands.map((operand) => (typeof operand === "object" && "tensor" in operand ? operand.tensor : operand));

/** An output of a shape, in a layout without repeated elements, whose dimensions may be fewer than the layout's. */
function outputOf(shape: readonly number[], { dimensions, order }: Layout, dtype: DTypeName): Modelled {
  const used = shape.map((_, d) => ({ ...(dimensions[d] as Dimension), step: dimensions[d]?.step || 1 }));
  return tensorOf(shape, { dimensions: used, order: order.filter((d) => d < shape.length) }, dtype);
}

/** Compares elements with the definition's: floating ones up to the rounding of a few steps. */
function expectElements(got: readonly Scalar[], want: readonly Scalar[], bytes: number, what: string): void {
  expect(got.length, what).toBe(want.length);
  const relative = bytes === 2 ? 0.01 : 1e-6;
  const near = (a: number, b: number) =>
    Object.is(a, b) || a === b || Math.abs(a - b) <= relative * Math.abs(b);
  const at = got.findIndex((value, i) => {
    const wanted = want[i] as Scalar;
    if (typeof wanted === "object") {
      return !(near((value as typeof wanted).re, wanted.re) && near((value as typeof wanted).im, wanted.im));
    }
    return typeof wanted === "number" ? !near(Number(value), wanted) : value !== wanted;
  });
  if (at >= 0) expect(text(got[at]), `${what}, element ${at}`).toBe(text(want[at]));
}
const text = (value: unknown) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
const describeCase = ({ name, operands }: Case) =>
  `${name}(${valuesOf(operands)
    .map((x) => (x instanceof jl.Tensor ? `${x.dtype.name}[${x.shape}]/[${x.strides}]` : text(x)))
    .join(", ")})`;

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(jl.JitlabError);
    return (error as jl.JitlabError).code;
  }
  return "none";
};

/** Compiles, in batches, what the cases of a property will need. */
function warm(cases: readonly Case[], more: (one: Case) => AnyCall[] = () => []): void {
  compileCalls(
    cases.flatMap((one) => {
      if (!evaluate(one.op, one.operands)) return [];
      return [{ name: one.name, operands: valuesOf(one.operands) }, ...more(one)];
    }),
  );
}

beforeAll(useAnyDevice);

describe("operations", { timeout: 300_000 }, () => {
  test("give what their definitions give, with an output or without", () => {
    const cases = caseOf(exact);
    warm(fc.sample(cases, runs), (one) => {
      const want = evaluate(one.op, one.operands);
      return want
        ? [
            {
              name: one.name,
              operands: valuesOf(one.operands),
              out: outputOf(want.shape, one.out, want.dtype.name).tensor,
            },
          ]
        : [];
    });
    fc.assert(
      fc.property(cases, (one) => {
        const what = describeCase(one);
        const call = (options?: object) => functions[one.name]!(...valuesOf(one.operands), options);
        const want = evaluate(one.op, one.operands);
        if (!want) {
          expect(refusal(call), what).toBe("dtype-refused");
          return;
        }
        const result = call();
        expect(result.shape, what).toEqual(want.shape);
        expect(result.dtype.name, what).toBe(want.dtype.name);
        const elements = elementsOf(result);
        expectElements(
          elements,
          want.elements,
          want.dtype.bytes / (want.dtype.kind === "complex" ? 2 : 1),
          what,
        );

        const out = outputOf(want.shape, one.out, want.dtype.name);
        expect(call({ out: out.tensor })).toBe(out.tensor);
        expect(text(elementsOf(out.tensor)), what).toBe(text(elements));
        // What lies between and around the output's elements is as it was.
        const around = out.base.slice();
        for (const [i, place] of out.places.entries()) around[place] = elements[i] as Scalar;
        expect(text(elementsOf(out.whole)), what).toBe(text(around));
      }),
      runs,
    );
  });

  test("in place give what they give out of place, or refuse", () => {
    const cases = caseOf(["neg", "abs", "add", "mul", "maximum", "lt", "bitwiseXor", "addcmul"]);
    warm(fc.sample(cases, runs), (one) => {
      const [target] = valuesOf(one.operands);
      const want = evaluate(one.op, one.operands);
      if (!(target instanceof jl.Tensor) || !want || !inPlaceWorks(one, want)) return [];
      return [{ name: one.name, operands: valuesOf(one.operands), out: target }];
    });
    fc.assert(
      fc.property(cases, (one) => {
        const what = `${describeCase(one)} in place`;
        const [first] = one.operands as [Modelled];
        const [target, ...others] = valuesOf(one.operands) as [jl.Tensor, ...unknown[]];
        const want = evaluate(one.op, one.operands);
        const before = text(elementsOf(first.whole));
        const run = () => (target as unknown as Record<string, Function>)[`${one.name}_`]!(...others);
        if (!want || !inPlaceWorks(one, want)) {
          expect(["dtype-refused", "shape-mismatch", "output-dtype", "output-overlap"], what).toContain(
            refusal(run),
          );
          expect(text(elementsOf(first.whole)), what).toBe(before);
          return;
        }
        const result = functions[one.name]!(...valuesOf(one.operands)).to(target.dtype.name);
        expect(run()).toBe(target);
        expect(text(elementsOf(target)), what).toBe(text(elementsOf(result)));
      }),
      runs,
    );
  });

  test("that commute give the same bits either way", () => {
    const commutative = Object.keys(records).filter((name) => records[name]?.commutative);
    expect(commutative.length).toBeGreaterThan(8);
    const cases = caseOf(commutative);
    const turned = (one: Case): AnyCall => ({ name: one.name, operands: valuesOf(one.operands).reverse() });
    warm(fc.sample(cases, runs), (one) => [turned(one)]);
    fc.assert(
      fc.property(cases, (one) => {
        const [a, b] = valuesOf(one.operands);
        if (!evaluate(one.op, one.operands)) return;
        const [left, right] = [functions[one.name]!(a, b), functions[one.name]!(b, a)];
        expect(right.dtype.name).toBe(left.dtype.name);
        expect(text(elementsOf(right)), describeCase(one)).toBe(text(elementsOf(left)));
      }),
      runs,
    );
  });

  test("refuse shapes that do not broadcast", () => {
    const shapes = fc.tuple(shapeOf, shapeOf).filter(([a, b]) => {
      const shared = Math.min(a.length, b.length);
      return Array.from({ length: shared }, (_, i) => [a.at(-1 - i), b.at(-1 - i)]).some(
        ([x, y]) => x !== y && x !== 1 && y !== 1,
      );
    });
    fc.assert(
      fc.property(shapes, ([a, b]) => {
        expect(refusal(() => jl.add(jl.empty(a, { device }), jl.empty(b, { device })))).toBe(
          "shape-mismatch",
        );
      }),
      { ...runs, numRuns: 200 },
    );
  });
});

const kinds = ["bool", "unsigned", "signed", "float", "complex"];
/** Whether the first operand can hold the result: its shape, a kind as high, and memory for every element. */
function inPlaceWorks(one: Case, want: { shape: readonly number[]; dtype: { kind: string } }): boolean {
  const first = one.operands[0] as Modelled;
  const rank = (kind: string) => kinds.indexOf(kind === "unsigned" ? "signed" : kind);
  return (
    first.shape.join() === want.shape.join() &&
    rank(want.dtype.kind) <= rank(dtypes[first.tensor.dtype.name].kind) &&
    (new Set(first.places).size === first.places.length || first.places.length === 0)
  );
}

describe("views", { timeout: 300_000 }, () => {
  const views = shapeOf.chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      layout: layoutFor(shape),
      dtype: fc.constantFrom<DTypeName>("float32", "int64", "bool", "complex64", "float16"),
    }),
  );
  test("read and write the elements of their base, and no others", () => {
    fc.assert(
      fc.property(views, ({ shape, layout, dtype }) => {
        const { tensor, places, base, whole } = tensorOf(shape, layout, dtype);
        const what = `${dtype}[${tensor.shape}]/[${tensor.strides}]`;
        const read = places.map((place) => stored(base[place] as Scalar, dtypes[dtype]));
        expect(text(elementsOf(tensor)), what).toBe(text(read));
        expect(text(elementsOf(tensor.clone())), what).toBe(text(read));
        expect(text(elementsOf(tensor.reshape(-1))), what).toBe(text(read));
        const value = element(dtype, 4);
        const repeats = new Set(places).size !== places.length;
        if (repeats) {
          expect(
            refusal(() => tensor.fill_(value)),
            what,
          ).toBe("output-overlap");
          expect(text(elementsOf(whole)), what).toBe(text(base));
          return;
        }
        tensor.fill_(value);
        for (const place of places) base[place] = stored(value, dtypes[dtype]);
        expect(text(elementsOf(whole)), what).toBe(text(base));
      }),
      { ...runs, numRuns: 80 },
    );
  });
});
