// The wire format: signatures, replays, malformed messages, and what a running kernel does with them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { addressOf, newConnection, readConnectionFile } from "../../dist/kernel/protocol/connection.js";
import { Wire } from "../../dist/kernel/protocol/message.js";
import { result, startChecked, useKernel } from "../support/kernel.js";

const buffers = (frames: readonly Uint8Array[]) => frames.map((frame) => Buffer.from(frame));

describe("a message", () => {
  const [here, there] = [new Wire("key"), new Wire("key")];
  const draft = {
    type: "comm_msg",
    content: { text: "ü😀", nested: { a: [1, null] } },
    metadata: { m: 1 },
    identities: [Buffer.from([0, 255])],
    buffers: [Buffer.from([1, 2, 3]), Buffer.alloc(0)],
  };

  it("comes back as it was sent", () => {
    const message = here.message(draft);
    expect(there.decode(buffers(here.encode(message)))).toEqual(message);
  });

  it("is refused when it comes a second time", () => {
    const frames = buffers(here.encode(here.message(draft)));
    there.decode(frames);
    expect(() => there.decode(frames)).toThrowErrorMatchingInlineSnapshot(
      `[ProtocolError: A message was received twice.]`,
    );
  });

  it("is refused when any signed byte is changed, before it is parsed", () => {
    const frames = buffers(here.encode(here.message(draft)));
    for (let frame = 2; frame < 7; frame++) {
      const changed = buffers(frames);
      changed[frame]![0]! ^= 1;
      expect(() => there.decode(changed)).toThrow("signature does not fit");
    }
  });

  it.each([
    ["another key", "other"],
    ["no key", ""],
  ])("is refused when it was signed with %s", (_what, key) => {
    const other = new Wire(key);
    expect(() => there.decode(buffers(other.encode(other.message(draft))))).toThrow("signature does not fit");
  });

  it("needs no signature where the connection has no key", () => {
    const [open, reader] = [new Wire(""), new Wire("")];
    const frames = buffers(open.encode(open.message(draft)));
    expect(frames[2]!.length).toBe(0);
    expect(reader.decode(frames)).toEqual(reader.decode(frames));
  });

  it.each([
    ["no delimiter", [Buffer.from("x")]],
    ["too few parts", ["<IDS|MSG>", "", "{}", "{}"].map((text) => Buffer.from(text))],
    ["no JSON", ["<IDS|MSG>", "", "{", "{}", "{}", "{}"].map((text) => Buffer.from(text))],
    ["a list as content", ["<IDS|MSG>", "", "{}", "{}", "{}", "[]"].map((text) => Buffer.from(text))],
    ["an empty header", ["<IDS|MSG>", "", "{}", "{}", "{}", "{}"].map((text) => Buffer.from(text))],
  ])("is refused with %s", (_what, frames) => {
    expect(() => new Wire("").decode(frames)).toThrow(/truncated|not JSON|not a JSON object|no msg_id/);
  });

  it("of any bytes is refused or read, and nothing else", () => {
    const frame = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
    const part = fc.oneof(
      frame,
      fc.json().map((text) => Buffer.from(text)),
      fc.constant(Buffer.from("<IDS|MSG>")),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (frames) => {
        for (const wire of [new Wire(""), new Wire("key")]) {
          try {
            wire.decode(frames);
          } catch (error) {
            expect((error as Error).name).toBe("ProtocolError");
          }
        }
      }),
    );
  });
});

describe("a running kernel", () => {
  const kernel = useKernel();

  it("drops what it cannot read, on every channel, and goes on", async () => {
    const { channels, wire } = kernel();
    const signed = (text: string) => {
      const message = wire.message({ type: "execute_request", content: {} });
      const frames = wire.encode(message);
      return [...frames.slice(0, -1), Buffer.from(text)];
    };
    for (const channel of ["shell", "control", "stdin"] as const) {
      channels[channel].send([Buffer.from("nonsense")]);
      channels[channel].send([Buffer.from("<IDS|MSG>")]);
      channels[channel].send(signed('{"code":"console.log(1)"}'));
      const replayed = wire.encode(wire.message({ type: "unknown_request", content: {} }));
      channels[channel].send(replayed);
      channels[channel].send(replayed);
    }
    expect(result(await kernel().execute("1"))).toBe("1");
  });

  it("survives random frames", async () => {
    const frames = fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 8 });
    for (const sample of fc.sample(frames, 300)) {
      kernel().channels.shell.send(sample);
      kernel().channels.control.send([Buffer.from("<IDS|MSG>"), ...sample]);
    }
    expect(result(await kernel().execute("2"))).toBe("2");
  });

  it("runs a message with any content", async () => {
    const types = ["execute", "complete", "inspect", "is_complete", "history", "comm_info"];
    for (const content of fc.sample(
      fc.dictionary(fc.constantFrom("code", "cursor_pos", "n", "x"), fc.jsonValue()),
      60,
    )) {
      const type = types[Object.keys(content).length % types.length];
      const { reply } = await kernel().request(`${type}_request`, { hist_access_type: "tail", ...content });
      expect(reply.header.msg_type).toBe(`${type}_reply`);
    }
  });
});

describe("a connection", () => {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-wire-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["unsigned over tcp", { key: "" }],
    ["over ipc", { transport: "ipc" as const, ip: join(folder, "socket") }],
  ])("works %s", async (_what, changes) => {
    const connection = { ...(await newConnection()), ...changes };
    const { client, broken } = await startChecked({ connection });
    expect(result(await client.execute("6 * 7"))).toBe("42");
    expect(await client.heartbeat()).toBeGreaterThan(0);
    await client.shutdown();
    expect(broken).toEqual([]);
  });

  it("to a taken port ends with a clear error", async () => {
    const connection = await newConnection();
    const server = createServer().listen(connection.control_port, "127.0.0.1");
    await expect(startChecked({ connection })).rejects.toThrow(
      `The kernel cannot listen on ${addressOf(connection, "control")}`,
    );
    server.close();
  });

  it.each([
    ["missing", undefined, "cannot be read: ENOENT"],
    ["half written", '{"shell_port": 12', "is not complete JSON"],
    ["no object", "5", "is not a JSON object"],
    ["without a port", '{"ip": "127.0.0.1"}', "has no usable shell_port (undefined)"],
    ["of a strange transport", '{"transport": "udp"}', 'names the transport "udp"'],
  ])("file that is %s is refused", (what, text, message) => {
    const path = join(folder, `${what}.json`);
    if (text !== undefined) writeFileSync(path, text);
    expect(() => readConnectionFile(path)).toThrow(`The connection file ${path} ${message}`);
  });
});
