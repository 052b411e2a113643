// Cells that break built-ins of the kernel's code in their process. Later cells still run, or the process is replaced and
// the cell's error says why; none waits forever.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printed, result, until, useKernel } from "../support/kernel.js";

const kernel = useKernel();
let child = 0;

beforeEach(async () => {
  child = Number(result(await kernel().execute("let kept = 7; process.pid")));
});

// The next test begins in an untouched process.
afterEach(async () => {
  try {
    process.kill(child, "SIGKILL");
  } catch {
    return; // the kernel has ended it
  }
  await until(async () => Number(result(await kernel().execute("process.pid"))) !== child);
});

/** Replaces methods of an object by functions that give something wrong. */
const spoil = (object: string, names: string, value: string) =>
  `for (const name of "${names}".split(" ")) (${object} as any)[name] = () => ${value};`;

const built: Readonly<Record<string, string>> = {
  "Object.prototype.toJSON": "(Object.prototype as any).toJSON = () => 'x';",
  "Array.prototype.toJSON": "(Array.prototype as any).toJSON = () => 'x';",
  "a toJSON that throws": "(Object.prototype as any).toJSON = () => { throw new Error('no'); };",
  "Object.prototype.then": "(Object.prototype as any).then = () => undefined;",
  "Object.prototype.type":
    "Object.defineProperty(Object.prototype, 'type', { get: () => 'x', set: () => {} });",
  "JSON.stringify": "JSON.stringify = () => 'nothing';",
  "JSON.parse": "JSON.parse = () => undefined;",
  Promise: "(globalThis as any).Promise = undefined;",
  "Promise.allSettled": "(Promise as any).allSettled = () => 5;",
  "Promise.prototype.then": spoil("Promise.prototype", "then catch finally", "undefined"),
  timers: spoil("globalThis", "setTimeout setImmediate queueMicrotask", "undefined"),
  "process.nextTick": spoil("process", "nextTick", "undefined"),
  process: "(globalThis as any).process = undefined;",
  Buffer: "(globalThis as any).Buffer = undefined;",
  "Buffer.from": spoil("Buffer", "from concat alloc", "new Uint8Array(0)"),
  Atomics: "(globalThis as any).Atomics = undefined;",
  "methods of arrays": spoil(
    "Array.prototype",
    "map filter flatMap push pop shift splice reverse find slice join concat forEach",
    "[]",
  ),
  "iteration of arrays": "(Array.prototype as any)[Symbol.iterator] = function* () {};",
  "methods of strings": spoil("String.prototype", "split slice startsWith indexOf replace matchAll", "''"),
  "methods of maps": spoil("Map.prototype", "get set has delete", "undefined"),
  "methods of sets": spoil("Set.prototype", "add has delete forEach", "undefined"),
  "functions of Object": spoil("Object", "entries keys fromEntries", "({}) as any"),
  "Function.prototype.call and bind": spoil("Function.prototype", "call bind", "undefined"),
  "Reflect.apply": spoil("Reflect", "apply", "undefined"),
  "EventEmitter.prototype.emit": spoil("require('events').prototype", "emit on once", "false"),
  AsyncLocalStorage: spoil("require('async_hooks').AsyncLocalStorage.prototype", "getStore run", "undefined"),
  "fs.writeSync": spoil("require('fs')", "writeSync readSync", "1"),
  "Error.prepareStackTrace": "Error.prepareStackTrace = () => { throw 5; };",
};

describe("later cells run although a cell has replaced", () => {
  it.each(Object.entries(built))("%s", async (_name, code) => {
    expect((await kernel().execute(`${code}\nvoid 0`)).reply.content).toMatchObject({ status: "ok" });
    const answer = await kernel().execute("console.log('printed'); [kept, 2]");
    expect(printed(answer)).toBe("printed\n");
    expect(result(answer)).toBe("[ 7, 2 ]");
    expect(result(await kernel().execute("await null; kept"))).toBe("7");
    const failed = await kernel().execute("throw new Error('on purpose')");
    expect(failed.reply.content).toMatchObject({ ename: "Error", evalue: "on purpose" });
  });
});

describe("Function.prototype.apply, which Node itself calls,", () => {
  it.each([
    ["is not assigned", "(Function.prototype as any).apply = () => undefined;", "Node.js itself needs it"],
    [
      "is not redefined",
      "Object.defineProperty(Function.prototype, 'apply', { value: () => undefined });",
      "Cannot redefine property: apply",
    ],
  ])("%s", async (_how, code, why) => {
    const { content } = (await kernel().execute(code)).reply;
    expect(content).toMatchObject({ status: "error", ename: "TypeError" });
    expect(content.evalue).toContain(why);
    expect(result(await kernel().execute("await null; kept"))).toBe("7");
  });

  it("may be a function's own", async () => {
    const cell = "const own: any = () => 1; own.apply = () => 2; [own.apply(), Math.max.apply(null, [3, 4])]";
    expect(result(await kernel().execute(cell))).toBe("[ 2, 4 ]");
  });
});

describe("the process is replaced, and the error says why, where a cell", () => {
  it.each([
    ["writes a line", 'require("fs").writeSync(3, "hello\\n")', 'something wrote "hello"'],
    ["writes a part of a line", 'require("fs").writeSync(3, "hello")', 'something wrote "hello['],
    ["forges a message", `require("fs").writeSync(3, '[1000000,{"type":"ready"}]\\n')`, 'wrote "[1000000,'],
    [
      "forges messages of every number",
      `for (let n = 1; n < 20; n++) require("fs").writeSync(3, \`[\${n},{"type":"interrupted"}]\\n\`)`,
      'wrote "[1,',
    ],
    ["closes the kernel's end", 'require("fs").closeSync(3)', ""],
  ])("%s", async (_what, code, why) => {
    const answer = await kernel().execute(`${code}; void 0`);
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessDied" });
    expect(answer.reply.content.evalue).toContain(why);
    expect(result(await kernel().execute("1 + 1"))).toBe("2");
  });

  it.each([4, 5])("closes the descriptor %i, over which it is spoken to", async (descriptor) => {
    const answer = await kernel().execute(
      `require("fs").closeSync(${descriptor}); await new Promise(() => {});`,
    );
    expect(answer.reply.content).toMatchObject({ status: "error", ename: "ProcessDied" });
    // Node aborts where it has yet to wait for the descriptor for the first time.
    expect(answer.reply.content.evalue).toMatch(
      new RegExp(`something closed its file descriptor ${descriptor}|was ended by SIGABRT`),
    );
    expect(result(await kernel().execute("1 + 1"))).toBe("2");
  });
});
