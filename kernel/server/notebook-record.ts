// What a process that runs cells knows of the notebook beside its variables. When it dies, the next one is told again.
import type { NumberedCell } from "../child/channel.js";

/** The cells so far, and the functors that they defined. */
export interface Entries {
  readonly cells: readonly NumberedCell[];
  /** As the magics encoded them. */
  readonly definitions: readonly string[];
}

/** The record of one notebook, and the part of it that the living process has not received. */
export class NotebookRecord {
  private readonly cells: NumberedCell[] = [];
  private definitions: string[] = [];
  private untold: { cells: NumberedCell[]; definitions: string[] } = { cells: [], definitions: [] };

  /** Notes a cell, which the process does not know yet. */
  addCell(cell: NumberedCell): void {
    this.cells.push(cell);
    this.untold.cells.push(cell);
  }

  /** Notes what a magic in the process has defined. */
  addDefinition(definition: string): void {
    this.definitions.push(definition);
  }

  /** Forgets the definitions, as the process does. */
  reset(): void {
    this.definitions = [];
    this.untold.definitions = [];
  }

  /** The entries that the process has not received; it gets them now. */
  take(): Entries {
    const { untold } = this;
    this.untold = { cells: [], definitions: [] };
    return untold;
  }

  /** The process has died: the next one has received nothing. */
  processEnded(): void {
    this.untold = { cells: [...this.cells], definitions: [...this.definitions] };
  }
}
