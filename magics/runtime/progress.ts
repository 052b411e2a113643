// Progress of long work as one line on stderr that overwrites itself. Short work shows none, so that a saved notebook is
// not littered with it.
import type { MagicContext } from "./context.js";

const quietMs = 1500;
const pauseMs = 500;
const width = 60;

/** One piece of long work. */
export class Progress {
  #next = performance.now() + quietMs;
  #shown = false;

  constructor(
    readonly context: MagicContext,
    readonly total: number,
  ) {}

  /** Says how many steps are done and what comes next. */
  step(done: number, next: string): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + pauseMs;
    this.#shown = true;
    const percent = `${Math.floor((100 * done) / this.total)}`.padStart(3);
    this.context.host.printError(`\r${`${percent} %  ${next}`.slice(0, width).padEnd(width)}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#shown) this.context.host.printError(`\r${"".padEnd(width)}\r`);
  }
}
