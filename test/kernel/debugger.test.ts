// The debug protocol, as JupyterLab's debugger and ipykernel's tests use it, through the control channel of a real kernel.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KernelClient } from "../../dist/kernel/cli/client.js";
import { murmurHash2 } from "../../dist/kernel/debugger/cell-hash.js";
import { printed, result, startChecked, until, useKernel } from "../support/kernel.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-debugger-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const kernel = useKernel({ cwd: folder, env: { JITLAB_DEVICE: "cpu" } });

/** A front end's debugger. */
class Debugger {
  readonly events: { readonly event: string; readonly body: any }[] = [];
  private seq = 0;
  private taken = 0;
  readonly stop: () => void;

  constructor(private readonly client: KernelClient) {
    this.stop = client.onMessage(({ header, content }) => {
      if (header.msg_type === "debug_event") this.events.push(content as any);
    });
  }

  async ask(command: string, args: object = {}): Promise<any> {
    const content = { type: "request", seq: ++this.seq, command, arguments: args };
    const { reply } = await this.client.request("debug_request", content, "control");
    expect(reply.header.msg_type).toBe("debug_reply");
    expect(reply.content).toMatchObject({ type: "response", command, request_seq: this.seq });
    return reply.content;
  }

  /** The body of the reply to a request that succeeds. */
  async get(command: string, args: object = {}): Promise<any> {
    const reply = await this.ask(command, args);
    expect(reply, JSON.stringify(reply)).toMatchObject({ success: true });
    return reply.body;
  }

  /** Waits for the next event of a kind, passing over others. */
  async event(kind: string): Promise<any> {
    await until(() => this.events.slice(this.taken).some(({ event }) => event === kind));
    this.taken += this.events.slice(this.taken).findIndex(({ event }) => event === kind) + 1;
    return this.events[this.taken - 1]!.body;
  }

  async start(): Promise<void> {
    await this.get("initialize", { clientID: "test", adapterID: "jitlab", pathFormat: "path" });
    await this.get("attach");
    await this.event("initialized");
  }

  /** Breakpoints in a cell's text; gives its path. */
  async breakAt(code: string, ...lines: number[]): Promise<string> {
    const { sourcePath } = await this.get("dumpCell", { code });
    const { breakpoints } = await this.get("setBreakpoints", {
      source: { path: sourcePath },
      breakpoints: lines.map((line) => ({ line })),
      sourceModified: false,
    });
    expect(breakpoints.map((one: any) => [one.verified, one.line])).toEqual(
      lines.map((line) => [true, line]),
    );
    return sourcePath;
  }

  /** Waits for a stop; gives its reason and the frames as `name:line`, the topmost first. */
  async stopped(): Promise<{ reason: string; frames: string[]; ids: number[] }> {
    const { reason, threadId } = await this.event("stopped");
    const { stackFrames } = await this.get("stackTrace", { threadId });
    return {
      reason,
      frames: stackFrames.map((frame: any) => `${frame.name}:${frame.line}`),
      ids: stackFrames.map((frame: any) => frame.id),
    };
  }

  /** The variables of the topmost frame's scopes, by the scopes' names. */
  async scopes(frameId = 0): Promise<Record<string, Record<string, string>>> {
    const { scopes } = await this.get("scopes", { frameId });
    const named: [string, Record<string, string>][] = [];
    for (const { name, variablesReference } of scopes) {
      const { variables } = await this.get("variables", { variablesReference });
      named.push([name, Object.fromEntries(variables.map((one: any) => [one.name, one.value]))]);
    }
    return Object.fromEntries(named);
  }
}

let debug: Debugger;
beforeEach(() => {
  debug = new Debugger(kernel());
});
afterEach(async () => {
  await debug.get("disconnect", { restart: false, terminateDebuggee: false });
  debug.stop();
});

