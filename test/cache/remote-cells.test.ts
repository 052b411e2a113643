// The shared cache in a notebook: cells use it, see what it gave, and do not see its secret.
import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import { ofType, result, startChecked } from "../support/kernel.js";
import { privateCache } from "../support/private-cache.js";

const root = mkdtempSync(join(tmpdir(), "jitlab-remote-cells-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const secret = "what only the group knows";
const skipped = findCompiler().path === "" ? " (skipped: no C++ compiler)" : "";

/** What cells on a machine of its own answer: values, and the texts of tables. */
async function onMachine(name: string, cells: readonly string[]): Promise<string[]> {
  const env = {
    JITLAB_DEVICE: "cpu",
    JITLAB_CACHE_DIR: privateCache(join(root, name)),
    JITLAB_REMOTE_CACHE: `file://${join(root, "shared")}`,
    JITLAB_REMOTE_CACHE_KEY: secret,
  };
  const { client } = await startChecked({ env });
  try {
    const answers: string[] = [];
    for (const cell of cells) {
      const answer = await client.execute(cell);
      expect(answer.reply.content).toMatchObject({ status: "ok" });
      const tables = ofType(answer, "display_data").map(({ content }) => (content.data as any)["text/plain"]);
      answers.push([result(answer) ?? "", ...tables].join("\n"));
    }
    return answers;
  } finally {
    await client.shutdown();
  }
}

test.skipIf(skipped)(`cells use a shared cache and do not see its secret${skipped}`, async () => {
  const cell = 'import * as jl from "jitlab";\nconst x = jl.arange(5); x.bitwiseXor(3).toArray()';
  const seen = ["process.env", 'require("node:child_process").execSync("env", { encoding: "utf8" })'].map(
    (environment) => `JSON.stringify(${environment}).includes("JITLAB_REMOTE")`,
  );
  const first = await onMachine("one", [cell, ...seen]);
  expect(first).toEqual(["[ 3, 2, 1, 0, 7 ]", "false", "false"]);
  const [value, table, timings, totals] = await onMachine("two", [
    cell,
    "%%cache\nx.bitwiseXor(1)",
    "%timings --no-plot",
    "%cache status",
  ]);
  expect(value).toBe("[ 3, 2, 1, 0, 7 ]");
  expect(table).toContain("bitwiseXor");
  expect(timings).toMatch(/bitwiseXor +int32.* remote /);
  expect(timings).toMatch(
    new RegExp(
      `\\d kernels? came from the shared cache, compiled on ${hostname()}, which saved [\\d.]+ m?s\\.`,
    ),
  );
  expect(totals).toMatch(new RegExp(`shared cache +${join(root, "shared")}`));
  expect(totals).toMatch(/fetched from there +\d kernels?, saving [\d.]+ m?s/);
  expect(totals).not.toContain(secret);
});
