// The sink of what looks at elements: it runs each operation by itself and then sees its operands and results. It stands beneath sinks
// that record derivatives or pass on lanes, so it sees the operations that really run.
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import { isView, type View } from "../geometry/view.js";
import type { MakeOutput } from "../launch/calls.js";
import { openGraph } from "../launch/graph.js";
import type { Operation } from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import {
  isBatched,
  isDeferred,
  launching,
  newStorage,
  type Observer,
  observeAll,
  openObserver,
  openSink,
  type Sink,
  sendingTo,
} from "../launch/sink.js";
import { callSite } from "../program/tape/call-site.js";
import { Tensor } from "../tensor/tensor.js";
import { tensorAt } from "../tensor/whole.js";

/** An operation of the user's code: its name and its line. */
export interface Origin {
  readonly name: string;
  /** A file's name, line and column; empty if unknown. */
  readonly place: string;
}

/** Where an operation comes from: its own line, or the operation whose derivative it computes. */
export interface Where extends Origin {
  readonly gradientOf: string | undefined;
}

/** Operations that run are seen by {@link seen}. */
export abstract class ElementObserver implements Observer {
  readonly name = "observer";
  abstract readonly isSeparate: boolean;
  /** The operation whose derivative is computed, and the line that computes derivatives. */
  #pulled: { readonly origin: Origin; readonly at: string } | undefined;

  /** The operation whose parts run. */
  #whole: string | undefined;

  constructor(readonly outer: Sink | undefined) {}

  /** Runs an operation by `run`, and looks at its elements before and after. */
  protected abstract seen<V extends View>(operation: Operation, run: () => readonly V[]): readonly V[];

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    // A loop is its steps.
    if (operation.kind === "loop") return undefined;
    const run = () =>
      this.#beneath(() =>
        operation.kind === "launch"
          ? (launching(operation) as readonly View[] as readonly V[])
          : perform(operation, make),
      );
    // A graph records launches; there are no elements.
    return openGraph() === undefined ? this.seen(operation, run) : run();
  }

  storage(device: Device, bytes: number): Storage {
    return this.#beneath(() => newStorage(device, bytes));
  }

  #beneath<R>(run: () => R): R {
    return sendingTo(this.outer, run);
  }

  belonging<A extends unknown[]>(name: string, run: (...args: A) => void): typeof run {
    const { name: own, gradientOf, place } = this.where(name);
    const origin = { name: gradientOf ?? own, place };
    return (...args) => {
      const before = this.#pulled;
      this.#pulled = { origin, at: callSite() };
      try {
        run(...args);
      } finally {
        this.#pulled = before;
      }
    };
  }

  composing<R>(name: string, run: () => R): R {
    const before = this.#whole;
    this.#whole ??= name;
    try {
      return run();
    } finally {
      this.#whole = before;
    }
  }

  /** Where an operation of that name comes from that is called now. */
  protected where(part: string): Where {
    const name = this.#whole ?? part;
    const place = callSite();
    const { origin, at } = this.#pulled ?? {};
    // A checkpoint runs the user's lines again while derivatives are computed.
    if (origin === undefined || place !== at) return { name, place, gradientOf: undefined };
    return { name, place: origin.place, gradientOf: origin.name };
  }
}

/** Shows an observer the operations of all code from now on; returns what ends that. */
export function watchAll(what: string, observer: ElementObserver): () => void {
  // It cannot begin in the middle of a function whose operations a sink takes.
  if (openSink() !== openObserver())
    throw new JitlabError(
      "bad-argument",
      `${what} cannot be called inside of a function that is compiled, differentiated, mapped or cast.`,
      "Call it before that function.",
    );
  const before = observeAll(observer);
  return () => {
    if (openObserver() === observer) observeAll(before);
  };
}

/** Elements cannot be looked at where operations are deferred or are those of one lane. */
export function refuseInside(what: string): void {
  const outer = isDeferred() ? "jl.compile" : isBatched() ? "jl.vmap" : undefined;
  if (outer === undefined) return;
  throw new JitlabError(
    "bad-argument",
    `${what} cannot be called inside of a function of ${outer}.`,
    `Call it around that function: jl.${what}(${outer}(f)).`,
  );
}

/** The tensors that an operation reads, by their position; others are scalars. Those that it writes are as they were before. */
export function operandsOf(operation: Operation): readonly (Tensor | unknown)[] {
  const read =
    operation.kind === "reduce" ? (operation.call.prologue?.inputs ?? operation.inputs) : operation.inputs;
  const written = new Set(operation.out.map(({ storage }) => storage));
  return read.map((one) => {
    if (!isView(one) || one.storage === undefined) return one;
    const x = tensorAt(one);
    return written.has(one.storage) ? x.clone() : x;
  });
}

/** All elements of a tensor's storage. */
export function flatOf({ storage, dtype }: Tensor): Tensor {
  return new Tensor(storage, 0, [Math.floor(storage.bytes / dtype.bytes)], [1], dtype);
}

/** The place in a reduction's result to which each element of its input is joined, both in row-major order. */
export function joinedPlaces(
  shape: readonly number[],
  gone: readonly boolean[],
): (element: number) => number {
  return (element) => {
    const index = indexOf(element, shape);
    return shape.reduce((at, extent, d) => (gone[d] ? at : at * extent + (index[d] as number)), 0);
  };
}

/** The index of an element in row-major order. */
export function indexOf(element: number, shape: readonly number[]): number[] {
  const index = new Array<number>(shape.length);
  let rest = element;
  for (let d = shape.length - 1; d >= 0; d--) {
    const extent = shape[d] as number;
    index[d] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return index;
}
