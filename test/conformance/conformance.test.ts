// PyTorch's golden file through the library itself: real tensors, dispatch and kernels, on the device of JITLAB_TEST_DEVICE
// (the cpu unless told otherwise), operation by operation, dtypes by dtypes and layout class by layout class.
//
// Every line is contiguous; every pair of an operation and a layout class, and of dtypes and a class, has one line, drawn anew
// each day. The embedded compiler takes ten times as long: there each operation has one line in two classes, and each dtypes
// have two lines. With JITLAB_TEST_ALL=1 every line has every class.
// JITLAB_CONFORMANCE_SUMMARY names a file for the counts.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import type { DTypeName } from "../../runtime/base/dtype.js";
import { extensions } from "../data/deviations.js";
import { device } from "../support/device.js";
import { drawn, drawSeed, isWhole } from "../support/draw.js";
import { dtypes, ops } from "../support/functor-harness.js";
import { camel, differences, type Line, labelOf, lines, scalarOf } from "../support/golden.js";
import { type Call, compileCalls } from "./kernels.js";
import { elementsOf, type LayoutCase, layouts } from "./layouts.js";

type Calls = Record<string, (...args: unknown[]) => jl.Tensor>;
const functions = jl as unknown as Calls;

const [contiguous, ...others] = layouts as readonly [LayoutCase, ...LayoutCase[]];
const accepted = lines.filter((line) => line.error === undefined);
const named = [...new Set(lines.map((line) => camel(line.op)))];

/** The line of each operation that runs in every layout: all float32, or the first. */
const leading = named.flatMap((name) => {
  const own = accepted.filter((line) => camel(line.op) === name);
  return own.find((line) => line.dtypes.every((dtype) => dtype === "float32")) ?? own.slice(0, 1);
});

const isSampled = device === "wasm" && !isWhole;
const classOf = (i: number) => [others[(i + drawSeed) % others.length] as LayoutCase];

/** The layout classes other than contiguous in which a line runs. */
const chosenLayouts = new Map<Line, readonly LayoutCase[]>(
  leading.map((line, i) => [line, isSampled ? classOf(i) : others]),
);
for (const dtypes of new Set(accepted.map((line) => String(line.dtypes)))) {
  const own = accepted.filter((line) => String(line.dtypes) === dtypes && !chosenLayouts.has(line));
  for (const [i, line] of drawn(own, isSampled ? 2 : others.length).entries())
    chosenLayouts.set(line, classOf(i));
}
const layoutsOf = (line: Line) => (isWhole ? others : (chosenLayouts.get(line) ?? []));
const isTested = (line: Line) => !isSampled || chosenLayouts.has(line);

interface Counts {
  passed: number;
  readonly skipped: Record<string, number>;
  ms: number;
}
const counts: Record<string, Counts> = {};
const summary = { kernels: 0, compileSeconds: 0 };
const began = performance.now();

/** The call of a line in a layout, writing into a tensor of the result's shape. */
function callOf(line: Line, layout: LayoutCase): Call {
  const columns = (line.in ?? []).map((column, i) => {
    const dtype = line.dtypes[i] as DTypeName;
    return { dtype, values: column.map((value) => scalarOf(value, dtypes[dtype])) };
  });
  const n = columns[0]?.values.length ?? 0;
  const out = jl.empty(layout.shape(n), { dtype: line.out as DTypeName, device });
  return { name: camel(line.op), operands: layout.place(columns, device), out };
}

/** The result of a call as written into its tensor. */
function resultOf({ name, operands, out }: Call): jl.Scalar[] {
  const result = functions[name]?.(...operands, { out });
  expect(result).toBe(out);
  return elementsOf(out);
}

const same = (a: jl.Scalar, b: jl.Scalar): boolean =>
  typeof a === "object" && typeof b === "object"
    ? Object.is(a.re, b.re) && Object.is(a.im, b.im)
    : Object.is(a, b);

beforeAll(() => {
  jl.setDevice(device);
  const start = performance.now();
  function* calls() {
    for (const line of accepted) {
      if (!ops[camel(line.op)] || !isTested(line)) continue;
      for (const layout of [contiguous, ...layoutsOf(line)]) yield callOf(line, layout);
    }
  }
  summary.kernels = compileCalls(calls());
  summary.compileSeconds = (performance.now() - start) / 1000;
});

