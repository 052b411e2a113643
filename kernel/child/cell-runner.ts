// Runs cells and handlers of comms in one way: start, wait, show the value, run the hooks of magics, and answer `done`
// exactly once, whatever happens. After an interrupt the cell's promises may never settle, so the answer then comes from
// outside.
import { endInterrupted } from "../../runtime/base/interruption.js";
import { isPromise, nullPrototype, ownKeys, pinned } from "./built-ins.js";
import { CellContext, currentCell, Interrupted, runInCell } from "./cell-context.js";
import { type CellFunction, compileCell } from "./cell-script.js";
import type {
  CellError,
  CommMessage,
  ConvertedExpression,
  MimeBundle,
  NumberedCell,
  RunMessage,
} from "./channel.js";
import { reportAsText, reportError } from "./error-report.js";
import { guardWord, interruptible, settleTicks } from "./interruptible.js";
import type { Notebook, NotebookParts } from "./notebook.js";
import { registerSource } from "./stack.js";

interface Thrown {
  readonly error: unknown;
}

// In an object, because a promise of the value itself would call its `then`; without a prototype, which may get one.
interface Valued {
  readonly value: unknown;
}

type Evaluated = Record<string, MimeBundle | CellError>;

// The timers of Node, not those that cells see: a cell starts before it can be interrupted.
const startLater = setImmediate;

/** Runs the cells and comm events that the parent sends. */
export class CellRunner {
  private readonly running = pinned(new Set<CellContext>());

  constructor(
    private readonly parts: NotebookParts,
    private readonly notebook: Notebook,
  ) {}

  /** Runs a cell and answers `done`. */
  run(message: RunMessage, number: number): void {
    const { cell: id, allowStdin, name, filename } = message;
    this.start(new CellContext(id, number, allowStdin, name, filename), async (cell) => {
      const evaluated: Evaluated = {};
      const thrown = await this.outcome(cell, () => this.runCell(cell, message, evaluated));
      this.conclude(cell, thrown, evaluated);
    });
  }

  /** Hands an event to a comm's handler and answers `done`. */
  handleComm(message: CommMessage, number: number): void {
    this.start(new CellContext(message.cell, number, false, "", ""), async (cell) => {
      const thrown = await this.outcome(cell, async () => void (await this.parts.comms.receive(message)));
      if (thrown) this.parts.output.note(reportAsText(`The comm "${message.target}" failed`, thrown.error));
      this.conclude(cell, undefined, {});
    });
  }

  /** Ends the cells of the parent's messages up to this number; the variables stay. */
  interrupt(upTo: number): void {
    this.parts.link.repair();
    endInterrupted();
    settleTicks();
    this.running.forEach((cell) => {
      if (cell.number > upTo) return;
      // Guarded: another interrupt ends a hook that does not return, and goes on with the next one.
      for (let hook = nextHook(cell); hook; hook = nextHook(cell)) {
        const run = hook;
        interruptible(() => void this.runHook(cell, run, true), false);
      }
      cell.cancelled = true;
      this.conclude(cell, { error: new Interrupted() }, {});
    });
  }

  /** Ends all running cells after SIGINT, and the leftovers of an earlier cell if the signal hit those. */
  interruptAll(): void {
    const cell = currentCell();
    if (!this.running.has(cell) && !cell.cancelled) {
      cell.cancelled = true;
      this.parts.output.note("What the cell had left running was interrupted.\n");
    }
    this.interrupt(Number.POSITIVE_INFINITY);
  }

  /** Ends the running cell with an error that nothing of it would await; false if it has ended. */
  fail(error: Error): boolean {
    const cell = currentCell();
    if (!this.running.has(cell)) return false;
    this.conclude(cell, { error }, {});
    return true;
  }

  private start(cell: CellContext, run: (cell: CellContext) => Promise<void>): void {
    this.running.add(cell);
    startLater(() => {
      if (cell.number <= guardWord.target) this.interrupt(guardWord.target);
      else runInCell(cell, () => interruptible(() => void this.attempt(cell, run)));
    });
  }

  // An error of the cell is part of its answer; other errors on the way to the answer are the kernel's.
  private async attempt(cell: CellContext, run: (cell: CellContext) => Promise<void>): Promise<void> {
    try {
      await run(cell);
    } catch (error) {
      if (this.running.has(cell)) this.parts.link.breakOff(error);
    }
  }

