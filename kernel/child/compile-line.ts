// Shows a cell that waits for compilers: one line, which says how many kernels are done. The main process removes it when the cell
// ends.
import type { Waiting } from "../../runtime/compiler/waiting.js";
import { type CellContext, currentCell } from "./cell-context.js";
import type { ParentLink } from "./parent-link.js";

// A shorter wait shows nothing, and a line stays for a moment.
const afterMs = 1000;
const everyMs = 200;

/** The line of the running cell. */
export class CompileLine {
  private cell: CellContext | undefined;
  private before = 0;
  private waitedMs = 0;
  private shownAt = 0;

  constructor(private readonly link: ParentLink) {}

  /** Has the library tell when it waits. */
  install(): void {
    const value = (waiting: Waiting) => this.note(waiting);
    Object.defineProperty(globalThis, Symbol.for("jitlab.waiting"), { value, configurable: true });
  }

  private note({ answered, open, milliseconds }: Waiting): void {
    const cell = currentCell();
    // The handler of a comm has no output to put a line in.
    if (cell.name === "" || cell.capture || cell.over || cell.cancelled) return;
    if (cell !== this.cell) {
      this.cell = cell;
      this.before = answered;
      this.waitedMs = 0;
      this.shownAt = 0;
    }
    this.waitedMs += milliseconds;
    const now = performance.now();
    if (this.waitedMs < afterMs || now - this.shownAt < everyMs) return;
    this.shownAt = now;
    const done = answered - this.before;
    const text = `Compiling kernels: ${done} of ${done + open} done`;
    this.link.send({ type: "passing", cell: cell.id, text });
  }
}
