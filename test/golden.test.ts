// Every op line of the golden file: PyTorch's result dtypes, refusals, special values and, within tolerance, numbers.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { DType, DTypeName } from "../runtime/dtype.js";
import type { Scalar } from "../runtime/ops/op.js";
import { type Complex, isComplex } from "../runtime/ops/reference/scalar.js";
import { deviations, extensions } from "./data/deviations.js";
import { compiler, dtypes, ops, planOf, prepare, roundTo, run } from "./support/functor-harness.js";

const { promote } = (await import("../dist/runtime/dtype.js")) as typeof import("../runtime/dtype.js");

type Value = number | string | boolean | readonly [Value, Value];
interface Line {
  kind: string;
  op: string;
  dtypes: DTypeName[];
  in?: Value[][];
  out?: DTypeName;
  result?: Value[];
  error?: string;
}

const lines = gunzipSync(readFileSync(new URL("./data/golden.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((text) => JSON.parse(text) as Line)
  .filter((line) => line.op);
const camel = (name: string) => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

const numberOf = (v: Value): number => (v === "-0" ? -0 : Number(v));
function scalarOf(v: Value, dtype: DType): Scalar {
  if (Array.isArray(v)) return { re: numberOf(v[0]), im: numberOf(v[1]) };
  if (dtype.kind === "bool") return Boolean(v);
  return dtype.kind === "float" || dtype.kind === "complex"
    ? numberOf(v as Value)
    : BigInt(v as string | number);
}

/** Converts an input to the common dtype, as a kernel's loads do. */
function convert(v: Scalar, to: DType): Scalar {
  if (to.kind === "complex") return isComplex(v) ? v : { re: roundTo(to, Number(v)), im: 0 };
  if (to.kind === "float") return roundTo(to, Number(v));
  if (to.kind === "bool") return Boolean(v);
  return BigInt(v as bigint | boolean);
}

/** Relative tolerance where PyTorch itself is not exact; half types are compared within one step. */
const tolerance: Partial<Record<DTypeName, number>> = {
  float16: 2e-3,
  bfloat16: 1.6e-2,
  float32: 2e-5,
  float64: 1e-9,
  complex64: 2e-5,
  complex128: 1e-9,
};

function close(got: number, want: number, relative: number, scale: number): boolean {
  if (Number.isNaN(want) || Number.isNaN(got)) return Number.isNaN(want) && Number.isNaN(got);
  if (want === got) return want !== 0 || Object.is(want, got) || scale > 0;
  if (!Number.isFinite(want) || !Number.isFinite(got)) return false;
  return Math.abs(got - want) <= relative * Math.max(Math.abs(want), scale);
}

function agrees(got: Scalar, want: Scalar, out: DType, exact: boolean): boolean {
  const relative = exact ? 0 : (tolerance[out.name] ?? 0);
  if (isComplex(want)) {
    const g = got as Complex;
    // The sign of a part that is zero depends on how a library orders a product's terms: it is not compared.
    const scale = Math.hypot(want.re, want.im) || 1;
    return (
      close(g.re, want.re, tolerance[out.name] ?? 0, scale) &&
      close(g.im, want.im, tolerance[out.name] ?? 0, scale)
    );
  }
  if (typeof want !== "number") return got === want;
  // Near a zero of a function PyTorch keeps absolute, not relative accuracy.
  const least = out.bytes === 2 ? 0.5 : 1e-2;
  return close(Number(got), want, relative, exact ? 0 : least * Number(want !== 0));
}

function commonOf(line: Line): DType {
  const roles = ops[camel(line.op)]?.operands;
  const names = line.dtypes.filter((_, i) => (roles?.[i] ?? "common") === "common");
  return names.map((name) => dtypes[name]).reduce((a, b) => promote(a, b));
}

const named = [...new Set(lines.map((line) => line.op))];

describe.skipIf(!compiler)("golden values", () => {
  beforeAll(prepare, 600_000);

  test.each(named)("%s", (name) => {
    const key = camel(name);
    const op = ops[key];
    expect(op, `no record for ${key}`).toBeDefined();
    if (!op) return;
    const failures: string[] = [];
    for (const line of lines.filter((l) => l.op === name)) {
      const common = commonOf(line);
      const plan = planOf(op, common);
      const label = `${key}(${line.dtypes.join(", ")})`;
      if (line.error !== undefined) {
        if (!("refuse" in plan) && !extensions(key, line.dtypes))
          failures.push(`${label} must refuse: ${line.error}`);
        continue;
      }
      if ("refuse" in plan) {
        failures.push(`${label} refuses: ${plan.refuse}`);
        continue;
      }
      const out = dtypes[line.out as DTypeName];
      if (plan.out.name !== out.name) {
        failures.push(`${label} gives ${plan.out.name}, not ${out.name}`);
        continue;
      }
      const inputs = (line.in ?? []).map((column, i) => {
        const own = dtypes[line.dtypes[i] as DTypeName];
        const role = op.operands?.[i] ?? "common";
        const to = role === "common" ? plan.compute : dtypes[role];
        return column.map((v) => convert(scalarOf(v, own), to));
      });
      const got = run(key, common, inputs);
      const exact = op.ulp.float64 === 0 && common.kind !== "complex";
      for (const [i, g] of got.entries()) {
        const want = scalarOf(line.result?.[i] as Value, out);
        if (agrees(g, want, out, exact)) continue;
        const args = inputs.map((column) => column[i] as Scalar);
        if (deviations.some((d) => d.op === key && d.applies(args, g, want))) continue;
        const show = (v: Scalar): string =>
          isComplex(v) ? `(${show(v.re)}, ${show(v.im)})` : Object.is(v, -0) ? "-0" : String(v);
        failures.push(`${label}: (${args.map(show).join(", ")}) gives ${show(g)}, PyTorch ${show(want)}`);
      }
    }
    expect(failures.slice(0, 12).join("\n")).toBe("");
  });
});
