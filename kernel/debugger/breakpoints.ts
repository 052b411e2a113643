// Breakpoints by source, as the front end sets them, and by script, as the inspector takes them. A script's breakpoints are
// set by its name before it exists, so that none of its lines is missed.
import type { Devtools } from "./devtools.js";
import type { Sources } from "./sources.js";

/** The breakpoints of a kernel. */
export class Breakpoints {
  private readonly lines = new Map<string, readonly number[]>();
  private readonly set = new Map<string, readonly string[]>();

  constructor(
    private readonly devtools: Devtools,
    private readonly sources: Sources,
  ) {}

  /** The lines by source. */
  get all(): { readonly source: string; readonly breakpoints: readonly { readonly line: number }[] }[] {
    return [...this.lines].map(([source, lines]) => ({
      source,
      breakpoints: lines.map((line) => ({ line })),
    }));
  }

  /** Changes the lines of a source. */
  change(path: string, lines: readonly number[]): void {
    if (lines.length > 0) this.lines.set(path, lines);
    else this.lines.delete(path);
  }

  /** Sets a source's breakpoints in the inspector. */
  async apply(path: string): Promise<void> {
    const old = this.set.get(path) ?? [];
    this.set.delete(path);
    for (const breakpointId of old) await this.devtools("Debugger.removeBreakpoint", { breakpointId });
    const ids: string[] = [];
    for (const url of this.sources.scriptsOf(path)) {
      for (const line of this.lines.get(path) ?? []) {
        const place = this.sources.scriptPlace(url, line);
        if (place === undefined) continue; // after the last line with code
        ids.push((await this.devtools("Debugger.setBreakpointByUrl", { url, ...place })).breakpointId);
      }
    }
    if (ids.length > 0) this.set.set(path, ids);
  }

  /** Sets all breakpoints in a new process. */
  async applyAll(): Promise<void> {
    this.set.clear();
    for (const path of this.lines.keys()) await this.apply(path);
  }

  clear(): void {
    this.lines.clear();
    this.set.clear();
  }
}
