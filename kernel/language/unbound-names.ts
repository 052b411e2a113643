// Names that cells declared and that have no value now, because the cell did not run or its variables are lost. After a
// failed cell every later one misses them; the error then names the cell to run.

/** The cells that declared the names which are unknown now. */
export class UnboundNames {
  readonly #advice = new Map<string, string>();

  /** The cell declares these names, but it did not run. */
  notRun(cell: string, names: readonly string[]): void {
    for (const name of names) this.#advice.set(name, `${cell} declares it, but did not run.`);
  }

  /** The cell declared these names, and its variables are lost. */
  lost(cell: string, names: readonly string[]): void {
    for (const name of names) this.#advice.set(name, `${cell} declared it: run that cell again.`);
  }

  /** The names have values again. */
  bound(names: readonly string[]): void {
    for (const name of names) this.#advice.delete(name);
  }

  /** The advice for an unknown name, if a cell declared it. */
  advice(name: string): string | undefined {
    return this.#advice.get(name);
  }
}
