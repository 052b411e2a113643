import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createWorkplace,
  debianPython,
  hasPythonModule,
  root,
  type Workplace,
  writeCells,
} from "./support.js";

const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));
// Cells that show an error on purpose carry Jupyter's own tag.
const mayFail = (cell: any) => cell.metadata.tags?.includes("raises-exception");
let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.remove());

describe.skipIf(!hasPythonModule("nbconvert"))("nbconvert (python3-nbconvert)", () => {
  // Compiled functions are compared with the separate calls.
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, {
      env: { ...place.env, JITLAB_VERIFY: "1" },
      encoding: "utf8",
      stdio: "pipe",
    });
  const nbconvert = (...args: readonly string[]) =>
    run(debianPython, "-m", "nbconvert", "--output-dir", place.folder, ...args);

  // On a busy machine the one that trains a network takes minutes.
  test.each(notebooks)("executes %s without an error and shows it as HTML", { timeout: 600_000 }, (name) => {
    nbconvert("--to", "notebook", "--execute", join(root, "notebooks", name));
    const { cells } = JSON.parse(readFileSync(join(place.folder, name), "utf8"));
    const code = cells.filter((cell: any) => cell.cell_type === "code");
    expect(code.map((cell: any) => cell.execution_count)).toEqual(
      code.map((_: any, index: number) => index + 1),
    );
    expect(code.flatMap((cell: any) => cell.outputs).length).toBeGreaterThan(3);
    const failed = code.filter((cell: any) => cell.outputs.some((one: any) => one.output_type === "error"));
    expect(failed.filter((cell: any) => !mayFail(cell))).toEqual([]);
    nbconvert("--to", "html", join(place.folder, name));
    const page = readFileSync(join(place.folder, name.replace(".ipynb", ".html")), "utf8");
    expect(page).toMatch(/<h1[^>]*>/);
    // nbconvert shows an error as it shows text on stderr; there is none of the latter.
    expect(page.split('data-mime-type="application/vnd.jupyter.stderr"').length - 1).toBe(failed.length);
  });

  test("shows the widgets of a saved notebook as they looked", () => {
    const notebook = join(place.folder, "widgets.ipynb");
    writeCells(notebook, [
      'import { interact, slider } from "jitlab/widgets";\nslider(0, 8, { description: "gain" })',
      'interact((n) => n > 1 ? "large" : "small", { n: [0, 4] })',
    ]);
    const saved = join(place.folder, "saved.ipynb");
    run(process.execPath, join(root, "dist/kernel/main.js"), "run", notebook, "--output", saved);
    nbconvert("--to", "html", saved);
    const page = readFileSync(join(place.folder, "saved.html"), "utf8");
    expect(page.match(/<input type="range" disabled/g)).toHaveLength(2);
    expect(page).toContain("&#39;large&#39;");
  });
});
