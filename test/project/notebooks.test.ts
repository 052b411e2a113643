import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { magics } from "../../dist/magics/table.js";
import { privateCache } from "../support/private-cache.js";

// @ts-expect-error a script without types
const { conclusionOf } = (await import("../../scripts/claims.mjs")) as {
  conclusionOf: (texts: readonly string[]) => string;
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/kernel/main.js");
const notebooks = readdirSync(join(root, "notebooks")).filter((name) => name.endsWith(".ipynb"));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-notebooks-"));
  privateCache(join(folder, "cache"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function jitlab(...args: readonly string[]) {
  return jitlabWith({}, ...args);
}

function jitlabWith(environment: Record<string, string>, ...args: readonly string[]) {
  return spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    env: { ...process.env, JITLAB_CACHE_DIR: join(folder, "cache"), ...environment },
  });
}

describe("the first notebook", () => {
  const name = "01-first-kernel.ipynb";
  const source = join(root, "notebooks", name);
  const output = () => join(folder, name);

  test("runs on the CPU through the kernel, without an error or a word on stderr, and stays as it is", () => {
    const before = readFileSync(source, "utf8");
    const { status, stderr } = jitlab("run", source, "--device", "cpu", "--output", output());
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(readFileSync(source, "utf8")).toBe(before);
    const { cells } = JSON.parse(readFileSync(output(), "utf8"));
    const outputs = cells.flatMap((cell: any) => cell.outputs ?? []);
    expect(outputs.length).toBeGreaterThan(3);
    expect(outputs.filter((item: any) => item.output_type === "error")).toEqual([]);
    expect(readFileSync(output()).length).toBeLessThan(600_000);
  });
});

test("a second process compiles nothing: every kernel comes from disk", () => {
  const sources = [
    'import * as jl from "jitlab";',
    "%%time\njl.arange(1, 9).gcd(jl.arange(8)).add(jl.rand([8]).lgamma()).sum().item();",
    "%cache",
  ];
  const cells = sources.map((source, i) => ({
    ...{ cell_type: "code", id: `c${i}`, metadata: {}, execution_count: null, outputs: [], source },
  }));
  const file = join(folder, "twice.ipynb");
  writeFileSync(file, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
  expect(jitlab("run", file, "--device", "cpu").stdout).toMatch(/Compile {2}: .* kernels compiled\)/);
  const { status, stdout } = jitlab("run", file, "--device", "cpu");
  expect(status).toBe(0);
  expect(stdout).toMatch(/Load {5}: .* kernels from disk\)/);
  expect(stdout).toMatch(/compiled by this process +0 kernels/);
  const { kernels, all } = JSON.parse(jitlab("cache", "--json").stdout);
  expect(kernels).toBeGreaterThan(4);
  expect(all.hits).toBeGreaterThanOrEqual(kernels);
});