describe("before it is started", () => {
  it("describes itself and names cells as front ends do", async () => {
    const info = await debug.get("debugInfo");
    expect(info).toMatchObject({
      isStarted: false,
      hashMethod: "Murmur2",
      breakpoints: [],
      stoppedThreads: [],
    });
    const code = "const grüße = 'ß 😀';";
    const { sourcePath } = await debug.get("dumpCell", { code });
    expect(sourcePath).toBe(`${info.tmpFilePrefix}${murmurHash2(code, info.hashSeed)}${info.tmpFileSuffix}`);
    // Reference values of JupyterLab's hash of these texts.
    expect([murmurHash2("", 0), murmurHash2("a", 0), murmurHash2("hello", 0)]).toEqual([
      0, 2456313694, 3848350155,
    ]);
    expect(await debug.get("source", { source: { path: sourcePath } })).toMatchObject({ content: code });
    expect(await kernel().kernelInfo()).toMatchObject({ debugger: true, supported_features: ["debugger"] });
  });

  it("refuses an unknown command, and what needs a stop, in words", async () => {
    expect(await debug.ask("dance")).toMatchObject({
      success: false,
      message: 'The debugger has no command "dance".',
    });
    expect((await debug.ask("scopes", { frameId: 3 })).message).toContain("there is no frame 3");
    expect((await debug.ask("source", { source: { path: "/nowhere" } })).message).toContain("/nowhere");
    expect(await debug.get("variables", { variablesReference: 99 })).toEqual({ variables: [] });
  });

  it("answers what front ends ask along the way", async () => {
    await debug.start();
    expect(await debug.get("configurationDone")).toEqual({});
    expect(await debug.get("threads")).toEqual({ threads: [{ id: 1, name: "cells" }] });
    expect(await debug.get("modules")).toEqual({ modules: [], totalModules: 0 });
  });

  it("lists the notebook's variables", async () => {
    await kernel().execute('let count = 3; const greeting = "hi";');
    const { variables } = await debug.get("inspectVariables");
    expect(variables).toContainEqual(expect.objectContaining({ name: "count", value: "3", type: "float" }));
    expect(variables).toContainEqual(
      expect.objectContaining({ name: "greeting", value: '"hi"', type: "str" }),
    );
  });
});

