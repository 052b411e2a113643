// The kernel's parent process: it holds the sockets and answers requests, the language process has the notebook's types, and
// the child its values. Nothing here waits for either, so heartbeats, interrupts and completion work while a cell runs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "../../runtime/base/env.js";
import { DebugAdapter } from "../debugger/adapter.js";
import type { Language, ParentRequest } from "../language/language.js";
import { typescriptVersion } from "../language/typescript.js";
import { readConnectionFile } from "../protocol/connection.js";
import { type Fields, type Message, protocolVersion, Wire } from "../protocol/message.js";
import { bindSockets, type Channels } from "../protocol/sockets.js";
import { CellQueue } from "./cell-queue.js";
import { Executor } from "./executor.js";
import { controlHandlers, type Handler, type HandlerHost, shellHandlers } from "./handlers.js";
import { History } from "./history.js";
import { InputRequests } from "./input-requests.js";
import { Publisher } from "./publisher.js";
import { receivedMessage } from "./received.js";

const manifest = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

/** A kernel on bound sockets. */
export class KernelServer implements HandlerHost {
  readonly publisher: Publisher;
  readonly executor: Executor;
  readonly queue: CellQueue;
  readonly debugger: DebugAdapter;
  readonly history = new History(join(env("cacheDir"), "history"));
  private readonly input: InputRequests;
  /** Settles when the kernel was asked to end. */
  readonly ended: Promise<void>;
  private end: () => void = () => undefined;

  constructor(
    private readonly channels: Channels,
    private readonly wire: Wire,
    readonly language: Language,
  ) {
    this.publisher = new Publisher(channels.iopub, wire);
    this.input = new InputRequests(channels.stdin, wire);
    this.executor = new Executor(this.publisher, {
      requestInput: (_cell, prompt, password) => this.requestInput(prompt, password),
      parentRequest: (request) => this.queue.parentRequest(request as ParentRequest),
      beforeCell: (message) => this.debugger.prepare(message),
      devtools: (event) => this.debugger.notice(event),
      variablesLost: () => {
        this.debugger.processEnded();
        this.queue.processEnded();
        void this.language.reset();
      },
      executionCount: () => this.queue.count,
    });
    this.debugger = new DebugAdapter({
      devtools: this.executor.devtools,
      closeDevtools: () => this.executor.closeDevtools(),
      publish: (event) => this.publisher.publish("debug_event", event as Fields, this.publisher.parentOf("")),
      isBusy: () => this.executor.isBusy,
    });
    this.queue = new CellQueue({
      publisher: this.publisher,
      language,
      executor: this.executor,
      history: this.history,
      reply: (request, content) => this.reply("shell", request, content),
    });
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Starts to answer. */
  start(): void {
    this.channels.shell.listen((frames) => this.receive("shell", frames, shellHandlers));
    this.channels.control.listen((frames) => this.receive("control", frames, controlHandlers));
    this.executor.start();
  }

  /** The content of a kernel_info_reply. */
  info(): Fields {
    return {
      protocol_version: protocolVersion,
      implementation: "jitlab",
      implementation_version: manifest.version,
      language_info: {
        name: "typescript",
        version: typescriptVersion(),
        mimetype: "application/typescript",
        file_extension: ".ts",
        codemirror_mode: "typescript",
        pygments_lexer: "typescript",
        nbconvert_exporter: "script",
      },
      banner: `jitlab ${manifest.version}: TypeScript notebooks with JIT-compiled tensors. %help lists the magics.`,
      help_links: [{ text: "TypeScript", url: "https://www.typescriptlang.org/docs/" }],
      debugger: true,
      supported_features: ["debugger"],
    };
  }

  /** Ends the kernel after its last messages are sent. */
  async shutdown(request: Message): Promise<void> {
    const content = { status: "ok", restart: request.content.restart === true };
    this.publisher.publish("shutdown_reply", content, request.header);
    await this.executor.close();
    setImmediate(() => this.end());
  }

  private receive(
    channel: "shell" | "control",
    frames: Buffer[],
    handlers: Readonly<Record<string, Handler>>,
  ): void {
    const message = receivedMessage(this.wire, channel, frames);
    if (message === undefined) return;
    const type = message.header.msg_type;
    if (type === "execute_request" && channel === "shell") {
      this.queue.add(message);
      return;
    }
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (handler) void this.handle(channel, message, handler);
    else console.error(`jitlab: ignored a message on ${channel}: its type "${type}" is unknown.`);
  }

  private async handle(channel: "shell" | "control", request: Message, handler: Handler): Promise<void> {
    this.publisher.status("busy", request.header);
    try {
      const content = await handler(this, request);
      if (content) this.reply(channel, request, { status: "ok", ...content });
    } catch (error) {
      const { name, message } = error as Error;
      // The messages of comms have no reply.
      if (request.header.msg_type.endsWith("_request")) {
        this.reply(channel, request, { status: "error", ename: name, evalue: message, traceback: [] });
      }
    }
    this.publisher.status("idle", request.header);
  }

  private reply(channel: "shell" | "control", request: Message, content: Fields): void {
    const type = request.header.msg_type.replace(/_request$/, "_reply");
    const { header: parent, identities } = request;
    this.channels[channel].send(this.wire.encode(this.wire.message({ type, content, parent, identities })));
  }

  private requestInput(prompt: string, password: boolean): void {
    const request = this.queue.current;
    if (request) this.input.ask(request, prompt, password, (value) => this.executor.answerInput(value));
    else this.executor.answerInput(undefined); // a request of an ended cell cannot be answered
  }
}

// process.exit ends ZeroMQ's threads with whatever they have not sent yet, such as the reply to the shutdown.
const lastWordsMs = 100;

/** Runs a kernel until it is shut down. */
export async function serveKernel(connectionFile: string, language: Language): Promise<void> {
  const info = readConnectionFile(connectionFile);
  const wire = new Wire(info.key, info.signature_scheme);
  const channels = await bindSockets(info);
  const server = new KernelServer(channels, wire, language);
  server.start();
  endWithStarter();
  process.on("uncaughtException", (error) => console.error("jitlab: an error in the kernel itself:", error));
  process.on("SIGINT", () => server.queue.interrupt());
  process.on("SIGTERM", () => process.exit(0));
  await server.ended;
  await sleep(lastWordsMs);
  for (const channel of Object.values(channels)) channel.close();
  process.exit(0);
}

// A process whose parent dies gets another parent.
function endWithStarter(): void {
  const { ppid } = process;
  if (env("jupyterPid") === undefined) return;
  setInterval(() => process.ppid === ppid || process.exit(1), 1000).unref();
}