// All of them are executed by a real client: test/clients/nbconvert.client.ts.
describe.each(notebooks)("%s as it is committed", (name) => {
  const text = readFileSync(join(root, "notebooks", name), "utf8");
  const { cells, metadata } = JSON.parse(text);
  const code = cells.filter((cell: any) => cell.cell_type === "code");
  const outputs = code.flatMap((cell: any) => cell.outputs);

  test("was run from its first cell to its last, without an unmeant error or a word on stderr", () => {
    expect(code.map((cell: any) => cell.execution_count)).toEqual(
      code.map((_: any, index: number) => index + 1),
    );
    const failed = code.filter((cell: any) => cell.outputs.some((one: any) => one.output_type === "error"));
    expect(failed.filter((cell: any) => !cell.metadata.tags?.includes("raises-exception"))).toEqual([]);
    expect(outputs.filter((output: any) => output.name === "stderr")).toEqual([]);
  });

  test("explains before it computes, in cells with names of their own", () => {
    expect(metadata.kernelspec.name).toBe("jitlab");
    expect(cells[0].source.join("")).toMatch(/^# /);
    expect(new Set(cells.map((cell: any) => cell.id)).size).toBe(cells.length);
    expect(cells.filter((cell: any) => !/^[a-z][a-z-]*$/.test(cell.id))).toEqual([]);
  });

  test("says at first for whom it is, and ends with at most five sentences, also on what loses", () => {
    const texts = cells
      .filter((cell: any) => cell.cell_type === "markdown")
      .map((cell: any) => cell.source.join(""));
    expect(texts[0]).toMatch(/\byou (?:can|know)\b.* for |for looking up/s);
    const conclusion = conclusionOf(texts);
    expect(conclusion).toMatch(/jitlab loses/);
    const body = conclusion.replace(/^#+ .*|^(?:Next|Next page|Reference):.*|`[^`]*`|\]\([^)]*\)/gm, "");
    expect(body.match(/[.!?](?=\s|$)/g)?.length, conclusion).toBeLessThanOrEqual(5);
  });

  test("links to files that exist", () => {
    const prose = cells
      .filter((cell: any) => cell.cell_type === "markdown")
      .map((cell: any) => cell.source.join(""));
    const links = [...prose.join("\n").matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] ?? "");
    expect(links.filter((link) => !existsSync(join(root, "notebooks", link)))).toEqual([]);
  });

  test("holds no Plotly library, which would be megabytes in the repository", () => {
    expect(text).not.toContain('data-jitlab=\\"plotly\\"');
    expect(text.length).toBeLessThan(2_000_000);
  });
});

describe("the tutorial on functors", () => {
  const { cells } = JSON.parse(readFileSync(join(root, "notebooks/05-custom-functors.ipynb"), "utf8"));

  test.each([
    // NVRTC misses a semicolon at the next word, g++ and clang behind the last one.
    ["syntax-error", /^halved does not compile: 1 error\.\nIn\[\d+\]:[45]:\d+: error: expected .*;/],
    ["shifted-float", /^shifted does not compile for float32: 1 error\.\nshifted:3:\d+: error: /],
  ])("shows the compiler's error of its cell %s at the functor's own line", (id, message) => {
    const [output] = cells.find((cell: any) => cell.id === id).outputs;
    expect(output).toMatchObject({ output_type: "error", ename: "CompileError" });
    expect(output.evalue).toMatch(message);
  });
});

describe("the gallery's pages", () => {
  const pages = notebooks.filter((name) => name.includes("-gallery-"));
  const cells = pages.flatMap(
    (name) => JSON.parse(readFileSync(join(root, "notebooks", name), "utf8")).cells,
  );
  const code = cells.filter((cell: any) => cell.cell_type === "code");
  const sources: string[] = code.map((cell: any) => cell.source.join(""));

  test.each(
    magics.flatMap(({ name, kinds }) => kinds.map((kind) => (kind === "line" ? `%${name}` : `%%${name}`))),
  )("uses %s", (magic) => {
    // A line magic may stand behind an assignment; a cell magic is what its cell begins with.
    const use = magic.startsWith("%%")
      ? new RegExp(`^${magic}(?!\\w)`)
      : new RegExp(`^(?:const \\w+ = )?${magic}(?![\\w?])`, "m");
    expect(sources.filter((source) => use.test(source))).not.toEqual([]);
  });

  test("every figure has all four forms", () => {
    const figures = code
      .flatMap((cell: any) => cell.outputs)
      .filter((output: any) => output.data && "application/vnd.plotly.v1+json" in output.data);
    expect(figures.length).toBeGreaterThanOrEqual(3);
    for (const { data } of figures) {
      expect(Object.keys(data).sort()).toEqual([
        "application/vnd.plotly.v1+json",
        "image/png",
        "text/html",
        "text/plain",
      ]);
      expect(data["text/html"].join("")).toContain(data["image/png"]);
    }
  });

  test("runs on the CPU where neither NVRTC nor nvdisasm is, and says what to install", () => {
    const output = join(folder, "gallery.ipynb");
    const path = [dirname(process.execPath), "/usr/bin", "/bin"].join(":");
    // In the run's cache, which has most of its kernels already.
    const bare = {
      JITLAB_CACHE_DIR: process.env.JITLAB_CACHE_DIR ?? "",
      ...{ CUDA_HOME: "", VIRTUAL_ENV: "", CONDA_PREFIX: "", LD_LIBRARY_PATH: "" },
      ...{ HOME: folder, PATH: path },
    };
    const gallery = join(root, "notebooks/08b-gallery-generated-code.ipynb");
    expect(jitlabWith(bare, "run", gallery, "--device", "cpu", "--output", output).status).toBe(0);
    const ran = JSON.parse(readFileSync(output, "utf8")).cells;
    // A toolkit in /usr/local is found all the same: then there is a listing.
    const said = (id: string): string => {
      const [shown] = ran.find((cell: any) => cell.id === id).outputs;
      return shown.evalue ?? shown.data["text/plain"].join("");
    };
    expect(said("ptx-cuda")).toMatch(/NVRTC.* was not found.*install|\.visible \.entry/s);
    expect(said("sass-cuda")).toMatch(/(NVRTC|nvdisasm).* found.*install|EXIT/s);
    expect(said("sass")).toContain("neg_float64_float64_contiguous");
  }, 300_000);
});

test("the cache's commands", () => {
  const list = JSON.parse(jitlab("cache", "list", "--json").stdout);
  expect(list.map((entry: any) => entry.op)).toContain("gcd");
  expect(jitlab("cache", "list").stdout).toMatch(/^gcd contiguous /m);
  expect(JSON.parse(jitlab("cache", "verify", "--json").stdout)).toEqual({
    checked: list.length,
    damaged: 0,
  });
  expect(jitlab("cache", "clear").stdout).toBe(`Deleted ${list.length} kernels.\n`);
  expect(JSON.parse(jitlab("cache", "status", "--json").stdout).kernels).toBe(0);
});
