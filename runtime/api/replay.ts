// The option replay of jl.compile: a call whose arguments equal those of an earlier call launches that call's kernels without
// running the function. Calls 2, 3, 5, 9, 17 and so on run it, to check that it still does the same.

import { JitlabError } from "../base/errors.js";
import { donateTo } from "../device/donated.js";
import { readsSoFar, uploadsSoFar } from "../device/host-copy.js";
import type { PooledStorage } from "../device/pooled-storage.js";
import type { Storage } from "../device/storage.js";
import { launchesSoFar } from "../launch/loaded-kernel.js";
import { isOpaque, type Node, parametersIn, valuesIn } from "../program/operations/ir.js";
import type { Path } from "../program/tape/path.js";
import type { Programs } from "../program/tape/programs.js";
import type { Tape } from "../program/tape/tape.js";
import { type Draft, differenceOf, draftOf, heldIn, Trace, untestable } from "../program/tape/trace.js";
import { skipStreams, streamPart, streamState } from "../tensor/random.js";
import {
  ArgumentClass,
  formOfResult,
  type Given,
  givenBy,
  hasChanged,
  type ResultForm,
} from "./call-values.js";

/** Called when a function has ended, before its operations are computed. */
export type Watch = (tape: Tape, result: unknown) => void;

/** The launches of a call, if they can be repeated. */
interface Done {
  readonly trace: Trace;
  readonly form: ResultForm;
  /** The number of the first stream of random numbers, and how many were drawn. */
  readonly stream: number;
  readonly drawn: number;
  /** The places of operations that draw. */
  readonly random: readonly number[];
  /** The numbers of the arguments' storages that the call gives away. */
  readonly gives: readonly number[];
  /**
   * For each of the arguments' storages the one of that call, until a check with another one finds the same. Before that the function
   * could hold the tensor itself, and read it in every call.
   */
  readonly own: (WeakRef<PooledStorage> | undefined)[];
}

/** Calls with equal arguments. */
interface Kind {
  readonly class: ArgumentClass;
  calls: number;
  done: Done | undefined;
}

/** The maximum number of kinds that are remembered. */
const mostKinds = 16;

/** The calls of one compiled function. */
export class Replays {
  #kinds: Kind[] = [];
  /** What the function holds, as far as its checks have shown. */
  readonly #held = new WeakSet<PooledStorage>();
  #path: Path | undefined;

  constructor(readonly programs: Programs) {}

  /** The result of a call; `run` runs the function. `donated` lists the memory that a call with this result gives away. */
  call(
    args: readonly unknown[],
    donated: (result: unknown) => readonly Storage[],
    run: (watch?: Watch) => unknown,
  ): unknown {
    const given = givenBy(args);
    if (typeof given === "string") {
      this.programs.unreplayed(given);
      return run();
    }
    const kind = this.#kindOf(given);
    kind.calls++;
    if (isChecked(kind.calls) || (kind.done && hasOthers(kind.done, given)))
      return this.#checked(kind, args, given, donated, run);
    if (!kind.done?.trace.isUsable(given.storages)) return run();
    const { done } = kind;
    const gone = done.gives.map((number) => given.storages[number] as PooledStorage);
    const memory = this.#again(done, given, gone);
    // The function says which index is out of bounds.
    if (memory === undefined) return run();
    const result = done.form.make(given, memory, []);
    for (const storage of gone) donateTo(this.programs.name, storage);
    return result;
  }

  #kindOf(given: Given): Kind {
    // Traces name the slots of the paths.
    if (this.#path !== this.programs.path) this.#kinds = [];
    this.#path = this.programs.path;
    return this.#kinds.find((kind) => kind.class.has(given, this.#held)) ?? this.#newKind(given);
  }

