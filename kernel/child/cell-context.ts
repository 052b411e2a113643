// Which cell is running here: asynchronous work carries the cell that scheduled it, so that text that a timer prints after
// its cell has ended still appears under that cell.
import { AsyncLocalStorage } from "node:async_hooks";
import { pinned } from "./built-ins.js";
import type { MimeBundle } from "./channel.js";
import { noCell } from "./channel.js";

/** The error of a cell that the user stopped. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly #own = true;

  /** True for such an error. Reads no property: a user's proxy may throw. */
  static is(thrown: unknown): boolean {
    return typeof thrown === "object" && thrown !== null && #own in thrown;
  }

  constructor() {
    super("The cell was interrupted.");
  }
}

/** The text and the displays of a cell whose output was captured. */
export interface Capture {
  stdout: string;
  stderr: string;
  readonly outputs: { readonly data: MimeBundle; readonly metadata: MimeBundle }[];
}

/** One execution of a cell, or of a comm's handler. */
export class CellContext {
  /** Set by an interrupt: the cell's timers end silently, its other leftovers at their next output. */
  cancelled = false;
  /** Set when the cell has answered. */
  over = false;
  /** Collects the cell's output while a magic captures it. */
  capture: Capture | undefined;
  /** Run once, with the value of the last expression, when the cell's code ends or first awaits. */
  ending: ((value: unknown) => void) | undefined;
  /** Run in reverse order when the cell has finished or thrown. */
  readonly after: ((failed: boolean) => void | Promise<void>)[] = [];
  /** Displays whose value is still being computed; the cell waits for them. */
  readonly displays: Promise<void>[] = [];

  constructor(
    readonly id: string,
    /** The number of the parent's message that asked for it. */
    readonly number: number,
    readonly allowStdin: boolean,
    /** The front end's id of the cell, equal in every run. */
    readonly name: string,
    /** Its name in stack traces, such as `In[3]`; empty for a comm's handler. */
    readonly file: string,
  ) {}

  /** Throws in the leftovers of an interrupted cell; called where a cell prints, displays or asks. */
  check(): void {
    if (this.cancelled) throw new Interrupted();
  }
}

const storage = pinned(new AsyncLocalStorage<CellContext>());
let latest = new CellContext(noCell, 0, false, "", "");

/** Runs `fn` and everything that it schedules as part of a cell. */
export function runInCell(cell: CellContext, fn: () => void): void {
  latest = cell;
  storage.run(cell, fn);
}

/** Returns the cell that this code belongs to; the latest one for code that no cell scheduled. */
export function currentCell(): CellContext {
  return storage.getStore() ?? latest;
}
