// What signals do to processes that compile with NVRTC, which changes signal handlers unless it is kept from that: they end as
// Node's processes do, and leave nothing behind. On a GPU, its driver and its library of products are used too.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { KernelClient } from "../../dist/kernel/cli/client.js";
import { result, until } from "../support/kernel.js";
import { isRunning, processesOf } from "../support/processes.js";

const { probeNvrtc } = (await import(
  "../../dist/runtime/device/cuda/nvrtc.js"
)) as typeof import("../../runtime/device/cuda/nvrtc.js");
const found = probeNvrtc();
const onGpu = process.env.JITLAB_TEST_DEVICE === "cuda";
const signals = ["SIGTERM", "SIGINT"] as const;
// A process that survives fails its test then, not after the minutes that other tests of this configuration may take.
const limitMs = 60_000;

const built = (name: string) => JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);
const prelude = `
  const { compile } = await import(${built("runtime/compiler/service")});
  const { CompilePool } = await import(${built("runtime/compiler/pool")});
  const { cudaTarget } = await import(${built("runtime/device/cuda/nvrtc")});
  const { flags, compiler } = cudaTarget("sm_90");
  const kernels = (count) => Array.from({ length: count }, (_, i) =>
    \`extern "C" __global__ void k\${i}(float *x) { for (int i = 0; i < 9; i++) x[i] = sinf(x[i]) * powf(x[i], \${i}.f); }\`);
  const request = (count) => ({ source: kernels(count).join("\\n"), flags, name: "k" });
`;

/** What a process has done when it says that it is ready, and does from then on. */
const situations = {
  "has compiled and loops": `compile(compiler, request(1)); console.log("ready"); for (;;);`,
  "has compiled and waits": `compile(compiler, request(1)); console.log("ready"); setInterval(() => {}, 1000);`,
  "compiles again": `compile(compiler, request(1)); console.log("ready"); for (;;) compile(compiler, request(40));`,
  "compiles for the first time": `console.log("ready"); compile(compiler, request(400));`,
};

/** What makes the process of a notebook's cells compile with NVRTC. */
const inCell = onGpu
  ? `jl.setDevice("cuda"); jl.ones([3]).mul(${Math.random()}).sum().item();`
  : 'jl.jit("template <typename T> T f(T x) { return x + 1; }").check("cuda");';

interface Started {
  readonly child: ChildProcess;
  /** Its folder for temporary files. */
  readonly folder: string;
  /** Settles with its signal and its status. */
  readonly ended: Promise<readonly [NodeJS.Signals | null, number | null]>;
  /** Waits for a text on its standard output. */
  printed(text: string): Promise<string>;
}

