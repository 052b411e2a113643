import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { OutputCollector } from "../../dist/kernel/export/outputs.js";
import { parseScript } from "../../dist/kernel/export/percent-script.js";
import { until } from "../support/kernel.js";
import { isRunning } from "../support/processes.js";

const main = fileURLToPath(new URL("../../dist/kernel/main.js", import.meta.url));
let folder: string;
let notebook: string;
let output: string;
let html: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "jitlab-run-"));
  notebook = join(folder, "notebook.ipynb");
  output = join(folder, "build", "out.ipynb");
  html = join(folder, "build", "out.html");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(...sources: readonly string[]): string {
  const cells = sources.map((source, index) => ({
    ...{ cell_type: "code", id: `c${index}`, metadata: {}, execution_count: null, outputs: [], source },
  }));
  const text = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: { mine: 1 }, cells });
  writeFileSync(notebook, text);
  return text;
}

function run(...args: readonly string[]) {
  const result = spawnSync(process.execPath, [main, "run", ...args], { encoding: "utf8", cwd: folder });
  return { status: result.status, stdout: result.stdout, stderr: result.stderr };
}

/** The output of a module in a process of its own, which must end by itself. */
function module(code: string) {
  const args = ["--input-type=module", "-e", code];
  const { status, signal, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 30_000 });
  return { status, signal, stdout };
}

function executed() {
  return JSON.parse(readFileSync(output, "utf8"));
}

test("a client whose kernel ends at its start leaves nothing that keeps its process", () => {
  const client = new URL("../../dist/kernel/cli/client.js", import.meta.url).href;
  const code = `
    import { KernelClient } from ${JSON.stringify(client)};
    const argv = [process.execPath, "-e", "process.exit(3)"];
    await KernelClient.start({ argv }).catch(({ message }) => console.log(message));`;
  expect(module(code)).toEqual({ status: 0, signal: null, stdout: "The kernel ended with status 3.\n" });
});

