// Interrupts: they stop a cell in any state, abort the cells queued after it, and keep earlier cells' variables.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CellError } from "../../dist/kernel/child/channel.js";
import { Child } from "../../dist/kernel/server/child.js";
import { type CheckedClient, outputTypes, printed, result, startChecked, until } from "../support/kernel.js";

let checked: CheckedClient;

beforeAll(async () => {
  checked = await startChecked();
  const { reply } = await checked.client.execute("let kept = 1; const fs = await import('node:fs');");
  expect(reply.content).toMatchObject({ status: "ok" });
});
afterAll(async () => {
  await checked.client.shutdown();
  expect(checked.broken).toEqual([]);
});

/** Runs a cell that prints "started", interrupts it then, and gives its answer and that of a cell behind it. */
async function interrupted(code: string, onInput?: () => Promise<string>) {
  const { client } = checked;
  let started = false;
  const first = client.sendExecute(code, {
    ...(onInput && { onInput }),
    onMessage: ({ header, content }) => {
      started ||= String(content.text).startsWith("started");
      started ||= header.msg_type === "error"; // it will not start any more
    },
  });
  const second = client.sendExecute("console.log('must not run')");
  await until(() => started);
  await client.interrupt();
  return { first: await first.answer, second: await second.answer };
}

const spin = 'console.log("started"); for (;;) {}';

// What a cell may be busy with, and code that is. Each leaves the process, and so the variables, alive.
const busy: Readonly<Record<string, string>> = {
  "a synchronous loop": spin,
  "a loop that catches everything":
    'console.log("started"); for (;;) { try { for (;;) {} } catch {} finally { kept = 0 } }',
  "a loop after an await": `await null; ${spin}`,
  "a loop after a timer": `await new Promise((resolve) => setTimeout(resolve, 5)); ${spin}`,
  "a loop after a file was read": `await fs.promises.readFile("/dev/null"); ${spin}`,
  "a loop after a promised timer": `await (await import("node:timers/promises")).setTimeout(5); ${spin}`,
  "a loop in a timer": `setTimeout(() => { ${spin} }, 5); await new Promise(() => {});`,
  "a loop in an interval": `setInterval(() => { ${spin} }, 5); await new Promise(() => {});`,
  "a loop in setImmediate": `setImmediate(() => { ${spin} }); await new Promise(() => {});`,
  "a loop in nextTick": `process.nextTick(() => { ${spin} }); await new Promise(() => {});`,
  "a loop in a native callback": `fs.readFile("/dev/null", () => { ${spin} }); await new Promise(() => {});`,
  "a loop in a scope of a native callback":
    'const { AsyncResource } = await import("node:async_hooks"); ' +
    `fs.stat("/", () => new AsyncResource("own").runInAsyncScope(() => { ${spin} })); await new Promise(() => {});`,
  "ticks that queue the next one first":
    "const turn = () => { process.nextTick(turn); const end = Date.now() + 300; while (Date.now() < end); }; " +
    'console.log("started"); turn();',
  // Meanwhile the signal is repeated.
  "a loop, where Node then runs a listener for long":
    'process.once("uncaughtExceptionMonitor", () => { const end = Date.now() + 900; while (Date.now() < end); }); ' +
    spin,
  "a loop that prints": 'for (let i = 0; ; i++) console.log(i === 0 ? "started" : "x".repeat(2000));',
  "a loop that awaits timers": `console.log("started"); for (;;) await new Promise((resolve) => setTimeout(resolve, 1));`,
  "a promise that never settles": 'console.log("started"); await new Promise(() => {});',
  "Atomics.wait": 'console.log("started"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
  "a read of an empty pipe":
    'const pipe = require("os").tmpdir() + "/jitlab-pipe-" + process.pid; ' +
    'require("child_process").execSync("mkfifo " + pipe); const end = fs.openSync(pipe, "r+"); fs.rmSync(pipe); ' +
    'console.log("started"); fs.readSync(end, Buffer.alloc(1));',
  "a program that it waits for": 'console.log("started"); require("child_process").execSync("sleep 60");',
  "a program that starts behind the signal":
    'console.log("started"); require("child_process").execSync("trap \'\' INT; sleep 2; trap - INT; sleep 60");',
};

