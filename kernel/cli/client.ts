// A Jupyter client over ZeroMQ, for `jitlab run` and the tests. It starts a kernel or attaches to a running one.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { JitlabError } from "../../runtime/base/errors.js";
import { type ConnectionInfo, readConnectionFile } from "../protocol/connection.js";
import { type Draft, type Fields, type Message, Wire } from "../protocol/message.js";
import { type Channels, connectSockets } from "../protocol/sockets.js";
import { KernelProcess, type StartOptions } from "./kernel-process.js";

/** A question of a cell to the user. */
export interface InputRequest {
  readonly prompt: string;
  readonly password: boolean;
}

/** How to execute a cell; the defaults are a notebook's. */
export interface ExecuteOptions {
  readonly silent?: boolean;
  readonly storeHistory?: boolean;
  readonly stopOnError?: boolean;
  readonly userExpressions?: Readonly<Record<string, string>>;
  /** Called with every published message of the cell in order, `status` and `execute_input` included. */
  readonly onMessage?: (message: Message) => void;
  /** Answers `prompt()`; without it the cell's prompt throws. */
  readonly onInput?: (request: InputRequest) => string | Promise<string>;
}

/** A finished request. */
export interface Answer {
  readonly reply: Message;
  /** The messages published for it, from `busy` to `idle`. */
  readonly published: readonly Message[];
}

interface Pending {
  readonly published: Message[];
  readonly onMessage: ((message: Message) => void) | undefined;
  readonly onInput: ExecuteOptions["onInput"];
  reply?: Message;
  idle: boolean;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A sent request: its header's id, and its answer. */
export interface Sent {
  readonly id: string;
  readonly answer: Promise<Answer>;
}

// How long the last messages of a kernel that has ended may still be on their way through the sockets; in naps, because
// on a busy machine a single one can be over before the sockets were looked at.
const lastWords = { naps: 10, napMs: 50 };

// A kernel that was just started may miss a client's first subscription, so it is asked until it publishes an answer:
// soon after it replied without, and now and then before.
const nudgeMs = 500;
const unpublishedMs = 20;
const maxNudges = 120;
const mostStarts = 5;

/** A client of one kernel. */
export class KernelClient {
  /** Signs and numbers this client's messages. */
  readonly wire: Wire;
  readonly channels: Channels;
  private readonly pending = new Map<string, Pending>();
  private readonly listeners = new Set<(message: Message, channel: string) => void>();
  private failure: Error | undefined;

  private constructor(
    readonly connection: ConnectionInfo,
    /** The kernel's process, where this client started it. */
    readonly kernel: KernelProcess | undefined,
  ) {
    this.wire = new Wire(connection.key, connection.signature_scheme);
    this.channels = connectSockets(connection, randomUUID());
    for (const name of ["shell", "control", "iopub", "stdin"] as const) {
      this.channels[name].listen((frames) => this.receive(name, frames));
    }
    void kernel?.ended.then(async (how) => {
      for (let nap = 0; nap < lastWords.naps; nap++) await sleep(lastWords.napMs, undefined, { ref: false });
      this.fail(new JitlabError("kernel-died", how));
    });
  }

  /** Starts a kernel and waits until it answers and its published messages arrive. */
  static async start(options: StartOptions = {}): Promise<KernelClient> {
    for (let start = 1; ; start++) {
      const kernel = await KernelProcess.start(options);
      try {
        return await new KernelClient(kernel.connection, kernel).ready();
      } catch (error) {
        // Between the choice of a free port and the kernel's start, another process may take it.
        if (!kernel.missedPort || options.connection || start === mostStarts) throw error;
      }
    }
  }

  /** Connects to a running kernel, by its connection file or the contents of one. */
  static async attach(connection: string | ConnectionInfo): Promise<KernelClient> {
    const info = typeof connection === "string" ? readConnectionFile(connection) : connection;
    return new KernelClient(info, undefined).ready();
  }

