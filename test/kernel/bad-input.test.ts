// Invalid input of a kernel: cut, changed, repeated or reordered messages, vanishing clients, enormous cells, values whose
// display fails. Each gives a clear error, or silence if nobody can be answered, and the kernel keeps running.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { newConnection, portStatus, writeConnectionFile } from "../../dist/kernel/protocol/connection.js";
import { Wire } from "../../dist/kernel/protocol/message.js";
import { signedFrames } from "../support/frames.js";
import {
  attachChecked,
  ofType,
  plain,
  printed,
  result,
  startChecked,
  until,
  useKernel,
} from "../support/kernel.js";

const kernel = useKernel();

/** The frames of a cell that prints its name, signed with a key. */
function cellFrames(wire: Wire, text: string): Uint8Array[] {
  const content = { code: `console.log(${JSON.stringify(text)})`, silent: false, store_history: false };
  return wire.encode(wire.message({ type: "execute_request", content }));
}

describe("a message", () => {
  it("that is cut, changed, unsigned or repeated runs nothing, and the log says why", async () => {
    const { client, broken } = await startChecked();
    const heard: string[] = [];
    client.onMessage(({ header, content }) => {
      if (header.msg_type === "stream" && content.name === "stdout") heard.push(String(content.text));
    });
    const { shell } = client.channels;
    const { wire } = client;
    shell.send(cellFrames(wire, "cut").slice(0, -2));
    const changed = cellFrames(wire, "changed");
    shell.send([...changed.slice(0, -1), Buffer.from('{"code":"console.log(1)"}')]);
    const unsigned = cellFrames(wire, "unsigned");
    unsigned[1] = Buffer.alloc(0);
    shell.send(unsigned);
    shell.send(cellFrames(new Wire("another key"), "forged"));
    const once = cellFrames(wire, "once");
    for (let turn = 0; turn < 3; turn++) shell.send(once);
    expect(printed(await client.execute("console.log('last')"))).toBe("last\n");
    expect(heard.join("")).toBe("once\nlast\n");
    await client.shutdown();
    expect(broken).toEqual([]);
    const log = await client.kernel!.ended;
    for (const [text, count] of [
      ["is truncated", 1],
      ["signature does not fit", 3],
      ["received twice", 2],
    ] as const) {
      expect(log.split(text).length - 1, text).toBe(count);
    }
  });

  it("whose header cannot be sent back is dropped, on every channel", async () => {
    const { channels, connection } = kernel();
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    for (const type of ["execute_request", "complete_request", "kernel_info_request", "comm_msg"]) {
      for (const channel of ["shell", "control", "stdin"] as const) {
        const header = `{"msg_id":"deep","session":"s","msg_type":"${type}","deep":${deep}}`;
        const content = '{"code":"console.log(1)","comm_id":"x"}';
        channels[channel].send(signedFrames(connection.key, [header, "{}", "{}", content]));
      }
    }
    expect(result(await kernel().execute("1"))).toBe("1");
    expect((await kernel().kernelInfo("control")).status).toBe("ok");
  });

  it("out of order is passed over: answers, closings and replies that nobody waits for", async () => {
    const early: readonly [string, Record<string, unknown>, "shell" | "control" | "stdin"][] = [
      ["comm_msg", { comm_id: "never opened", data: {} }, "shell"],
      ["comm_close", { comm_id: "never opened", data: {} }, "shell"],
      ["comm_open", { data: {} }, "shell"],
      ["input_reply", { status: "ok", value: "early" }, "stdin"],
      ["execute_reply", { status: "ok" }, "shell"],
      ["execute_request", { code: "1" }, "control"],
      ["status", { execution_state: "idle" }, "control"],
    ];
    for (const [type, content, channel] of early) kernel().post({ type, content }, channel);
    await kernel().interrupt();
    const answer = await kernel().execute("prompt('now? ')", { onInput: () => "now" });
    expect(result(answer)).toBe("'now'");
    expect((await kernel().request("comm_info_request", {})).reply.content.comms).toEqual({});
  });

  it.each([
    ["user_expressions that are not an object", { user_expressions: "x".repeat(1000) }, "ok"],
    ["user_expressions that are a number", { user_expressions: 5 }, "ok"],
    ["a code that is not text", { code: ["1"] }, "error"],
    ["no fields", { code: undefined }, "error"],
  ])("of a cell with %s is answered", async (_what, fields, status) => {
    const { reply } = await kernel().request("execute_request", { code: "1", ...fields });
    expect(reply.content.status).toBe(status);
  });

  it("with a glob that fits in countless ways is answered", async () => {
    await kernel().execute(`// ${"a".repeat(5000)}\n1`);
    const pattern = `${"*a".repeat(30)}*b`;
    const { history } = await kernel().history({ hist_access_type: "search", pattern });
    expect(history).toEqual([]);
  });
});