describe("a session", () => {
  it("stops in a loop, steps into a function of another cell, changes a variable and goes on", async () => {
    await debug.start();
    const helper =
      "function twice(value: number): number {\n  const doubled = 2 * value;\n  return doubled;\n}";
    await kernel().execute(helper);
    const loop =
      "let total = 0;\nfor (let i = 0; i < 3; i++) {\n  const more = twice(i);\n  total += more;\n}\ntotal";
    const path = await debug.breakAt(loop, 3);
    const cell = kernel().sendExecute(loop);
    const first = await debug.stopped();
    expect(first).toMatchObject({ reason: "breakpoint", frames: [expect.stringMatching(/^In\[\d+\]:3$/)] });
    expect(await debug.get("debugInfo")).toMatchObject({
      isStarted: true,
      stoppedThreads: [1],
      breakpoints: [{ source: path, breakpoints: [{ line: 3 }] }],
    });
    expect((await debug.scopes()).Block).toMatchObject({ i: "0" });

    await debug.get("stepIn", { threadId: 1 });
    const inside = await debug.stopped();
    expect(inside.reason).toBe("step");
    expect(inside.frames).toEqual(["twice:2", first.frames[0]]);
    expect((await debug.scopes()).Locals).toMatchObject({ value: "0" });
    await debug.get("evaluate", { expression: "value = 50", frameId: 0, context: "repl" });
    await debug.get("next", { threadId: 1 });
    expect((await debug.stopped()).frames[0]).toBe("twice:3");
    expect((await debug.scopes()).Locals).toMatchObject({ value: "50", doubled: "100" });
    expect(await debug.get("evaluate", { expression: "doubled + value", frameId: 0 })).toMatchObject({
      result: "150",
      type: "float",
    });
    await debug.get("stepOut", { threadId: 1 });
    expect((await debug.stopped()).frames[0]).toMatch(/^In\[\d+\]:4$/);

    await debug.get("continue", { threadId: 1 });
    expect((await debug.stopped()).frames[0]).toBe(first.frames[0]);
    const { scopes } = await debug.get("scopes", { frameId: 0 });
    const block = scopes.find((one: any) => one.name === "Block");
    await debug.get("setVariable", {
      variablesReference: block.variablesReference,
      name: "i",
      value: "1 + 1",
    });
    await debug.breakAt(loop);
    await debug.get("continue", { threadId: 1 });
    expect(result(await cell.answer)).toBe("104");
  });

  it("shows tensors while nothing is stopped, and in a stop", async () => {
    await debug.start();
    const made = await kernel().execute(
      'import * as jl from "jitlab";\nconst grid = jl.tensor([[1, 2], [3, 4]]), empty = jl.zeros([0]), turned = grid.T;',
    );
    expect(made.reply.content).toMatchObject({ status: "ok" });
    const values = (variables: any[]) => Object.fromEntries(variables.map((one) => [one.name, one.value]));
    const { variables } = await debug.get("inspectVariables");
    expect(values(variables)).toMatchObject({
      grid: "Tensor float32 [2, 2] on cpu: 1, 2, ...",
      empty: "Tensor float32 [0] on cpu: empty",
      turned: "Tensor float32 [2, 2] on cpu: ...",
    });
    const rich = await debug.get("richInspectVariables", { variableName: "grid" });
    expect(rich.data["text/plain"]).toContain("[1., 2.]");

    const code = "function add(x: jl.Tensor) {\n  const sum = x.add(1);\n  return sum;\n}\nadd(grid)";
    await debug.breakAt(code, 3);
    const cell = kernel().sendExecute(code);
    await debug.stopped();
    const { Locals, Globals } = await debug.scopes();
    expect(Locals).toMatchObject({ sum: "Tensor float32 [2, 2] on cpu: 2, 3, ..." });
    expect(Globals).toMatchObject({ grid: "Tensor float32 [2, 2] on cpu: 1, 2, ..." });
    expect(await debug.get("evaluate", { expression: "sum.sub(grid)", frameId: 0 })).toMatchObject({
      result: "Tensor float32 [2, 2] on cpu: 1, 1, ...",
    });
    expect((await debug.ask("evaluate", { expression: "nowhere", frameId: 0 })).message).toContain("nowhere");
    const local = await debug.get("richInspectVariables", { variableName: "sum", frameId: 0 });
    expect(local.data["text/plain"]).toContain("[2., 3.]");
    await debug.get("continue", { threadId: 1 });
    expect((await cell.answer).reply.content.status).toBe("ok");
    await debug.event("continued");
  });

  it("opens objects member by member", async () => {
    await debug.start();
    await kernel().execute("const nested = { list: [1, { deep: true }] };");
    const { variables } = await debug.get("inspectVariables");
    let reference = variables.find((one: any) => one.name === "nested").variablesReference;
    for (const name of ["list", "1"]) {
      const members = (await debug.get("variables", { variablesReference: reference })).variables;
      reference = members.find((one: any) => one.name === name).variablesReference;
    }
    const [deep] = (await debug.get("variables", { variablesReference: reference })).variables;
    expect(deep).toMatchObject({ name: "deep", value: "true", type: "bool" });
  });

  it("stops in a TypeScript file beside the notebook, and in a function that an earlier cell made", async () => {
    await debug.start();
    const file = join(folder, "helpers.ts");
    writeFileSync(
      file,
      "export interface Unused {}\nexport function half(x: number): number {\n  const h = x / 2;\n  return h;\n}\n",
    );
    const use = 'import { half } from "./helpers.ts";\nconst callHalf = () => half(8);\ncallHalf()';
    expect((await kernel().execute(use)).reply.content.status).toBe("ok");
    await debug.get("setBreakpoints", { source: { path: file }, breakpoints: [{ line: 3 }] });
    const cell = kernel().sendExecute("callHalf()");
    const { frames } = await debug.stopped();
    expect(frames[0]).toBe("half:3");
    expect(frames[1]).toBe("callHalf:2");
    expect((await debug.get("source", { source: { path: file } })).content).toContain("const h = x / 2;");
    await debug.get("continue", { threadId: 1 });
    expect(result(await cell.answer)).toBe("4");
  });

  it("counts the empty lines before a cell's first statement", async () => {
    await debug.start();
    const code = "\n\nlet late = 1;\nlate += 1;\nlate";
    await debug.breakAt(code, 4);
    const cell = kernel().execute(code);
    expect((await debug.stopped()).frames).toEqual([expect.stringMatching(/^In\[\d+\]:4$/)]);
    await debug.get("continue");
    expect(result(await cell)).toBe("2");
  });

  it("stops after an await, and where a magic stands before the line", async () => {
    await debug.start();
    const code =
      "%%time\nconst waited = await new Promise<number>((done) => setTimeout(() => done(5), 20));\nconst next = waited + 1;";
    await debug.breakAt(code, 3);
    const cell = kernel().sendExecute(code);
    expect((await debug.stopped()).frames[0]).toMatch(/:3$/);
    await debug.get("continue", { threadId: 1 });
    expect((await cell.answer).reply.content.status).toBe("ok");
  });

  it("stops where something is thrown, when asked to", async () => {
    await debug.start();
    await debug.get("setExceptionBreakpoints", { filters: ["all"] });
    const cell = kernel().sendExecute("function fail() {\n  throw new Error('on purpose');\n}\nfail()");
    const body = await debug.event("stopped");
    expect(body).toMatchObject({ reason: "exception", text: expect.stringContaining("on purpose") });
    const { stackFrames } = await debug.get("stackTrace", { threadId: 1 });
    expect([stackFrames[0].name, stackFrames[0].line]).toEqual(["fail", 2]);
    await debug.get("continue", { threadId: 1 });
    expect((await cell.answer).reply.content).toMatchObject({ ename: "Error", evalue: "on purpose" });
    await debug.get("setExceptionBreakpoints", { filters: [] });
    expect((await kernel().execute("throw 1")).reply.content.status).toBe("error");
  });

  it("pauses a running loop", async () => {
    await debug.start();
    let started = false;
    const cell = kernel().sendExecute(
      "let spins = 1;\nconsole.log('started');\nwhile (spins > 0) {\n  spins++;\n}",
      {
        onMessage: ({ content }) => {
          started ||= content.text === "started\n";
        },
      },
    );
    await until(() => started);
    await debug.get("pause", { threadId: 1 });
    expect((await debug.stopped()).frames[0]).toMatch(/:[34]$/);
    await debug.get("evaluate", { expression: "spins = -1", frameId: 0 });
    await debug.get("continue", { threadId: 1 });
    expect(printed(await cell.answer)).toBe("started\n");
  });

  it("is over after disconnect: nothing stops any more", async () => {
    await debug.start();
    const code = "let over = 1;\nover += 1;\nover";
    await debug.breakAt(code, 2);
    const cell = kernel().sendExecute(code);
    await debug.stopped();
    await debug.get("disconnect", {});
    expect(result(await cell.answer)).toBe("2");
    expect(result(await kernel().execute(code))).toBe("2");
    expect(await debug.get("debugInfo")).toMatchObject({
      isStarted: false,
      breakpoints: [],
      stoppedThreads: [],
    });
  });
});

