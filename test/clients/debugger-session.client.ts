// The debug protocol through jupyter_client, which front ends' servers use.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkplace, debianPython, hasPythonModule, root, type Workplace } from "./support.js";

let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.remove());

describe.skipIf(!hasPythonModule("jupyter_client"))("jupyter_client (python3-jupyter-client)", () => {
  test("stops, steps, inspects, changes, goes on, is interrupted and restarted while stopped", () => {
    const script = join(root, "test", "clients", "debugger_session.py");
    const env = { ...place.env, JITLAB_DEVICE: "cpu" };
    expect(JSON.parse(execFileSync(debianPython, [script], { env, encoding: "utf8" }))).toEqual({
      stop: [["In[2]", 3]],
      step: [
        ["scaled", 3],
        ["In[2]", 3],
      ],
      scope: [
        "Locals",
        { x: "Tensor float32 [2] on cpu: 1, 1", by: "5", y: "Tensor float32 [2] on cpu: 5, 5" },
      ],
      loop: "ok",
      last: "Tensor float32 [2] on cpu: 10, 10",
      exception: "exception",
      thrown: "RangeError",
      interrupt: "Interrupted",
      restarted: false,
      again: [["In[1]", 3]],
    });
  });
});
