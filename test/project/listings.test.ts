// The listings of generated GPU code in the tutorials are those of today's generator. That needs no GPU.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type CodeCell, codeCells, staleListings } from "../support/listings.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/kernel/main.js");
const folder = mkdtempSync(join(tmpdir(), "jitlab-listings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));

test.each(notebooks)("%s shows GPU code as it is generated today", (name) => {
  expect(staleListings(codeCells(join(root, "notebooks", name)), folder, main)).toEqual([]);
});

test("a listing of which one line differs is found", () => {
  const cells = codeCells(join(root, "notebooks/01-first-kernel.ipynb"));
  const changed = JSON.parse(JSON.stringify(cells).replaceAll("float* in1;", "double* in1;")) as CodeCell[];
  expect(JSON.stringify(changed)).not.toBe(JSON.stringify(cells));
  expect(staleListings(changed, folder, main)).toEqual(["source"]);
});
