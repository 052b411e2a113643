// The modules that importing the library loads: its files, and only the Node modules and packages that every use needs. Both
// are counted, because times differ between machines.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";

const library = new URL("../../dist/runtime/index.js", import.meta.url).href;

/** What a fresh process prints. */
async function printed(code: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
  return JSON.parse(stdout) as string[];
}

// Each takes milliseconds to load, and none is needed before the first operation.
const late = [
  "zlib",
  "worker_threads",
  "child_process",
  "crypto",
  "v8",
  "inspector",
  "http",
  "net",
  "readline",
  "sqlite",
];

test("importing the library loads no module of Node's that only a use needs", {
  timeout: 60_000,
}, async () => {
  const loaded = await printed(`
    const before = new Set(process.moduleLoadList);
    await import(${JSON.stringify(library)});
    const now = process.moduleLoadList.filter((name) => !before.has(name));
    console.log(JSON.stringify(now.map((name) => name.replace(/^NativeModule /, ""))));`);
  expect(loaded).toContain("os");
  expect(loaded.filter((name) => late.includes(name))).toEqual([]);
});

test("importing the library loads no package and opens no native library", { timeout: 60_000 }, async () => {
  const loaded = await printed(`
    import { createRequire } from "node:module";
    await import(${JSON.stringify(library)});
    const maps = process.getBuiltinModule("node:fs").readFileSync("/proc/self/maps", "utf8");
    const natives = [...new Set(maps.match(/\\S+\\.node$/gm) ?? [])];
    const packages = Object.keys(createRequire(${JSON.stringify(library)}).cache);
    console.log(JSON.stringify([...natives, ...packages]));`);
  expect(loaded).toEqual([]);
});

test("importing the library loads few files", () => {
  const seen = new Set<string>();
  const load = (url: string): void => {
    if (seen.has(url)) return;
    seen.add(url);
    const text = readFileSync(new URL(url), "utf8");
    for (const [, path] of text.matchAll(/^(?:import|export)\b.*?"(\.[^"]+)";$/gm))
      load(new URL(path ?? "", url).href);
  };
  load(library);
  expect(seen.size).toBeGreaterThan(1);
  expect(seen.size).toBeLessThanOrEqual(4);
});

test("a module that is imported by itself gives what the library holds", async () => {
  const library = jl as Readonly<Record<string, unknown>>;
  for (const name of [
    "tensor/create",
    "base/errors",
    "api/jit",
    "ops/index",
    "tensor/statistics/reduce",
    "api/resources",
    "tensor/tensor",
  ]) {
    const module = await import(new URL(`../../dist/runtime/${name}.js`, import.meta.url).href);
    const shared = Object.keys(module).filter((key) => key in library);
    expect(shared, name).not.toEqual([]);
    for (const key of shared) {
      expect(module[key] === library[key], `${name}.${key}`).toBe(true);
      if (typeof module[key] === "function") expect(module[key].name).toBe(key);
    }
  }
});

test("a library that was installed in another folder than the build's knows its own frames", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-moved-"));
  try {
    cpSync(fileURLToPath(new URL("../../dist/runtime", import.meta.url)), folder, { recursive: true });
    const places = await printed(`
      import { callSite } from ${JSON.stringify(join(folder, "program/tape/call-site.js"))};
      console.log(JSON.stringify([callSite()]));`);
    expect(places).toEqual([expect.stringMatching(/^\[eval\d*\]:3:\d+$/)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
