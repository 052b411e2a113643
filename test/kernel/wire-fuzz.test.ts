// Messages that are damaged at random, for a few seconds, or FUZZ_SECONDS: every intact request gets its reply and its idle,
// and the kernel keeps running. FUZZ_SEED repeats a run.
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Message } from "../../dist/kernel/protocol/message.js";
import { signedFrames } from "../support/frames.js";
import { result, until, useKernel } from "../support/kernel.js";
import { randomSource } from "../support/random.js";

const { FUZZ_SECONDS = "5", FUZZ_SEED } = process.env;
const random = randomSource(FUZZ_SEED === undefined ? undefined : Number(FUZZ_SEED));
const kernel = useKernel();

const values: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 2 ** 53,
  () => 1e308,
  () => "",
  () => "x".repeat(random.below(2000)),
  () => "%%😀\u0000\ud800",
  () => [[], {}],
  () => ({ __proto__: null, constructor: "x", msg_id: 5 }),
];
const anyValue = () => random.pick(values)();

// Each request with what it usually holds.
const requests: Readonly<Record<string, () => Record<string, unknown>>> = {
  execute_request: () => ({
    code: random.pick(["1", "%lsmagic", "throw 1", "", "}", "%nothing", "const a ="]),
  }),
  complete_request: () => ({ code: "Math.ma", cursor_pos: random.below(12) }),
  inspect_request: () => ({ code: "Math", cursor_pos: 2, detail_level: random.below(3) }),
  is_complete_request: () => ({ code: random.pick(["f(", "1", "%%time", ")"]) }),
  history_request: () => ({ hist_access_type: random.pick(["tail", "range", "search"]), n: 3, pattern: "*" }),
  comm_info_request: () => ({ target_name: "x" }),
  kernel_info_request: () => ({}),
  interrupt_request: () => ({}),
};
const names = [
  "code",
  "cursor_pos",
  "silent",
  "store_history",
  "user_expressions",
  "allow_stdin",
  "n",
  "pattern",
];
const others = ["comm_open", "comm_msg", "comm_close", "input_reply", "status", "nonsense", "__proto__", ""];

/** Changes some frames of a message. */
function damage(frames: Buffer[]): Buffer[] {
  const damaged = [...frames];
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(damaged.length + 1);
    const frame = damaged[at] ?? Buffer.from("{}");
    const changes: readonly (() => void)[] = [
      () => damaged.splice(at, 1),
      () => damaged.splice(at, 0, frame),
      () => damaged.splice(at, 0, Buffer.from(random.pick(["<IDS|MSG>", "", "{", "[]", "null", '{"a":']))),
      () => damaged.splice(at, 1, frame.subarray(0, random.below(frame.length + 1))),
      () => damaged.reverse(),
      () => {
        const changed = Buffer.from(frame);
        if (changed.length > 0) changed[random.below(changed.length)] = random.below(256);
        damaged.splice(at, 1, changed);
      },
    ];
    random.pick(changes)();
  }
  return damaged.length > 0 ? damaged : [Buffer.alloc(0)];
}

it(
  `answers every whole request among damaged ones, seed ${random.seed}`,
  async () => {
    const { channels, connection } = kernel();
    const seen = new Map<string, Set<string>>();
    const note = ({ header, parent, content }: Message, channel: string) => {
      const ends = channel !== "iopub" || content.execution_state === "idle";
      if (ends && parent.msg_id !== undefined) seen.get(parent.msg_id)?.add(`${channel} ${header.msg_type}`);
    };
    const stop = kernel().onMessage(note);
    const end = performance.now() + Number(FUZZ_SECONDS) * 1000;
    let sent = 0;
    while (performance.now() < end) {
      const expected = new Map<string, string>();
      for (let count = 0; count < 40; count++, sent++) {
        const known = random.below(4) > 0;
        const type = random.pick(known ? Object.keys(requests) : others);
        const onControl =
          type === "interrupt_request" || (type === "kernel_info_request" && random.below(2) === 0);
        const channel = onControl ? "control" : "shell";
        const content: Record<string, unknown> = { ...(known && requests[type]?.()), stop_on_error: false };
        for (let more = random.below(3); more > 0; more--) content[random.pick(names)] = anyValue();
        const msg_id = randomUUID();
        const header = {
          msg_id,
          msg_type: type,
          session: "fuzz",
          username: "fuzz",
          date: new Date(),
          version: "5.3",
        };
        const parts = [header, {}, {}, content].map((part) => JSON.stringify(part));
        const fate = random.below(5);
        if (fate === 0) {
          channels[channel].send(damage(signedFrames(connection.key, parts)));
        } else if (fate === 1) {
          const wrong = parts.map((part) => (random.below(3) === 0 ? JSON.stringify(anyValue()) : part));
          channels[random.pick(["shell", "control", "stdin"] as const)].send(
            signedFrames(connection.key, random.below(2) === 0 ? wrong : wrong.slice(0, 3)),
          );
        } else {
          if (known) {
            seen.set(msg_id, new Set());
            expected.set(msg_id, `${channel} ${type.replace("_request", "_reply")}`);
          }
          const frames = signedFrames(connection.key, parts);
          channels[channel].send(frames);
          if (random.below(4) === 0) channels[channel].send(frames);
        }
      }
      const missing = () =>
        [...expected].filter(([id, reply]) => {
          const got = seen.get(id);
          return !got?.has(reply) || !got.has("iopub status");
        });
      await Promise.race([
        until(() => missing().length === 0),
        new Promise((_, reject) =>
          setTimeout(
            () => reject(new Error(`Seed ${random.seed}: unanswered ${JSON.stringify(missing())}`)),
            20_000,
          ).unref(),
        ),
      ]);
      seen.clear();
      // A damaged interrupt may be whole enough to reach the cell that comes next, but not the one after it.
      await kernel().kernelInfo("control");
      await kernel().execute("0");
      const { reply, published } = await kernel().execute("40 + 2");
      expect(result({ reply, published }) ?? reply.content, `seed ${random.seed}`).toBe("42");
    }
    expect(sent).toBeGreaterThan(0);
    stop();
  },
  (Number(FUZZ_SECONDS) + 60) * 1000,
);
