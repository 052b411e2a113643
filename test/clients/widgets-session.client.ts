// Widgets through jupyter_client: what ipywidgets' front end says and hears.
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
  test("a slider tells the kernel and is told; interact gives another image without another kernel", () => {
    const script = join(root, "test", "clients", "widgets_session.py");
    const env = { ...place.env, JITLAB_DEVICE: "cpu" };
    expect(JSON.parse(execFileSync(debianPython, [script], { env, encoding: "utf8" }))).toEqual({
      model: "FloatSliderModel",
      forms: ["application/vnd.jupyter.widget-view+json", "text/html", "text/plain"],
      heard: "[ 7, 7 ]",
      told: { value: 3 },
      interact: ["FloatSliderModel", "ImageModel", "OutputModel", "VBoxModel"],
      pictures: ["PNG", "PNG", true],
      compiled: false,
    });
  });
});