describe("jitlab run", () => {
  test("prints each cell and its text, writes the notebook and the page, and leaves its input alone", () => {
    const before = write(
      "const a = 6;\na * 7",
      'console.log("to stdout");\nconsole.error("to stderr");',
      "display(md`*x*`)",
    );
    const result = run(notebook, "--output", output, "--html", html);
    expect(result.stderr).toBe("to stderr\n");
    expect(result.stdout).toContain("[1] const a = 6;\n    a * 7\n42\n");
    expect(result.stdout).toContain("to stdout\n");
    expect(result.stdout).toContain(`Wrote ${output} and ${html}\n`);
    expect(result.status).toBe(0);
    expect(readFileSync(notebook, "utf8")).toBe(before);
    const { cells, metadata } = executed();
    expect(cells.map((cell: any) => cell.execution_count)).toEqual([1, 2, 3]);
    expect(cells[0].outputs).toEqual([
      { output_type: "execute_result", execution_count: 1, data: { "text/plain": ["42"] }, metadata: {} },
    ]);
    expect(cells[1].outputs.map((item: any) => [item.name, item.text])).toEqual([
      ["stdout", ["to stdout\n"]],
      ["stderr", ["to stderr\n"]],
    ]);
    expect(cells[2].outputs[0].data["text/markdown"]).toEqual(["*x*"]);
    expect(metadata).toMatchObject({
      mine: 1,
      kernelspec: { name: "jitlab" },
      language_info: { name: "typescript" },
    });
    expect(readFileSync(html, "utf8")).toContain("<em>x</em>");
  });

  test("stops at a failing cell with its error and status 1, and still writes what there is", () => {
    write("1 + 1", 'throw new RangeError("on purpose")', "3 + 3");
    const result = run(notebook, "--output", output);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain("RangeError");
    expect(result.stderr).toContain("on purpose");
    expect(result.stderr).toContain("Stopped at cell 2; 1 more did not run.");
    expect(executed().cells.map((cell: any) => cell.outputs[0]?.output_type)).toEqual([
      "execute_result",
      "error",
      undefined,
    ]);
  });

  test("goes on after a cell that fails on purpose, which Jupyter's tag says", () => {
    const notebookText = write('throw new RangeError("on purpose")', "3 + 3", "x", "4");
    const tagged = JSON.parse(notebookText);
    tagged.cells[0].metadata = { tags: ["raises-exception"] };
    writeFileSync(notebook, JSON.stringify(tagged));
    const result = run(notebook, "--output", output);
    expect(result.stderr).toContain("on purpose");
    expect(result.stderr).toContain("Stopped at cell 3; 1 more did not run.");
    expect(result.status).toBe(1);
    expect(executed().cells.map((cell: any) => cell.outputs[0]?.output_type)).toEqual([
      "error",
      "execute_result",
      "error",
      undefined,
    ]);
  });

  test("-p puts values behind the cell tagged parameters, in place of an earlier run's", () => {
    const cells = ["let alpha = 1; let name = 'a'", "let alpha = 7", "[alpha * 2, name]"].map(
      (source, i) => ({
        ...{ cell_type: "code", id: `c${i}`, execution_count: null, outputs: [], source },
        metadata: { tags: [["parameters"], ["injected-parameters"], []][i] },
      }),
    );
    writeFileSync(notebook, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
    const result = run(notebook, "-p", "alpha=0.5", "-p", "name=b c", "--output", output);
    expect(result.stdout).toContain("[ 1, 'b c' ]");
    expect(executed().cells.map((cell: any) => cell.source.join(""))).toEqual([
      "let alpha = 1; let name = 'a'",
      'let alpha = 0.5;\nlet name = "b c";',
      "[alpha * 2, name]",
    ]);
    expect(run(notebook, "-p", "alpha").stderr).toContain(
      "-p alpha is not a parameter.\nIt must look like -p alpha=0.5.",
    );
  });

  test("runs a TypeScript file: its cells, or all of it as one", () => {
    const script = join(folder, "script.ts");
    writeFileSync(
      script,
      "const first: number = 1;\n\n// %% [markdown]\n// # Text\n\n// %%\n// %time first\nfirst + 1\n",
    );
    const result = run(script);
    expect(result.stdout).toContain("[2] %time first\n    first + 1\n");
    expect(result.stdout).toMatch(/Wall time.*\n2\n/);
    writeFileSync(script, "const all = 3;\nall * 2\n");
    expect(run(script, "-p", "unused=1").stdout).toContain("[2] const all = 3;\n    all * 2\n6\n");
  });

  test("jitlab export writes a script that runs like the notebook", () => {
    const sources = [
      "%%kernel\ntemplate <typename T> T twice(T x) { return x + x; }",
      'import * as jl from "jitlab";\n%time jl.ones([2])\n!echo hi\n// %pwd stays a comment',
      "twice(jl.tensor([21])).item()",
    ];
    write(...sources);
    const made = spawnSync(process.execPath, [main, "export", notebook], { encoding: "utf8" });
    const script = notebook.replace(".ipynb", ".ts");
    expect(made.stdout).toBe(`Wrote ${script}\n`);
    expect(parseScript(readFileSync(script, "utf8")).cells.map(({ source }) => source)).toEqual(sources);
    const result = run(script);
    expect(result.stdout).toMatch(/Wall time.*\nhi\n.*\n42\n/s);
    expect(result.status).toBe(0);
    const again = spawnSync(process.execPath, [main, "export", notebook], { encoding: "utf8" });
    expect(again.stderr).toContain("is there already");
  });

  test("a type error fails the cell before it runs", () => {
    write('console.log("ran");\nconst b: string = 1;');
    const result = run(notebook);
    expect(result.status).toBe(1);
    expect(result.stdout).not.toContain("\nran");
    expect(result.stderr).toContain("is not assignable to type 'string'");
  });

  test("--device sets the kernel's default device", () => {
    write("process.env.JITLAB_DEVICE");
    expect(run(notebook, "--device", "cpu").stdout).toContain("'cpu'");
  });

  test.each(["foo", "cuda:x", ""])("--device %j is refused before a kernel starts", (device) => {
    write("1");
    const { status, stdout, stderr } = run(notebook, "--device", device);
    expect(stderr).toBe(
      `jitlab: --device ${device}: there is no device of this name.\nPass one of cuda, cpu, wasm, opencl, or a GPU's number as in cuda:1.\n`,
    );
    expect([status, stdout]).toEqual([1, ""]);
  });

  test("another file than a notebook: its name, and what is one", () => {
    const page = join(folder, "README.md");
    writeFileSync(page, "# A page");
    expect(run(page)).toEqual({
      status: 1,
      stdout: "",
      stderr: `jitlab: ${page} is not a notebook: it is not JSON.\nPass an .ipynb file, or a .ts file whose cells begin with // %%.\n`,
    });
  });

  test("jitlab version prints what --version does", () => {
    const [a, b] = ["version", "--version"].map((word) =>
      spawnSync(process.execPath, [main, word], { encoding: "utf8" }),
    );
    expect(a?.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect([a?.stdout, a?.status]).toEqual([b?.stdout, 0]);
  });

  test("cells run in the notebook's folder", () => {
    write("process.cwd()");
    const result = spawnSync(process.execPath, [main, "run", notebook], { encoding: "utf8", cwd: "/" });
    expect(result.stdout).toContain(folder);
  });

  test.each([
    ["a cell", 'console.log("spinning");', "for (;;) {}"],
    [
      "a loop of tensors that is one kernel",
      `import * as jl from "jitlab";
      const run = (length: number) => jl.compile((h: jl.Tensor) =>
        jl.scan((x: jl.Tensor) => [x.mul(0.5).add(1)], h, undefined, { length }).carry)(jl.ones([8])).sum().item();
      run(3);`,
      "run(1e9)",
    ],
  ])("Ctrl-C stops %s, writes the notebook and ends with 130", async (_what, before, endless) => {
    write(before, endless, "3");
    const child = spawn(process.execPath, [main, "run", notebook, "--output", output]);
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    const exit = new Promise((resolve) => child.once("exit", resolve));
    await until(() => text.includes("[2]"));
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    const { cells } = executed();
    expect(cells[1].outputs.at(-1)).toMatchObject({ output_type: "error", ename: "Interrupted" });
    expect(cells[2].outputs).toEqual([]);
  });

  test("SIGTERM ends it, and its kernel, and leaves no folder", async () => {
    write('console.log("pid", process.ppid);', "for (;;) {}");
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    const child = spawn(process.execPath, [main, "run", notebook], {
      env: { ...process.env, TMPDIR: temporary },
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    await until(() => text.includes("[2]"));
    child.kill("SIGTERM");
    const ended = await new Promise((resolve) =>
      child.once("exit", (status, signal) => resolve([status, signal])),
    );
    expect(ended).toEqual([null, "SIGTERM"]);
    expect(readdirSync(temporary)).toEqual([]);
    const kernel = Number(/^pid (\d+)/m.exec(text)?.[1]);
    await until(() => !isRunning(kernel));
  });

  test.each([
    ["a missing notebook", ["none.ipynb"], "Cannot read the notebook none.ipynb: ENOENT."],
    ["its own file as output", ["notebook.ipynb", "--output", "notebook.ipynb"], "is the notebook itself"],
    [
      "an output that cannot be written",
      ["notebook.ipynb", "--html", "notebook.ipynb/x.html"],
      "Cannot write",
    ],
  ])("refuses %s", (_name, args, message) => {
    const before = write("1");
    const result = run(...args);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain(message);
    expect(readFileSync(notebook, "utf8")).toBe(before);
    expect(existsSync(output)).toBe(false);
  });
});

describe("the output collector", () => {
  function collect(...messages: readonly [string, object][]) {
    const cell: any = { cell_type: "code", source: "", metadata: {}, execution_count: null, outputs: [] };
    const collector = new OutputCollector();
    for (const [type, content] of messages) collector.add(cell, { type, content: content as any });
    return cell.outputs;
  }
  const stdout = (text: string) => ["stream", { name: "stdout", text }] as [string, object];

  test("merges a stream's parts, and keeps streams apart", () => {
    const outputs = collect(
      stdout("a"),
      stdout("b\n"),
      ["stream", { name: "stderr", text: "e" }],
      stdout("c"),
    );
    expect(outputs.map((output: any) => output.text)).toEqual(["ab\n", "e", "c"]);
  });

  test("clears at once, or when the next output comes", () => {
    expect(collect(stdout("a"), ["clear_output", { wait: false }])).toEqual([]);
    expect(collect(stdout("a"), ["clear_output", { wait: true }])).toHaveLength(1);
    expect(collect(stdout("a"), ["clear_output", { wait: true }], stdout("b"))[0].text).toBe("b");
  });

  test("updates every display of an id", () => {
    const show = (text: string) => ({
      data: { "text/plain": text },
      metadata: {},
      transient: { display_id: "d" },
    });
    const outputs = collect(
      ["display_data", show("1")],
      ["display_data", show("1")],
      ["update_display_data", show("2")],
    );
    expect(outputs.map((output: any) => output.data["text/plain"])).toEqual(["2", "2"]);
  });
});
