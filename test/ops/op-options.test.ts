// Options of operations: PyTorch's dtypes, values and errors for each, in every form of call; unknown options; and that all
// values share a kernel.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import { device, isCompiled, useAnyDevice } from "../support/device.js";
import { dtypes as harnessDTypes } from "../support/functor-harness.js";
import { agrees, scalarOf } from "../support/golden.js";

beforeAll(useAnyDevice);

type Value = number | string | boolean | [Value, Value];
interface Line {
  op: string;
  options: Record<string, unknown>;
  dtype: jl.DTypeName;
  in: Value[][];
  out?: jl.DTypeName;
  result?: Value[];
  error?: string;
}
const { lines } = JSON.parse(readFileSync(new URL("../data/op-options.json", import.meta.url), "utf8")) as {
  lines: Line[];
};

type Call = (...args: unknown[]) => jl.Tensor;
const functions = jl as unknown as Record<string, Call>;
const records = jl.ops as Readonly<Record<string, Op>>;
const named = Object.keys(records).filter((name) => records[name]?.options);

function operandsOf({ op, dtype, in: columns }: Line): jl.Tensor[] {
  expect(records[op]).toBeDefined();
  return columns.map((column) =>
    jl.tensor(column.map((value) => scalarOf(value as never, harnessDTypes[dtype])) as never, { dtype }),
  );
}

/** Where jitlab takes what PyTorch refuses, or refuses what it takes, with the reason. */
function ownWay({ op, dtype, options }: Line): string | undefined {
  const integer = jl.dtypes[dtype].kind === "signed" || jl.dtypes[dtype].kind === "unsigned";
  if (op === "logit" && options.eps === 1e-6 && jl.dtypes[dtype].bytes === 2)
    return "1 - eps is 1 in PyTorch's half arithmetic";
  if (op === "add" && options.alpha === true) return "true is the number 1 in any dtype";
  if (op === "addcmul" && integer && options.value === 0.5) return "PyTorch cuts the factor to 0 silently";
  return undefined;
}

function elements(x: jl.Tensor): Scalar[] {
  const whole = x.dtype.kind === "signed" || x.dtype.kind === "unsigned";
  return (x.flatten().toArray() as Scalar[]).map((value) => (whole ? BigInt(value as number) : value));
}

/** The elements that are not PyTorch's, each as a sentence. */
function differences(line: Line, got: readonly Scalar[]): string[] {
  const out = harnessDTypes[line.out as jl.DTypeName];
  return got.flatMap((value, i) => {
    const want = scalarOf(line.result?.[i] as never, out);
    const args = line.in.map((column) => column[i]);
    if (agrees(value, want, out, false) || (value === 0 && want === 0)) return [];
    return [`${line.dtype} ${JSON.stringify(line.options)} (${args}): ${text(value)}, PyTorch ${text(want)}`];
  });
}

const text = (value: unknown) =>
  JSON.stringify(value, (_, v) => (typeof v === "bigint" || typeof v === "number" ? String(v) : v));

describe("PyTorch's answers", () => {
  test("there are some for every option", () => {
    for (const name of named) {
      for (const key of Object.keys(records[name]?.options ?? {}))
        expect(
          lines.some((line) => line.op === name && key in line.options),
          `${name} ${key}`,
        ).toBe(true);
    }
  });

  const answered = [...new Set(lines.map((line) => line.op))];
  // The reference device has JavaScript's tanh.
  test.each(answered.filter((name) => isCompiled || name !== "gelu"))("%s", (name) => {
    const failures: string[] = [];
    for (const line of lines.filter(({ op }) => op === name)) {
      const call = () => functions[name]!(...operandsOf(line), line.options);
      if (ownWay(line)) continue;
      if (line.error !== undefined) {
        let refusal: unknown;
        try {
          call();
        } catch (error) {
          refusal = error;
        }
        if (!(refusal instanceof jl.JitlabError))
          failures.push(
            `${line.dtype} ${JSON.stringify(line.options)} must refuse: ${line.error} (${refusal})`,
          );
        continue;
      }
      const result = call();
      if (result.dtype.name !== line.out) {
        failures.push(
          `${line.dtype} ${JSON.stringify(line.options)} gives ${result.dtype.name}, not ${line.out}`,
        );
        continue;
      }
      failures.push(...differences(line, elements(result)));
    }
    expect(failures.slice(0, 10)).toEqual([]);
  });

  test.each(named)("%s by function, method, in place, with out, and strided", (name) => {
    const line = lines.find(
      ({ op, dtype, options }) => op === name && dtype === "float32" && Object.keys(options).length > 0,
    ) as Line;
    const [first, ...rest] = operandsOf(line) as [jl.Tensor, ...jl.Tensor[]];
    const want = functions[name]!(first, ...rest, line.options);
    const method = (x: jl.Tensor, key: string, ...args: unknown[]) =>
      (x as unknown as Record<string, Call>)[key]!.call(x, ...args);
    expect(method(first, name, ...rest, line.options).toArray()).toEqual(want.toArray());
    const out = jl.empty(want.shape, { dtype: want.dtype.name });
    expect(functions[name]!(first, ...rest, { ...line.options, out })).toBe(out);
    expect(out.toArray()).toEqual(want.toArray());
    const spread = (x: jl.Tensor) => {
      const wide = jl.zeros([x.size, 2], { dtype: x.dtype.name });
      wide.select(1, 1).copy_(x);
      return wide.select(1, 1);
    };
    expect(functions[name]!(spread(first), ...rest.map(spread), line.options).toArray()).toEqual(
      want.toArray(),
    );
    if (want.dtype === first.dtype) {
      const copy = first.clone();
      expect(method(copy, `${name}_`, ...rest, line.options)).toBe(copy);
      expect(copy.toArray()).toEqual(want.toArray());
    }
  });
});