describe("an interrupt stops", () => {
  it.each(Object.entries(busy))("%s", async (_name, code) => {
    const { first, second } = await interrupted(code);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(outputTypes(first).filter((type) => type !== "stream")).toEqual(["execute_input", "error"]);
    expect(second.reply.content).toMatchObject({ status: "error", ename: "Aborted" });
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });

  // Once in a hundred times the signal comes too early for the call, or for the program behind a shell.
  it.each(["a read of an empty pipe", "a program that it waits for"])(
    "%s, however early it comes",
    async (name) => {
      for (let turn = 0; turn < 100; turn++) {
        const { first } = await interrupted(busy[name] as string);
        expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
      }
      expect(result(await checked.client.execute("kept"))).toBe("1");
    },
  );

  it("a cell that waits for input, and the next question is answered", async () => {
    const { first } = await interrupted('console.log("started"); prompt()', () => new Promise(() => {}));
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(result(await checked.client.execute("prompt()", { onInput: () => "next" }))).toBe("'next'");
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });

  // The signal and the answer that stands for it race: the signal is the first about once in ten times.
  it("a cell that waits for input, however the two that end it arrive", async () => {
    for (let turn = 0; turn < 40; turn++) {
      const { first } = await interrupted('console.log("started"); prompt()', () => new Promise(() => {}));
      expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
      expect(printed(first)).toBe("started\n");
    }
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });
});

describe("an interrupt of an import", () => {
  it("lets the library load first, so that another cell can import it", async () => {
    const { first } = await interrupted(`const { getBuiltinModule } = process;
      process.getBuiltinModule = ((name: string) => {
        process.getBuiltinModule = getBuiltinModule;
        console.log("started");
        for (const end = performance.now() + 200; performance.now() < end;);
        return getBuiltinModule(name);
      }) as never;
      await import("jitlab");
      for (;;) {}`);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    const after = await checked.client.execute('import { ones } from "jitlab"; ones([2]).toArray()');
    expect(result(after)).toBe("[ 1, 1 ]");
  });

  it("keeps the process, wherever it comes", async () => {
    for (let turn = 0; turn < 15; turn++) {
      const { first } = await interrupted('console.log("started"); for (;;) await import("node:fs");');
      expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    }
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });

  it("leaves no half of a module: another import loads it again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-half-"));
    const load =
      'exports.half = 1; if (!globalThis.again) { console.log("started"); for (;;) {} } exports.whole = 2;';
    writeFileSync(join(folder, "module.cjs"), load);
    const { first } = await interrupted(`require(${JSON.stringify(join(folder, "module.cjs"))})`);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    const code = `(globalThis as any).again = true; require(${JSON.stringify(join(folder, "module.cjs"))}).whole`;
    expect(result(await checked.client.execute(code))).toBe("2");
    rmSync(folder, { recursive: true });
  });
});

describe("an interrupt of a native module's start", () => {
  it("lets it end, and keeps the process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-native-"));
    const [source, library] = [join(folder, "slow.c"), join(folder, "slow.node")];
    writeFileSync(
      source,
      `#include <stdlib.h>
       #include <unistd.h>
       extern int napi_create_string_utf8(void *env, const char *text, size_t length, void **result);
       extern int napi_run_script(void *env, void *script, void **result);
       void *napi_register_module_v1(void *env, void *exports) {
         void *value;
         if (write(1, "started\\n", 8) != 8) abort();
         for (int turn = 0; turn < 20; turn++) usleep(10000);
         if (napi_create_string_utf8(env, "for (let i = 0; i < 9; i++);", 28, &value) != 0) abort();
         if (napi_run_script(env, value, &value) != 0) abort();
         return exports;
       }`,
    );
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, source]);
    const { first } = await interrupted(`require(${JSON.stringify(library)}); for (;;) {}`);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(result(await checked.client.execute("kept"))).toBe("1");
    rmSync(folder, { recursive: true });
  });
});

describe("an interrupt of compiled programs", () => {
  const setUp = `import * as jl from "jitlab";
    let total = jl.zeros([1000]);
    const step = jl.compile((x: jl.Tensor) => x.add_(1).mul(2).sum());
    step(total);`;

  // While it defers, while it computes, and both in turn.
  it.each([
    [
      "a cell that is deferred",
      '%%compile\nfor (let i = 0; i < 500; i++) total = total.add(1); console.log("started"); for (;;) {}',
    ],
    ["calls without end", 'console.log("started"); for (;;) step(total);'],
    ["a look in each call", '%%compile\nconsole.log("started"); for (;;) step(total).item();'],
    [
      "one after an await",
      'await null; jl.compile(() => { total.mul(2); console.log("started"); for (;;) {} })();',
    ],
    ["a graph's recording", 'jl.graph(() => { total.mul(2); console.log("started"); for (;;) {} });'],
  ])("stops %s, and the next cell starts clean", async (_what, code) => {
    const { client } = checked;
    expect((await client.execute(setUp)).reply.content).toMatchObject({ status: "ok" });
    const { first } = await interrupted(code);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    // What was deferred before the interrupt is computed by a look; nothing is deferred after it.
    const after = await client.execute(
      "total.sum().item();\njl.record(() => [total.neg(), total.abs()]).launches.map(({ op }) => op)",
    );
    expect(result(after)).toBe("[ 'neg', 'abs' ]");
    expect(result(await client.execute("total.sub(total).sum().item()"))).toBe("0");
  });
});

