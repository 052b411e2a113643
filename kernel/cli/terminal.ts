// The output of `jitlab run`: the notebook's text as it arrives, and on a terminal one line of progress below it. Colors are
// for terminals only.

import { stripVTControlCharacters, styleText } from "node:util";
import { cut } from "../../runtime/base/cut.js";

const barWidth = 24;
const refreshMs = 250;

/** Prints text above a progress line; elsewhere than on a terminal there is no such line. */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #error: NodeJS.WriteStream;
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #partial = "";
  #done = 0;
  #label = "";
  #note = "";

  constructor(
    /** How many steps the whole work has. */
    readonly total: number,
    out: NodeJS.WriteStream = process.stdout,
    error: NodeJS.WriteStream = process.stderr,
  ) {
    this.#out = out;
    this.#error = error;
    if (out.isTTY) this.#timer = setInterval(() => this.#draw(), refreshMs).unref();
  }

  /** Writes text to standard output; a terminal shows an unfinished line when it ends or at `flush`. */
  print(text: string): void {
    if (!this.#out.isTTY) {
      this.#out.write(stripVTControlCharacters(text));
      return;
    }
    const whole = this.#partial + text;
    const end = whole.lastIndexOf("\n") + 1;
    this.#partial = whole.slice(end);
    if (end > 0) this.#above(this.#out, whole.slice(0, end));
  }

  /** Writes text to standard error. */
  printError(text: string): void {
    this.flush();
    if (this.#out.isTTY && this.#error.isTTY) this.#above(this.#error, text);
    else this.#error.write(this.#error.isTTY ? text : stripVTControlCharacters(text));
  }

  /** Ends an unfinished line. */
  flush(): void {
    if (this.#partial !== "") this.print("\n");
  }

  /** Emphasises text where standard output is a terminal. */
  accent(text: string): string {
    return this.#out.isTTY ? styleText("cyan", text) : text;
  }

  /** Shows the number of completed steps and the current one. */
  progress(done: number, label: string): void {
    this.#done = done;
    this.#label = label;
    this.note("");
  }

  /** Shows a line of the running step's own beside its name. */
  note(text: string): void {
    this.#note = text.split("\n", 1)[0] ?? "";
    this.#draw();
  }

  /** Removes the progress line. */
  close(): void {
    this.flush();
    clearInterval(this.#timer);
    if (this.#out.isTTY) this.#clear();
  }

  #above(stream: NodeJS.WriteStream, text: string): void {
    this.#clear();
    stream.write(text.endsWith("\n") ? text : `${text}\n`); // the progress line's text is lost
    this.#draw();
  }

  #clear(): void {
    this.#out.write("\r\x1b[2K");
  }

  #draw(): void {
    if (!this.#out.isTTY) return;
    const filled = Math.round((barWidth * this.#done) / Math.max(1, this.total));
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    const seconds = ((performance.now() - this.#started) / 1000).toFixed(1);
    const line = `${bar} ${this.#done}/${this.total}  ${seconds} s  ${this.#label}  ${this.#note}`.trimEnd();
    this.#out.write(`\r\x1b[2K${this.accent(cut(line, 0, this.#out.columns - 1))}`);
  }
}
