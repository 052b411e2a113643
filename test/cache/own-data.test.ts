// V8's data for the library under flags that the build did not have: kept by the first process, used by the next.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const library = new URL("../../dist/runtime/index.js", import.meta.url).href;
let cache: string;
let folder: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "jitlab-own-data-"));
  folder = join(cache, "library");
});
afterEach(() => rmSync(cache, { recursive: true }));

/** Imports the library in a process with these flags of V8. */
function importWith(...flags: string[]): void {
  const code = `const jl = await import(${JSON.stringify(library)}); console.log(typeof jl.add);`;
  const said = execFileSync(process.execPath, [...flags, "--input-type=module", "-e", code], {
    env: { ...process.env, JITLAB_CACHE_DIR: cache },
    encoding: "utf8",
  });
  expect(said).toBe("function\n");
}

function kept(): { readonly path: string; readonly inode: number }[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, inode: statSync(path).ino }));
}

const large = "--max-old-space-size=4000";

test("without flags nothing is kept", { timeout: 60_000 }, () => {
  importWith();
  expect(readdirSync(cache)).toEqual([]);
});

test("each set of flags keeps its data once", { timeout: 60_000 }, () => {
  importWith(large);
  const first = kept();
  expect(first).toHaveLength(1);
  importWith(large);
  expect(kept()).toEqual(first);
  importWith("--stack-size=2000");
  expect(kept()).toHaveLength(2);
});

test("damaged data, or data that others can write, is replaced", { timeout: 60_000 }, () => {
  importWith(large);
  const [first] = kept();
  const path = first!.path;
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 0xff;
  writeFileSync(path, bytes);
  importWith(large);
  const [second] = kept();
  expect(second!.inode).not.toBe(first!.inode);
  chmodSync(path, 0o666);
  importWith(large);
  expect(kept()[0]!.inode).not.toBe(second!.inode);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("an unusable folder changes nothing", { timeout: 60_000 }, () => {
  writeFileSync(folder, "");
  importWith(large);
  expect(readFileSync(folder, "utf8")).toBe("");
});