describe("while stopped", () => {
  const code = "let stopped = 1;\nstopped += 1;\nfor (;;) stopped += 1;";

  it("an interrupt ends the cell and keeps the variables", async () => {
    await debug.start();
    await kernel().execute("let kept = 5;");
    await debug.breakAt(code, 2);
    const cell = kernel().sendExecute(code);
    await debug.stopped();
    await kernel().interrupt();
    expect((await cell.answer).reply.content).toMatchObject({ status: "error", ename: "Interrupted" });
    await debug.event("continued");
    expect(result(await kernel().execute("kept"))).toBe("5");
  });

  it("the death of the process ends the stop, and its breakpoints hold in the next one", async () => {
    await debug.start();
    const pid = Number(result(await kernel().execute("process.pid")));
    await debug.breakAt(code, 2);
    const cell = kernel().sendExecute(code);
    await debug.stopped();
    process.kill(pid, "SIGKILL");
    expect((await cell.answer).reply.content).toMatchObject({ ename: "ProcessDied" });
    await debug.event("continued");
    const again = kernel().sendExecute(code);
    expect((await debug.stopped()).frames[0]).toMatch(/:2$/);
    await kernel().interrupt();
    expect((await again.answer).reply.content).toMatchObject({ ename: "Interrupted" });
  });

  it("a restart ends the kernel", async () => {
    const { client } = await startChecked();
    const own = new Debugger(client);
    await own.start();
    await own.breakAt(code, 2);
    const cell = client.sendExecute(code);
    cell.answer.catch(() => undefined);
    await own.stopped();
    await client.request("shutdown_request", { restart: true }, "control");
    expect(await client.kernel!.ended).toContain("status 0");
    client.close();
  });
});
