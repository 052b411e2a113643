// The cotangent of a storage's elements between two writes: contributions through windows, so that views need no rules.
import type { DType } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import type { Device } from "../device/device.js";
import { sameNumbers } from "../geometry/layout.js";
import { type Window, windowAt } from "../program/operations/window.js";
import { zeros } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";

/** A window without repeats and extents of 1, its dimensions merged and ordered by stride: equal for equal elements. */
interface Place {
  readonly offset: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** What was added at a place. Row-major, `g` has its elements; the dimensions of a window are kept, as kernels of rows need them. */
interface Part extends Place {
  readonly g: Tensor;
}

/** A window as a place, and the dimensions that it repeats and those that it keeps, by descending stride. */
interface Normal extends Place {
  readonly repeated: readonly number[];
  readonly order: readonly number[];
}

function normalOf({ offset, shape, strides }: Place): Normal {
  const step = (d: number) => Math.abs(strides[d] as number);
  const long = shape.map((_, d) => d).filter((d) => shape[d] !== 1);
  const repeated = long.filter((d) => strides[d] === 0);
  const order = long.filter((d) => strides[d] !== 0).sort((p, q) => step(q) - step(p));
  const merged: [extent: number, stride: number][] = [];
  for (const d of order) {
    const [extent, stride] = [shape[d] as number, strides[d] as number];
    const last = merged.at(-1);
    if (last && last[1] === extent * stride) merged[merged.length - 1] = [last[0] * extent, stride];
    else merged.push([extent, stride]);
  }
  return {
    offset,
    repeated,
    order,
    shape: merged.map(([extent]) => extent),
    strides: merged.map(([, stride]) => stride),
  };
}

function isSame(a: Place, b: Place): boolean {
  return a.offset === b.offset && sameNumbers(a.shape, b.shape) && sameNumbers(a.strides, b.strides);
}

/** True for all elements from an offset on, in their order: the usual window, which needs no normal form. */
function isRun({ isContiguous, size }: Window): boolean {
  return isContiguous && size > 0;
}

const none: readonly number[] = [];
const one: readonly number[] = [1];

/** The place of so many elements from an offset on. */
function runAt(offset: number, size: number): Place {
  return size === 1 ? { offset, shape: none, strides: none } : { offset, shape: [size], strides: one };
}

/** A cotangent without extents of 1. */
function squeezed(g: Tensor): Tensor {
  return g.shape.includes(1) ? g.reshape(g.shape.filter((extent) => extent !== 1)) : g;
}

/** The sum of the cotangents of the elements of one storage. */
export class Adjoint {
  #parts: Part[] = [];

  constructor(
    readonly device: Device,
    readonly dtype: DType,
    /** The number of elements of the storage. */
    readonly size: number,
  ) {}

  /** True while nothing was added. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Adds a cotangent of the elements of a window, in a shape that the window's broadcasts to. */
  add(window: Window, given: Tensor): void {
    this.#check(window);
    // What a real number adds to a complex one has a cotangent in its real part alone.
    const own = given.dtype.kind === "complex" && this.dtype.kind !== "complex" ? given.real() : given;
    const g = own.dtype === this.dtype ? own : own.to(this.dtype.name);
    if (isRun(window) && sameNumbers(g.shape, window.shape)) {
      const { offset, shape, strides } = runAt(window.offset, window.size);
      this.#join({ offset, shape, strides, g: squeezed(g) });
      return;
    }
    const { offset, shape, strides, repeated, order } = normalOf(window);
    const summed = repeated.length > 0 ? g.sum({ dim: [...repeated], keepdim: true }) : g;
    const single = summed.shape.map((_, d) => d).filter((d) => !order.includes(d));
    const kept = order.map((d) => window.shape[d] as number);
    this.#join({ offset, shape, strides, g: summed.permute([...single, ...order]).reshape(kept) });
  }

  #join(part: Part): void {
    const at = this.#parts.length === 0 ? -1 : this.#parts.findIndex((known) => isSame(known, part));
    const known = this.#parts[at];
    if (known === undefined) {
      this.#parts.push(part);
      return;
    }
    const g = sameNumbers(part.g.shape, known.g.shape) ? part.g : part.g.reshape([...known.g.shape]);
    this.#parts[at] = { ...known, g: known.g.add(g) };
  }

