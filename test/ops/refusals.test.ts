// The texts of all errors of operations and reductions, from their tables: unsupported dtypes, and invalid operands. Nothing
// is compiled.
import { describe, expect, test } from "vitest";
import { reductions } from "../../dist/runtime/functor/reduction.js";
import * as jl from "../../dist/runtime/index.js";

const on = { device: "cpu" } as const;
const names = Object.keys(jl.dtypes) as jl.DTypeName[];
type Call = (...args: unknown[]) => jl.Tensor;
const functions = jl as unknown as Record<string, Call>;
const operations = Object.entries(jl.ops) as [string, { arity: number; rule: string }][];

function refusal(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(jl.JitlabError);
    return `${(error as jl.JitlabError).code}: ${(error as Error).message}`;
  }
  return undefined;
}

/** The refusals of a function by dtype, dtypes of one text together. */
function ofDtypes(name: string, refused: (dtype: jl.DTypeName) => boolean, arity: number): string[] {
  const texts = new Map<string, jl.DTypeName[]>();
  for (const dtype of names.filter(refused)) {
    const operands = Array.from({ length: arity }, () => jl.empty([2], { dtype, ...on }));
    const said = refusal(() => functions[name]!(...operands));
    expect(said, `${name} takes ${dtype}`).toBeDefined();
    expect(said).toContain(`${name} does not take ${dtype}`);
    const text = (said as string).replace(dtype, "DTYPE");
    texts.set(text, [...(texts.get(text) ?? []), dtype]);
  }
  return [...texts].map(([text, dtypes]) => `${dtypes.join(" ")}\n  ${text}`);
}

describe("dtypes without a meaning", async () => {
  const { planOf } = (await import(
    "../../dist/runtime/ops/op.js"
  )) as typeof import("../../runtime/ops/op.js");
  test("for operations", () => {
    const said = operations.flatMap(([name, op]) =>
      ofDtypes(name, (dtype) => "refuse" in planOf(op as never, jl.dtypes[dtype] as never), op.arity),
    );
    expect(said.length).toBeGreaterThan(80);
    expect(said.join("\n")).toMatchSnapshot();
  });
  test("for reductions", () => {
    const said = Object.entries(reductions).flatMap(([name, { plan }]) =>
      ofDtypes(name, (dtype) => "refuse" in plan(jl.dtypes[dtype]), 1),
    );
    expect(said.length).toBeGreaterThan(3);
    expect(said.join("\n")).toMatchSnapshot();
  });
});

describe("every operation refuses by its name", () => {
  const two = jl.empty([2], on);
  const cases: [string, (name: string, arity: number) => unknown[] | undefined][] = [
    ["what is not a tensor", (_, arity) => ["x", ...Array.from({ length: arity - 1 }, () => two)]],
    ["numbers only", (_, arity) => Array.from({ length: arity }, () => 1)],
    ["one operand too many", (_, arity) => [...Array.from({ length: arity }, () => two), two]],
    ["an unknown option", (_, arity) => [...Array.from({ length: arity }, () => two), { nonsense: 1 }]],
    ["shapes", (_, arity) => (arity === 1 ? undefined : [two, jl.empty([3], on), two].slice(0, arity))],
  ];
  test.each(cases)("%s", (_, argumentsOf) => {
    const texts = new Set<string>();
    for (const [name, { arity }] of operations) {
      const args = argumentsOf(name, arity);
      if (!args) continue;
      const said = refusal(() => functions[name]!(...args));
      expect(said, name).toContain(`${name}`);
      const options = /(?<=options: ).*(?=, out\.)|(?<=Its options are ).*(?=, out\.)/;
      texts.add(
        (said as string).replaceAll(new RegExp(`\\b${name}\\b`, "g"), "OP").replace(options, "OPTIONS"),
      );
    }
    expect([...texts].sort().join("\n\n")).toMatchSnapshot();
  });
});
