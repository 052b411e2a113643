// The line of a cell that waits for compilers: it is replaced, and nothing of it stays.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import type { Answer } from "../../dist/kernel/cli/client.js";
import * as jl from "../../dist/runtime/index.js";
import { ofType, outputTypes, useKernel } from "../support/kernel.js";

const kernel = useKernel();
const folder = mkdtempSync(join(tmpdir(), "jitlab-compile-line-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// What the library says while it waits, and a moment that a line stays.
const wait = (answered: number, open: number, milliseconds: number) =>
  `(globalThis as any)[Symbol.for("jitlab.waiting")]({ answered: ${answered}, open: ${open}, milliseconds: ${milliseconds} });`;
const moment = "await new Promise((done) => setTimeout(done, 250));";
const longWait = [wait(5, 3, 600), wait(6, 2, 600), moment, wait(7, 1, 10)].join("\n");

const lines = (answer: Answer) =>
  [...ofType(answer, "display_data"), ...ofType(answer, "update_display_data")].map(
    ({ content }) => (content.data as Record<string, string>)["text/plain"],
  );

it("is replaced, and removed with the cell's end", async () => {
  const answer = await kernel().execute(longWait);
  expect(lines(answer)).toEqual(["Compiling kernels: 1 of 3 done", "Compiling kernels: 2 of 3 done", ""]);
  expect(outputTypes(answer).slice(-1)).toEqual(["clear_output"]);
});

it("leaves other output", async () => {
  const answer = await kernel().execute(`console.log("before");\n${longWait}`);
  expect(lines(answer).at(-1)).toBe("");
  expect(outputTypes(answer)).not.toContain("clear_output");
});

it("goes where the cell fails, and where its process dies", async () => {
  for (const end of [
    'throw new Error("late");',
    "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});",
  ]) {
    const answer = await kernel().execute(`${longWait}\n${end}`);
    expect(lines(answer).at(-1)).toBe("");
    expect(outputTypes(answer).at(-1)).toBe("error");
  }
});

it("is not there for a second or less, in captured cells, nor for what a cell left running", async () => {
  const short = await kernel().execute(`${wait(1, 2, 900)}\n1`);
  const captured = await kernel().execute(`%%capture out\n${longWait}`);
  const left = await kernel().execute(`setTimeout(() => { ${wait(1, 2, 2000)} }, 100);`);
  const next = await kernel().execute(moment);
  for (const answer of [short, captured, left, next]) expect(lines(answer)).toEqual([]);
});

it("is in no file that jitlab run writes", () => {
  const [notebook, executed] = [join(folder, "n.ts"), join(folder, "o.ipynb")];
  writeFileSync(notebook, `// %%\n${longWait}\n// %%\nconsole.log("shown");\n${longWait}\n`);
  const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
  const { stdout } = spawnSync(process.execPath, [main, "run", notebook, "--output", executed], {
    encoding: "utf8",
  });
  expect(stdout).not.toContain("Compiling kernels");
  const { cells } = JSON.parse(readFileSync(executed, "utf8")) as {
    cells: { outputs: { output_type: string }[] }[];
  };
  expect(cells.map(({ outputs }) => outputs.map(({ output_type }) => output_type))).toEqual([[], ["stream"]]);
});

it("is told by the library, which counts kernels", () => {
  const told: { answered: number; open: number; milliseconds: number }[] = [];
  Object.defineProperty(globalThis, Symbol.for("jitlab.waiting"), {
    value: (one: never) => told.push(one),
    configurable: true,
  });
  try {
    jl.setDevice("cpu");
    const text = `template <typename T> T fresh(T x) { return x * ${Math.random()}f; }`;
    jl.jit(text)(jl.ones([3])).toArray();
  } finally {
    delete (globalThis as any)[Symbol.for("jitlab.waiting")];
  }
  expect(told.length).toBeGreaterThan(0);
  expect(told[0]!.open).toBeGreaterThan(0);
  expect(told.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
});
