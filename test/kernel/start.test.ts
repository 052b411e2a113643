// What a kernel's processes load before a cell asks for anything: it decides when the first cell is done.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { useKernel } from "../support/kernel.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Each process writes the modules that it imports to a file of its own.
const hooks = `import { appendFileSync } from "node:fs";
export async function resolve(name, context, next) {
  const resolved = await next(name, context);
  appendFileSync(${JSON.stringify(folder)} + "/" + process.pid + ".txt", resolved.url + "\\n");
  return resolved;
}`;
writeFileSync(join(folder, "hooks.mjs"), hooks);
const preload = join(folder, "preload.mjs");
writeFileSync(
  preload,
  'import { register } from "node:module";\nregister("./hooks.mjs", import.meta.url);\n',
);

const kernel = useKernel({ env: { NODE_OPTIONS: `--import ${preload}` } });

test("the first cell waits for no module of the library", async () => {
  await kernel().execute("1 + 1");
  const loaded = readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const programs = ["/dist/kernel/server/server.js", "/dist/kernel/child/main.js"];
  for (const program of programs) {
    const own = loaded.filter((urls) => urls.includes(program));
    expect(own).toHaveLength(1);
    expect(own.join("")).toContain("/dist/runtime/base.js");
    expect(own.join("")).not.toContain("/dist/runtime/library.js");
  }
});
