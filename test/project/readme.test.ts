import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { examine } from "../../dist/kernel/cli/doctor.js";
import { codeBlocks } from "../support/page-blocks.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/kernel/main.js");
const folder = mkdtempSync(join(tmpdir(), "jitlab-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = (path: string) => readFileSync(join(root, path), "utf8");
const readme = page("README.md");

function run(program: string, args: readonly string[], cwd = folder) {
  return spawnSync(program, args, { cwd, encoding: "utf8", env: { ...process.env, JITLAB_DEVICE: "cpu" } });
}

test("the README's cells run one after the other", () => {
  const sources = codeBlocks(readme, "ts", "");
  expect(sources.length).toBeGreaterThan(0);
  const cells = sources.map((source, index) => ({
    ...{ cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source },
  }));
  const file = join(folder, "readme.ipynb");
  writeFileSync(file, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
  const { status, stdout, stderr } = run(process.execPath, [main, "run", file]);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain("tensor(");
});

test("the programs of the page of basics run", () => {
  const programs = codeBlocks(page("docs/basics.md"), "js");
  expect(programs.length).toBeGreaterThan(0);
  for (const text of programs) {
    // A package finds itself by its own name only from inside.
    const source = text.replace('"jitlab"', JSON.stringify(join(root, "dist/runtime/index.js")));
    const { status, stdout, stderr } = run(process.execPath, ["--input-type=module", "--eval", source]);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\[ 1000 \] true \d+\n$/);
  }
});

test("the README's commands exist", () => {
  const { scripts } = JSON.parse(page("package.json"));
  const lines = codeBlocks(readme, "sh").join("").split(/\n|&&/);
  const commands = lines
    .map((line) => line.replace(/#.*/, "").trim().replace(/^npx /, "").split(/\s+/))
    .filter(([program = ""]) => ["npm", "jitlab"].includes(program));
  expect(commands.length).toBeGreaterThanOrEqual(2);
  for (const [program, subcommand = ""] of commands) {
    if (program === "jitlab") {
      expect(run(process.execPath, [main, subcommand, "--help"]).stdout).toContain(`jitlab ${subcommand}`);
    } else {
      expect([program, subcommand in scripts || ["ci", "install"].includes(subcommand)]).toEqual([
        "npm",
        true,
      ]);
    }
  }
});

test.each([
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "llms.txt",
  "HOW_IT_WORKS.md",
  "CHANGELOG.md",
  "docs/README.md",
  "docs/compile.md",
  "docs/performance.md",
  "docs/troubleshooting.md",
  "docs/command-line.md",
  "docs/hosts.md",
  "docs/glossary.md",
  "docs/jupyterhub.md",
  "docs/decisions.md",
  "bench/README.md",
  "magics/README.md",
  "notebooks/README.md",
  "runtime/device/README.md",
  "runtime/ops/README.md",
  "runtime/program/README.md",
  "test/README.md",
])("%s links to files that exist", (path) => {
  const links = [...page(path).matchAll(/\]\(([^)\s]+)\)/g)].map((match) =>
    (match[1] ?? "").replace(/#.*/, ""),
  );
  const local = links.filter((link) => link !== "" && !/^https?:/.test(link));
  expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
});

test.each([
  ["README.md", "notebooks", ".ipynb"],
  ["docs/README.md", "docs", ".md"],
])("%s names every file of %s", (path, folder, ending) => {
  const files = readdirSync(join(root, folder)).filter(
    (name) => name.endsWith(ending) && name !== "README.md",
  );
  expect(files.filter((name) => !page(path).includes(`${name})`))).toEqual([]);
});

test("numbers and diagrams in the README and the notebooks are those of the newest results", () => {
  const { status, stderr } = run(process.execPath, [join(root, "scripts/figures.mjs"), "--check"]);
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("the README's errors at Boost's points are those of the records", () => {
  const own = Object.values(JSON.parse(page("test/data/boost-cpu.json"))) as number[];
  const { torch } = JSON.parse(page("test/data/boost-peers.json"));
  const peer = Math.max(...Object.values(torch).map((one: any) => one.largest));
  expect(readme).toContain(
    `is ${Math.round(Math.max(...own))} units; PyTorch's is ${peer.toExponential(0).replace("+", "")}.`,
  );
});

test("the chart of tasks says which task has no record", async () => {
  // @ts-expect-error a script without types
  const { tasksChart } = await import("../../scripts/tasks-chart.mjs");
  const row = { id: "tasks/k-means/later", ours: 50, peers: { torch: 100 } };
  const drawn: string = tasksChart({ machine: { device: "a GPU" }, date: "2026-11-28", rows: [row] });
  expect(drawn).toContain(">50 μs<");
  expect(drawn).toContain(">100 μs<");
  expect(drawn.match(/>no record</g)).toHaveLength(12);
  const empty = { machine: {}, date: "2026-11-28", rows: [] };
  expect(tasksChart(empty).match(/>no record</g)).toHaveLength(13);
});

test("each of doctor's checks has a section on the page about trouble", async () => {
  const sections = [...page("docs/troubleshooting.md").matchAll(/^## (.+)$/gm)].map((match) => match[1]);
  expect((await examine()).map(({ name }) => name).filter((name) => !sections.includes(name))).toEqual([]);
});
