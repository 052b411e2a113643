// The state of a compiled function: the paths of its operations, their plans, and a report of the calls that took another
// path.

import { JitlabError } from "../../base/errors.js";
import { report } from "../../cache/report.js";
import type { Node } from "../operations/ir.js";
import type { Slot } from "../operations/slot.js";
import {
  addressedIn,
  describe,
  describeProgram,
  type Program,
  peakBytes,
  placed,
  type Ran,
  textOf,
} from "../schedule/description.js";
import type { Backend } from "../schedule/options.js";
import {
  type Evaluation,
  follow,
  followers,
  newPath,
  type OnPath,
  type Path,
  type ProgramReport,
} from "./path.js";
import type { SeenOperation } from "./verification.js";

/** The report of a compiled function. */
export interface CompileReport {
  readonly name: string;
  readonly backend: Backend;
  readonly calls: number;
  /** Calls that took a known path from beginning to end. */
  readonly hits: number;
  /** With replay: true, the calls that did not run the function, and why others must. */
  readonly replayed: number;
  readonly unreplayed: readonly string[];
  readonly programs: readonly ProgramReport[];
  /** Calls that left the earlier paths, and how. */
  readonly misses: readonly string[];
  /** Source positions where elements were read before the function ended, or too much was deferred. */
  readonly breaks: readonly string[];
  /** What the options replay and donate would bring, in one line; absent if that is little, or after few calls. */
  readonly advice?: string;
}

/** The maximum number of programs; above it there is a warning. */
const mostPrograms = 64;
/** The maximum number of paths, over programs and sizes; above it all are dropped. */
const mostPaths = 256;
/** The maximum number of lines in a report. */
const mostLines = 100;

/** The paths and plans of one compiled function. */
export class Programs {
  path: Path = newPath();
  calls = 0;
  hits = 0;
  #replayed = 0;
  readonly #unreplayed = new Set<string>();
  readonly #programs = new Map<string, ProgramReport>();
  #paths = 0;
  #last: Ran | undefined;
  readonly #misses: string[] = [];
  readonly #breaks = new Set<string>();

  constructor(
    readonly name: string,
    readonly backend: Backend,
    /** True if reading pending elements is an error. */
    readonly fullGraph: boolean,
    /** True if results have the bits of the separate calls. */
    readonly exact = true,
    /** False for a function of the library, which its users cannot change. */
    readonly warns = true,
    /** The positions of donated arguments. */
    readonly donate: readonly number[] = [],
    /** True if operations also run as separate calls, with which results are compared. */
    readonly verify = false,
    /** Called with each of those separate calls. */
    readonly seen?: SeenOperation,
  ) {}

  /** Records a new operation at this point, with the known followers. */
  missed(path: Path, slot: OnPath, number: number): void {
    if (path.next !== undefined && this.#misses.length < mostLines) {
      const known = followers(path).map(sketch);
      const now = sketch(slot);
      const where = slot.place === "" ? "" : ` (${slot.place})`;
      const what = `call ${this.calls}: operation ${number + 1}${where} was ${known[0]}, now ${now}`;
      if (!known.includes(now)) this.#misses.push(what);
    }
    follow(path, slot);
  }

  /** Records a call that took the path of a known program. */
  repeated(ran: Ran, program: ProgramReport): void {
    this.#last = ran;
    program.hits++;
  }

  /** Records a call that launched the plan of an earlier call again. */
  replayed({ plan, program }: Evaluation): void {
    this.hits++;
    this.#replayed++;
    if (program) this.repeated({ plans: [plan], breaks: [] }, program);
  }

  /** Records why a call cannot be replayed. */
  unreplayed(why: string): void {
    this.#unreplayed.add(why);
  }

  /** Records a call that took a new path, which ended there. */
  learned(nodes: readonly Node[], ran: Ran, path: Path): void {
    this.#last = ran;
    const key = keyOf(nodes);
    // Calls that differ only in sizes are one program.
    const program = this.#programs.get(key) ?? {
      operations: nodes.length,
      kernels: ran.plans.reduce((sum, { launches }) => sum + launches.length, 0),
      hits: 0,
      peakBytes: 0,
      needs: needsOf(nodes),
    };
    program.peakBytes = Math.max(program.peakBytes, peakBytes(ran.plans));
    path.program = program;
    this.#programs.delete(key);
    this.#programs.set(key, program);
    if (++this.#paths > mostPaths) {
      // Paths that recur are recorded again.
      this.path = newPath();
      this.#paths = 0;
    }
    if (this.#programs.size <= mostPrograms) return;
    this.#programs.delete(this.#programs.keys().next().value as string);
    if (!this.warns) return;
    report(
      `programs of ${this.name}`,
      `${this.name} has more than ${mostPrograms} programs, and each is planned and compiled. Its report().misses say how they differ.`,
    );
  }

  /** Throws `graph-break` for an operation whose elements are read before the function ends, if that is refused. */
  refuseBreak({ name }: Slot): void {
    if (!this.fullGraph) return;
    throw new JitlabError(
      "graph-break",
      `${this.name}: the elements of a result of ${name} are needed before the function ends.`,
      "Return the tensor and read it outside, or leave out fullGraph: true.",
    );
  }

  /** Records that an operation's elements were read before the function ended. */
  broken(slot: Slot): void {
    if (this.#breaks.size < mostLines) this.#breaks.add(placed(slot));
  }

  /** Records that the operations up to this one were computed, because of their number or memory. */
  divided(operations: number, last: Slot): void {
    if (this.#breaks.size < mostLines) this.#breaks.add(`${operations} operations up to ${placed(last)}`);
  }

  /** The plans of the last call; undefined before the first call. */
  last(): Program | undefined {
    return this.#last && describeProgram(this.name, this.#last);
  }

  report(): CompileReport {
    const { name, backend, calls, hits } = this;
    const programs = [...this.#programs.values()].map((program) => ({ ...program }));
    return {
      name,
      backend,
      calls,
      hits,
      replayed: this.#replayed,
      unreplayed: [...this.#unreplayed],
      programs,
      misses: [...this.#misses],
      breaks: [...this.#breaks],
    };
  }
}

/** Names for sizes; equal sizes have equal names. */
function letters(): (size: number) => string {
  const known = new Map<number, string>();
  return (size) => {
    if (size < 2) return `${size}`;
    const letter = known.get(size) ?? "nmklpqrstuvwabcdefghij"[known.size % 22];
    known.set(size, letter as string);
    return letter as string;
  };
}

/** The operations of a program without their sizes. */
function keyOf(nodes: readonly Node[]): string {
  // Operations with equal operands and results have equal texts.
  const known = new Map<unknown, string>();
  return nodes
    .map(({ slot }) => {
      const what = slot.kind === "map" ? slot.class : slot;
      const text = known.get(what) ?? sketch(slot);
      known.set(what, text);
      return text;
    })
    .join(";");
}

/** An operation without its sizes. */
function sketch(slot: Slot): string {
  return describe(slot, letters());
}

/** The input tensors of operations. */
function needsOf(nodes: readonly Node[]): string {
  const extent = letters();
  const leaves = new Map<number, string>();
  for (const { slot } of nodes) {
    const { sources = [], flags = [] } = addressedIn(slot) ?? {};
    for (const [i, { ref, window }] of slot.operands.entries()) {
      if (ref === undefined || ref >= 0 || !window || flags.includes(i)) continue;
      if (!sources.includes(i)) leaves.set(ref, textOf(window, extent));
      else if (!leaves.has(ref)) leaves.set(ref, `${window.dtype.name}[...]`);
    }
  }
  return [...leaves.values()].join(", ");
}
