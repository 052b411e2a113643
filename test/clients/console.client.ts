// `jupyter console` on a terminal: what a person types and sees.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KernelClient } from "../../dist/kernel/cli/client.js";
import { isAlive, until } from "../support/kernel.js";
import { createWorkplace, findProgram, type Workplace } from "./support.js";
import { Terminal } from "./terminal.js";

// Before 6.6, Ctrl-C does not reach any kernel.
const program = findProgram("jupyter-console");
const version = program && execFileSync(program, ["--version"], { encoding: "utf8" }).trim();
const usable = version !== undefined && version.localeCompare("6.6", "en", { numeric: true }) >= 0;
if (!usable) console.error(`SKIPPED: needs jupyter-console 6.6 (pip), and finds ${version ?? "none"}.`);

describe.skipIf(!usable)("jupyter console 6.6 (pip)", () => {
  let place: Workplace;
  let terminal: Terminal;

  beforeAll(async () => {
    place = createWorkplace();
    const file = join(place.folder, "connection.json");
    terminal = new Terminal(`${program} --kernel jitlab -f ${file}`, {
      cwd: place.folder,
      env: place.env,
    });
    await prompt(1);
    // The console gives up asking whether a line is complete where the first answer takes a second.
    const client = await KernelClient.attach(file);
    await client.isComplete("1");
    client.close();
  });
  afterAll(() => {
    terminal.kill();
    place.remove();
  });

  const prompt = (number: number) => terminal.shows(new RegExp(`In \\[${number}\\]: `));

  test("shows a value", async () => {
    terminal.type("6 * 7\r");
    await terminal.shows(/Out\[1\]: 42\n/);
    await prompt(2);
  });

  test("shows an error with its line", async () => {
    terminal.type("throw new RangeError('on purpose')\r");
    await terminal.shows(/RangeError: on purpose\n> 1 \| throw new RangeError\('on purpose'\)\n/);
    await prompt(3);
  });

  test("stops a loop with Ctrl-C and keeps the variables", async () => {
    terminal.type("let kept = 8; console.log('loops'); for (;;) {}\r");
    await terminal.shows(/\nloops\n/);
    terminal.type("\u0003");
    await terminal.shows(/Interrupted: The cell was interrupted\./);
    await prompt(4);
    terminal.type("kept\r");
    await terminal.shows(/Out\[4\]: 8\n/);
    await prompt(5);
  });

  test("completes with Tab", async () => {
    terminal.type("Math.hypo\t");
    await terminal.shows(/hypot/);
    terminal.type("(3, 4)\r");
    await terminal.shows(/Out\[5\]: 5\n/);
    await prompt(6);
  });

  test("goes on asking while a function is open, and runs it when it is complete", async () => {
    terminal.type("function twice(x: number) {\r");
    await terminal.shows(/ {3}\.\.\.: /);
    terminal.type("return 2 * x;\r");
    await terminal.shows(/ {3}\.\.\.: /);
    terminal.type("}\r");
    await prompt(7);
    terminal.type("twice(21)\r");
    await terminal.shows(/Out\[7\]: 42\n/);
    await prompt(8);
  });

  test("asks a question for the cell", async () => {
    terminal.type("prompt('name? ')\r");
    await terminal.shows(/name\? $/);
    terminal.type("Ada\r");
    await terminal.shows(/Out\[8\]: 'Ada'\n/);
    await prompt(9);
  });

  test("ends with Ctrl-D, and the kernel with it", async () => {
    terminal.type("process.pid\r");
    const shown = await terminal.shows(/Out\[9\]: (\d+)\n/);
    const pid = Number(/Out\[9\]: (\d+)/.exec(shown)?.[1]);
    await prompt(10);
    terminal.type("\u0004");
    await terminal.shows(/Do you really want to exit/);
    terminal.type("y\r");
    expect(await terminal.ended).toBe(0);
    await until(() => !isAlive(pid));
  });
});
