// Compiles that are ended from outside: the caller gets an error, and nothing remains.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { CompilerLog } from "../../dist/runtime/device/compiler-log.js";
import { until } from "../support/kernel.js";
import { isRunning, processesOf } from "../support/processes.js";

const root = mkdtempSync(join(tmpdir(), "jitlab-faults-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const scripted = {
  name: "scripted",
  module: pathToFileURL(join(import.meta.dirname, "..", "support", "scripted-compiler.mjs")).href,
  path: "here",
  identity: "1",
  textsAtOnce: 2,
  further: "processes",
};
const built = (name: string) =>
  JSON.stringify(new URL(`../../dist/runtime/${name}.js`, import.meta.url).href);
const prelude = `
  import { chdir, cwd } from "node:process";
  import { mkdirSync, rmdirSync } from "node:fs";
  const { compile, stop, warm } = await import(${built("compiler/service")});
  const { CompilePool } = await import(${built("compiler/pool")});
  const { hostTarget } = await import(${built("device/cpu/toolchain")});
  const request = (source, flags = []) => ({ source, flags, name: "kernel" });
  const spec = ${JSON.stringify(scripted)};
  const say = (action) => {
    try { console.log(action()); } catch (error) { console.log(error.name, error.code, error.message); }
  };
`;

/** What a process of its own prints, which is ended where it hangs. */
function printed(script: string, ...nodeFlags: string[]): string {
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    [...nodeFlags, "--input-type=module", "-e", prelude + script],
    {
      encoding: "utf8",
      timeout: 30_000,
      killSignal: "SIGKILL",
      env: { ...process.env, JITLAB_FAULTS: root },
    },
  );
  expect([signal, stderr]).toEqual([null, expect.not.stringMatching(/^\s+at /m)]);
  return stdout;
}

const removeFolder = `
  const folder = process.env.JITLAB_FAULTS + "/" + process.pid;
  mkdirSync(folder);
  chdir(folder);
  rmdirSync(folder);
`;

describe("a compile is answered", () => {
  test("where the working directory was removed, and the directory stays what it was", () => {
    const script = `${removeFolder}
      say(() => compile(spec, request("now")).log);
      say(() => { const { compiler, flags } = hostTarget(); return compile(compiler, request("", flags)).binary.length > 0; });
      const pool = new CompilePool(2, 0, "threads");
      pool.submit(1, spec, request("sleep 50"));
      pool.submit(2, spec, request("sleep 1"));
      say(() => [pool.next().id, pool.next().id].sort().join());
      pool.stop();
      const processes = new CompilePool(3, 2, "processes");
      for (const id of [1, 2, 3]) processes.submit(id, spec, request("sleep 1"));
      say(() => [1, 2, 3].map(() => processes.next()).filter((outcome) => "compiled" in outcome).length);
      processes.stop();
      say(cwd);`;
    expect(printed(script)).toMatch(/^now\ntrue\n1,2\n3\nError ENOENT .*cwd.*\n$/s);
  });

  test("where the working directory was removed and made again", () => {
    const script = `mkdirSync(process.env.JITLAB_FAULTS + "/again"); chdir(process.env.JITLAB_FAULTS + "/again"); cwd();
      rmdirSync(cwd()); mkdirSync(cwd());
      say(() => compile(spec, request("now")).log);`;
    expect(printed(script)).toBe("now\n");
  });

  test("by an error in a thread, which cannot choose another working directory", () => {
    const thread = `import("node:worker_threads").then(({ parentPort }) => parentPort.once("message", async ({ service, spec }) => {
      const { compile } = await import(service);
      try { compile(spec, { source: "now", flags: [], name: "kernel" }); } catch (error) { parentPort.postMessage(error.message); }
    }))`;
    const script = `const { Worker } = await import("node:worker_threads");
      const worker = new Worker(${JSON.stringify(thread)}, { eval: true });
      await new Promise((done) => worker.once("online", done));
      ${removeFolder}
      worker.postMessage({ service: ${built("compiler/service")}, spec });
      worker.once("message", (text) => { console.log(text); worker.terminate(); });`;
    expect(printed(script)).toMatch(/worker thread ended before it answered.*working directory was removed/s);
  });

  test("by an error where the system starts no thread, and by code once it does", () => {
    const script = `const threads = process.getBuiltinModule("node:worker_threads");
      const { Worker } = threads;
      threads.Worker = function () {
        throw Object.assign(new Error("Worker initialization failure: EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
      };
      say(() => compile(spec, request("now")));
      threads.Worker = Worker;
      say(() => compile(spec, request("now")).log);`;
    expect(printed(script)).toMatch(
      /^JitlabError compiler-failed .* thread did not start: Worker initialization failure: EAGAIN\..*limit of threads.*\nnow\n$/s,
    );
  });

  test("by an error where the thread runs out of memory, and the next one by code", () => {
    const script = `say(() => compile(spec, request("exhaust"))); say(() => compile(spec, request("now")).log);`;
    expect(printed(script, "--max-old-space-size=100")).toMatch(
      /^JitlabError compiler-failed The compile service's worker thread ended before it answered\..*\nnow\n$/s,
    );
  });

  test("where the thread is busy for longer than one waits between two looks", () => {
    expect(printed(`say(() => compile(spec, request("block 1500")).log);`)).toBe("block 1500\n");
  });
});