describe(`PyTorch's golden file on ${device}`, () => {
  test.each(named)("%s", (name) => {
    const start = performance.now();
    const count: Counts = { passed: 0, skipped: {}, ms: 0 };
    counts[name] = count;
    const skip = (reason: string, times = 1) => {
      count.skipped[reason] = (count.skipped[reason] ?? 0) + times;
    };
    const failures: string[] = [];
    for (const line of lines.filter((one) => camel(one.op) === name)) {
      if (line.error !== undefined) {
        if (extensions(name, line.dtypes)) {
          skip(
            "PyTorch refuses these dtypes; here they have their obvious meaning (test/data/deviations.ts)",
          );
          continue;
        }
        const operands = line.dtypes.map((dtype) => jl.zeros([2], { dtype, device }));
        try {
          functions[name]?.(...operands);
          failures.push(`${labelOf(line)} must refuse: ${line.error}`);
        } catch (error) {
          if (error instanceof jl.JitlabError && error.code === "dtype-refused") count.passed++;
          else failures.push(`${labelOf(line)} fails: ${error}`);
        }
        continue;
      }
      if (!isTested(line)) {
        skip("the embedded compiler has other lines of the operation and of its dtypes");
        continue;
      }
      // Fresh, so that dispatch itself says what the result's dtype is.
      const { operands } = callOf(line, contiguous);
      const fresh = functions[name]?.(...operands) as jl.Tensor;
      if (fresh.dtype.name !== line.out) {
        failures.push(`${labelOf(line)} gives ${fresh.dtype.name}, not ${line.out}`);
        continue;
      }
      const values = elementsOf(fresh);
      const found = differences(line, values);
      failures.push(...found);
      count.passed += found.length === 0 ? 1 : 0;
      const chosen = layoutsOf(line);
      if (chosen.length < others.length)
        skip(
          "the layout is tested with other dtypes of the operation, and the dtypes in other operations",
          others.length - chosen.length,
        );
      for (const layout of chosen) {
        const got = resultOf(callOf(line, layout));
        const wrong = got.findIndex(
          (value, i) => !same(value, values[layout.valueOf(i, values.length)] as jl.Scalar),
        );
        if (wrong < 0) count.passed++;
        else
          failures.push(
            `${labelOf(line)}, ${layout.name}: element ${wrong} is ${JSON.stringify(got[wrong], plain)}, contiguous ${JSON.stringify(values[layout.valueOf(wrong, values.length)], plain)}`,
          );
      }
    }
    count.ms = Math.round(performance.now() - start);
    expect(failures.slice(0, 12).join("\n")).toBe("");
  });
});

test.each(Object.entries(jl.ops))("the example of %s runs", (_, { example }) => {
  const result = new Function("jl", `return ${example}`)(jl);
  expect(result).toBeInstanceOf(jl.Tensor);
});

function plain(_: string, value: unknown): unknown {
  return typeof value === "bigint" || typeof value === "number" ? String(value) : value;
}

afterAll(() => {
  const path = process.env.JITLAB_CONFORMANCE_SUMMARY;
  if (!path) return;
  const total = (of: (count: Counts) => number) =>
    Object.values(counts).reduce((sum, one) => sum + of(one), 0);
  const skips: Record<string, number> = {};
  for (const { skipped } of Object.values(counts))
    for (const [reason, times] of Object.entries(skipped)) skips[reason] = (skips[reason] ?? 0) + times;
  const report = {
    what: "PyTorch 2.11's golden file through dispatch, by operation: calls that agree, and calls left out by reason",
    date: new Date().toISOString().slice(0, 10),
    device,
    machine: jl.devices().find(({ name }) => name === device)?.description,
    layouts: isWhole ? "all" : "pairs",
    kernels: summary.kernels,
    compileSeconds: Math.round(summary.compileSeconds),
    seconds: Math.round((performance.now() - began) / 1000),
    passed: total(({ passed }) => passed),
    skipped: skips,
    ops: counts,
  };
  writeFileSync(path, `${JSON.stringify(report, null, 1)}\n`);
});