  /** Adds all that was added to another one. */
  addAll(other: Adjoint): void {
    for (const part of other.#parts) this.#join(part);
  }

  /** Forgets what was added. */
  clear(): void {
    this.#parts = [];
  }

  /** The cotangent of the elements of a window, in its shape. */
  of(window: Window): Tensor {
    this.#check(window);
    const [first] = this.#parts;
    if (
      first &&
      this.#parts.length === 1 &&
      isRun(window) &&
      isSame(first, runAt(window.offset, window.size))
    )
      return sameNumbers(first.g.shape, window.shape) ? viewOf(first.g) : first.g.reshape([...window.shape]);
    const normal = normalOf(window);
    const isWhole =
      first && this.#parts.length === 1 && normal.repeated.length === 0 && isSame(normal, first);
    return isWhole ? inShape(window, normal.order, first.g) : seen(this.#flat(), window);
  }

  /** The cotangent of what was there before a window was overwritten. */
  without(window: Window): Adjoint {
    const left = new Adjoint(this.device, this.dtype, this.size);
    const { offset, shape, strides } = normalOf(window);
    if (isSame({ offset, shape, strides }, this.#all)) return left;
    const flat = this.#flat().clone();
    seen(flat, window).fill_(0);
    left.#parts = [{ ...this.#all, g: flat }];
    return left;
  }

  /** The window on all elements. */
  get whole(): Window {
    return windowAt(this.dtype, 0, [this.size], [1]);
  }

  get #all(): Place {
    return runAt(0, this.size);
  }

  /** The cotangents of all elements, as a vector. */
  #flat(): Tensor {
    const [first] = this.#parts;
    if (first && this.#parts.length === 1 && isSame(first, this.#all))
      return first.g.reshape(-1).contiguous();
    const flat = zeros([this.size], { dtype: this.dtype.name, device: this.device.name });
    for (const part of this.#parts) addInto(flat, { ...part, g: part.g.reshape([...part.shape]) });
    this.#parts = [{ ...this.#all, g: flat.reshape([...this.#all.shape]) }];
    return flat;
  }

  #check({ dtype }: Window): void {
    if (dtype === this.dtype) return;
    throw new JitlabError(
      "no-derivative",
      `A tensor of ${this.dtype.name} is also seen as ${dtype.name}, which has no derivative.`,
      "Convert it with to(...) instead.",
    );
  }
}

/** Adds a part to all elements; windows of a part that overlap, as those of unfold do, one after the other. */
function addInto(flat: Tensor, { offset, shape, strides, g }: Part): void {
  const d = shape.findIndex((_, k) => {
    const inner = shape
      .slice(k + 1)
      .map((extent, j) => (extent - 1) * Math.abs(strides[k + 1 + j] as number));
    return Math.abs(strides[k] as number) < inner.reduce((sum, one) => sum + one, 1);
  });
  if (d < 0) {
    seen(flat, { offset, shape, strides }).add_(g);
    return;
  }
  const along = (shape[d] as number) < (shape[d + 1] as number) ? d : d + 1;
  for (let i = 0; i < (shape[along] as number); i++) {
    addInto(flat, {
      offset: offset + i * (strides[along] as number),
      shape: shape.toSpliced(along, 1),
      strides: strides.toSpliced(along, 1),
      g: g.select(along, i),
    });
  }
}

function seen(flat: Tensor, { offset, shape, strides }: Place): Tensor {
  return new Tensor(flat.storage, flat.offset + offset * flat.dtype.bytes, shape, strides, flat.dtype);
}

/** Another tensor with the same elements: two variables never get one tensor. */
function viewOf({ storage, offset, shape, strides, dtype }: Tensor): Tensor {
  return new Tensor(storage, offset, shape, strides, dtype);
}

/** A cotangent at a window's place, in the window's shape. */
function inShape({ shape }: Window, order: readonly number[], g: Tensor): Tensor {
  const unmerged = g.reshape(order.map((d) => shape[d] as number));
  const kept = shape.map((_, d) => d).filter((d) => shape[d] !== 1);
  return unmerged.permute(kept.map((d) => order.indexOf(d))).reshape([...shape]);
}
