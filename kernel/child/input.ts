// `prompt()` and `confirm()`: the cell stops until the front end has answered. The answer comes over this process's own
// stdin, which nothing else reads.
import { readSync } from "node:fs";
import { parseJson } from "./built-ins.js";
import { currentCell, Interrupted } from "./cell-context.js";
import type { InputAnswer } from "./channel.js";
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
}

/** Input for cells. */
export class Input {
  private rest = "";
  private questions = 0;

  constructor(private readonly link: ParentLink) {}

  /** Asks the user for a line of text. */
  readonly prompt = (message = "", options: PromptOptions = {}): string => {
    const cell = currentCell();
    cell.check();
    if (!cell.allowStdin) {
      throw new InputError("This front end offers no input; run the cell in a notebook or a console.");
    }
    const question = ++this.questions;
    const password = options.password ?? false;
    this.link.send({ type: "input-request", cell: cell.id, question, prompt: String(message), password });
    const value = this.answerTo(question);
    if (value === undefined) throw new Interrupted();
    return value;
  };

  /** Asks a question whose answer is yes or no; anything but y or yes is no. */
  readonly confirm = (message = "Confirm"): boolean =>
    /^\s*y(es)?\s*$/i.test(this.prompt(`${message} [y/N] `));

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
      return readSync(0, chunk);
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }
}
