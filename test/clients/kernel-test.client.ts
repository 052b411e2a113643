import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkplace, debianPython, hasPythonModule, root, type Workplace } from "./support.js";

let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.remove());

describe.skipIf(!hasPythonModule("jupyter_kernel_test"))(
  "jupyter_kernel_test (python3-jupyter-kernel-test)",
  () => {
    test("KernelTests pass, and only the pager is skipped", () => {
      const script = join(root, "test", "clients", "kernel_test.py");
      const { status, stderr } = spawnSync(debianPython, [script], { env: place.env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      const skipped = stderr.split("\n").filter((line) => line.includes("... skipped"));
      expect(skipped.map((line) => line.split(" ")[0])).toEqual(["test_pager"]);
      expect(stderr).toMatch(/Ran 12 tests/);
    });
  },
);
