import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkplace, debianPython, hasPythonModule, root, type Workplace } from "./support.js";

const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));
// Cells that show an error on purpose carry Jupyter's own tag.
const mayFail = (cell: any) => cell.metadata.tags?.includes("raises-exception");
let place: Workplace;

beforeAll(() => {
  place = createWorkplace();
});
afterAll(() => place.remove());

describe.skipIf(!hasPythonModule("nbconvert"))("nbconvert (python3-nbconvert)", () => {
  test.each(notebooks)("executes %s without an error and shows it as HTML", (name) => {
    const nbconvert = (...args: readonly string[]) =>
      execFileSync(debianPython, ["-m", "nbconvert", "--output-dir", place.folder, ...args], {
        env: place.env,
        encoding: "utf8",
        stdio: "pipe",
      });
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
});
