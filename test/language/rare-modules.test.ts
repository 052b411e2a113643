// Modules of Node that are declared in files of their own, which an import brings into the program.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { rareModuleFile, withoutRareModules } from "../../dist/kernel/language/rare-modules.js";
import { CellRunner, packageRoot } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-rare-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nodeTypes = join(packageRoot, "node_modules", "@types", "node");
const whole = readFileSync(join(nodeTypes, "index.d.ts"), "utf8");

test("the index keeps its length, and leaves out only files that an import brings", () => {
  const index = withoutRareModules(whole);
  expect(index).toHaveLength(whole.length);
  const paths = (text: string) =>
    [...text.matchAll(/^\/\/\/ <reference path="(.*)"/gm)].map(([, path]) => path);
  const left = paths(whole).filter((path) => !paths(index).includes(path));
  expect(left.length).toBeGreaterThan(4);
  for (const path of left) {
    const name = `node:${path?.replace(".d.ts", "")}`;
    expect(rareModuleFile(name, nodeTypes)).toBe(join(nodeTypes, path ?? ""));
  }
  for (const name of ["node:fs", "fs", "node:http", "httpsx"])
    expect(rareModuleFile(name, nodeTypes)).toBeUndefined();
});

test.each([
  ["node:https", "globalAgent.maxSockets.nope"],
  ["https", "globalAgent.maxSockets.nope"],
  ["node:http2", "constants.HTTP_STATUS_OK.nope"],
  ["node:cluster", "default.isPrimary.nope"],
  ["node:inspector", "url.nope"],
  ["node:inspector/promises", "url.nope"],
  ["node:repl", "start.nope"],
  ["node:test", "describe.nope"],
  ["node:test/reporters", "tap.nope"],
])("%s is typed however a cell imports it", (name, use) => {
  const [first = ""] = use.split(".");
  const nope = [
    expect.objectContaining({ message: expect.stringContaining("'nope' does not exist on type") }),
  ];
  const cells = new CellRunner(folder);
  expect(cells.convert("const before = 1").errors).toEqual([]);
  expect(cells.convert(`import * as m from "${name}"; m.${use}`).errors).toEqual(nope);
  expect(cells.convert(`(await import("${name}")).${use}`).errors).toEqual(nope);
  expect(cells.convert(`import * as m from "${name}"; m.${first}`).errors).toEqual([]);
  expect(cells.convert(`m.${use}`).errors).toEqual(nope);
});

test("a file that a cell imports has the types too", () => {
  writeFileSync(
    join(folder, "client.ts"),
    'import { Agent } from "node:https";\nexport const agent = new Agent();\n',
  );
  const cells = new CellRunner(folder);
  const [error] = cells.convert('import { agent } from "./client.ts"; agent.maxSockets.nope').errors;
  expect(error?.message).toBe("Property 'nope' does not exist on type 'number'.");
});
