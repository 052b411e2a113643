// Choices between processes: they are kept, sealed, exported and cleared with their kernels, and what ran is noted for others.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const library = join(import.meta.dirname, "..", "..", "dist", "runtime", "index.js");
const commandLine = join(import.meta.dirname, "..", "..", "dist", "kernel", "main.js");
const root = mkdtempSync(join(tmpdir(), "jitlab-choices-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const Database = createRequire(import.meta.url)("libsql");

let folders = 0;
const freshFolder = () => join(root, String(folders++));

/** Runs a program with a cache; returns what it gave to `say`. */
function run(folder: string, program: string): Promise<{ said: any; stderr: string }> {
  const code = `const jl = await import(${JSON.stringify(library)}); jl.setDevice("cpu");
    const call = () => jl.rand([40_000]).sin();
    const variant = () => jl.record(call).launches.at(-1).variant;
    const say = (value) => console.log(JSON.stringify(value));
    ${program}`;
  return new Promise((done, failed) => {
    const env = { ...process.env, JITLAB_CACHE_DIR: folder };
    execFile(process.execPath, ["--input-type=module", "--eval", code], { env }, (error, stdout, stderr) =>
      error ? failed(error) : done({ said: JSON.parse(stdout), stderr }),
    );
  });
}

/** A choice that no measurement would make for sure. */
const choose = `call(); const [{ form }] = jl.tune(call).toReversed();
  const { withStore } = await import(${JSON.stringify(library.replace("index.js", "cache/current-store.js"))});
  const [choice] = jl.tuning.list();
  withStore((store) => store.tuning.put({ ...choice, form }), undefined);`;

test("a choice is used by the next process, goes through a file, and is cleared with its kernel", async () => {
  const [folder, other] = [freshFolder(), freshFolder()];
  const { said: form } = await run(folder, `${choose} say(form)`);
  expect(form).toMatch(/^loops of \d+$/);
  const shown = `say([variant(), jl.tuning.list().map(({ op, upTo, form }) => [op, upTo, form])])`;
  const used = [`contiguous, ${form}`, [["sin", 65_536, form]]];
  expect((await run(folder, shown)).said).toEqual(used);

  const seed = join(root, "choices.seed");
  await run(folder, `jl.cache.export(${JSON.stringify(seed)}); say(0)`);
  await run(other, `jl.cache.import(${JSON.stringify(seed)}); say(0)`);
  expect((await run(other, shown)).said).toEqual(used);

  // The kernels of another operation go without it.
  await run(folder, `jl.cache.clear({ op: "rand" }); say(0)`);
  expect((await run(folder, `say(jl.tuning.list().length)`)).said).toBe(1);
  await run(folder, `jl.cache.clear({ op: "sin" }); say(0)`);
  expect((await run(folder, shown)).said).toEqual(["contiguous", []]);
  expect((await run(other, `say([jl.tuning.clear(), variant()])`)).said).toEqual([1, "contiguous"]);
});

test("a row that somebody else wrote is not used, and a damaged one neither", async () => {
  const folder = freshFolder();
  await run(folder, `${choose} say(form)`);
  const change = (sql: string) => {
    const database = new Database(join(folder, "kernels.sqlite"));
    database.exec(sql);
    database.close();
  };
  change("UPDATE choice SET form = 'loops of 512', facts = '{'");
  change("UPDATE run SET text = x'00'");
  const { said } = await run(folder, `say([variant(), jl.tuning.list(), jl.tuning.fromCache()])`);
  expect(said).toEqual(["contiguous", [], []]);
});

test("what ran is noted once for each size, and tuned by another process", { timeout: 60_000 }, async () => {
  const folder = freshFolder();
  // Below the least size nothing is noted.
  await run(folder, `call(); call(); jl.rand([300_000]).sin(); jl.rand([100]).cos(); say(0)`);
  const { said } = await run(
    folder,
    `const steps = []; const rows = jl.tuning.fromCache({ onProgress: ({ step }) => steps.push(step) });
     say([rows, steps.filter((step) => step === "measured").length, jl.tuning.fromCache()])`,
  );
  const [rows, measured, again] = said;
  expect([...new Set(rows.map((row: any) => `${row.op} ${row.upTo}`))]).toEqual(["sin 65536", "sin 1048576"]);
  expect(measured).toBe(2);
  // What was tuned is not tuned again.
  expect(again).toEqual([]);
  const listed = await run(folder, `say(jl.tuning.list().map(({ op, times }) => [op, times.length]))`);
  expect(listed.said).toEqual([
    ["sin", rows.length / 2],
    ["sin", rows.length / 2],
  ]);
});

test("jitlab tune runs a notebook, or takes what the cache has noted", { timeout: 120_000 }, async () => {
  const folder = freshFolder();
  const script = join(root, "script.ts");
  writeFileSync(script, '// %%\nimport * as jl from "jitlab";\nconst y = jl.rand([40_000]).sin();\n');
  const jitlab = (cache: string, ...args: string[]): Promise<{ status: number; output: string }> =>
    new Promise((done) => {
      const env = { ...process.env, JITLAB_CACHE_DIR: cache, JITLAB_DEVICE: "cpu" };
      execFile(process.execPath, [commandLine, "tune", ...args], { env }, (error, stdout, stderr) =>
        done({ status: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });
  const ran = await jitlab(folder, script);
  expect(ran).toMatchObject({ status: 0, output: expect.stringContaining("1 kernel tuned") });
  expect((await run(folder, "say(jl.tuning.list().map(({ op }) => op))")).said).toEqual(["sin"]);
  expect(readFileSync(script, "utf8")).not.toContain("%tune");

  await run(folder, "jl.rand([40_000]).cos(); say(0)");
  const noted = await jitlab(folder, "--from-cache", "--device", "cpu");
  expect(noted).toMatchObject({
    status: 0,
    output: expect.stringMatching(/cos contiguous float32[\s\S]*cpu, up to 65,536 elements: loops of/),
  });
  expect((await jitlab(folder, "--from-cache")).output).toContain("Nothing to tune");
  expect((await jitlab(folder)).output).toContain("needs a notebook or --from-cache");
  expect((await jitlab(folder, script, "--from-cache")).output).toContain("not both");
  const open = freshFolder();
  mkdirSync(open);
  chmodSync(open, 0o777);
  const refused = await jitlab(open, script);
  expect(refused.status).toBe(1);
  expect(refused.output).toContain("cannot store its measurements");
});

test("without a folder that can be written, choices hold for the process", async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const { said, stderr } = await run(
    folder,
    `${choose} jl.cache.clear({ op: "none" }); say([form, variant()])`,
  );
  expect(said[1]).toBe(`contiguous, ${said[0]}`);
  expect(stderr).toContain("Kernels are kept in this process only");
});
