import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const script = fileURLToPath(new URL("../../scripts/layers.mjs", import.meta.url));
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "jitlab-layers-"));
  for (const layer of ["runtime", "magics", "kernel"]) mkdirSync(join(root, layer));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function check(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  const complaints = stderr.split("\n\n")[0]?.split("\n") ?? [];
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr === "" ? [] : complaints;
}

test("imports that point downwards pass", () => {
  expect(
    check({
      "runtime/base/errors.ts": "",
      "runtime/base/dtype.ts": 'import { JitlabError } from "./errors.js";',
      "runtime/index.ts": 'export * from "./base/dtype.js";',
      "magics/time.ts": 'import * as jl from "../runtime/index.js";',
      "kernel/main.ts": 'const { a } = await import("./cli/run.js");',
      "kernel/cli/run.ts": 'import { dtypes } from "../../runtime/base/dtype.js";\n// import "../nowhere.js"',
    }),
  ).toEqual([]);
});

test.each([
  [
    "an import that points upwards in its layer, also of a type",
    { "runtime/base/errors.ts": 'import type { Op } from "../ops/op.js";', "runtime/ops/op.ts": "" },
    "runtime/base/errors.ts imports runtime/ops/op.ts, which stands above it in the layer runtime.",
  ],
  [
    "an import of a higher layer",
    {
      "runtime/base/errors.ts": 'export type { Magic } from "../../magics/magic.js";',
      "magics/magic.ts": "",
    },
    "runtime/base/errors.ts imports magics/magic.ts: runtime stands below magics.",
  ],
  [
    "a magic that reaches past the library's entrance",
    {
      "magics/time.ts": 'import { dispatch } from "../runtime/launch/map-launch.js";',
      "runtime/launch/map-launch.ts": "",
    },
    "magics/time.ts imports runtime/launch/map-launch.ts: magics may import only runtime/index.ts",
  ],
  [
    "a cycle",
    {
      "runtime/ops/a.ts": 'import { b } from "./b.js";',
      "runtime/ops/b.ts": 'export function b(x: import("./a.js").A) {}',
    },
    "Import cycle: runtime/ops/a.ts -> runtime/ops/b.ts -> runtime/ops/a.ts",
  ],
  [
    "a file of more than 400 lines",
    { "runtime/base/errors.ts": "\n".repeat(401) },
    "runtime/base/errors.ts has 401 lines; the limit is 400: split it.",
  ],
  [
    "a file that the tables do not name",
    { "runtime/misc.ts": "" },
    "runtime/misc.ts has no place: add it to a line of the tables in scripts/layers.mjs.",
  ],
  [
    "an import of a file that is not there",
    { "runtime/base/errors.ts": 'import "./gone.js";' },
    "runtime/base/errors.ts imports runtime/base/gone.ts, which does not exist.",
  ],
])("%s is refused", (_name, files, complaint) => {
  expect(check(files as Record<string, string>)).toEqual([expect.stringContaining(complaint)]);
});