function start(...words: string[]): Started {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-signals-"));
  const child = spawn(process.execPath, words, {
    // With one thread for asynchronous compiles, three at once already need processes.
    env: { ...process.env, TMPDIR: folder, UV_THREADPOOL_SIZE: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (text) => {
    output += text;
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    child,
    folder,
    ended: new Promise((done) => child.once("exit", (status, signal) => done([signal, status]))),
    printed: async (text) => {
      await until(() => output.includes(text));
      return output;
    },
  };
}

const script = (text: string) => start("--input-type=module", "-e", prelude + text);

/** Nothing works in the folder, and it is empty. */
const left = ({ folder }: Started) =>
  until(() => readdirSync(folder).length === 0 && processesOf(folder).length === 0);

describe.skipIf(!found.path)(`signals${found.path ? "" : ` (${found.reason})`}`, () => {
  test("have the handlers that they had before a compile, and before a GPU was used", {
    timeout: limitMs,
  }, async () => {
    const onDevice = `
      const jl = await import(${built("runtime/index")});
      jl.setDevice("cuda");
      const x = jl.ones([300, 300]);
      x.matmul(x).add(x).sum().item();
      jl.compile((x) => x.softmax(-1).sum())(x).item();`;
    const child = script(`
      const koffi = process.getBuiltinModule("node:module").createRequire(${built("runtime/index")})("koffi");
      const sigaction = koffi.load(null).func("int sigaction(int, void *, void *)");
      // The handler, the kernel's part of the mask, and the flags.
      const handlers = () => Array.from({ length: 64 }, (_, i) => {
        const action = Buffer.alloc(152);
        sigaction(i + 1, null, action);
        return action.toString("hex", 0, 16) + action.toString("hex", 136, 140);
      });
      const before = handlers();
      compile(compiler, request(1));
      ${onGpu ? onDevice : ""}
      const after = handlers();
      console.log("changed:", JSON.stringify(before.flatMap((old, i) => (old === after[i] ? [] : [i + 1]))));`);
    expect(await child.printed("changed:")).toContain("changed: []");
  });

  describe.each(signals)("%s ends", (signal) => {
    test.each(Object.entries(situations))("a script that %s", { timeout: limitMs }, async (_name, text) => {
      const started = script(text);
      await started.printed("ready");
      started.child.kill(signal);
      expect(await started.ended).toEqual([signal, null]);
      await left(started);
    });

    test.runIf(onGpu)("a script that uses a GPU", { timeout: limitMs }, async () => {
      const started = script(`
        const jl = await import(${built("runtime/index")});
        jl.setDevice("cuda");
        const x = jl.ones([2000, 2000]);
        x.matmul(x).sum().item();
        console.log("ready");
        for (;;) x.matmul(x).sum().item();`);
      await started.printed("ready");
      started.child.kill(signal);
      expect(await started.ended).toEqual([signal, null]);
    });

    test("processes that compile for another one, which goes on", { timeout: limitMs }, async () => {
      const started = script(`
        const pool = new CompilePool(3, compiler.textsAtOnce, "processes");
        for (const id of [1, 2, 3]) pool.submit(id, compiler, request(1));
        for (const _ of [1, 2, 3]) if (pool.next().error) throw new Error("not compiled");
        console.log("ready");
        setInterval(() => {}, 1000);`);
      await started.printed("ready");
      const pids = compilersOf(started);
      expect(pids.length).toBeGreaterThan(0);
      for (const pid of pids) process.kill(pid, signal);
      await until(() => !pids.some(isRunning));
      expect(started.child.exitCode).toBe(null);
      started.child.kill(signal);
      expect(await started.ended).toEqual([signal, null]);
    });

    test("a process that compiles in others, and these", { timeout: limitMs }, async () => {
      const started = script(`
        const pool = new CompilePool(3, compiler.textsAtOnce, "processes");
        const submit = (count) => [1, 2, 3].forEach((id) => pool.submit(id, compiler, request(count)));
        submit(1);
        for (const _ of [1, 2, 3]) pool.next();
        console.log("ready");
        submit(400);
        pool.next();`);
      await started.printed("ready");
      const pids = compilersOf(started);
      expect(pids.length).toBeGreaterThan(0);
      started.child.kill(signal);
      expect(await started.ended).toEqual([signal, null]);
      await until(() => !pids.some(isRunning));
      await left(started);
    });

    test("jitlab run, its kernel and its child", { timeout: limitMs }, async () => {
      const folder = mkdtempSync(join(tmpdir(), "jitlab-signals-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const notebook = join(folder, "notebook.ts");
      const cells = [
        `import * as jl from "jitlab";\n${inCell}`,
        'console.log("ready", process.pid);\nfor (;;);',
      ];
      writeFileSync(notebook, cells.map((cell) => `// %%\n${cell}\n`).join(""));
      const started = start(
        fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url)),
        "run",
        notebook,
      );
      const child = Number(/^ready (\d+)/m.exec(await started.printed("ready "))?.[1]);
      const kernel = parentOf(child);
      expect([child, kernel].map(isRunning)).toEqual([true, true]);
      started.child.kill(signal);
      // The first Ctrl-C interrupts the cell.
      expect(await started.ended).toEqual(signal === "SIGINT" ? [null, 130] : [signal, null]);
      await until(() => ![child, kernel].some(isRunning));
      await left(started);
    });
  });

  test("SIGTERM ends a kernel's child, which is replaced, and a kernel", { timeout: limitMs }, async () => {
    const client = await KernelClient.start();
    try {
      const compiled = await client.execute(`import * as jl from "jitlab";\n${inCell}\nprocess.pid`);
      const first = Number(result(compiled));
      let started = false;
      const cell = client.execute('console.log("started"); await new Promise(() => {});', {
        onMessage: ({ content }) => {
          started ||= content.text === "started\n";
        },
      });
      await until(() => started);
      process.kill(first, "SIGTERM");
      expect((await cell).reply.content.evalue).toContain("was ended by SIGTERM");
      const second = Number(
        result(await client.execute(`import * as jl from "jitlab";\n${inCell}\nprocess.pid`)),
      );
      expect(isRunning(first)).toBe(false);
      client.kernel?.kill("SIGTERM");
      expect(await client.kernel?.ended).toBe("The kernel ended with status 0.");
      await until(() => !isRunning(second));
    } finally {
      client.kill();
      client.close();
    }
  });

  test("SIGINT interrupts a child that has compiled, and keeps its variables", {
    timeout: limitMs,
  }, async () => {
    const client = await KernelClient.start();
    try {
      await client.execute(`import * as jl from "jitlab";\n${inCell}\nvar kept = 6;`);
      const cell = client.execute("for (;;);");
      // A cell that has not begun is interrupted too.
      await client.interrupt();
      expect((await cell).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
      expect(result(await client.execute("kept"))).toBe("6");
    } finally {
      await client.shutdown();
    }
  });
});

/** The compiler processes that a process has started, by a shell. */
function compilersOf({ child }: Started): number[] {
  const shells = descendants(child.pid ?? 0);
  return shells.flatMap(descendants).filter(isRunning);
}

function descendants(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
    .map(Number);
}

function parentOf(pid: number): number {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
  } catch {
    return 0; // it has ended meanwhile
  }
}
