import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Language } from "../../dist/kernel/language/language.js";
import { startLanguage } from "../../dist/kernel/language/language-process.js";
import { makeSnapshot, snapshotFile, usableSnapshot } from "../../dist/kernel/language/snapshot-file.js";

const place = mkdtempSync(join(tmpdir(), "jitlab-language-"));
const folder = join(place, "notebook");
const cacheDir = process.env.JITLAB_CACHE_DIR;
const open: Language[] = [];

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "strict": true } }');
  writeFileSync(join(folder, "helper.ts"), "export const half = (n: number): number => n / 2;\n");
});
afterEach(async () => {
  process.env.JITLAB_CACHE_DIR = cacheDir;
  for (const language of open.splice(0)) await language.close();
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

function start(idleAfterMs?: number): Language {
  const language = startLanguage(folder, idleAfterMs);
  open.push(language);
  return language;
}

/** The ids of the running children of a process. */
function childrenOf(pid: number | string): string[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.split(" ").filter((child) => child !== "");
}

/** The command lines of this process's language processes. */
function languageProcesses(): string[] {
  const lines = childrenOf(process.pid).map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  return lines.filter((line) => /kernel\/language\/main\.js|--snapshot-blob/.test(line));
}

/** What a notebook asks, in every way there is. */
async function ask(language: Language): Promise<unknown[]> {
  return [
    await language.convert('import * as jl from "jitlab";\nconst x = jl.tensor([1, 2]).add(1);', "In[1]"),
    await language.convert('import { half } from "./helper.ts";\nlet h = half(3)\nh', "In[2]"),
    await language.convert("function f(n) { return n }\nx.add(true.foo)", "In[3]"),
    await language.convert("%%timings\nx.mul(2)", "In[4]"),
    await language.complete("x.resh", 6),
    await language.complete('import {} from "./hel', 21),
    await language.inspect("h.toFixed", 5, 1),
    await language.isComplete("if (x) {"),
  ];
}

describe("a language process from a snapshot", () => {
  let without: unknown[];
  beforeAll(async () => {
    process.env.JITLAB_CACHE_DIR = join(place, "without");
    const language = start();
    without = await ask(language);
    expect(languageProcesses()).toEqual([expect.stringContaining("main.js")]);
    await language.close();
    process.env.JITLAB_CACHE_DIR = join(place, "cache");
    await makeSnapshot();
  }, 180_000);

  test("answers as one without", async () => {
    process.env.JITLAB_CACHE_DIR = join(place, "cache");
    const language = start();
    expect(languageProcesses()).toEqual([expect.stringContaining(snapshotFile())]);
    expect(await ask(language)).toEqual(without);
  });

  test("that is damaged is removed, and the calls are answered without", async () => {
    const damaged = join(place, "damaged");
    process.env.JITLAB_CACHE_DIR = join(place, "cache");
    const bytes = readFileSync(snapshotFile());
    process.env.JITLAB_CACHE_DIR = damaged;
    const file = snapshotFile();
    mkdirSync(join(damaged, "language"), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes.fill(0, bytes.length / 2, bytes.length / 2 + 1000));
    const language = start();
    expect((await language.convert("1 + 1", "In[1]")).errors).toEqual([]);
    expect(languageProcesses()).toEqual([expect.stringContaining("main.js")]);
    expect(existsSync(file)).toBe(false);
  });

  test("that others may have written is not used", () => {
    process.env.JITLAB_CACHE_DIR = join(place, "cache");
    const file = snapshotFile();
    expect(usableSnapshot()).toBe(file);
    for (const path of [file, join(place, "cache")]) {
      const { mode } = statSync(path);
      chmodSync(path, 0o777);
      expect(usableSnapshot()).toBeUndefined();
      chmodSync(path, mode);
    }
    expect(usableSnapshot()).toBe(file);
  });
});

test("a kernel that starts without a snapshot makes one half a minute later, for the next one", async () => {
  process.env.JITLAB_CACHE_DIR = join(place, "later");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  start();
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await expect.poll(usableSnapshot, { timeout: 100_000 }).toBe(snapshotFile());
}, 120_000);

test("a language process that nobody asks anything ends, and wakes with what it knew", async () => {
  const language = start(50);
  await language.typecheck("warn");
  await language.convert("const counted: number[] = [1]", "In[1]");
  for (const [code, name] of [
    ["counted.pu", "push"],
    ["counted.fla", "flat"],
  ] as const) {
    await expect.poll(languageProcesses, { timeout: 20_000 }).toEqual([]);
    const { matches } = await language.complete(code, code.length);
    expect(matches.map(({ text }) => text)).toContain(name);
  }
  await expect.poll(languageProcesses, { timeout: 20_000 }).toEqual([]);
  expect(await language.convert("const text: string = counted", "In[2]")).toMatchObject({
    errors: [],
    warnings: [{ code: 2322 }],
  });
});

test("a language process lives through Ctrl-C", async () => {
  const language = start();
  await language.convert("const x = 1", "In[1]");
  for (const pid of childrenOf(process.pid)) {
    if (/language/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"))) process.kill(Number(pid), "SIGINT");
  }
  expect((await language.convert("x", "In[2]")).errors).toEqual([]);
});

test("a language process ends with the process that started it", async () => {
  const program = `
    import { startLanguage } from ${JSON.stringify(join(import.meta.dirname, "..", "../dist/kernel/language/language-process.js"))};
    await startLanguage(${JSON.stringify(folder)}).convert("1", "In[1]");
    console.log("ready");
    setInterval(() => undefined, 1000);`;
  const starter = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await firstOutput(starter);
  const [language] = childrenOf(String(starter.pid));
  starter.kill("SIGKILL");
  await expect.poll(() => existsSync(`/proc/${language}`), { timeout: 20_000 }).toBe(false);
});

test("a language process that is busy ends with it as well", async () => {
  const program = `
    import { startLanguage } from ${JSON.stringify(join(import.meta.dirname, "..", "../dist/kernel/language/language-process.js"))};
    const language = startLanguage(${JSON.stringify(folder)});
    await language.convert("1", "In[1]");
    void language.convert("const big = " + JSON.stringify(Array.from({ length: 1e6 }, (_, i) => ({ i }))), "In[2]");
    console.log("ready");
    setInterval(() => undefined, 1000);`;
  const starter = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await firstOutput(starter);
  const [language] = childrenOf(String(starter.pid));
  const ticks = () => Number(readFileSync(`/proc/${language}/stat`, "utf8").split(" ")[13]);
  const before = ticks();
  await expect.poll(() => ticks() - before, { timeout: 20_000 }).toBeGreaterThan(50);
  starter.kill("SIGKILL");
  await expect.poll(() => existsSync(`/proc/${language}`), { timeout: 10_000 }).toBe(false);
});

function firstOutput(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
}
