// PyTorch's golden file: its lines, its values as host scalars, and when one of ours agrees with one of PyTorch's.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { DType, DTypeName } from "../../runtime/base/dtype.js";
import type { Scalar } from "../../runtime/ops/op.js";
import { type Complex, isComplex } from "../../runtime/ops/reference/scalar.js";
import { deviations } from "../data/deviations.js";
import { dtypes, ops, planOf, roundTo } from "./functor-harness.js";

const { promote } = (await import(
  "../../dist/runtime/base/dtype.js"
)) as typeof import("../../runtime/base/dtype.js");

type Value = number | string | boolean | readonly [Value, Value];
/** One line: an operation, the dtypes of its arguments, and its values or its refusal. */
export interface Line {
  kind: string;
  op: string;
  dtypes: DTypeName[];
  in?: Value[][];
  out?: DTypeName;
  result?: Value[];
  error?: string;
}

/** The lines of operations. */
export const lines = gunzipSync(readFileSync(new URL("../data/golden.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((text) => JSON.parse(text) as Line)
  .filter((line) => line.op);
/** Our name of one of PyTorch's operations. */
export const camel = (name: string) => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

const numberOf = (v: Value): number => (v === "-0" ? -0 : Number(v));

/** A value of the file as a host scalar of a dtype. */
export function scalarOf(v: Value, dtype: DType): Scalar {
  if (Array.isArray(v)) return { re: numberOf(v[0]), im: numberOf(v[1]) };
  if (dtype.kind === "bool") return Boolean(v);
  return dtype.kind === "float" || dtype.kind === "complex"
    ? numberOf(v as Value)
    : BigInt(v as string | number);
}

/** Converts an input to the common dtype, as a kernel's loads do. */
export function convert(v: Scalar, to: DType): Scalar {
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

/** True where a value is PyTorch's, or as near as PyTorch itself is to the exact one. */
export function agrees(got: Scalar, want: Scalar, out: DType, exact: boolean): boolean {
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

/** The common dtype of a line's arguments. */
export function commonOf(line: Line): DType {
  const roles = ops[camel(line.op)]?.operands;
  const names = line.dtypes.filter((_, i) => (roles?.[i] ?? "common") === "common");
  return names.map((name) => dtypes[name]).reduce((a, b) => promote(a, b));
}

/** The arguments of a line in the dtypes in which the functor sees them, a column per operand. */
export function argumentsOf(line: Line, compute: DType): Scalar[][] {
  const roles = ops[camel(line.op)]?.operands;
  return (line.in ?? []).map((column, i) => {
    const own = dtypes[line.dtypes[i] as DTypeName];
    const role = roles?.[i] ?? "common";
    return column.map((v) => convert(scalarOf(v, own), role === "common" ? compute : dtypes[role]));
  });
}

/** The results of a line that differ from PyTorch's and are no documented deviation, each as a sentence. */
export function differences(line: Line, got: readonly Scalar[]): string[] {
  const key = camel(line.op);
  const op = ops[key];
  const common = commonOf(line);
  const plan = op && planOf(op, common);
  if (!plan || "refuse" in plan) return [];
  const out = dtypes[line.out as DTypeName];
  const inputs = argumentsOf(line, plan.compute);
  const exact = op.ulp.float64 === 0 && common.kind !== "complex";
  return got.flatMap((g, i) => {
    const want = scalarOf(line.result?.[i] as Value, out);
    const args = inputs.map((column) => column[i] as Scalar);
    if (agrees(g, want, out, exact)) return [];
    if (deviations.some((d) => d.op === key && d.applies(args, g, want))) return [];
    return [`${labelOf(line)}: (${args.map(show).join(", ")}) gives ${show(g)}, PyTorch ${show(want)}`];
  });
}

/** How a line is named in messages. */
export function labelOf(line: Line): string {
  return `${camel(line.op)}(${line.dtypes.join(", ")})`;
}

function show(v: Scalar): string {
  return isComplex(v) ? `(${show(v.re)}, ${show(v.im)})` : Object.is(v, -0) ? "-0" : String(v);
}