describe("references", () => {
  test.each(named)("%s agrees with the definition of each of its forms", (name) => {
    const op = records[name] as Op;
    const forms = Object.values(op.options ?? {}).flatMap((option) =>
      "choices" in option ? Object.values(option.choices) : op.form ? [op.form] : [],
    );
    expect(forms.length).toBeGreaterThan(0);
    for (const line of lines.filter(({ op, dtype }) => op === name && dtype === "float64")) {
      if (Object.keys(line.options).length === 0 || line.error !== undefined) continue;
      const chosen = Object.entries(op.options ?? {}).find(([key]) => key in line.options);
      const option = chosen?.[1] as NonNullable<Op["options"]>[string];
      const form =
        "choices" in option ? option.choices[line.options[chosen?.[0] as string] as string] : op.form;
      const all = Object.fromEntries(
        Object.entries(op.options ?? {}).flatMap(([key, one]) =>
          key in line.options
            ? [[key, line.options[key]]]
            : "default" in one && typeof one.default !== "string"
              ? [[key, one.default]]
              : [],
        ),
      ) as Record<string, Scalar>;
      const reference = form!.reference(form!.values?.(all, harnessDTypes.float64) ?? all);
      const out = harnessDTypes[line.out as jl.DTypeName];
      const rows = line.in[0]!.map((_, i) =>
        line.in.map((column) => scalarOf(column[i] as never, harnessDTypes.float64)),
      );
      const wrong = differences(
        line,
        rows.map((row) => {
          const value = reference(...row);
          return out.kind === "bool" ? Boolean(value) : value;
        }),
      );
      expect(wrong.slice(0, 5)).toEqual([]);
    }
  });
});

test("values of options need no kernel of their own", () => {
  const x = jl.ones([3]);
  jl.add(x, x, { alpha: 2 });
  const ofAdd = () => jl.timings().filter(({ op }) => op === "add").length;
  const kernels = ofAdd();
  expect(jl.add(x, x, { alpha: -0.5 }).toArray()).toEqual([0.5, 0.5, 0.5]);
  expect(jl.add(x, x, { alpha: 3n }).toArray()).toEqual([4, 4, 4]);
  expect(ofAdd()).toBe(kernels);
  const y = jl.tensor([1.256]);
  jl.round(y, { decimals: 2 });
  const all = jl.timings().length;
  expect(jl.round(y, { decimals: 1 }).item()).toBeCloseTo(1.3, 6);
  expect(jl.timings().length).toBe(all);
});

test("a call without options runs the plain kernel", () => {
  const x = jl.ones([3], { dtype: "int16" });
  const plain = jl.add(x, x);
  const before = jl.timings().length;
  jl.add(x, x, {});
  jl.add(x, x, { alpha: undefined as never });
  expect(jl.timings().length).toBe(before);
  expect(plain.toArray()).toEqual([2, 2, 2]);
});

test("what no option is, is refused with what there is", () => {
  const x = jl.ones([2], { device });
  const whole = jl.ones([2], { dtype: "int32" });
  const bytes = jl.ones([2], { dtype: "uint8" });
  const refusals: (() => unknown)[] = [
    () => jl.add(x, x, { alhpa: 2 } as never),
    () => jl.mul(x, x, { alpha: 2 } as never),
    () => jl.add(x, x, { alpha: "2" } as never),
    () => jl.add(x, x, { alpha: Number.NaN, out: 3 } as never),
    () => jl.add(whole, whole, { alpha: 0.5 }),
    () => jl.add(x, x, { alpha: { re: 0, im: 1 } }),
    () => jl.sub(bytes, bytes, { alpha: -1 }),
    () => jl.div(x, x, { roundingMode: "up" } as never),
    () => jl.round(x, { decimals: 1.5 }),
    () => jl.round(whole, { decimals: 1 }),
    () => jl.isclose(x, x, { equalNan: 1 } as never),
    () => jl.gelu(x, { approximate: "none" } as never),
    () => jl.add(x, 1, 2 as never),
    () => jl.sin(x, x as never),
    () => jl.where(x, x, x, null as never),
    () => x.add_(x, 3 as never),
  ];
  const told = refusals.map((run) => {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      return `${(error as jl.JitlabError).code}: ${(error as Error).message}`;
    }
    return `nothing was refused: ${run}`;
  });
  expect(told.join("\n\n")).toMatchSnapshot();
});
