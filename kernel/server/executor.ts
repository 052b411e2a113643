// The executing half of the kernel as the server sees it: whichever child is alive, its output on the way to the front
// ends, the answer of the one cell that runs, and a new child when the old one has died.
import { Child } from "../child.js";
import type { CellError, CommMessage, FromChild, MimeBundle, ToChild } from "../executor/channel.js";
import { CommTable } from "./comm-table.js";
import type { Publisher } from "./publisher.js";

/** How a cell ended. */
export interface CellEnd {
  readonly error: CellError | undefined;
  readonly userExpressions: Readonly<Record<string, MimeBundle | CellError>>;
}

/** What the executor asks of the server. */
export interface ExecutorHost {
  /** A cell asks the user for a line of text. */
  requestInput(cell: string, prompt: string, password: boolean): void;
  /** A magic of the running cell asks for something. */
  parentRequest(request: unknown): void;
  /** The child died, and all values with it. */
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

  constructor(
    private readonly publisher: Publisher,
    private readonly host: ExecutorHost,
  ) {}

  /** Starts the child, so that the first cell need not wait for it. */
  start(): void {
    this.ready = false;
    const events = {
      message: (message: FromChild) => this.receive(message),
      native: (name: "stdout" | "stderr", text: string) =>
        this.publisher.stream(name, text, this.publisher.parentOf("")),
      ended: (how: string) => this.ended(how),
    };
    this.child = new Child(events);
  }

  /** Hands a cell or a comm event to the child and waits for its end; never rejects. */
  run(message: Exclude<ToChild, { type: "exit" }>): Promise<CellEnd> {
    if (this.child === undefined) this.start();
    return new Promise((resolve) => {
      this.waiting.set(message.cell, { resolve });
      this.child?.send(message);
    });
  }

  /** Hands a comm event of the front end to the child. */
  async handleComm(message: CommMessage): Promise<void> {
    this.comms.note(message);
    await this.run(message);
  }

  interrupt(): void {
    this.child?.interrupt();
  }

  /** Ends the handler of a comm, or what a cell has left behind; a child that starts runs nothing yet. */
  interruptLeftovers(): void {
    if (this.ready) this.child?.interrupt();
  }

  answerInput(value: string | undefined): void {
    this.child?.answer(value);
  }

  /** Ends the child for good. */
  close(): void {
    this.closed = true;
    this.child?.kill();
  }

  private readonly handlers: {
    readonly [K in FromChild["type"]]: (message: Extract<FromChild, { type: K }>) => void;
  } = {
    ready: () => {
      this.ready = true;
    },
    interrupted: () => this.child?.settled(),
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

  private receive(message: FromChild): void {
    (this.handlers[message.type] as (message: FromChild) => void)(message);
  }

  private async finish(message: Extract<FromChild, { type: "done" }>): Promise<void> {
    const waiting = this.waiting.get(message.cell);
    if (waiting === undefined) return;
    this.waiting.delete(message.cell);
    if (this.waiting.size === 0) this.child?.settled();
    await this.child?.outputBefore(message.marker);
    waiting.resolve({ error: message.error, userExpressions: message.userExpressions });
  }

  // A child that never became ready is not started again until a cell needs it: it would fail for ever.
  private ended(how: string): void {
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
