// Runs cells, and the handlers of comms, one way for all: start, wait, show the value, run what magics registered, answer
// `done` exactly once, whatever happens on the way. After an interrupt no promise of the cell can be relied on to settle,
// so the answer is then given from outside.
import { CellContext, currentCell, Interrupted, runInCell } from "./cell-context.js";
import { type CellFunction, compileCell } from "./cell-script.js";
import type { CellError, CommMessage, ConvertedExpression, MimeBundle, RunMessage } from "./channel.js";
import { reportAsText, reportError } from "./error-report.js";
import { guardWord, interruptible } from "./interruptible.js";
import type { Notebook, NotebookParts } from "./notebook.js";
import { registerSource } from "./stack.js";

interface Thrown {
  readonly error: unknown;
}

// In an object, because a promise of the value itself would call its `then`.
interface Valued {
  readonly value: unknown;
}

type Evaluated = Record<string, MimeBundle | CellError>;

// The timers of Node, not those that cells see: a cell starts before it can be interrupted.
const startLater = setImmediate;

/** Runs what the parent sends. */
export class CellRunner {
  private readonly running = new Set<CellContext>();

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

  /** Ends what runs of the parent's messages up to this number; the variables stay. */
  interrupt(upTo: number): void {
    this.parts.link.repair();
    for (const cell of [...this.running].filter(({ number }) => number <= upTo)) {
      for (const hook of cell.after.splice(0).reverse()) this.runHook(cell, hook, true);
      cell.cancelled = true;
      this.conclude(cell, { error: new Interrupted() }, {});
    }
  }

  /** Ends everything after SIGINT struck: the cells that run, and what an earlier cell had left behind and it struck in. */
  interruptAll(): void {
    const cell = currentCell();
    if (!this.running.has(cell) && !cell.cancelled) {
      cell.cancelled = true;
      this.parts.output.note("What the cell had left running was interrupted.\n");
    }
    this.interrupt(Number.POSITIVE_INFINITY);
  }

  private start(cell: CellContext, run: (cell: CellContext) => Promise<void>): void {
    this.running.add(cell);
    startLater(() => {
      if (cell.number <= guardWord.target) this.interrupt(guardWord.target);
      else runInCell(cell, () => interruptible(() => void run(cell)));
    });
  }

  // Runs a body, the displays that it left open, and the hooks of magics; what it gives is what the body threw.
  private async outcome(cell: CellContext, body: () => Promise<void>): Promise<Thrown | undefined> {
    let thrown: Thrown | undefined;
    try {
      await body();
    } catch (error) {
      thrown = { error };
    }
    await Promise.allSettled(cell.displays);
    for (const hook of cell.after.splice(0).reverse()) {
      // A magic that cannot show what it promised makes its cell red.
      const failure = await this.runHook(cell, hook, thrown !== undefined);
      thrown ??= failure;
    }
    return thrown;
  }

  private async runCell(cell: CellContext, message: RunMessage, evaluated: Evaluated): Promise<void> {
    const { filename, files, hasTopLevelAwait, userExpressions } = message;
    const { modules, output } = this.parts;
    this.notebook.cells.push(...message.cells);
    registerSource(filename, message.code, message.sourceMap);
    modules.update(files);
    const run = compileCell(message.js, filename, hasTopLevelAwait, modules);
    const { value } = await this.evaluate(run, message);
    if (message.display && value !== undefined && !cell.cancelled) {
      const bundle = await this.parts.displays.bundleOf(value);
      if (Object.keys(bundle).length > 0) output.result(bundle);
    }
    for (const [name, expression] of Object.entries(userExpressions)) {
      evaluated[name] = await this.evaluateExpression(expression, filename);
    }
  }

  // The value of the last expression; an await only where the cell has one, so that a plain cell ends within this turn.
  private async evaluate(run: CellFunction, { lastExpression }: ConvertedExpression): Promise<Valued> {
    const { locals } = this.notebook;
    try {
      const ended = run(locals);
      if (ended instanceof Promise) await ended;
      return { value: lastExpression === undefined ? undefined : locals[lastExpression] };
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
      if (!failed) return { error };
      if (!cell.cancelled) this.parts.output.note(reportAsText("A magic failed after its cell", error));
    }
    return undefined;
  }

  private conclude(cell: CellContext, thrown: Thrown | undefined, userExpressions: Evaluated): void {
    if (!this.running.has(cell)) return;
    cell.capture = undefined;
    const error = thrown && reportError(thrown.error);
    const marker = this.parts.link.mark();
    this.parts.link.send({ type: "done", cell: cell.id, error, userExpressions, marker });
    // Last: an interrupt up to here answers once more, which the parent ignores, rather than not at all.
    this.running.delete(cell);
  }
}
