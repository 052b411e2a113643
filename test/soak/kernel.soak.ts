// One kernel for a long time: memory stays flat over thousands of cells, and whatever is interrupted or killed at
// whatever moment, every request gets its reply and its idle.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Answer, ExecuteOptions, KernelClient } from "../../dist/kernel/cli/client.js";
import type { StartOptions } from "../../dist/kernel/cli/kernel-process.js";
import { isAlive, result, runs, startChecked, until } from "../support/kernel.js";
import { randomSource } from "../support/random.js";
import { describeMemories, type Memories, measurable, measure, processOf, roles } from "./processes.js";

const { SOAK_SHARE = "1", SOAK_SEED } = process.env;
const times = (full: number) => Math.ceil(full * Number(SOAK_SHARE));
const random = randomSource(SOAK_SEED === undefined ? undefined : Number(SOAK_SEED));

// An answer that takes longer is taken for one that never comes.
const patienceMs = 60_000;

/** Gives a test a kernel whose messages are checked. */
function withKernel(test: (client: KernelClient) => Promise<void>, options: StartOptions = {}) {
  return async () => {
    const { client, broken } = await startChecked(options);
    await test(client);
    await client.shutdown();
    expect(broken).toEqual([]);
  };
}

/** The answer, which must come. */
async function answered(what: string, answer: Promise<Answer>): Promise<Answer> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => {
    throw new Error(`Seed ${random.seed}: no reply or no idle for ${what.slice(0, 200)}`);
  });
  return Promise.race([answer, late]);
}

function execute(client: KernelClient, code: string, options: ExecuteOptions = {}): Promise<Answer> {
  return answered(code, client.execute(code, options));
}

/** One request of those that a front end sends beside its cells. */
function askAside(client: KernelClient): Promise<Answer> {
  const [type, content, channel] = random.pick<[string, Record<string, unknown>, "shell" | "control"]>([
    ["kernel_info_request", {}, "control"],
    ["kernel_info_request", {}, "shell"],
    ["complete_request", { code: "kep", cursor_pos: 3 }, "shell"],
    ["inspect_request", { code: "kept", cursor_pos: 4, detail_level: 0 }, "shell"],
    ["is_complete_request", { code: "kept" }, "shell"],
    ["history_request", { hist_access_type: "tail", n: 3 }, "shell"],
    ["comm_info_request", {}, "shell"],
  ]);
  return answered(type, client.request(type, content, channel));
}

describe("memory", () => {
  const cells: readonly ((turn: number) => string)[] = [
    (turn) => `const constant = ${turn}; constant * 2`,
    (turn) => `let record = { turn: ${turn}, text: "t".repeat(100) }; record`,
    (turn) => `class Point { x = ${turn}; get double() { return 2 * this.x; } }\nnew Point().double`,
    (turn) => `function add(a: number) { return a + ${turn}; }\nadd(1)`,
    (turn) => `for (let i = 0; i < 50; i++) console.log("line", i, ${turn})`,
    (turn) => `await new Promise((resolve) => setTimeout(resolve, 1)); ${turn}`,
    () => `import * as jl from "jitlab"; jl.tensor([1, 2, 3]).shape`,
    (turn) => `display({ "text/html": "<b>${turn}</b>", "text/plain": "${turn}" }, { raw: true })`,
    (turn) => `%time ${turn} + 1`,
    (turn) => `const wrong: string = ${turn}`,
    (turn) => `throw new Error("${turn}")`,
  ];
  // Until then lazy parts are loaded and code is optimised; what a cell may keep for good is its text and its map.
  const warmUp = 100;
  const allowance = (turns: number) => 3_000_000 + turns * 2000;

  const flat = async (client: KernelClient) => {
    const total = Math.max(times(2000), 2 * warmUp);
    let first: Memories | undefined;
    for (let turn = 1; turn <= total; turn++) {
      const code = (cells[turn % cells.length] as (turn: number) => string)(turn);
      await execute(client, code);
      if (turn % 10 === 0) await client.complete("consta");
      if (turn % 10 === 5) await client.inspect("constant");
      if (turn % warmUp !== 0) continue;
      const memories = await measure(client);
      console.error(`after ${turn} cells, held of resident MB: ${describeMemories(memories)}`);
      first ??= memories;
      for (const role of roles) {
        const { held, resident } = memories[role];
        expect(held - first[role].held, role).toBeLessThan(allowance(turn - warmUp));
        expect(resident, role).toBeLessThan(1.5 * first[role].resident);
      }
    }
  };
  it(`is flat over ${times(2000)} cells`, withKernel(flat, measurable));
});