describe("a client", () => {
  it("that vanishes while its cell prints hurts no other", async () => {
    const gone = await attachChecked(kernel().connection);
    let printedLines = 0;
    let ended = false;
    const { id, answer } = gone.sendExecute("for (let i = 0; i < 20_000; i++) console.log(i); 'done'");
    answer.catch(() => undefined);
    const stop = kernel().onMessage(({ header, parent, content }) => {
      if (parent.msg_id !== id) return;
      if (header.msg_type === "stream") printedLines += String(content.text).split("\n").length - 1;
      if (printedLines > 0) gone.close();
      ended ||= content.execution_state === "idle";
    });
    await until(() => ended);
    expect(printedLines).toBe(20_000);
    expect(result(await kernel().execute("1"))).toBe("1");
    stop();
  });

  it("that vanishes while its cell asks leaves a cell that can be interrupted", async () => {
    const gone = await attachChecked(kernel().connection);
    await kernel().execute("var kept = 3;");
    let asked = false;
    const { id, answer } = gone.sendExecute("prompt('anyone? ')", {
      onInput: () => {
        asked = true;
        return new Promise(() => {});
      },
    });
    answer.catch(() => undefined);
    await until(() => asked);
    gone.close();
    const waiting = kernel().sendExecute("kept");
    let stopped = false;
    const stop = kernel().onMessage(({ header, parent, content }) => {
      stopped ||= parent.msg_id === id && header.msg_type === "error" && content.ename === "Interrupted";
    });
    await kernel().interrupt();
    expect((await waiting.answer).reply.content).toMatchObject({ ename: "Aborted" });
    await until(() => stopped);
    expect(result(await kernel().execute("kept"))).toBe("3");
    stop();
  });
});

describe("a cell of 5 MB", () => {
  const megabytes = 5_000_000;
  const line = (i: number) => `const entry${i} = { id: ${i}, name: "n${i}", tags: [${i}, "t"] as const };\n`;
  const declarations = () =>
    Array.from({ length: megabytes / line(10_000).length }, (_, i) => line(i)).join("");

  it("of data runs", async () => {
    const answer = await kernel().execute(`const big = "${"x".repeat(megabytes)}"; big.length`);
    expect(result(answer)).toBe(String(megabytes));
  });

  it("with errors shows the first of them, and no more of a line than can be read", async () => {
    const long = await kernel().execute(`const big = "${"x".repeat(megabytes)}"; const n: number = big;`);
    const [error] = ofType(long, "error");
    expect(error!.content.ename).toBe("TypeScriptError");
    expect(plain(error!.content.traceback)).toMatch(/…x+"; const n: number = big;\n {4}\| {102}\^/);
    const many = await kernel().execute("null.x;\n".repeat(megabytes / 100));
    const text = plain(many.reply.content.traceback);
    expect(text).toMatch(/\.\.\. and 49980 more\.$/);
    expect(text.length).toBeLessThan(20_000);
  });

  it("that is too much for the type check's memory is an error, and the variables stay", async () => {
    const { client, broken } = await startChecked({ env: { NODE_OPTIONS: "--max-old-space-size=200" } });
    await client.execute("var kept = 5;");
    const answer = await client.execute(declarations());
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "LanguageFailure" });
    expect(answer.reply.content.evalue).toContain("It ran out of memory over this cell");
    expect(result(await client.execute("kept"))).toBe("5");
    await client.shutdown();
    expect(broken).toEqual([]);
  }, 180_000);

  it("is interrupted during its type check, while the heartbeat is answered, and declares nothing", async () => {
    await kernel().execute("var kept = 4;");
    let begun = false;
    const cell = kernel().sendExecute(declarations(), {
      onMessage: ({ header }) => {
        begun ||= header.msg_type === "execute_input";
      },
    });
    await until(() => begun);
    expect(await kernel().heartbeat()).toBeGreaterThan(0);
    expect((await kernel().kernelInfo("control")).status).toBe("ok");
    await kernel().interrupt();
    expect((await cell.answer).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    expect((await kernel().execute("entry7")).reply.content.evalue).toContain("Cannot find name 'entry7'");
    expect(result(await kernel().execute("kept"))).toBe("4");
  });
});

