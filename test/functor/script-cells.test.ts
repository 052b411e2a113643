// jl.jit of functions in a real kernel: cells pass captured variables, and errors show the cell's lines.
import { beforeAll, describe, expect, test } from "vitest";
import { plain, result, useKernel } from "../support/kernel.js";

const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });

async function value(code: string): Promise<string | undefined> {
  const answer = await kernel().execute(code, { stopOnError: false });
  expect(plain(answer.reply.content.traceback ?? [])).toBe("");
  return result(answer);
}

async function failure(code: string): Promise<string> {
  const { reply } = await kernel().execute(code, { stopOnError: false });
  expect(reply.content.status).toBe("error");
  return String(reply.content.evalue).replace(/In\[\d+\]/g, "In[n]");
}

beforeAll(async () => {
  await value('import * as jl from "jitlab";\nconst x = jl.arange(1, 4).to("float32");');
}, 60_000);

describe("what a function closes over", () => {
  test("is there from earlier cells: numbers as they are at the call, functions as they are", async () => {
    await value(
      "let gain: number = 2;\nconst offset = 0.5;\nfunction cube(v: number): number { return v * v * v; }",
    );
    await value("const f = jl.jit((v) => gain * cube(v) + offset);");
    expect(await value("f(x).toArray()")).toBe("[ 2.5, 16.5, 54.5 ]");
    await value("gain = 10;");
    expect(await value("f(x).toArray()")).toBe("[ 10.5, 80.5, 270.5 ]");
  });

  test("is there from the same cell, also what a helper closes over", async () => {
    const code = `const base: number = 3;
const raised = (v: number): number => v + base;
const g = jl.jit((v) => raised(v) * base + jl.math.relu(v));
g(x).toArray()`;
    expect(await value(code)).toBe("[ 13, 17, 21 ]");
  });

  test("is not guessed inside of a function, where the same name may mean something else", async () => {
    const code = `const k: number = 100;
const make = (k: number) => jl.jit((v) => v * k);
make(2)(x)`;
    const message = await failure(code);
    expect(message).toContain("In[n]:2:47: k is declared outside of the function");
    expect(message).toContain("Pass its value: jl.jit(fn, { use: { k } }).");
    expect(
      await value("const made = (k: number) => jl.jit((v) => v * k, { use: { k } });\nmade(2)(x).toArray()"),
    ).toBe("[ 2, 4, 6 ]");
  });
});

describe("complaints", () => {
  test("point into the cell, at the user's own line and column", async () => {
    const message = await failure(`const typed: number = 1;
const h = jl.jit((v: number): number => {
  const twice: number = v * 2;
  if (twice as unknown as boolean) return 1;
  return twice;
});`);
    expect(message).toBe(`h cannot be translated.
In[n]:4:7: a number is not a condition
   4 |   if (twice as unknown as boolean) return 1;
     |       ^
Compare it, for example x !== 0.`);
  });

  test("of the checker come before the cell runs", async () => {
    expect(await failure("jl.jit((v, { scael }) => v * scael, { params: { scale: 2 } })")).toContain("scael");
    expect(await failure("const one = jl.jit((v) => v + 1);\none(x, x)")).toContain("TS2");
    expect(await failure('jl.jit((v) => "text")')).toContain("TS2");
  });
});

test("hover shows the types, %source the function above its translation", async () => {
  await value("const shown = jl.jit((v, { scale }) => scale * v, { params: { scale: 2 } });");
  const { data } = (await kernel().inspect("shown", 2)) as { data: Record<string, string> };
  expect(data["text/plain"]).toContain("const shown: jl.ScriptedFunction<");
  const answer = await kernel().execute("%source shown", { stopOnError: false });
  const text = JSON.stringify(answer);
  expect(text).toContain("// (v, { scale }) => scale * v");
  expect(text).toContain("return scale * v;");
  // What stands above it is folded, however much that is.
  await value("const rooted = jl.jit((v) => Math.sqrt(v * v + 1));");
  const folded = await kernel().execute("%source rooted", { stopOnError: false });
  expect(JSON.stringify(folded)).toContain("functions that it calls");
});