// No program on this machine has such an argument by itself.
const napSeconds = `30.${process.pid}`;

// What a cell may be busy with when it is stopped or its process ends; some end by themselves.
const busy: readonly string[] = [
  "for (;;) {}",
  "for (;;) await null;",
  "await null; for (;;) {}",
  "for (;;) await new Promise((resolve) => setTimeout(resolve, 1));",
  "await new Promise(() => setTimeout(() => { for (;;) {} }, 2));",
  "setInterval(() => { for (let i = 0; i < 1e6; i++); }, 1); await new Promise(() => {});",
  `require("child_process").execSync("sleep ${napSeconds}");`,
  "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);",
  'for (;;) console.log("x".repeat(500));',
  'for (;;) display({ "text/plain": "x" }, { raw: true });',
  'prompt("? ")',
  "1 + 1",
  "const wrong: string = 1",
  Array.from({ length: 400 }, (_, i) => `const name${i} = [${i}, "${i}"];`).join("\n"),
];

const unanswered: ExecuteOptions = { onInput: () => new Promise(() => {}) };

/** Whether an answer is here within some seconds. */
function soon(answer: Promise<Answer>): Promise<boolean> {
  return Promise.race([answer.then(() => true), sleep(3000, false)]);
}

/** Interrupts a cell; again, but not impatiently, where it had not begun and so was not stopped. */
async function stop(client: KernelClient, cell: Promise<Answer>): Promise<void> {
  do await answered("an interrupt", client.request("interrupt_request", {}, "control"));
  while (!(await soon(cell)));
}

describe("at random moments", () => {
  const interrupts = async (client: KernelClient) => {
    await execute(client, "let kept = 41;");
    for (let turn = 0; turn < times(200); turn++) {
      const code = random.pick(["", ...busy]);
      const cell = code === "" ? askAside(client) : execute(client, code, unanswered);
      const behind = random.below(2) === 0 ? [execute(client, "'behind'")] : [];
      await sleep(random.below(150));
      await Promise.all([stop(client, cell), cell, askAside(client), ...behind]);
      await expectValue(client, "kept + 1", "42", `turn ${turn} after ${code}`);
    }
  };
  it(`${times(200)} interrupts hang nothing and lose no variable`, withKernel(interrupts));

  const deaths = async (client: KernelClient) => {
    for (let turn = 0; turn < times(50); turn++) {
      const role = random.pick(["child", "child", "language"] as const);
      await execute(client, "var kept = 7;");
      const code = random.pick(["", ...busy]);
      const cell = code === "" ? askAside(client) : execute(client, code, unanswered);
      const behind = random.below(2) === 0 ? [execute(client, "'behind'")] : [];
      await sleep(random.below(150));
      const pid = processOf(client, role);
      if (pid !== undefined) process.kill(pid, "SIGKILL");
      const aside = askAside(client);
      await until(() => pid === undefined || !isAlive(pid));
      // What was still being checked runs in the next process.
      if (!(await soon(cell))) await stop(client, cell);
      await Promise.all([cell, aside, ...behind]);
      // A cell that reaches the process while it dies ends with it; the one after it does not.
      await execute(client, "1 + 1");
      const [check, value] = role === "child" ? ["1 + 1", "2"] : ["kept", "7"];
      await expectValue(client, check, value, `turn ${turn}, death of ${role} in ${code}`);
    }
    await until(() => !runs(`sleep ${napSeconds}`));
  };
  it(`${times(50)} deaths end at most the cells that were there`, withKernel(deaths));

  async function expectValue(client: KernelClient, code: string, value: string, when: string): Promise<void> {
    const answer = await execute(client, code);
    const shown = result(answer) ?? answer.reply.content;
    expect(shown, `seed ${random.seed}, ${when.slice(0, 100)}`).toBe(value);
  }
});
