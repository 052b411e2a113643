// The op table itself: every record is complete, and every functor agrees with its record's reference on random points
// and integer extremes. Special values are compared with PyTorch in golden.test.ts, last digits in accuracy.test.ts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { cppDialect, cudaDialect } from "../../dist/runtime/device/dialect.js";
import type { DType } from "../../runtime/base/dtype.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import { type Complex, isComplex } from "../../runtime/ops/reference/scalar.js";
import { filesOf } from "../../runtime/ops/registers.js";
import {
  compiler,
  dtypeList,
  dtypes,
  ops,
  planOf,
  prepare,
  roundTo,
  run,
} from "../support/functor-harness.js";

const root = new URL("../../runtime/", import.meta.url);
const functorFiles = readdirSync(new URL("ops/functors/", root), {
  recursive: true,
  encoding: "utf8",
}).filter((file) => file.endsWith(".cuh"));
const functions = readFileSync(new URL("tensor/functions.ts", root), "utf8");

describe("op records", () => {
  test.each(Object.entries(ops))("%s is complete", (name, op) => {
    expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
    expect(op.doc).toMatch(/\.$/);
    expect(op.example).toContain(`jl.${name}(`);
    expect(op.domain[0]).toBeLessThan(op.domain[1]);
    expect(op.ulp.float32).toBeGreaterThanOrEqual(0);
    expect(op.ulp.float64).toBeGreaterThanOrEqual(0);
    expect(op.reference).toBeTypeOf("function");
    if (op.operands) expect(op.operands).toHaveLength(op.arity);
    for (const option of Object.values(op.options ?? {})) expect(option.doc).toMatch(/\.$/);
    // Hover shows what the record says.
    const comment = functions
      .slice(0, functions.indexOf(`\nexport const ${name}: `))
      .split("/**")
      .at(-1);
    expect(comment).toContain(`\n * ${op.doc.replace(/\.$/, "")}`);
    expect(comment).toMatch(/ \*\/$/);
  });

  test("every file that a functor needs is there, and every file is named somewhere", () => {
    const needed = new Set(["complex", ...cudaDialect.ownFunctors.map((name) => `${name}.cuda`)]);
    for (const op of Object.values(ops)) {
      const forms = Object.values(op.registers ?? {}).flatMap(filesOf);
      for (const name of [...(op.needs ?? []), ...Object.values(op.needsFor ?? {}).flat(), ...forms])
        needed.add(name);
    }
    for (const name of needed) expect(existsSync(new URL(`ops/functors/${name}.cuh`, root)), name).toBe(true);
    const files = functorFiles.map((file) => file.replace(".cuh", ""));
    const others = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const text = others.map((file) => readFileSync(new URL(file, root), "utf8")).join("\n");
    expect(files.filter((file) => !needed.has(file) && !text.includes(`"${file}"`))).toEqual([]);
  });

  // A compiled program puts files of many operations into one text: a plain name of the C library's must not find a function
  // of a file that is there by chance.
  test("files name functions of the C library in a way that no other file can change", () => {
    const texts = new Map(
      functorFiles.map((file) => [
        file.replace(".cuh", ""),
        readFileSync(new URL(`ops/functors/${file}`, root), "utf8").replace(/\/\/.*$/gm, ""),
      ]),
    );
    const isOfLibrary = (name: string) => cppDialect.named.some(({ functions }) => functions.includes(name));
    const defined = (file: string) => {
      const text = texts.get(file) ?? "";
      const names = [...text.matchAll(/^(?:template <[^>]*> )?inline \w+ (\w+)\(/gm)].map(
        ([, name]) => `${name}`,
      );
      return text.includes("namespace jl") ? names.filter(isOfLibrary) : [];
    };
    const shadows = new Map([...texts.keys()].map((file) => [file, defined(file)]));
    expect(shadows.get("circular")).toEqual(["sin", "cos", "sin", "cos"]);
    const lists = Object.values(ops).flatMap((op) => [op.needs ?? [], ...Object.values(op.needsFor ?? {})]);
    for (const list of [...lists, ["random"]]) {
      list.forEach((name, place) => {
        const before = list.slice(0, place + 1).flatMap((file) => [file, `${file}.cuda`]);
        for (const file of [name, `${name}.cuda`]) {
          // What stands outside of jl does not see jl's functions.
          const inside = (texts.get(file) ?? "").replace(/^.*?(?=namespace jl \{)/s, "");
          const calls = [...inside.matchAll(/(?<![\w:.])(\w+)\(/g)].map(([, called]) => `${called}`);
          const chance = [...shadows]
            .filter(([other]) => !before.includes(other))
            .flatMap(([, names]) => names);
          const known = before.flatMap((other) => shadows.get(other) ?? []);
          const changed = calls.filter((called) => chance.includes(called) && !known.includes(called));
          expect(changed, file).toEqual([]);
        }
      });
    }
  });

  test("a float functor has no double literal", () => {
    for (const file of functorFiles) {
      const text = readFileSync(new URL(`ops/functors/${file}`, root), "utf8").replace(/\/\/.*$/gm, "");
      const floats = text.matchAll(/inline float \w+\(float[^{]*\{[\s\S]*?\n\}/g);
      for (const [body] of floats)
        expect(body, file).not.toMatch(/[0-9.]e?-?\d*(?<![\dexf.])\b\d+\.\d+(?:e-?\d+)?(?![\d.ef])/);
    }
  });

  test("refusals name a remedy and end without a full stop", () => {
    for (const [name, op] of Object.entries(ops)) {
      for (const dtype of dtypeList) {
        const plan = planOf(op, dtype);
        if ("refuse" in plan) expect(plan.refuse, name).toMatch(/(convert|use|take|Convert|logical).*[^.]$/);
      }
    }
  });
});

/** Uniform numbers from a small generator, the same in every run. */
function numbers(seed: number): () => number {
  let state = BigInt(seed) + 88172645463325252n;
  return () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return Number(state >> 11n) / 2 ** 53;
  };
}

const extremes = (t: DType): bigint[] => {
  const top = 1n << BigInt(8 * t.bytes - (t.kind === "signed" ? 1 : 0));
  return t.kind === "signed" ? [-top, top - 1n, 0n, 1n, -1n] : [0n, top - 1n, 1n];
};

function wrap(value: Scalar, out: DType): Scalar {
  if (out.kind === "bool") return typeof value === "boolean" ? value : Boolean(value);
  if (out.kind === "signed") return BigInt.asIntN(8 * out.bytes, BigInt(value as bigint | boolean));
  if (out.kind === "unsigned") return BigInt.asUintN(8 * out.bytes, BigInt(value as bigint | boolean));
  return typeof value === "number" ? roundTo(out, value) : value;
}

function samples(op: Op, t: DType, count: number): Scalar[][] {
  const random = numbers(op.doc.length * 131 + t.id);
  const [low, high] = op.domain;
  const real = () => roundTo(t, low + (high - low) * random());
  const one = (kind: string): Scalar => {
    if (kind === "bool" || (kind === "common" && t.kind === "bool")) return random() < 0.5;
    if (kind === "int32") return BigInt(Math.floor(random() * 6));
    if (t.kind === "float") return real();
    if (t.kind === "complex") return { re: real(), im: real() };
    const [least, most] = t.kind === "unsigned" ? [Math.max(low, 0), Math.min(high, 255)] : [low, high];
    return BigInt(
      Math.round(Math.max(-100, least) + (Math.min(100, most) - Math.max(-100, least)) * random()),
    );
  };
  const roles = op.operands ?? Array.from({ length: op.arity }, () => "common" as const);
  return Array.from({ length: count }, () => roles.map((role) => one(role)));
}

/** Ops that PyTorch defines at the lowest integer in a way of its own. */
const ownExtremes = new Set(["gcd", "lcm", "leftShift", "rightShift", "polygamma"]);

function disagreement(got: Scalar, want: Scalar, relative: number): boolean {
  if (isComplex(want)) {
    const g = got as Complex;
    return Math.hypot(g.re - want.re, g.im - want.im) > relative * Math.max(Math.hypot(want.re, want.im), 1);
  }
  if (typeof want !== "number" || Number.isNaN(want)) return !Object.is(got, want);
  return want !== got && !(Math.abs(Number(got) - want) <= relative * Math.max(Math.abs(want), 0.1));
}

describe.skipIf(!compiler)("functors against references (needs a C++ compiler)", () => {
  beforeAll(prepare, 600_000);

  test.each(Object.entries(ops))("%s", (name, op) => {
    const failures: string[] = [];
    for (const t of dtypeList) {
      const plan = planOf(op, t);
      // Integers that compute as floats differ from their float form only in the conversion of the inputs.
      if ("refuse" in plan || plan.compute !== t) continue;
      // The reference steps in float64; steps of narrower types are compared with PyTorch's.
      if (["nextafter", "spacing"].includes(name) && t.name !== "float64") continue;
      const rows = samples(op, t, 60);
      const whole = t.kind === "signed" || t.kind === "unsigned";
      if (whole && !ownExtremes.has(name) && !op.operands) {
        for (const a of extremes(t)) for (const b of extremes(t)) rows.push([a, b, b].slice(0, op.arity));
      }
      const got = run(
        name,
        t,
        Array.from({ length: op.arity }, (_, i) => rows.map((row) => row[i] as Scalar)),
      );
      const wide = t.name === "float64" || t.name === "complex128";
      const exact = op.ulp.float64 === 0 && t.kind !== "complex";
      const bound = exact
        ? 0
        : t.bytes === 2
          ? 0.01
          : wide
            ? 2e-11
            : Math.max(op.ulp.float32 + 2, 10) * 2 ** -22;
      for (const [i, row] of rows.entries()) {
        const want = wrap(op.reference(...row), plan.out);
        if (disagreement(got[i] as Scalar, want, bound))
          failures.push(`${t.name} ${show(row)}: ${show(got[i])}, not ${show(want)}`);
      }
    }
    expect(failures.slice(0, 8)).toEqual([]);
  });
});

function show(value: unknown): string {
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
}

test("the dtypes of the harness are the library's", () => {
  expect(Object.keys(dtypes)).toHaveLength(15);
});
