// `prompt()` and `confirm()`: the cell stops until the front end has answered. `process.stdin`: the front end is asked for a
// line when something reads it, and the cell goes on.
import { readSync } from "node:fs";
import { Readable } from "node:stream";
import { parseJson, pinned } from "./built-ins.js";
import { type CellContext, currentCell, Interrupted, runInCell } from "./cell-context.js";
import { descriptors, type InputAnswer, type LaterAnswer } from "./channel.js";
import { isInterruption } from "./interruptible.js";
import type { ParentLink } from "./parent-link.js";

/** Options of `prompt()`. */
export interface PromptOptions {
  /** The front end hides the typed text. */
  readonly password?: boolean;
}

/** A cell asked for input, but the front end does not support it. */
export class InputError extends Error {
  override readonly name = "InputError";
  readonly #own = true;

  /** True for such an error. Reads no property: a user's proxy may throw. */
  static is(thrown: unknown): thrown is InputError {
    return typeof thrown === "object" && thrown !== null && #own in thrown;
  }

  constructor() {
    super("This front end offers no input; run the cell in a notebook or a console.");
  }
}

/** Input for cells. */
export class Input {
  private rest = "";
  private questions = 0;
  private stdin: InputStream | undefined;
  private readonly waiting = pinned(new Map<number, (line: string) => void>());

  constructor(private readonly link: ParentLink) {}

  /** Asks the user for a line of text. */
  readonly prompt = (message = "", options: PromptOptions = {}): string => {
    const cell = currentCell();
    cell.check();
    if (!cell.allowStdin) throw new InputError();
    const question = ++this.questions;
    const password = options.password ?? false;
    const prompt = String(message);
    this.link.send({ type: "input-request", cell: cell.id, question, prompt, password, later: false });
    const value = this.answerTo(question);
    if (value === undefined) throw new Interrupted();
    return value;
  };

  /** Asks a question whose answer is yes or no; anything but y or yes is no. */
  readonly confirm = (message = "Confirm"): boolean =>
    /^\s*y(es)?\s*$/i.test(this.prompt(`${message} [y/N] `));

  /** Makes process.stdin ask the front end. */
  install(): void {
    Object.defineProperty(process, "stdin", {
      configurable: true,
      enumerable: true,
      get: () => this.stream(),
    });
  }

  /** Takes the answer to a question of process.stdin. */
  receive({ question, value }: LaterAnswer): void {
    const take = this.waiting.get(question);
    this.waiting.delete(question);
    take?.(value);
  }

  // Each cell has its own, because a stream that has ended stays so.
  private stream(): InputStream {
    const cell = currentCell();
    const { stdin } = this;
    if (stdin !== undefined && stdin.cell === cell && stdin.readable) return stdin;
    const ask = (take: (line: string) => void) => {
      const question = ++this.questions;
      this.waiting.set(question, take);
      this.link.send({
        type: "input-request",
        cell: cell.id,
        question,
        prompt: "",
        password: false,
        later: true,
      });
    };
    this.stdin = new InputStream(cell, ask);
    return this.stdin;
  }

  private answerTo(question: number): string | undefined {
    for (;;) {
      const answer = answerIn(this.readLine());
      if (answer?.question === question) return answer.value;
    }
  }

  private readLine(): string {
    const chunk = Buffer.alloc(65_536);
    let end = this.rest.indexOf("\n");
    while (end < 0) {
      const count = readChunk(chunk);
      if (count === 0) process.kill(process.pid, "SIGKILL"); // the parent is gone
      this.rest += chunk.toString("latin1", 0, count);
      end = this.rest.indexOf("\n");
    }
    const line = Buffer.from(this.rest.slice(0, end), "latin1").toString("utf8");
    this.rest = this.rest.slice(end + 1);
    return line;
  }
}

// An interrupt may lose a part of a long answer; the rest is no answer.
function answerIn(line: string): InputAnswer | undefined {
  try {
    return parseJson(line) as InputAnswer;
  } catch {
    return undefined;
  }
}

// A signal ends a read with EINTR. The one of an interrupt ends the cell soon after, or by the answer that comes with it.
function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptors.answers, chunk);
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }
}

// What the consoles of Jupyter send for Ctrl-D.
const endOfInput = "\u0004";

/** A cell's standard input. It fails where the front end offers no input, and ends after the cell. */
class InputStream extends Readable {
  private state: "idle" | "wanted" | "asked" = "idle";
  readonly isTTY = false;
  readonly fd = 0;

  constructor(
    readonly cell: CellContext,
    private readonly ask: (take: (line: string) => void) => void,
  ) {
    super({ highWaterMark: 1 });
    this.on("resume", () => this.askSoon());
    this.on("newListener", () => this.askSoon());
  }

  override _read(): void {
    this.state = "wanted";
    this.askSoon();
  }

  // Streams read ahead. A reader that has its line and pauses, or a cell that ends then, needs no further one.
  private askSoon(): void {
    setImmediate(() => {
      if (this.state !== "wanted" || this.destroyed) return;
      if (this.cell.over) this.push(null);
      else if (!this.cell.allowStdin) this.destroy(new InputError());
      else if (!this.isPaused() || this.listenerCount("readable") > 0) {
        this.state = "asked";
        this.ask((line) => runInCell(this.cell, () => this.receive(line)));
      }
    });
  }

  private receive(line: string): void {
    this.state = "idle";
    this.push(line === endOfInput ? null : `${line}\n`);
  }

  // A terminal's stream has these.
  setRawMode(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
