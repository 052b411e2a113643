// Which cell is running here: asynchronous work carries the cell that scheduled it, so that what a timer prints after
// its cell has ended still appears under that cell.
import { AsyncLocalStorage } from "node:async_hooks";
import type { MimeBundle } from "./channel.js";
import { noCell } from "./channel.js";

/** The error of a cell that the user stopped. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly #own = true;

  /** Whether something thrown is such an error; asks it nothing, because a proxy of the user's may not answer. */
  static is(thrown: unknown): boolean {
    return typeof thrown === "object" && thrown !== null && #own in thrown;
  }

  constructor() {
    super("The cell was interrupted.");
  }
}

/** What a cell printed and displayed while its output was captured. */
export interface Capture {
  stdout: string;
  stderr: string;
  readonly outputs: { readonly data: MimeBundle; readonly metadata: MimeBundle }[];
}

/** One execution of a cell, or of a comm's handler. */
export class CellContext {
  /** Set by an interrupt: the cell's timers end silently, and what else it left behind ends at its next output. */
  cancelled = false;
  /** Collects the cell's output while a magic asked for that. */
  capture: Capture | undefined;
  /** Run in reverse order when the cell has finished or thrown. */
  readonly after: ((failed: boolean) => void | Promise<void>)[] = [];
  /** Displays whose value is still being computed; the cell waits for them. */
  readonly displays = new Set<Promise<void>>();

  constructor(
    readonly id: string,
    /** The number of the parent's message that asked for it. */
    readonly number: number,
    readonly allowStdin: boolean,
    /** What the front end calls the cell, the same when it runs again. */
    readonly name: string,
    /** Its name in stack traces, such as `In[3]`; empty for a comm's handler. */
    readonly file: string,
  ) {}

  /** Ends leftovers of an interrupted cell; called wherever a cell prints, displays or asks. */
  check(): void {
    if (this.cancelled) throw new Interrupted();
  }
}

const storage = new AsyncLocalStorage<CellContext>();
let latest = new CellContext(noCell, 0, false, "", "");

/** Runs `fn`, and all that it schedules, as part of a cell. */
export function runInCell(cell: CellContext, fn: () => void): void {
  latest = cell;
  storage.run(cell, fn);
}

/** The cell that this code belongs to; the latest one for code that no cell scheduled. */
export function currentCell(): CellContext {
  return storage.getStore() ?? latest;
}
