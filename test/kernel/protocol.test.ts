// The messages of shell, control, stdin and heartbeat, as seen by a front end.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KernelProcess } from "../../dist/kernel/cli/kernel-process.js";
import { loadTypeScript } from "../../dist/kernel/language/typescript.js";
import { type Message, Wire } from "../../dist/kernel/protocol/message.js";
import { connectSockets } from "../../dist/kernel/protocol/sockets.js";
import {
  attachChecked,
  ofType,
  outputTypes,
  plain,
  printed,
  result,
  startChecked,
  until,
  useKernel,
} from "../support/kernel.js";
import { violations } from "../support/message-spec.js";

const kernel = useKernel();

describe("kernel_info", () => {
  it("describes the language, on both channels", async () => {
    for (const channel of ["shell", "control"] as const) {
      const info = await kernel().kernelInfo(channel);
      expect(info).toMatchObject({ status: "ok", protocol_version: "5.5", implementation: "jitlab" });
      expect(info.language_info).toMatchObject({
        name: "typescript",
        version: loadTypeScript().version,
        file_extension: ".ts",
        codemirror_mode: "typescript",
      });
    }
  });

  it("is answered on both channels, and the heartbeat too, while a cell spins", async () => {
    const cell = kernel().sendExecute("for (;;) {}");
    await until(async () => (await kernel().isComplete("1")).status === "complete");
    expect(await kernel().kernelInfo("shell")).toMatchObject({ status: "ok" });
    expect(await kernel().kernelInfo("control")).toMatchObject({ status: "ok" });
    expect(await kernel().heartbeat()).toBeGreaterThan(0);
    expect((await kernel().complete("Math.sqr")).matches).toEqual(["sqrt"]);
    await kernel().interrupt();
    expect((await cell.answer).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
  });
});

describe("a subscriber", () => {
  it("of a kernel that starts is welcomed first, and told once that it starts", async () => {
    const started = await KernelProcess.start();
    const wire = new Wire(started.connection.key);
    const channels = connectSockets(started.connection, "early");
    const messages: Message[] = [];
    channels.iopub.listen((frames) => messages.push(wire.decode(frames)));
    await until(() => messages.length >= 2);
    const late = await attachChecked(started.connection);
    await late.shutdown();
    await started.ended;
    const [welcome, starting, ...rest] = messages;
    expect(violations(welcome!, "iopub")).toEqual([]);
    expect(welcome!.content).toEqual({ subscription: "" });
    expect(starting!.content).toEqual({ execution_state: "starting" });
    expect(rest.filter(({ content }) => content.execution_state === "starting")).toEqual([]);
    for (const channel of Object.values(channels)) channel.close();
  });

  it("that comes later is welcomed too, with the topic of its subscription", async () => {
    const welcomes: unknown[] = [];
    const stop = kernel().onMessage(({ header, content }) => {
      if (header.msg_type === "iopub_welcome") welcomes.push(content.subscription);
    });
    const other = await attachChecked(kernel().connection);
    await until(() => welcomes.length > 0);
    expect(welcomes[0]).toBe("");
    other.close();
    stop();
  });

  it("sees the cells of another client, under their own requests", async () => {
    const other = await attachChecked(kernel().connection);
    const texts: unknown[] = [];
    other.onMessage(({ header, parent, content }) => {
      if (header.msg_type === "stream") texts.push([parent.msg_id, content.text]);
    });
    const cell = kernel().sendExecute("console.log('shared')");
    await cell.answer;
    await until(() => texts.length > 0);
    expect(texts).toEqual([[cell.id, "shared\n"]]);
    other.close();
  });
});

describe("every request", () => {
  const cell = { code: "1", cursor_pos: 1, hist_access_type: "tail", n: 1 };
  it.each([
    ["shell", "execute_request", cell],
    ["shell", "complete_request", cell],
    ["shell", "inspect_request", cell],
    ["shell", "is_complete_request", cell],
    ["shell", "history_request", cell],
    ["shell", "comm_info_request", {}],
    ["shell", "kernel_info_request", {}],
    ["shell", "interrupt_request", {}],
    ["control", "kernel_info_request", {}],
    ["control", "interrupt_request", {}],
  ] as const)("on %s, %s, stands between busy and idle and has its reply", async (channel, type, content) => {
    const { reply, published } = await kernel().request(type, content, channel);
    expect(reply.header.msg_type).toBe(type.replace("_request", "_reply"));
    const states = published.filter(({ header }) => header.msg_type === "status");
    expect(states.map(({ content }) => content.execution_state)).toEqual(["busy", "idle"]);
    expect([published[0], published.at(-1)]).toEqual(states);
  });

  it("beside a cell is answered also when the cell fails and takes the next one along", async () => {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-protocol-"));
    const failing = kernel().sendExecute(
      `const { existsSync } = await import("node:fs");
       while (!existsSync(${JSON.stringify(join(folder, "fail"))})) await new Promise((done) => setTimeout(done, 10));
       throw 1`,
    );
    const completed = kernel().send("complete_request", { code: "Math.sqr", cursor_pos: 8 });
    const behind = kernel().sendExecute("1");
    // Its answer says that the kernel has the cell behind.
    await kernel().send("complete_request", { code: "Math.cb", cursor_pos: 7 }).answer;
    writeFileSync(join(folder, "fail"), "");
    expect((await completed.answer).reply.content).toMatchObject({ status: "ok", matches: ["sqrt"] });
    expect((await failing.answer).reply.content).toMatchObject({ ename: "Uncaught" });
    expect((await behind.answer).reply.content).toMatchObject({ ename: "Aborted" });
    rmSync(folder, { recursive: true });
  });

  it("to shut down is heard on shell as well", async () => {
    const { client: other } = await startChecked();
    const { reply } = await other.request("shutdown_request", { restart: false }, "shell");
    expect(reply.content).toEqual({ status: "ok", restart: false });
    expect(await other.kernel!.ended).toBe("The kernel ended with status 0.");
    other.close();
  });
});

describe("execute", () => {
  it("publishes busy, the input, the outputs and idle, in this order and for this request", async () => {
    const answer = await kernel().execute('console.log("a"); console.error("b"); display(1); 42');
    expect(answer.published.map(({ header }) => header.msg_type)).toEqual([
      "status",
      "execute_input",
      "stream",
      "stream",
      "display_data",
      "execute_result",
      "status",
    ]);
    const ids = new Set(answer.published.map(({ parent }) => parent.msg_id));
    expect(ids).toEqual(new Set([answer.reply.parent.msg_id]));
    expect(result(answer)).toBe("42");
    expect(answer.reply.content).toMatchObject({ status: "ok", payload: [], user_expressions: {} });
  });

  it("counts cells, but neither silent ones, nor unstored ones, nor blank ones", async () => {
    const count = async (code: string, options = {}) =>
      (await kernel().execute(code, options)).reply.content.execution_count as number;
    const first = await count("1");
    expect(await count("2", { silent: true })).toBe(first);
    expect(await count("3", { storeHistory: false })).toBe(first);
    expect(await count(" \n")).toBe(first);
    expect(await count("4")).toBe(first + 1);
  });

  it("publishes neither input nor result of a silent cell", async () => {
    const answer = await kernel().execute('console.log("heard"); 5', { silent: true });
    expect(outputTypes(answer)).toEqual(["stream"]);
  });

  it("shows no value for a trailing semicolon or undefined, but null", async () => {
    expect(result(await kernel().execute("5;"))).toBeUndefined();
    expect(result(await kernel().execute("undefined"))).toBeUndefined();
    expect(result(await kernel().execute("null"))).toBe("null");
  });

  it("evaluates user expressions after the cell", async () => {
    const answer = await kernel().execute("const width = 3", {
      userExpressions: {
        twice: "width * 2",
        wrong: "nope",
        thrown: '(() => { throw new RangeError("no") })()',
      },
    });
    expect(answer.reply.content.user_expressions).toMatchObject({
      twice: { status: "ok", data: { "text/plain": "6" }, metadata: {} },
      wrong: { status: "error", ename: "TypeScriptError" },
      thrown: { status: "error", ename: "RangeError", evalue: "no" },
    });
    expect(outputTypes(answer)).toEqual(["execute_input"]);
  });

  it("reports an error once, with the cell's line and a caret, and none of its own frames", async () => {
    const answer = await kernel().execute(
      'function outer() {\n  throw new RangeError("too far");\n}\n\nouter();',
    );
    expect(outputTypes(answer)).toEqual(["execute_input", "error"]);
    const error = ofType(answer, "error")[0]!.content;
    expect(error).toMatchObject({ ename: "RangeError", evalue: "too far" });
    expect(answer.reply.content).toMatchObject({ status: "error", ...error });
    const count = answer.reply.content.execution_count;
    expect(plain(error.traceback)).toBe(
      [
        "RangeError: too far",
        "  1 | function outer() {",
        '> 2 |   throw new RangeError("too far");',
        "    |         ^",
        `    at outer (In[${count}]:2:9)`,
        `    at In[${count}]:5:1`,
      ].join("\n"),
    );
  });

  it("points from an async cell and from a function of an earlier cell", async () => {
    const defined = await kernel().execute(
      "async function later() {\n  await null;\n  throw new Error('late');\n}",
    );
    const answer = await kernel().execute("\nawait later();");
    const numbers = [defined, answer].map(({ reply }) => reply.content.execution_count);
    const text = plain(ofType(answer, "error")[0]!.content.traceback);
    expect(text).toContain(`    at later (In[${numbers[0]}]:3:9)`);
    expect(text).toContain(`    at async In[${numbers[1]}]:2:1`);
    expect(text).toContain("> 3 |   throw new Error('late');");
    expect(text).not.toMatch(/node:|dist\//);
  });

  it("stops a cell with type errors before it runs", async () => {
    const answer = await kernel().execute('console.log("never");\nconst n: number = "text";');
    expect(outputTypes(answer)).toEqual(["execute_input", "error"]);
    const { ename, traceback } = ofType(answer, "error")[0]!.content;
    expect(ename).toBe("TypeScriptError");
    expect(plain(traceback)).toMatch(
      /In\[\d+\]:2:7 - TS2322: Type 'string' is not assignable to type 'number'\.\n {2}1 \| .*\n> 2 \| const n.*\n {4}\| {7}\^/,
    );
  });

  it("treats type errors as %typecheck says", async () => {
    const wrong = "const text: string = 5; text";
    await kernel().execute("%typecheck warn");
    const warned = await kernel().execute(wrong);
    expect(printed(warned, "stderr")).toContain("TS2322: Type 'number' is not assignable to type 'string'.");
    expect(result(warned)).toBe("5");
    await kernel().execute("%typecheck off");
    const unchecked = await kernel().execute(wrong);
    expect(outputTypes(unchecked)).toEqual(["execute_input", "execute_result"]);
    await kernel().execute("%typecheck on");
    expect((await kernel().execute(wrong)).reply.content).toMatchObject({ ename: "TypeScriptError" });
  });

  it("reports what is thrown and no Error", async () => {
    const answer = await kernel().execute("throw { code: 7 }");
    expect(answer.reply.content).toMatchObject({ ename: "Uncaught", evalue: "{ code: 7 }" });
  });

  it("aborts what was queued behind a failed cell, and nothing later", async () => {
    // The first cell takes a while, so that the others are surely queued behind it when it fails.
    const slow = "await new Promise((done) => setTimeout(done, 300));\nthrow new Error('first')";
    const cells = [slow, "console.log('second')", "3"].map((code) => kernel().sendExecute(code));
    const [, second, third] = await Promise.all(cells.map(({ answer }) => answer));
    for (const aborted of [second!, third!]) {
      expect(aborted.reply.content).toMatchObject({ status: "error", ename: "Aborted" });
      expect(outputTypes(aborted)).toEqual([]);
    }
    expect(result(await kernel().execute("4"))).toBe("4");
  });

  it("runs on after an error with stop_on_error: false", async () => {
    const cells = ["throw new Error('first')", "2"].map((code) =>
      kernel().sendExecute(code, { stopOnError: false }),
    );
    const [, second] = await Promise.all(cells.map(({ answer }) => answer));
    expect(result(second!)).toBe("2");
  });

  it("refuses a request without code", async () => {
    const { reply } = await kernel().request("execute_request", { code: 5 });
    expect(reply.content).toMatchObject({ status: "error", ename: "ProtocolError" });
  });
});

describe("complete, inspect and is_complete", () => {
  it("completes the identifier after the last dot, with kinds, at code points", async () => {
    const code = 'const face = "😀"; face.toUpper';
    const reply = await kernel().complete(code);
    expect(reply).toMatchObject({ matches: ["toUpperCase"], cursor_end: [...code].length });
    expect(reply.cursor_start).toBe([...code].length - "toUpper".length);
    expect((reply.metadata as any)._jupyter_types_experimental[0]).toMatchObject({
      text: "toUpperCase",
      start: reply.cursor_start,
      end: reply.cursor_end,
    });
  });

  it("inspects a name, and finds nothing in blank space", async () => {
    const reply = await kernel().inspect("parseInt");
    expect(reply).toMatchObject({ status: "ok", found: true });
    const data = reply.data as Record<string, string>;
    expect(data["text/plain"]).toContain("parseInt(");
    expect(data["text/markdown"]).toContain("```typescript\nfunction parseInt(");
    expect((await kernel().inspect('"😀😀"; parseInt', 7)).found).toBe(true);
    expect((await kernel().inspect('"😀😀"; parseInt', 4)).found).toBe(false);
    expect(await kernel().inspect("   ", 1)).toMatchObject({ found: false, data: {} });
  });

  it.each([
    ["1 + 1", "complete"],
    ["function f() {", "incomplete"],
    ["const x = ;", "invalid"],
  ])("%s is %s", async (code, status) => {
    expect((await kernel().isComplete(code)).status).toBe(status);
  });

  it("answers a request without code with an error", async () => {
    const { reply } = await kernel().request("complete_request", {});
    expect(reply.content).toMatchObject({ status: "error", ename: "TypeError" });
  });
});

describe("stdin", () => {
  it("asks and gets an answer, also a password and characters of every size", async () => {
    const asked: unknown[] = [];
    const answer = await kernel().execute(
      '[prompt("name? "), prompt("key? ", { password: true }), confirm("sure?")]',
      {
        onInput: (request) => {
          asked.push(request);
          return ["Zoë 😀", "secret", "y"][asked.length - 1]!;
        },
      },
    );
    expect(result(answer)).toBe("[ 'Zoë 😀', 'secret', true ]");
    expect(asked).toEqual([
      { prompt: "name? ", password: false },
      { prompt: "key? ", password: true },
      { prompt: "sure? [y/N] ", password: false },
    ]);
  });

  it("refuses where the front end offers no input", async () => {
    const { reply } = await kernel().execute("prompt()");
    expect(reply.content).toMatchObject({ status: "error", ename: "InputError" });
  });

  it("ignores answers that nobody waits for", async () => {
    kernel().post({ type: "input_reply", content: { status: "ok", value: "stale" } }, "stdin");
    const answer = await kernel().execute("prompt()", { onInput: () => "fresh" });
    expect(result(answer)).toBe("'fresh'");
  });
});

describe("comms", () => {
  it("opens, sends, receives and closes, in both directions", async () => {
    const opened = await kernel().execute(
      `const comm = comms.open("demo", { a: 1 }, { metadata: { version: "2" }, buffers: [new Uint8Array([1, 2])] });
       comm.onMessage = ({ data, buffers }) => comm.send({ echo: data.text, bytes: [...buffers[0]!] });
       comm.id`,
    );
    const open = ofType(opened, "comm_open")[0]!;
    expect(open.content).toMatchObject({ target_name: "demo", data: { a: 1 } });
    expect(open.metadata).toEqual({ version: "2" });
    expect(open.buffers.map((bytes) => [...bytes])).toEqual([[1, 2]]);
    const id = open.content.comm_id as string;
    const info = async () =>
      (await kernel().request("comm_info_request", { target_name: "demo" })).reply.content;
    expect((await info()).comms).toEqual({ [id]: { target_name: "demo" } });

    const answers: any[] = [];
    const stop = kernel().onMessage((message) => {
      if (message.header.msg_type === "comm_msg") answers.push(message);
    });
    const content = { comm_id: id, data: { text: "hi" } };
    kernel().post({ type: "comm_msg", content, buffers: [Buffer.from([7])] });
    await until(() => answers.length > 0);
    expect(answers[0].content).toEqual({ comm_id: id, data: { echo: "hi", bytes: [7] } });
    stop();
    await kernel().execute("comm.close()");
    expect((await info()).comms).toEqual({});
  });

  it("lets the front end open a registered target and closes an unknown one", async () => {
    await kernel().execute('comms.register("known", (comm, { data }) => comm.send({ got: data.x }));');
    const seen: [string, unknown][] = [];
    const stop = kernel().onMessage(({ header, content }) => {
      if (header.msg_type.startsWith("comm_")) seen.push([header.msg_type, content.comm_id]);
    });
    kernel().post({ type: "comm_open", content: { comm_id: "one", target_name: "known", data: { x: 1 } } });
    kernel().post({ type: "comm_open", content: { comm_id: "two", target_name: "unknown", data: {} } });
    await until(() => seen.length === 2);
    expect(seen).toEqual([
      ["comm_msg", "one"],
      ["comm_close", "two"],
    ]);
    stop();
  });
});

describe("late output", () => {
  it("belongs to the cell that scheduled it", async () => {
    const late: unknown[] = [];
    const stop = kernel().onMessage((message) => {
      if (message.content.text === "late\n") late.push(message.parent.msg_id);
    });
    const first = kernel().sendExecute('setTimeout(() => console.log("late"), 200);');
    const second = kernel().sendExecute(
      'await new Promise((resolve) => setTimeout(resolve, 400)); console.log("own")',
    );
    await first.answer;
    expect(printed(await second.answer)).toBe("own\n");
    expect(late).toEqual([first.id]);
    stop();
  });

  it("shows what fails after the cell on its stderr", async () => {
    const texts = new Map<unknown, string>();
    const stop = kernel().onMessage(({ parent, content }) => {
      if (content.name === "stderr") texts.set(parent.msg_id, String(content.text));
    });
    const thrown = kernel().sendExecute("setTimeout(() => { throw new Error('timer') }, 5);");
    const rejected = kernel().sendExecute("void Promise.reject(new Error('promise'));");
    await Promise.all([thrown.answer, rejected.answer]);
    await until(() => texts.size === 2);
    expect(texts.get(thrown.id)).toMatch(/^Uncaught exception:\n.*Error.*: timer/);
    expect(texts.get(rejected.id)).toMatch(/^Unhandled rejection:\n.*Error.*: promise/);
    expect(result(await kernel().execute("1"))).toBe("1");
    stop();
  });
});
