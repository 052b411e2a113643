// The comparison of functions of tensors with PyTorch's results in a file of test/data that scripts/tensor_golden.py wrote: a test
// for each call, over all tensors that it was made with. What PyTorch refuses is refused with an error of ours.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { extended, refused } from "../data/function-deviations.js";
import { useDevice } from "./device.js";

type Element = number | string | boolean | [Element, Element];
interface Written {
  readonly dtype: jl.DTypeName;
  readonly shape: number[];
  readonly values: Element[];
  readonly slice?: string;
}
type Outcome = Written | Outcome[] | { readonly value: unknown } | { readonly error: string };

interface Golden {
  readonly inputs: Record<string, Written>;
  readonly cases: readonly { readonly x: string; readonly call: string; readonly result: Outcome }[];
}

/** The share of a number by which float results may differ: what is composed of several operations rounds elsewhere. */
const tolerance: Partial<Record<jl.DTypeName, number>> = {
  float16: 2e-3,
  bfloat16: 1.6e-2,
  float32: 4e-6,
  float64: 1e-13,
  complex64: 4e-6,
  complex128: 1e-13,
};

const special: Record<string, number> = { inf: Infinity, "-inf": -Infinity, nan: NaN, "-0": -0 };

function host(value: Element): any {
  if (Array.isArray(value)) return { re: host(value[0]), im: host(value[1]) };
  return typeof value === "string" ? (special[value] ?? Number(value)) : value;
}

function make({ dtype, shape, values, slice }: Written): jl.Tensor {
  const integer = dtype === "int64";
  const elements = values.map((value) => (integer ? BigInt(value as number | string) : host(value)));
  const base = jl.tensor(elements, { dtype }).reshape(shape);
  return slice === undefined ? base : slice === "T" ? base.T : base.slice(slice);
}

function near(got: any, want: Element, share: number): boolean {
  if (Array.isArray(want)) return near(got.re, want[0], share) && near(got.im, want[1], share);
  if (typeof got === "bigint") return got === BigInt(want as number | string);
  if (typeof want === "boolean" || typeof got === "boolean") return got === want;
  const value = host(want) as number;
  if (Number.isNaN(value) || value === 0 || !Number.isFinite(value)) {
    return Object.is(got, value) || got === value || (value === 0 && Math.abs(got) < share);
  }
  // What cancels leaves zero here, or a rounding error there.
  if (got === 0 && Math.abs(value) < share) return true;
  // PyTorch rounds half types between the steps.
  return Math.abs(got - value) <= share * Math.max(Math.abs(value), share > 1e-3 ? 0.2 : 1e-3);
}

/** What is wrong with a result; empty where it is PyTorch's. */
function difference(got: any, want: Outcome): string {
  if ("value" in want) return got === want.value ? "" : `${got}, not ${want.value}`;
  if (Array.isArray(want)) {
    const parts = Array.isArray(got) ? got : Object.values(got);
    if (parts.length !== want.length) return `${parts.length} parts, not ${want.length}`;
    return want.map((one, i) => difference(parts[i], one)).find((text) => text !== "") ?? "";
  }
  if (!("dtype" in want)) return "no error";
  if (got.dtype.name !== want.dtype) return `dtype ${got.dtype.name}, not ${want.dtype}`;
  if (`${got.shape}` !== `${want.shape}`) return `shape [${got.shape}], not [${want.shape}]`;
  const values = (got.toArray() as any[]).flat?.(16) ?? [got.item()];
  const share = tolerance[want.dtype] ?? 0;
  const wrong = want.values.findIndex((value, i) => !near(values[i], value, share));
  return wrong < 0 ? "" : `element ${wrong} is ${show(values[wrong])}, not ${show(want.values[wrong])}`;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" || typeof v === "number" ? String(v) : v));
}

/** Compares every call of a file. */
export function compareWithTorch(title: string, name: string, use: () => unknown = useDevice): void {
  const file = new URL(`../data/${name}.json.gz`, import.meta.url);
  const golden: Golden = JSON.parse(gunzipSync(readFileSync(file)).toString());
  describe(title, () => {
    const tensors: Record<string, jl.Tensor> = {};
    beforeAll(async () => {
      await use();
      for (const [name, written] of Object.entries(golden.inputs)) tensors[name] = make(written);
    });
    const names = Object.keys(golden.inputs);

    const calls = [...new Set(golden.cases.map(({ call }) => call))];
    test.each(calls)("%s", (call) => {
      const fn = new Function("jl", ...names, "x", `return ${call};`);
      const failures: string[] = [];
      for (const { x, result } of golden.cases.filter((row) => row.call === call)) {
        let got: unknown;
        try {
          got = fn(jl, ...names.map((name) => tensors[name]), tensors[x]);
        } catch (error) {
          if (!(error instanceof jl.JitlabError)) failures.push(`${x}: ${(error as Error).stack}`);
          else if (!("error" in result) && !refused(x, error.code)) failures.push(`${x}: ${error.message}`);
          continue;
        }
        if ("error" in result && extended(call, result.error)) continue;
        const text = difference(got, result);
        if (text !== "") failures.push(`${x}: ${text}${"error" in result ? `: ${result.error}` : ""}`);
      }
      expect(failures.slice(0, 8).join("\n")).toBe("");
    });
  });
}
