// Input and output of cells and their programs: Node's ways to ask for a line ask the front end, or end at once where there
// is none, and a program opens its streams by name.
import { describe, expect, test } from "vitest";
import { plain, printed, result, useKernel } from "../support/kernel.js";

const kernel = useKernel({ env: { JITLAB_DEVICE: "cpu" } });

/** Runs a cell whose questions get these answers; how many it asked. */
async function answered(code: string, ...answers: string[]) {
  const asked: string[] = [];
  const answer = await kernel().execute(code, {
    onInput: ({ prompt }: { prompt: string }) => {
      asked.push(prompt);
      return answers.shift() ?? "one too many";
    },
  });
  return {
    value: result(answer),
    asked: asked.length,
    printed: printed(answer),
    reply: answer.reply.content,
  };
}

async function withoutInput(code: string) {
  const answer = await kernel().execute(code, { stopOnError: false });
  const { status, ename } = answer.reply.content as { status: string; ename?: string };
  return { value: result(answer), printed: printed(answer), outcome: ename ?? status };
}

const promises =
  'import * as readline from "node:readline/promises"; const lines = readline.createInterface({ input: process.stdin, output: process.stdout });';

describe("a front end that offers input is asked by", () => {
  test.each([
    [
      "readline's question",
      `${promises} const a = await lines.question("Q? "); lines.close(); a`,
      ["x"],
      "'x'",
    ],
    [
      "two questions",
      `${promises} const a = await lines.question("1? "), b = await lines.question("2? "); lines.close(); a + b`,
      ["x", "y"],
      "'xy'",
    ],
    ["an interface that stays open", `${promises} await lines.question("Q? ")`, ["x"], "'x'"],
    [
      "a question with a callback",
      'import * as callbacks from "node:readline"; const i = callbacks.createInterface({ input: process.stdin }); await new Promise((done) => i.question("Q? ", (a) => { i.close(); done(a); }))',
      ["x"],
      "'x'",
    ],
    [
      "a loop over lines to Ctrl-D",
      `${promises} const all = []; for await (const line of lines) all.push(line); all`,
      ["x", "y", "\u0004"],
      "[ 'x', 'y' ]",
    ],
    [
      "a loop over chunks",
      "let first = ''; for await (const chunk of process.stdin) { first = String(chunk); break; } first",
      ["x"],
      "'x\\n'",
    ],
    [
      "an event",
      'await new Promise((done) => process.stdin.once("data", (chunk) => { process.stdin.pause(); done(String(chunk)); }))',
      ["x"],
      "'x\\n'",
    ],
    [
      "text with an encoding",
      'process.stdin.setEncoding("utf8"); await new Promise((done) => process.stdin.once("data", (chunk) => { process.stdin.pause(); done(chunk); }))',
      ["é🎉"],
      "'é🎉\\n'",
    ],
  ])("%s", async (_, code, answers, value) => {
    const { asked, ...got } = await answered(code, ...answers);
    expect(got.value).toBe(value);
    expect(asked).toBe(answers.length);
  });

  test("a question, beside prompt", async () => {
    const code = `${promises} const a = await lines.question("Q? "); lines.close(); [a, prompt("P? ")]`;
    expect((await answered(code, "x", "y")).value).toBe("[ 'x', 'y' ]");
  });

  test("an interrupted question leaves nothing behind", async () => {
    const { answer } = kernel().sendExecute(`${promises} await lines.question("Q? ")`, {
      onInput: async () => {
        await kernel().interrupt();
        return new Promise<string>(() => undefined);
      },
    });
    expect((await answer).reply.content.ename).toBe("Interrupted");
    expect(
      (await answered(`${promises} const a = await lines.question("Q? "); lines.close(); a`, "x")).value,
    ).toBe("'x'");
  });
});

describe("without input, a cell ends at once that", () => {
  test.each([
    ["asks by readline", `${promises} await lines.question("Q? ")`],
    ["reads chunks", "for await (const chunk of process.stdin) break"],
    ["waits for an event", 'await new Promise((done) => process.stdin.once("data", done))'],
    ["prompts", "prompt()"],
  ])("%s", async (_, code) => {
    expect((await withoutInput(code)).outcome).toBe("InputError");
  });

  test.each([
    ["reads the descriptor", 'import { readFileSync } from "node:fs"; readFileSync(0, "utf8")', "''"],
    ["reads the file", 'import { readFileSync } from "node:fs"; readFileSync("/dev/stdin", "utf8")', "''"],
    [
      "lends its input to a program",
      'import { spawnSync } from "node:child_process"; spawnSync("cat", { stdio: "inherit" }).status',
      "0",
    ],
    [
      "lends its input to a shell",
      'import { execSync } from "node:child_process"; String(execSync("cat", { stdio: ["inherit", "pipe", "inherit"] }))',
      "''",
    ],
  ])("%s", async (_, code, value) => {
    expect((await withoutInput(code)).value).toBe(value);
  });

  test("runs a command that reads", async () => {
    expect((await withoutInput("!cat; echo done")).printed).toBe("done\n");
  });
});

describe("the files of /dev are opened by", () => {
  test.each([
    ["commands", "!echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/fd/1"],
    ["scripts", "%%bash\necho a > /dev/stdout\necho b > /dev/stderr; echo c > /dev/fd/1"],
    [
      "programs with the cell's streams",
      'import { spawnSync } from "node:child_process"; spawnSync("sh", ["-c", "echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/fd/1"], { stdio: "inherit" });',
    ],
    [
      "the cell",
      'import { appendFileSync } from "node:fs"; for (const [n, t] of [["stdout", "a"], ["stderr", "b"], ["fd/1", "c"]]) appendFileSync("/dev/" + n, t + "\\n");',
    ],
  ])("%s", async (_, code) => {
    const answer = await kernel().execute(code);
    expect(answer.reply.content.status, plain((answer.reply.content.traceback ?? []) as string[])).toBe("ok");
    const text = (name: string) =>
      answer.published
        .filter(({ content }) => content.name === name)
        .map(({ content }) => content.text)
        .join("");
    expect([text("stdout"), text("stderr")]).toEqual(["a\nc\n", "b\n"]);
  });

  test("a script's own input is there again", async () => {
    expect((await withoutInput("%%bash\ncat /dev/stdin | head -n 1")).printed).toBe(
      "cat /dev/stdin | head -n 1",
    );
  });
});
