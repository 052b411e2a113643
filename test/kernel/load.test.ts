// What a peer without the key, or a cell, can make the kernel use: its memory is limited, and its heartbeat goes on.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Dealer, Request, Subscriber } from "zeromq";
import type { KernelClient } from "../../dist/kernel/cli/client.js";
import { addressOf } from "../../dist/kernel/protocol/connection.js";
import { printed, result, until, useKernel } from "../support/kernel.js";

const kernel = useKernel();

/** The largest memory that the kernel's main process has had, in MB. */
function peakMemory(client: KernelClient): number {
  const status = readFileSync(`/proc/${client.kernel?.pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000;
}

// A heartbeat that takes longer is not answered.
const patienceMs = 5000;
const beats = 20;

/** Exchanges heartbeats while the kernel is at work, as a client of their own. */
async function beatDuring(work: Promise<unknown>): Promise<void> {
  let ended = false;
  void work.finally(() => {
    ended = true;
  });
  const client = new Request({ linger: 0, receiveTimeout: patienceMs });
  client.connect(addressOf(kernel().connection, "hb"));
  for (let i = 0; i < beats; i++) {
    await client.send(`beat ${i}`);
    expect(String(await client.receive())).toBe(`beat ${i}`);
    await sleep(10);
  }
  client.close();
  expect(ended).toBe(false);
}

it.each(["shell", "control", "stdin", "hb"] as const)(
  "a huge frame on %s costs its sender the connection",
  async (channel) => {
    const before = peakMemory(kernel());
    const dealer = new Dealer({ linger: 0, sendTimeout: 0, reconnectInterval: 60_000 });
    let disconnected = false;
    dealer.events.on("disconnect", () => {
      disconnected = true;
    });
    dealer.connect(addressOf(kernel().connection, channel));
    await dealer.send(Buffer.alloc(300_000_000, "x"));
    await until(() => disconnected);
    dealer.close();
    expect(result(await kernel().execute("1 + 1"))).toBe("2");
    expect(peakMemory(kernel()) - before).toBeLessThan(100);
  },
);

it("a subscriber that never reads costs the others nothing and the kernel a bounded queue", async () => {
  const idle = new Subscriber({ receiveHighWaterMark: 1, linger: 0 });
  idle.connect(addressOf(kernel().connection, "iopub"));
  idle.subscribe();
  const cell = kernel().execute(
    'for (let i = 0; i < 60_000; i++) { console.log("out"); console.error("error"); }',
  );
  await beatDuring(cell);
  expect(printed(await cell, "stderr")).toBe("error\n".repeat(60_000));
  expect(peakMemory(kernel())).toBeLessThan(1000);
  idle.close();
});

it("an error message of 50 MB is cut", async () => {
  const { reply } = await kernel().execute('throw new Error("x".repeat(50_000_000));');
  expect(reply.content.ename).toBe("Error");
  expect(reply.content.evalue).toMatch(/^x{100000}… \(50000000 characters\)$/);
  expect((reply.content.traceback as string[]).join("\n")).toMatch(/\n {4}at In\[\d+\]:1:7$/);
  expect(JSON.stringify(reply.content).length).toBeLessThan(300_000);
});

it("heartbeats are answered while a cell spins", async () => {
  let begun = false;
  const { answer } = kernel().sendExecute('console.log("begun"); for (;;) {}', {
    onMessage: ({ header }) => {
      begun ||= header.msg_type === "stream";
    },
  });
  await until(() => begun);
  await beatDuring(answer);
  await kernel().interrupt();
  expect((await answer).reply.content.ename).toBe("Interrupted");
});

it("heartbeats are answered while cells of 5 MB are converted", async () => {
  const row = `"${"x".repeat(96)}",\n`;
  const code = `[${row.repeat(5_000_000 / row.length)}].length`;
  const cells = Promise.all([1, 2].map(() => kernel().execute(code)));
  await beatDuring(cells);
  expect((await cells).map(result)).toEqual(["50000", "50000"]);
});