  // Runs a body, then waits for its displays and runs the hooks of magics. Returns the error, if it threw one.
  private async outcome(cell: CellContext, body: () => Promise<void>): Promise<Thrown | undefined> {
    let thrown: Thrown | undefined;
    try {
      await body();
    } catch (error) {
      thrown = nullPrototype({ error });
    }
    for (let i = 0; i < cell.displays.length; i++) {
      try {
        await cell.displays[i];
      } catch {
        // Node reports it as an unhandled rejection
      }
    }
    for (let hook = nextHook(cell); hook; hook = nextHook(cell)) {
      // A magic that fails after its cell makes the cell fail.
      const failure = await this.runHook(cell, hook, thrown !== undefined);
      thrown ??= failure;
    }
    return thrown;
  }

  private async runCell(cell: CellContext, message: RunMessage, evaluated: Evaluated): Promise<void> {
    const { filename, files, hasTopLevelAwait, userExpressions } = message;
    const { modules, output } = this.parts;
    const { cells, definitions, kept } = this.notebook;
    for (let i = 0; i < message.cells.length; i++) cells[cells.length] = message.cells[i] as NumberedCell;
    for (let i = 0; i < message.definitions.length; i++)
      definitions[definitions.length] = message.definitions[i] as string;
    registerSource(filename, message.code, message.js, message.sourceMap);
    modules.update(files);
    const run = compileCell(message.js, filename, hasTopLevelAwait, modules);
    const { value } = await this.evaluate(run, message);
    if (message.display && value !== undefined && !cell.cancelled) {
      const bundle = this.parts.displays.bundleOf(value);
      const shown = isPromise(bundle) ? await bundle : bundle;
      if (ownKeys(shown).length > 0) {
        kept.keep(cells[cells.length - 1]?.number ?? 0, value);
        output.result(shown);
      }
    }
    const names = ownKeys(userExpressions);
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string;
      const expression = userExpressions[name] as ConvertedExpression;
      evaluated[name] = await this.evaluateExpression(expression, filename);
    }
  }

  // Returns the value of the last expression. Awaits only where the cell does, so that a plain cell ends in the same turn.
  private async evaluate(run: CellFunction, { lastExpression }: ConvertedExpression): Promise<Valued> {
    const { locals } = this.notebook;
    try {
      const ended = run(locals);
      const cell = currentCell();
      const { ending } = cell;
      cell.ending = undefined;
      ending?.(lastExpression === undefined ? undefined : locals[lastExpression]);
      if (isPromise(ended)) await ended;
      return nullPrototype({ value: lastExpression === undefined ? undefined : locals[lastExpression] });
    } finally {
      if (lastExpression !== undefined) delete locals[lastExpression];
    }
  }

  private async evaluateExpression(
    expression: ConvertedExpression,
    filename: string,
  ): Promise<MimeBundle | CellError> {
    try {
      const run = compileCell(expression.js, filename, false, this.parts.modules);
      const { value } = await this.evaluate(run, expression);
      return await this.parts.displays.bundleOf(value);
    } catch (error) {
      return reportError(error);
    }
  }

  private async runHook(
    cell: CellContext,
    hook: CellContext["after"][number],
    failed: boolean,
  ): Promise<Thrown | undefined> {
    try {
      await hook(failed);
    } catch (error) {
      if (!failed) return nullPrototype({ error });
      if (!cell.cancelled) this.parts.output.note(reportAsText("A magic failed after its cell", error));
    }
    return undefined;
  }

  private conclude(cell: CellContext, thrown: Thrown | undefined, userExpressions: Evaluated): void {
    if (!this.running.has(cell)) return;
    cell.capture = undefined;
    cell.over = true;
    // A question's answer may be sooner than the signal, and so may a program that the cell waits for, which the signal ends too.
    const ends = guardWord.pending && cell.number <= guardWord.target;
    cell.cancelled ||= thrown !== undefined && (ends || Interrupted.is(thrown.error));
    const error = thrown && reportError(cell.cancelled ? new Interrupted() : thrown.error);
    const marker = this.parts.link.mark();
    this.parts.link.send({ type: "done", cell: cell.id, error, userExpressions, marker });
    // Last, so that an interrupt up to here answers twice (the parent ignores the second) rather than never.
    this.running.delete(cell);
  }
}

// The last one registered runs first.
function nextHook({ after }: CellContext): CellContext["after"][number] | undefined {
  const hook = after[after.length - 1];
  if (after.length > 0) after.length--;
  return hook;
}