// Templates that keep a compiler busy for minutes.
const endless =
  "template<int N, int M> struct S { static const int v = S<N - 1, M>::v + S<N - 1, M + (1 << N)>::v; };" +
  "template<int M> struct S<0, M> { static const int v = M; }; int x = S<24, 0>::v;";

describe("the compiler and its folder do not outlive", () => {
  let folders = 0;
  /** A process that compiles for minutes, once the compiler proper is at work. */
  async function compiling(script: string) {
    const folder = mkdtempSync(join(root, `tmp${folders++}-`));
    const child = spawn(process.execPath, ["--input-type=module", "-e", prelude + script], {
      env: { ...process.env, TMPDIR: folder, JITLAB_FAULTS: root },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((done) => child.once("exit", done));
    // The shell and its part that reports, and the compiler: g++ is a driver that starts cc1plus, clang++ one that starts itself.
    await until(() => processesOf(folder).length >= 4);
    const gone = () => until(() => readdirSync(folder).length === 0 && processesOf(folder).length === 0);
    return { child, ended, gone };
  }
  const busy = `const { compiler, flags } = hostTarget();
    const source = ${JSON.stringify(endless)};
    const start = () => compile(compiler, request(source, [...flags, "-ftemplate-depth=9999"]));`;

  test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "a process that ends by %s",
    async (signal) => {
      const { child, ended, gone } = await compiling(`${busy} start();`);
      child.kill(signal);
      await ended;
      await gone();
    },
  );

  test("a wait that was interrupted, where the next compile finds it abandoned", async () => {
    const { gone } = await compiling(`${busy}
      const { createContext, Script } = await import("node:vm");
      say(() => new Script("start()").runInContext(createContext({ start }), { timeout: 3000 }));
      say(() => compile(spec, request("now")).log);
      setInterval(() => undefined, 1000);`);
    await gone();
  });

  test("a thread that is given up", async () => {
    const { gone } = await compiling(`${busy}
      const pool = new CompilePool(1, 0, "threads");
      pool.submit(1, compiler, request(source, flags));
      setTimeout(() => pool.stop(), 3000);
      setInterval(() => undefined, 1000);`);
    await gone();
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "a process that compiles in further ones and ends by %s",
    async (signal) => {
      const script = `const pool = new CompilePool(3, 2, "processes");
        for (const id of [1, 2, 3]) pool.submit(id, spec, request("pid 200"));
        say(() => [1, 2, 3].map(() => pool.next().compiled.assembly).join(" "));
        for (const id of [1, 2, 3]) pool.submit(id, spec, request("sleep 60000"));
        pool.next();`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", prelude + script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [text] = (await once(child.stdout, "data")) as [Buffer];
      const further = `${text}`
        .trim()
        .split(" ")
        .map(Number)
        .filter((pid) => pid !== child.pid);
      expect(further.map(isRunning)).toEqual([true, true]);
      child.kill(signal);
      await until(() => !further.some(isRunning));
    },
  );

  test("a compile that is done", () => {
    const folder = mkdtempSync(join(root, "done-"));
    process.env.TMPDIR = folder;
    try {
      const output = printed(`const { compiler, flags } = hostTarget();
        say(() => compile(compiler, request("int x;", flags)).binary.length > 0);
        say(() => compile(compiler, request("no", flags)));`);
      expect(output).toMatch(/^true\nCompileError compile-failed .*rejected the kernel/s);
    } finally {
      delete process.env.TMPDIR;
    }
    return until(() => readdirSync(folder).length === 0);
  });
});

describe("what a compiler prints is bounded", () => {
  test("in a process that could not hold all of it, by an end of the compile", () => {
    const script = `const { compiler, flags } = hostTarget();
      say(() => compile(compiler, request("'".repeat(1e6), flags)));`;
    const output = printed(script, "--max-old-space-size=100");
    expect(output).toMatch(/^CompileError compile-failed The C\+\+ compiler .* printed more than 1048576 /);
    expect(output).toMatch(/\n\[\.\.\. \d+ characters of the compiler's output omitted \.\.\.\]\n/);
    expect(output.length).toBeLessThan(70_000);
  });

  test("in an error of a functor with a line of a hundred thousand quotes, which shows the part around the caret", () => {
    const script = `const { jit, tensor, setDevice } = await import(${built("index")});
      setDevice("cpu");
      const wild = jit("template <typename T> T wild(T x) { return " + "''".repeat(5e4) + "; }");
      say(() => wild(tensor([1])));`;
    const output = printed(script, "--max-old-space-size=100");
    expect(output).toMatch(
      /^CompileError compile-failed wild does not compile.*empty character constant.*\n\.\.\. and \d+ more\n/s,
    );
    expect(output.split("\n").length).toBeLessThan(80);
    expect(Math.max(...output.split("\n").map((line) => line.length))).toBeLessThan(400);
  });

  test("with its first and its last part", () => {
    const log = new CompilerLog();
    log.add("first\n");
    expect(`${log}`).toBe("first\n");
    for (let i = 0; i < 1000; i++) log.add("x".repeat(1000));
    log.add("\nlast");
    expect(log.length).toBe(1_000_011);
    expect(`${log}`).toMatch(/^first\nx+\n\[\.\.\. 934475 characters .* omitted \.\.\.\]\nx+\nlast$/);
  });
});
