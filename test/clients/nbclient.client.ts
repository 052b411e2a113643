import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkplace, debianPython, hasPythonModule, root, type Workplace } from "./support.js";

let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.remove());

describe.skipIf(!hasPythonModule("nbclient"))("nbclient (python3-nbclient)", () => {
  test("goes on after failing cells, with errors as errors and the state kept", () => {
    const script = join(root, "test", "clients", "nbclient_errors.py");
    const { cells } = JSON.parse(execFileSync(debianPython, [script], { env: place.env, encoding: "utf8" }));
    const outputs = cells.map((cell: any) => cell.outputs);
    expect(outputs[0][0].data["text/plain"]).toBe("2");
    expect(outputs[1]).toHaveLength(1);
    expect(outputs[1][0]).toMatchObject({ output_type: "error", ename: "RangeError", evalue: "on purpose" });
    expect(outputs[2][0].data["text/plain"]).toBe("3");
    expect(outputs[3][0].output_type).toBe("error");
    expect(outputs[3][0].traceback.join("\n")).toContain("is not assignable to type 'string'");
    expect(outputs[4][0].data["text/plain"]).toBe("4");
  });
});