describe("a value whose display fails", () => {
  it.each([
    [
      "inspects itself with an error",
      "({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no'); } })",
    ],
    ["is a proxy that refuses everything", "new Proxy({}, { get() { throw new Error('no'); } })"],
    [
      "has a getter of its display that throws",
      "({ get [Symbol.for('Jupyter.display')]() { throw new Error('no'); } })",
    ],
    ["shows what is no JSON", "({ [Symbol.for('Jupyter.display')]: () => ({ 'application/json': 10n }) })"],
    [
      "shows what contains itself",
      "({ [Symbol.for('Jupyter.display')]() { const a: any = {}; a.a = a; return { 'application/json': a }; } })",
    ],
    ["throws no error but null", "({ [Symbol.for('Jupyter.display')]() { throw null; } })"],
  ])("because it %s, costs its picture and no more", async (_what, code) => {
    for (const shown of [code, `display(${code});`]) {
      const answer = await kernel().execute(shown);
      expect(answer.reply.content.status).toBe("ok");
      const outputs = [...ofType(answer, "execute_result"), ...ofType(answer, "display_data")];
      expect(outputs.map(({ content }) => Object.keys(content.data as object))).toEqual([["text/plain"]]);
    }
  });

  it.each([
    ["has no stack", "Object.defineProperty(new Error('x'), 'stack', { get() { throw 1; } })", "Error"],
    ["refuses every question", "new Proxy(new Error('x'), { get() { throw 1; } })", "Error"],
    ["hides its kind", "new Proxy(new Error('x'), { getPrototypeOf() { throw 1; } })", "Uncaught"],
    [
      "inspects itself with an error",
      "{ [Symbol.for('nodejs.util.inspect.custom')]() { throw 2; } }",
      "Uncaught",
    ],
  ])("and that is thrown is an error, also where it %s", async (_what, thrown, ename) => {
    for (const code of [`throw ${thrown}`, `await null; throw ${thrown}`]) {
      expect((await kernel().execute(code)).reply.content).toMatchObject({ status: "error", ename });
    }
    await kernel().execute(`setTimeout(() => { throw ${thrown}; }, 1); void Promise.reject(${thrown});`);
    await kernel().execute("await new Promise((resolve) => setTimeout(resolve, 20)); var late = 5;");
    expect(result(await kernel().execute("late"))).toBe("5");
  });

  it("is not taken for a promise because it has a then", async () => {
    expect(result(await kernel().execute("({ then: 5, a: 1 })"))).toBe("{ then: 5, a: 1 }");
    expect(result(await kernel().execute("({ then() { throw new Error('called'); } })"))).toBe(
      "{ then: [Function: then] }",
    );
  });
});

describe("the command that Jupyter starts", () => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-connection-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
  const start = (file: string) =>
    spawnSync(process.execPath, [main, "kernel", "-f", file], { encoding: "utf8", timeout: 30_000 });

  it.each([
    ["missing", () => undefined, "cannot be read: ENOENT"],
    ["unreadable", (path: string) => mkdirSync(path), "cannot be read: EISDIR"],
    ["empty", (path: string) => writeFileSync(path, ""), "is not complete JSON"],
    [
      "half written",
      (path: string) => writeFileSync(path, '{"shell_port": 123, "ip": "127.'),
      "is not complete JSON",
    ],
  ])("says in one line that its connection file is %s", (what, make, message) => {
    const path = join(folder, what);
    make(path);
    const { status, stderr } = start(path);
    expect(status).toBe(1);
    expect(stderr).toContain(`jitlab: The connection file ${path} ${message}`);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it("says in one line which port is taken", async () => {
    const connection = await newConnection();
    const path = join(folder, "taken.json");
    writeConnectionFile(path, connection);
    const server = createServer().listen(connection.shell_port, "127.0.0.1");
    await once(server, "listening");
    const { status, stderr } = start(path);
    server.close();
    expect(status).toBe(portStatus);
    expect(stderr).toContain(`jitlab: The kernel cannot listen on tcp://127.0.0.1:${connection.shell_port}`);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it("is started again on other ports where one was taken in the meantime", async () => {
    const first = join(folder, "first");
    const kernel = 'test -e "$0" && exec "$@"; touch "$0"; exit 98';
    const argv = ["sh", "-c", kernel, first, process.execPath, main, "kernel", "-f", "{connection_file}"];
    const { client } = await startChecked({ argv });
    expect(existsSync(first)).toBe(true);
    await client.shutdown();
  });
});
