// The output of cells on its way to the front end.
import { describe, expect, it } from "vitest";
import { ofType, outputTypes, plain, printed, result, until, useKernel } from "../support/kernel.js";

const kernel = useKernel();

describe("text", () => {
  it("arrives whole and merged, 100 000 lines of it", async () => {
    const answer = await kernel().execute("for (let i = 0; i < 100_000; i++) console.log(i)");
    expect(printed(answer)).toBe(Array.from({ length: 100_000 }, (_, i) => `${i}\n`).join(""));
    expect(ofType(answer, "stream").length).toBeLessThan(5000);
  });

  it("arrives while the cell still runs", async () => {
    let seen = false;
    const cell = kernel().sendExecute('console.log("now"); for (;;) {}', {
      onMessage: ({ content }) => {
        seen ||= content.text === "now\n";
      },
    });
    await until(() => seen);
    await kernel().interrupt();
    await cell.answer;
  });

  it("keeps its order across streams, displays and processes that a cell waits for", async () => {
    const answer = await kernel().execute(
      `console.log("1"); console.error("2"); display(3); process.stdout.write("4"); console.log("5"); display(6);`,
    );
    const outputs = answer.published.flatMap(({ header, content }) => {
      if (header.msg_type === "stream") return [[content.name, content.text]];
      return header.msg_type === "display_data" ? [(content.data as any)["text/plain"]] : [];
    });
    expect(outputs).toEqual([["stdout", "1\n"], ["stderr", "2\n"], "3", ["stdout", "45\n"], "6"]);
  });

  it("of native code arrives before the cell ends", async () => {
    const answer = await kernel().execute(
      `require("fs").writeSync(1, "written\\n");
       require("child_process").execSync("echo out; echo err >&2", { stdio: "inherit" });
       require("koffi").load(null).func("int printf(const char *text)")("buffered by C\\n");`,
    );
    expect(printed(answer)).toBe("written\nout\nbuffered by C\n");
    expect(printed(answer, "stderr")).toBe("err\n");
  });

  it("of native code may look like anything, in any pieces", async () => {
    const answer = await kernel().execute(
      `const fs = require("fs"); for (const byte of Buffer.from("a\\0b:1\\0 ü\\0")) fs.writeSync(1, Buffer.from([byte]));`,
    );
    expect(printed(answer)).toBe("a\0b:1\0 ü\0");
  });

  it("of a worker thread belongs to the cell", async () => {
    const answer = await kernel().execute(
      `const { Worker } = await import("node:worker_threads");
       await new Promise((resolve) => new Worker("console.log('from a thread')", { eval: true }).on("exit", resolve));
       await new Promise((resolve) => setTimeout(resolve, 50));`,
    );
    expect(printed(answer)).toBe("from a thread\n");
  });

  it("that never ends is cut with a note, and the cell goes on", async () => {
    const answer = await kernel().execute(
      `const line = "x".repeat(99_999); for (let i = 0; i < 250; i++) console.log(line); "done"`,
    );
    const text = printed(answer);
    expect(text.length).toBeLessThan(20_000_200);
    expect(text).toMatch(/\[The cell has printed 20 million characters; the rest is not shown\.\]\n$/);
    expect(result(answer)).toBe("'done'");
  });
});

describe("displays", () => {
  it("show the bytes of a PNG as a picture", async () => {
    const png = "new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])";
    const { data } = ofType(await kernel().execute(png), "execute_result")[0]!.content as any;
    expect([data["image/png"], data["text/plain"]]).toEqual([
      "iVBORw0KGgo=",
      expect.stringContaining("Uint8Array(8)"),
    ]);
  });

  it("show a MIME bundle, bytes as base64, and can be updated from any cell", async () => {
    const first = await kernel().execute(
      'const shown = display({ "text/plain": "a", "image/png": new Uint8Array([1, 2, 3]) }, { raw: true });',
    );
    const { data, transient } = ofType(first, "display_data")[0]!.content as any;
    expect(data).toEqual({ "text/plain": "a", "image/png": "AQID" });
    const second = await kernel().execute(
      'shown.update({ "text/plain": "b" }, { raw: true }); shown.update(5)',
    );
    const updates = ofType(second, "update_display_data").map(({ content }) => content);
    expect(updates).toEqual([
      { data: { "text/plain": "b" }, metadata: {}, transient },
      { data: { "text/plain": "5" }, metadata: {}, transient },
    ]);
    const named = await kernel().execute(
      'display(1, { display_id: "mine" }); display(2, { display_id: "mine", update: true });',
    );
    expect(outputTypes(named)).toEqual(["execute_input", "display_data", "update_display_data"]);
    expect(ofType(named, "display_data")[0]!.content.transient).toEqual({ display_id: "mine" });
  });

  it("shows nothing for a display that is the cell's last value", async () => {
    expect(outputTypes(await kernel().execute("display(1)"))).toEqual(["execute_input", "display_data"]);
  });

  it.each([
    ["html`<b>two</b>`", { "text/html": "<b>two</b>" }],
    ["md`**two**`", { "text/markdown": "**two**" }],
    ["svg`<svg/>`", { "image/svg+xml": "<svg/>" }],
    ['({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "mine" }) })', { "text/plain": "mine" }],
    [
      '({ async [Symbol.for("Jupyter.display")]() { return { "text/plain": "later" }; } })',
      { "text/plain": "later" },
    ],
    [
      "[Promise.resolve(1), new Promise(() => {})]",
      { "text/plain": "[ Promise { 1 }, Promise { <pending> } ]" },
    ],
    ["[1, 'a', new Map([[1, 2]])]", { "text/plain": "[ 1, 'a', Map(1) { 1 => 2 } ]" }],
  ])("%s shows itself", async (code, data) => {
    const answer = await kernel().execute(code);
    expect(ofType(answer, "execute_result").map(({ content }) => content.data)).toEqual([data]);
  });

  it.each([
    ["throws", '({ [Symbol.for("Jupyter.display")]() { throw new Error("no picture"); } })', "no picture"],
    ["gives no bundle", '({ [Symbol.for("Jupyter.display")]: () => 5 })', "A MIME bundle is an object"],
    [
      "names no MIME type",
      '({ [Symbol.for("Jupyter.display")]: () => ({ html: "x" }) })',
      '"html" is not a MIME type',
    ],
    ["rejects", '({ async [Symbol.for("Jupyter.display")]() { throw new Error("later") } })', "later"],
  ])("one that %s is said on stderr, and the value is shown as text", async (_what, code, text) => {
    const answer = await kernel().execute(code);
    expect(answer.reply.content.status).toBe("ok");
    expect(plain([printed(answer, "stderr")])).toContain(`The value's own display failed:\n`);
    expect(printed(answer, "stderr")).toContain(text);
    expect(result(answer)).toContain("Symbol(Jupyter.display)");
  });

  it("a disposed tensor says so once", async () => {
    const gone = await kernel().execute(
      'import * as jl from "jitlab"; const gone = jl.ones([2], { device: "cpu" }); gone.dispose(); gone',
    );
    expect(plain([printed(gone, "stderr")])).toContain("This float32 tensor of shape [2] was disposed.");
    expect(result(gone)).toBe("[a value that cannot be inspected]");
  });

  it("clears its output, now or with the next", async () => {
    const answer = await kernel().execute("clearOutput(); clearOutput({ wait: true });");
    expect(ofType(answer, "clear_output").map(({ content }) => content)).toEqual([
      { wait: false },
      { wait: true },
    ]);
  });
});
