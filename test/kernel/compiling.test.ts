// The line under a cell that waits for compilers: how many kernels, how many have ended. Nothing of it stays.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { Answer } from "../../dist/kernel/cli/client.js";
import { OutputCollector } from "../../dist/kernel/export/outputs.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { ofType, outputTypes, printed, useKernel } from "../support/kernel.js";
import { privateCache } from "../support/private-cache.js";
import { slowCompiler } from "../support/slow-compiler.js";

const { path } = findCompiler();
const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "jitlab-compiling-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Slower than the time after which the line comes.
const slow = slowCompiler(folder, 1.3);
const env = { CXX: slow, JITLAB_CACHE_DIR: privateCache(join(folder, "cache")), JITLAB_DEVICE: "cpu" };

/** The outputs that a front end has at the cell's end. */
function kept(answer: Answer) {
  const cell = { cell_type: "code", source: "", metadata: {}, execution_count: null, outputs: [] } as any;
  const collector = new OutputCollector();
  for (const { header, content } of answer.published) {
    collector.add(cell, { type: header.msg_type, content: content as any });
  }
  return cell.outputs;
}

const words = (answer: Answer) =>
  [...ofType(answer, "display_data"), ...ofType(answer, "update_display_data")].map(
    ({ content }) => (content.data as any)["text/plain"],
  );

/** A functor that no other cell has compiled. */
const functor = (name: string) => `jl.functor\`float ${name}(float x) { return x + ${name.length}; }\``;

describe.skipIf(path === "")("where a compiler takes longer than a second (needs a C++ compiler)", () => {
  const kernel = useKernel({ env }, { compileLine: true });

  test("a line counts its kernels, and is gone where the cell has no other output", async () => {
    await kernel().execute('import * as jl from "jitlab";\nconst x = jl.ones([4]);');
    const answer = await kernel().execute(`for (const f of [${functor("a")}, ${functor("bb")}]) f(x);`);
    expect(words(answer)[0]).toMatch(/^Compiling: 0 of 1 kernel done$/);
    expect(words(answer)).toContain("Compiling: 1 of 2 kernels done");
    expect(
      new Set(
        [...ofType(answer, "display_data"), ...ofType(answer, "update_display_data")].map(
          ({ content }) => (content.transient as any).display_id,
        ),
      ).size,
    ).toBe(1);
    expect(outputTypes(answer).at(-1)).toBe("clear_output");
    expect(kept(answer)).toEqual([]);
  });

  test("a batch counts all its kernels from the start", async () => {
    const answer = await kernel().execute("%precompile digamma erfinv float32 float64");
    expect(words(answer)[0]).toMatch(/^Compiling: 0 of 4 kernels done$/);
    expect(printed(answer)).toMatch(/^4 kernels compiled, 0 already stored/);
    expect(kept(answer)).toMatchObject([{ output_type: "stream" }]);
  });

  test("before other output it goes, and beside other output there is none", async () => {
    const answer = await kernel().execute(
      `console.log("before");\n(${functor("ccc")})(x);\nconsole.log("after");`,
    );
    expect(outputTypes(answer)).not.toContain("display_data");
    expect(kept(answer)).toMatchObject([{ text: "before\nafter\n" }]);
    const other = await kernel().execute(`(${functor("cccc")})(x);\nconsole.log("after");`);
    expect(words(other)).toContain("Compiling: 0 of 1 kernel done");
    expect(kept(other)).toMatchObject([{ text: "after\n" }]);
  });

  test("a stored kernel shows none", async () => {
    const answer = await kernel().execute("x.digamma()");
    expect(outputTypes(answer)).toEqual(["execute_input", "execute_result"]);
  });

  test("an interrupted compile leaves none", async () => {
    const { answer } = kernel().sendExecute(
      `${["d", "e", "f", "g"].map((c) => `(${functor(c.repeat(9))})(x)`).join(";\n")}`,
    );
    await new Promise((done) => setTimeout(done, 2500));
    await kernel().interrupt();
    expect(words(await answer)).toContain("Compiling: 0 of 1 kernel done");
    expect(kept(await answer)).toMatchObject([{ output_type: "error", ename: "Interrupted" }]);
    expect((await kernel().execute("1 + 1")).reply.content.status).toBe("ok");
  });

  test("jitlab run prints and keeps none where there is no terminal", () => {
    const [script, output] = [join(folder, "script.ts"), join(folder, "out.ipynb")];
    writeFileSync(
      script,
      `// %%\nimport * as jl from "jitlab";\nconsole.log("one");\n(${functor("hhhh")})(jl.ones([2]));\nundefined\n`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [main, "run", script, "--output", output], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    expect(stderr).toBe("");
    expect(stdout).not.toContain("Compiling");
    const [cell] = JSON.parse(readFileSync(output, "utf8")).cells;
    expect(cell.outputs).toMatchObject([{ output_type: "stream", text: ["one\n"] }]);
  });
});