describe("an interrupt while no cell runs stops", () => {
  it("the handler of a comm", async () => {
    const { client } = checked;
    await client.execute('comms.register("spinner", () => { console.log("spins"); for (;;) {} });');
    const open = { comm_id: "spin", target_name: "spinner", data: {} };
    let [started, idle] = [false, false];
    const stop = client.onMessage(({ header, parent, content }) => {
      started ||= content.text === "spins\n";
      idle ||=
        header.msg_type === "status" && content.execution_state === "idle" && parent.msg_type === "comm_open";
    });
    client.post({ type: "comm_open", content: open });
    await until(() => started);
    await client.interrupt();
    await until(() => idle);
    expect(result(await client.execute("kept"))).toBe("1");
    stop();
  });

  it.each([
    ["a timer's loop", "setTimeout(() => { console.log('left'); for (;;) {} }, 20);"],
    ["an interval, for good", "setInterval(() => { console.log('left'); for (;;) {} }, 20);"],
    [
      "a loop of continuations",
      "void (async () => { await fs.promises.readFile('/dev/null'); console.log('left'); for (;;) await null; })();",
    ],
  ])("%s that a cell has left behind, and says so below that cell", async (_what, code) => {
    const { client } = checked;
    const texts = new Map<unknown, string>();
    const stop = client.onMessage(({ header, parent, content }) => {
      if (header.msg_type === "stream")
        texts.set(parent.msg_id, (texts.get(parent.msg_id) ?? "") + content.text);
    });
    const cell = client.sendExecute(code);
    expect((await cell.answer).reply.content).toMatchObject({ status: "ok" });
    await until(() => texts.get(cell.id) === "left\n");
    await client.interrupt();
    await until(
      () => texts.get(cell.id)?.includes("What the cell had left running was interrupted.") ?? false,
    );
    expect(result(await client.execute("await new Promise((done) => setTimeout(done, 60)); kept"))).toBe("1");
    expect(texts.get(cell.id)?.match(/left/g)).toHaveLength(2);
    stop();
  });
});