  #newKind(given: Given): Kind {
    const kind = { class: new ArgumentClass(given, this.#held), calls: 0, done: undefined };
    this.#kinds.unshift(kind);
    if (this.#kinds.length > mostKinds) this.#kinds.pop();
    return kind;
  }

  /**
   * The kind of a call that found these tensors held by the function. A kind whose call had one of them as an argument took what the
   * function holds for that argument, and is forgotten.
   */
  #kindHolding(kind: Kind, given: Given, held: readonly PooledStorage[]): Kind {
    const found = new Set(held.filter((storage) => !this.#held.has(storage)));
    if (found.size === 0) return kind;
    for (const storage of found) this.#held.add(storage);
    this.#kinds = this.#kinds.filter(
      ({ done }) => !done?.own.some((storage) => found.has(storage?.deref() as PooledStorage)),
    );
    if (this.#kinds.includes(kind)) return kind;
    const own = this.#newKind(given);
    own.calls = 1;
    return own;
  }

  /** Runs the function and compares its operations with an earlier call. */
  #checked(
    known: Kind,
    args: readonly unknown[],
    given: Given,
    donated: (result: unknown) => readonly Storage[],
    run: (watch: Watch) => unknown,
  ): unknown {
    const [{ stream, seedings }, launches, reads] = [streamState(), launchesSoFar(), readsSoFar()];
    const uploads = uploadsSoFar();
    let draft: Draft | undefined;
    let form: ResultForm | undefined;
    let endOf: () => Tape["only"] = () => undefined;
    let drawn = 0;
    let why: string | undefined;
    const result = run((tape, value) => {
      endOf = () => tape.only;
      const now = streamState();
      drawn = now.stream - stream;
      // None of these is part of a trace.
      if (tape.untested.wereTested)
        why = "indexes are tested before a tensor from outside is written; it could be returned instead";
      else if (readsSoFar() !== reads) why = "elements are read";
      else if (launchesSoFar() !== launches) why = "an operation is not deferred";
      else if (now.seedings !== seedings) why = "a seed is set";
      if (why !== undefined) return;
      if (tape.nodes.some((node) => isOpaque(node) && node.undo)) why = "elements may be refused";
      if (why !== undefined) return;
      draft = draftOf(tape, given.storages);
      form = formOfResult(value, given, tape);
      if (draft === undefined) why = "a tensor that is written is disposed of";
      // Made by jl.eager, it looks like one that the function holds.
      else if (uploadsSoFar() !== uploads && draft.sources.some((source) => typeof source === "object"))
        why = "a tensor of numbers is made";
      else if (form === undefined) why = "the result is not made of tensors and new plain arrays and objects";
    });
    if (hasChanged(args, given)) why = "an argument's array or object is changed";
    const gives = donated(result).map((storage) => given.storages.indexOf(storage as PooledStorage));
    if (gives.includes(-1))
      why = "a donated argument is neither a tensor nor an array or plain object of them";
    if (why !== undefined) draft = undefined;
    const kind = draft && form ? this.#kindHolding(known, given, [...heldIn(draft), ...form.held]) : known;
    if (kind.done) {
      const difference = draft && form ? this.#difference(kind.done, draft, form, drawn) : why;
      if (difference !== undefined) throw this.#diverged(kind, difference);
      noteOthers(kind.done, given);
      return result;
    }
    const end = endOf();
    if (draft && end) why = untestable(draft, end);
    const trace = why === undefined && draft && end && Trace.of(draft, end);
    if (draft && trace && form) {
      const own = given.storages.map((storage) => new WeakRef(storage));
      kind.done = { trace, form, stream, drawn, random: drawingOf(draft.nodes), gives, own };
    } else
      this.programs.unreplayed(
        why ?? "nothing is computed at its end, or a tensor of numbers is read, or one that is gone",
      );
    return result;
  }

  #difference({ trace, form, drawn }: Done, draft: Draft, now: ResultForm, draws: number) {
    const difference = differenceOf(trace.draft, draft, isDrawn);
    if (difference !== undefined) return difference;
    if (draws !== drawn) return `random numbers are drawn ${draws} times instead of ${drawn}`;
    return now.text === form.text ? undefined : `the result was ${form.text}, now ${now.text}`;
  }

  #diverged({ calls }: Kind, difference: string): JitlabError {
    return new JitlabError(
      "replay-diverged",
      `${this.programs.name}: call ${calls} with equal arguments differs from the first one: ${difference}.`,
      "With replay: true a function must do the same whenever its arguments are equal. Pass what changes as an argument, or leave out replay.",
    );
  }

  /** Launches the kernels of an earlier call; returns the memory of its values, or undefined if an index is out of bounds. */
  #again({ trace, stream, drawn, random }: Done, given: Given, donated: readonly Storage[]) {
    let { nodes } = trace.draft;
    if (drawn > 0) {
      const now = streamState();
      const drawing = [...nodes];
      for (const place of random)
        drawing[place] = withStreams(nodes[place] as Node, now.stream - stream, now.seed);
      nodes = drawing;
    }
    const memory = trace.run(given.storages, nodes, donated);
    if (memory === undefined) return undefined;
    skipStreams(drawn);
    this.programs.replayed(trace.evaluation);
    return memory;
  }
}

/** True for calls 1, 2, 3, 5, 9, 17 and so on, of which the calls before are none or a power of two. */
function isChecked(call: number): boolean {
  const before = call - 1;
  return (before & (before - 1)) === 0;
}

/** True if an argument is in other memory than in all calls so far that ran the function. */
function hasOthers({ own }: Done, { storages }: Given): boolean {
  for (let i = 0; i < own.length; i++)
    if (own[i] !== undefined && own[i]?.deref() !== storages[i]) return true;
  return false;
}

/** Notes that arguments in other memory have led to the same. */
function noteOthers({ own }: Done, { storages }: Given): void {
  for (let i = 0; i < own.length; i++) if (own[i]?.deref() !== storages[i]) own[i] = undefined;
}

/** True for a parameter that the generator of random numbers sets. */
function isDrawn(node: Node, parameter: number): boolean {
  const one = parametersIn(node)[parameter];
  return one !== undefined && streamPart(one) !== undefined;
}

function drawingOf(nodes: readonly Node[]): number[] {
  return nodes.flatMap((node, place) => (parametersIn(node).some((_, i) => isDrawn(node, i)) ? [place] : []));
}

/** An operation that draws later numbers of the generator. */
function withStreams(node: Node, later: number, seed: bigint): Node {
  const list = parametersIn(node);
  const parameters = valuesIn(node).map((value, i) => {
    const part = list[i] && streamPart(list[i]);
    if (part === "seed") return seed;
    return part === "stream" ? Number(value) + later : value;
  });
  return { ...node, parameters } as Node;
}
