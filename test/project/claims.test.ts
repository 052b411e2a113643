// What the README and the tutorials claim to have measured links to its record or is printed by a cell; a changed copy fails.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "jitlab-claims-"));
const notebook = "notebooks/01-first-kernel.ipynb";
const original = readFileSync(join(root, notebook), "utf8");

const pictures = ["first-picture.png", "first-picture.json", "tasks.svg"];

beforeAll(() => {
  mkdirSync(join(copy, "notebooks"));
  cpSync(join(root, "README.md"), join(copy, "README.md"));
  mkdirSync(join(copy, "docs"));
  for (const name of pictures) cpSync(join(root, "docs", name), join(copy, "docs", name));
  for (const folder of ["bench", "assets"]) symlinkSync(join(root, folder), join(copy, folder));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** What the check says of the repository with this text of the notebook. */
function check(text: string): string[] {
  writeFileSync(join(copy, notebook), text);
  const script = join(root, "scripts/figures.mjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "--check", copy], { encoding: "utf8" });
  expect(status).toBe(stderr === "" ? 0 : 1);
  return stderr.trim().split("\n").filter(Boolean);
}

/** The notebook with this sentence at the start of a markdown cell. */
function saying(id: string, sentence: string): string {
  const changed = JSON.parse(original);
  changed.cells.find((cell: any) => cell.id === id).source.unshift(`${sentence}\n`);
  return `${JSON.stringify(changed, null, 1)}\n`;
}

test("nothing is wrong with the notebook as it is", () => {
  expect(check(original)).toEqual([]);
});

test("a changed number differs from its record", () => {
  const changed = original.replace(/\[[\d.]+ ms\]\(([^)]*first\/gcd-cold\.jitlab\))/, "[1 ms]($1");
  expect(changed).not.toBe(original);
  expect(check(changed)).toEqual([`${notebook}: run node scripts/figures.mjs`]);
});

test.each([
  ["A warm call takes 4 μs.", "4 μs has no record"],
  ["The second call is 40 times as short.", "40 times has no record"],
  ["It needs 80 % of the time.", "80 % has no record"],
])("a number without a record: %s", (sentence, problem) => {
  expect(check(saying("timings", sentence))).toContain(`${notebook}: ${problem}`);
});

test.each([
  ["The second call is faster.", "faster"],
  ["It is twice as short.", "twice as"],
  ["It takes half as long.", "half as"],
  ["From 1 million elements on the memory limits it.", "From 1 million elements on"],
  ["Nearly all of it is compiling.", "Nearly all"],
  ["On the H200 it does not matter.", "H200"],
])("a comparison that no cell printed: %s", (sentence, words) => {
  const problem = `${notebook}: "${words}" compares; let a cell compute and print the sentence`;
  expect(check(saying("timings", sentence))).toContain(problem);
});

test.each([
  "Which call is faster?",
  "The plot shows how many times faster it is.",
  "Fusion helps if the memory is slower than the arithmetic.",
  "`faster` is a column.",
])("not a question, a supposition, or code: %s", (sentence) => {
  expect(check(saying("timings", sentence))).toEqual([]);
});

test("a record in a conclusion, which a cell should print", () => {
  const [link = ""] = /\[[\d.]+ ms\]\([^)]*first\/gcd-cold\.jitlab\)/.exec(original) ?? [];
  expect(link).not.toBe("");
  expect(check(saying("conclusions", `It takes ${link}.`))).toEqual([
    `${notebook}: ${link} is in the conclusion; let a cell print it`,
  ]);
});

test("a picture of the README without its record is found, as is one that is missing or of another day", () => {
  const found = (name: string, text: string | undefined) => {
    const file = join(copy, "docs", name);
    const before = readFileSync(file);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    const said = check(original);
    writeFileSync(file, before);
    return said;
  };
  const noRecord = "README.md: docs/first-picture.png has no record: run node scripts/picture.mjs";
  expect(found("first-picture.json", undefined)).toEqual([noRecord]);
  expect(found("first-picture.json", "{}")).toEqual([noRecord]);
  expect(found("first-picture.png", undefined)).toEqual(["README.md: docs/first-picture.png is missing"]);
  const chart = readFileSync(join(root, "docs/tasks.svg"), "utf8").replaceAll(
    /\d{4}-\d\d-\d\d/g,
    "2020-01-01",
  );
  expect(found("tasks.svg", chart)).toEqual([
    "README.md: docs/tasks.svg is of no record that the text links: run npm run docs",
  ]);
  expect(check(original)).toEqual([]);
});
