// What a compiled function has learned: the paths that its operations took, the plans made for them, and a report of the
// calls that took another path.

import { report } from "../cache/report.js";
import type { Node } from "./ir.js";
import type { Backend } from "./plan.js";
import { newPath, type Path, type Slot } from "./slot.js";
import type { Window } from "./window.js";

/** A program of a compiled function. */
export interface ProgramReport {
  readonly operations: number;
  readonly kernels: number;
}

/** What a compiled function did so far. */
export interface CompileReport {
  readonly name: string;
  readonly backend: Backend;
  readonly calls: number;
  /** Calls that took a known path from beginning to end. */
  readonly hits: number;
  readonly programs: readonly ProgramReport[];
  /** Calls that left the path of earlier ones, and how. */
  readonly misses: readonly string[];
  /** Places where elements were needed in the middle of the function. */
  readonly breaks: readonly string[];
}

/** What followed something on a path is kept for this many different operations. */
const mostNext = 8;
/** Programs that are kept; above that there is a warning. */
const mostPrograms = 64;
/** Paths, of programs and of sizes, that are kept; then all are forgotten. */
const mostPaths = 256;
/** Lines of a report that are kept. */
const mostLines = 100;

/** The paths and plans of one compiled function. */
export class Programs {
  path: Path = newPath();
  calls = 0;
  hits = 0;
  readonly #programs = new Map<string, ProgramReport>();
  #paths = 0;
  readonly #misses: string[] = [];
  readonly #breaks = new Set<string>();

  constructor(
    readonly name: string,
    readonly backend: Backend,
    /** True where a look at pending elements is an error. */
    readonly fullGraph: boolean,
  ) {}

  /** Notes an operation that did not follow here before, with what did. */
  missed(path: Path, slot: Slot, place: number): void {
    const known = path.next.map(describe);
    const now = describe(slot);
    if (known.length > 0 && !known.includes(now) && this.#misses.length < mostLines) {
      const where = slot.place === "" ? "" : ` (${slot.place})`;
      this.#misses.push(`call ${this.calls}: operation ${place + 1}${where} was ${known[0]}, now ${now}`);
    }
    path.next.unshift(slot);
    if (path.next.length > mostNext) path.next.pop();
  }

  /** Notes what a call did that took a path of its own. */
  learned(nodes: readonly Node[], kernels: number): void {
    const key = nodes.map(({ slot }) => describe(slot)).join(";");
    this.#programs.delete(key);
    this.#programs.set(key, { operations: nodes.length, kernels });
    if (++this.#paths > mostPaths) {
      // Paths that are taken again are learned again.
      this.path = newPath();
      this.#paths = 0;
    }
    if (this.#programs.size <= mostPrograms) return;
    this.#programs.delete(this.#programs.keys().next().value as string);
    report(
      `programs of ${this.name}`,
      `${this.name} has more than ${mostPrograms} programs, and each is planned and compiled. Its report().misses say how they differ.`,
    );
  }

  /** Notes that the elements of an operation's result were needed before the function ended. */
  broken({ name, place }: Slot): void {
    if (this.#breaks.size < mostLines) this.#breaks.add(place === "" ? name : `${name} of ${place}`);
  }

  report(): CompileReport {
    const { name, backend, calls, hits } = this;
    const programs = [...this.#programs.values()];
    return { name, backend, calls, hits, programs, misses: [...this.#misses], breaks: [...this.#breaks] };
  }
}

/** An operation without its sizes: `add(float32[n,m], float32[m])`; equal letters are equal sizes. */
function describe({ name, operands, results }: Slot): string {
  const letters = new Map<number, string>();
  const extent = (size: number): string => {
    if (size < 2) return `${size}`;
    const letter = letters.get(size) ?? "nmklpqrstuvwabcdefghij"[letters.size % 22];
    letters.set(size, letter as string);
    return letter as string;
  };
  const text = ({ dtype, shape }: Window) => `${dtype.name}[${shape.map(extent).join(",")}]`;
  const inputs = operands.map(({ window, passed }) =>
    window ? text(window) : `${passed?.name ?? "scalar"}`,
  );
  const into = results.filter(({ before }) => before !== undefined).map(({ window }) => text(window));
  return `${name}(${inputs.join(", ")})${into.length > 0 ? ` into ${into.join(", ")}` : ""}`;
}