  /** Calls `listener` with every message that arrives, and the name of its channel; returns a function that stops that. */
  onMessage(listener: (message: Message, channel: string) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends a request and returns its id at once, to send another before it is answered. */
  send(
    type: string,
    content: Fields,
    channel: "shell" | "control" = "shell",
    hooks: ExecuteOptions = {},
  ): Sent {
    const message = this.wire.message({ type, content });
    const answer = new Promise<Answer>((resolve, reject) => {
      if (this.failure) return reject(this.failure);
      const { onMessage, onInput } = hooks;
      this.pending.set(message.header.msg_id, {
        published: [],
        onMessage,
        onInput,
        idle: false,
        resolve,
        reject,
      });
      this.channels[channel].send(this.wire.encode(message));
    });
    return { id: message.header.msg_id, answer };
  }

  /** Sends a request and waits for its reply and its `idle`. */
  request(type: string, content: Fields = {}, channel: "shell" | "control" = "shell"): Promise<Answer> {
    return this.send(type, content, channel).answer;
  }

  /** Sends a message that has no reply, such as those of comms. */
  post(draft: Draft, channel: "shell" | "control" | "stdin" = "shell"): void {
    this.channels[channel].send(this.wire.encode(this.wire.message(draft)));
  }

  /** Runs a cell. */
  execute(code: string, options: ExecuteOptions = {}): Promise<Answer> {
    return this.sendExecute(code, options).answer;
  }

  /** Runs a cell and returns its message id at once. */
  sendExecute(code: string, options: ExecuteOptions = {}): Sent {
    const silent = options.silent ?? false;
    const content = {
      code,
      silent,
      store_history: options.storeHistory ?? !silent,
      user_expressions: options.userExpressions ?? {},
      allow_stdin: options.onInput !== undefined,
      stop_on_error: options.stopOnError ?? true,
    };
    return this.send("execute_request", content, "shell", options);
  }

  async kernelInfo(channel: "shell" | "control" = "shell"): Promise<Fields> {
    return (await this.request("kernel_info_request", {}, channel)).reply.content;
  }

  /** Completions at a position, in code points. */
  async complete(code: string, cursor = [...code].length): Promise<Fields> {
    return (await this.request("complete_request", { code, cursor_pos: cursor })).reply.content;
  }

  async inspect(code: string, cursor = [...code].length, detail = 0): Promise<Fields> {
    const content = { code, cursor_pos: cursor, detail_level: detail };
    return (await this.request("inspect_request", content)).reply.content;
  }

  async isComplete(code: string): Promise<Fields> {
    return (await this.request("is_complete_request", { code })).reply.content;
  }

  /** Earlier cells; the fields are those of a `history_request`. */
  async history(query: Fields): Promise<Fields> {
    const content = { output: false, raw: true, ...query };
    return (await this.request("history_request", content)).reply.content;
  }

  /** Asks the kernel to stop the running cell. */
  async interrupt(): Promise<Fields> {
    return (await this.request("interrupt_request", {}, "control")).reply.content;
  }

  /** The milliseconds that a heartbeat takes. */
  async heartbeat(): Promise<number> {
    const start = performance.now();
    await this.channels.hb.ask(Buffer.from("ping"));
    return performance.now() - start;
  }

  /** Ends the kernel, by force after the timeout, and closes this client. */
  async shutdown(patienceMs = 5000): Promise<void> {
    if (this.failure === undefined) {
      const timer = setTimeout(() => this.kill(), patienceMs);
      await this.request("shutdown_request", { restart: false }, "control").catch(() => undefined);
      await this.kernel?.ended;
      clearTimeout(timer);
    }
    this.close();
  }

  /** Ends the kernel's process at once. */
  kill(): void {
    this.kernel?.kill();
  }

  /** Closes the sockets; the kernel keeps running. */
  close(): void {
    this.fail(new JitlabError("client-closed", "The client was closed while the kernel had not answered."));
    for (const channel of Object.values(this.channels)) channel.close();
  }

  /** Waits for the kernel; open sockets would keep the process of a client without one. */
  private async ready(): Promise<this> {
    try {
      await this.answered();
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private async answered(): Promise<void> {
    for (let nudge = 0; nudge < maxNudges; nudge++) {
      const { id, answer } = this.send("kernel_info_request", {});
      const replied = new Promise<void>((resolve) => {
        const stop = this.onMessage(({ parent }, channel) => {
          if (channel !== "shell" || parent.msg_id !== id) return;
          stop();
          resolve();
        });
      });
      const unpublished = replied.then(() => sleep(unpublishedMs));
      if (await Promise.race([answer, unpublished, sleep(nudgeMs, undefined, { ref: false })])) return;
      this.pending.delete(id);
    }
    throw new JitlabError(
      "no-kernel",
      `No kernel answers on ${this.connection.ip}.`,
      "It may have ended; start it again.",
    );
  }

  private receive(channel: string, frames: Buffer[]): void {
    const message = this.wire.decode(frames);
    for (const listener of this.listeners) listener(message, channel);
    const id = message.parent.msg_id;
    const pending = id === undefined ? undefined : this.pending.get(id);
    if (id === undefined || pending === undefined) return;
    if (channel === "stdin") return void this.answerInput(message, pending);
    if (channel === "iopub") {
      pending.published.push(message);
      pending.onMessage?.(message);
      if (message.header.msg_type === "status" && message.content.execution_state === "idle") {
        pending.idle = true;
      }
    } else {
      pending.reply = message;
    }
    if (!pending.idle || pending.reply === undefined) return;
    this.pending.delete(id);
    pending.resolve({ reply: pending.reply, published: pending.published });
  }

  private async answerInput(message: Message, pending: Pending): Promise<void> {
    const { prompt, password } = message.content as unknown as InputRequest;
    const value = (await pending.onInput?.({ prompt, password })) ?? "";
    const parent = message.header;
    this.post({ type: "input_reply", content: { status: "ok", value }, parent }, "stdin");
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const pending of this.pending.values()) pending.reject(this.failure);
    this.pending.clear();
  }
}

/** Starts this package's kernel, or the one that the options name, and connects to it. */
export function startClient(options: StartOptions = {}): Promise<KernelClient> {
  return KernelClient.start(options);
}
