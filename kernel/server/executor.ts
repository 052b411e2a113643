// The server's side of running cells: the live child, its output to the front ends, the answer of the running cell, and a
// new child when the old one dies.

import type { CellError, CommMessage, MimeBundle, RunMessage } from "../child/channel.js";
import type { Devtools, DevtoolsEvent } from "../debugger/devtools.js";
import { Child, type FromRunningChild } from "./child.js";
import { CommTable } from "./comm-table.js";
import { CompileLine } from "./compile-line.js";
import type { Publisher } from "./publisher.js";

/** How a cell ended. */
export interface CellEnd {
  readonly error: CellError | undefined;
  readonly userExpressions: Readonly<Record<string, MimeBundle | CellError>>;
}

/** The server's callbacks for the executor. */
export interface ExecutorHost {
  /** A cell asks the user for a line of text. */
  requestInput(cell: string, prompt: string, password: boolean): void;
  /** A magic of the running cell sends a request. */
  parentRequest(request: unknown): void;
  /** A cell is about to run; with a debugger, it runs after the promise settles. */
  beforeCell(message: RunMessage): Promise<void> | undefined;
  /** The child's inspector sends a message to a debugger. */
  devtools(event: DevtoolsEvent): void;
  /** The child died, and all values are lost. */
  variablesLost(): void;
  /** The number of the cell's prompt. */
  executionCount(): number;
}

interface Waiting {
  resolve(end: CellEnd): void;
}

/** Runs cells in a child process. */
export class Executor {
  private child: Child | undefined;
  private ready = false;
  private closed = false;
  private readonly waiting = new Map<string, Waiting>();
  readonly comms = new CommTable();
  private readonly compileLine: CompileLine;

  constructor(
    private readonly publisher: Publisher,
    private readonly host: ExecutorHost,
  ) {
    this.compileLine = new CompileLine(publisher);
  }

  /** Starts the child, so that the first cell need not wait for it. */
  start(): void {
    this.ready = false;
    const events = {
      message: (message: FromRunningChild) => this.receive(message),
      native: (name: "stdout" | "stderr", text: string) =>
        this.publisher.stream(name, text, this.publisher.parentOf("")),
      devtools: (event: DevtoolsEvent) => this.host.devtools(event),
      ended: (how: string) => this.ended(how),
    };
    this.child = new Child(events);
  }

  /** Runs a cell or a comm event in the child and waits for its end; never rejects. */
  run(message: RunMessage | CommMessage): Promise<CellEnd> {
    if (this.child === undefined) this.start();
    return new Promise((resolve) => {
      const waiting = { resolve };
      this.waiting.set(message.cell, waiting);
      const announced = message.type === "run" ? this.host.beforeCell(message) : undefined;
      if (announced === undefined) this.child?.send(message);
      else
        void announced.then(() => {
          // Unless the child has ended, and the cell has its answer.
          if (this.waiting.get(message.cell) === waiting) this.child?.send(message);
        });
    });
  }

  /** Whether a cell or a comm's handler runs. */
  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  /** Sends a message to the inspector of the child. */
  readonly devtools = ((method, params = {}) =>
    this.child?.devtools(method, params) ?? Promise.reject(new Error("No process runs cells."))) as Devtools;

  /** Ends the inspector's session. */
  closeDevtools(): void {
    this.child?.closeDevtools();
  }

  /** Sends a comm event of the front end to the child. */
  async handleComm(message: CommMessage): Promise<void> {
    this.comms.note(message);
    await this.run(message);
  }

  interrupt(): void {
    this.child?.interrupt();
  }

  /** Ends the handler of a comm, or the leftovers of a cell; a starting child runs nothing yet. */
  interruptLeftovers(): void {
    if (this.ready) this.child?.interrupt();
  }

  answerInput(value: string | undefined): void {
    this.child?.answer(value);
  }

  /** Ends the child for good: in order, unless it runs a cell. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.isBusy) this.child?.kill();
    else await this.child?.close();
  }

  private readonly handlers: {
    readonly [K in FromRunningChild["type"]]: (message: Extract<FromRunningChild, { type: K }>) => void;
  } = {
    ready: () => {
      this.ready = true;
    },
    stream: ({ cell, name, text }) => this.publisher.stream(name, text, this.publisher.parentOf(cell)),
    display: ({ cell, data, metadata, id, update }) => {
      const transient = id === undefined ? {} : { display_id: id };
      const type = update ? "update_display_data" : "display_data";
      this.publisher.publish(type, { data, metadata, transient }, this.publisher.parentOf(cell));
    },
    result: ({ cell, data, metadata }) => {
      const content = { execution_count: this.host.executionCount(), data, metadata, transient: {} };
      this.publisher.publish("execute_result", content, this.publisher.parentOf(cell));
    },
    clear: ({ cell, wait }) =>
      this.publisher.publish("clear_output", { wait }, this.publisher.parentOf(cell)),
    compiling: ({ cell, kernels, ended }) =>
      this.compileLine.show(this.publisher.parentOf(cell), kernels, ended),
    "input-request": ({ cell, prompt, password }) => {
      this.publisher.flush();
      this.host.requestInput(cell, prompt, password);
    },
    "parent-request": ({ request }) => this.host.parentRequest(request),
    comm: (message) => {
      this.comms.note(message);
      const { type, content, metadata, buffers } = this.comms.toProtocol(message);
      this.publisher.publish(type, content, this.publisher.parentOf(message.cell), { metadata, buffers });
    },
    done: (message) => void this.finish(message),
  };

  private receive(message: FromRunningChild): void {
    (this.handlers[message.type] as (message: FromRunningChild) => void)(message);
  }

  private async finish(message: Extract<FromRunningChild, { type: "done" }>): Promise<void> {
    this.compileLine.remove();
    const waiting = this.waiting.get(message.cell);
    if (waiting === undefined) return;
    this.waiting.delete(message.cell);
    await this.child?.outputBefore(message.marker);
    waiting.resolve({ error: message.error, userExpressions: message.userExpressions });
  }

  // A child that never became ready is restarted only when a cell needs it, since it may fail each time.
  private ended(how: string): void {
    this.compileLine.remove();
    const byInterrupt = this.child?.killedByInterrupt ?? false;
    const wasReady = this.ready;
    this.child = undefined;
    this.comms.clear();
    if (this.closed) return;
    const error = deathError(how, byInterrupt, wasReady);
    if (this.waiting.size === 0 && wasReady) {
      this.publisher.stream("stderr", `${error.message}\n`, this.publisher.parentOf(""));
    }
    this.host.variablesLost();
    if (wasReady || byInterrupt) this.start();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { resolve } of waiting) resolve({ error, userExpressions: {} });
  }
}

function deathError(how: string, byInterrupt: boolean, wasReady: boolean): CellError {
  const lost = "Its variables and its device memory are lost: run the cells that define them again.";
  const [name, message] = byInterrupt
    ? [
        "Interrupted",
        wasReady ? `The cell did not stop, so its process was ended. ${lost}` : "The cell was interrupted.",
      ]
    : [
        "ProcessDied",
        `The process that runs the cells ${how}. ${wasReady ? lost : "It had not started yet."}`,
      ];
  return { name, message, traceback: [`\u001b[31m${name}\u001b[39m: ${message}`] };
}