describe("a native call", () => {
  /** Counts in SQLite, which hears of no signal; without a limit, for ever. */
  const counting = (limit: string) =>
    `console.log("started"); const Database = require("libsql"); new Database(":memory:").prepare(
       "WITH RECURSIVE count(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM count ${limit}) SELECT max(x) AS n FROM count"
     ).get();`;

  it("that returns after the interrupt ends its cell then, and the variables stay", async () => {
    const { first, second } = await interrupted(`${counting("WHERE x < 3e6")} kept = 0;`);
    expect(first.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(second.reply.content).toMatchObject({ status: "error", ename: "Aborted" });
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });

  // The second interrupt of an impatient user, and nothing but patience. At once, because both take seconds.
  it("that does not return is said to cost the variables, and is ended by a second interrupt or after a while", async () => {
    const stopped = async (isImpatient: boolean) => {
      const { client } = await startChecked();
      let text = "";
      const cell = client.sendExecute(counting(""), {
        onMessage: ({ content }) => {
          text += content.text ?? "";
        },
      });
      await until(() => text.includes("started"));
      await client.interrupt();
      await until(() => text.includes("interrupt again to end it now"));
      if (isImpatient) await client.interrupt();
      const { reply } = await cell.answer;
      expect(reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
      expect(reply.content.evalue).toContain("Its variables and its device memory are lost");
      expect(result(await client.execute("1"))).toBe("1");
      await client.shutdown();
    };
    await Promise.all([stopped(true), stopped(false)]);
  });
});

describe("after an interrupt", () => {
  it("a leftover loop of the cell ends at its next output", async () => {
    const { client } = checked;
    await interrupted(
      `const wait = () => new Promise((resolve) => fs.stat("/", resolve));
       let turns = 0;
       console.log("started");
       for (;;) { await wait(); turns++; if (turns % 10 === 0) console.log(turns); }`,
    );
    const turns = async () => Number(result(await client.execute("turns")));
    let last = -1;
    await until(async () => {
      const before = last;
      last = await turns();
      return last === before;
    });
    expect(last).toBeGreaterThan(0);
  });

  it("a queued cell can be run again at once", async () => {
    for (let turn = 0; turn < 10; turn++) {
      await interrupted(spin);
      expect(printed(await checked.client.execute("console.log('again')"))).toBe("again\n");
    }
  });

  it("an idle kernel stays as it is", async () => {
    expect(await checked.client.interrupt()).toEqual({ status: "ok" });
    expect(result(await checked.client.execute("kept"))).toBe("1");
  });

  it("a cell during whose type check it came does not run, and declares nothing", async () => {
    const { client } = checked;
    const lines = Array.from({ length: 4000 }, (_, i) => `const name${i} = [${i}, "${i}", { a: ${i} }];`);
    let begun = false;
    const cell = client.sendExecute(`console.log("ran");\n${lines.join("\n")}`, {
      onMessage: ({ header }) => {
        begun ||= header.msg_type === "execute_input";
      },
    });
    await until(() => begun);
    await client.interrupt();
    const answer = await cell.answer;
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect(printed(answer)).toBe("");
    expect((await client.execute("name7")).reply.content).toMatchObject({ ename: "TypeScriptError" });
    expect(result(await client.execute("kept"))).toBe("1");
  });

  it("survives many at random moments", async () => {
    const { client } = checked;
    const random = (limit: number) => Math.random() * limit;
    for (let turn = 0; turn < 40; turn++) {
      const cell = client.sendExecute(
        ["1 + 1", spin, `await null; ${spin}`, "await new Promise(() => {})"][turn % 4]!,
      );
      const stop = setInterval(() => void client.interrupt(), 20 + random(30));
      await cell.answer;
      clearInterval(stop);
    }
    await until(async () => result(await client.execute("kept")) === "1");
  });
});

describe("what is sent right behind an interrupt of a process that runs nothing", () => {
  let answers: (CellError | undefined)[];
  let child: Child;
  const start = async () => {
    const own: typeof answers = [];
    answers = own;
    let ready = false;
    child = new Child({
      message: (message) => {
        ready ||= message.type === "ready";
        if (message.type === "done") own.push(message.error);
      },
      native: () => undefined,
      devtools: () => undefined,
      ended: () => undefined,
    });
    await until(() => ready);
  };
  beforeEach(start);
  afterEach(() => child.kill());
  const send = (code: string) =>
    child.send({
      type: "run",
      cell: code,
      name: "",
      filename: "In[1]",
      code,
      js: code,
      sourceMap: "",
      hasTopLevelAwait: false,
      lastExpression: undefined,
      files: {},
      cells: [],
      definitions: [],
      userExpressions: {},
      display: true,
      allowStdin: false,
    });

  it("runs to its end", async () => {
    for (let turn = 1; turn <= 20; turn++) {
      child.interrupt();
      send(`${turn}; for (const end = performance.now() + 3; performance.now() < end;);`);
      await until(() => answers.length === turn);
    }
    expect(answers).toEqual(Array.from({ length: 20 }, () => undefined));
  });

  it("ends by an interrupt of its own, even if that comes at once", async () => {
    for (let turn = 1; turn <= 5; turn++) {
      child.interrupt();
      send(`${turn}; for (;;);`);
      child.interrupt();
      await until(() => answers.length === turn);
    }
    expect(answers.map((error) => error?.name)).toEqual(Array.from({ length: 5 }, () => "Interrupted"));
  });

  it("ends behind the first fetch, which stays whole", async () => {
    const use = 'fetch("data:,x").catch(() => undefined)';
    for (let turn = 0; turn < 5; turn++) {
      send(`${use}; for (;;);`);
      await new Promise((resolve) => setTimeout(resolve, 4 * turn));
      child.interrupt();
      await until(() => answers.length === 1);
      send(use);
      await until(() => answers.length === 2);
      expect(answers).toEqual([expect.objectContaining({ name: "Interrupted" }), undefined]);
      child.kill();
      await start();
    }
  });

  it("runs to its end where another process holds the new database of kernels", async () => {
    child.kill();
    const folder = mkdtempSync(join(tmpdir(), "jitlab-held-"));
    const Database = createRequire(import.meta.url)("libsql");
    const other = new Database(join(folder, "kernels.sqlite"));
    other.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
    vi.stubEnv("JITLAB_CACHE_DIR", folder);
    try {
      await start();
      child.interrupt();
      send("1");
      await until(() => answers.length === 1);
      expect(answers).toEqual([undefined]);
    } finally {
      vi.unstubAllEnvs();
      other.close();
      rmSync(folder, { recursive: true });
    }
  });
});
