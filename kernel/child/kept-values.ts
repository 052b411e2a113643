// IPython's history variables: `_`, `__` and `___` are the last shown values, `Out[n]` the value of cell n and `In[n]` its
// text. Large values, such as tensors, are kept while they are among the last three, so that showing a tensor does not hold
// its memory for the rest of the session. Like the code that runs cells, it calls no method that a cell may have replaced.
import type { NumberedCell } from "./channel.js";

const keptCount = 100;
const largeBytes = 2 ** 20;
const lastNames = ["_", "__", "___"] as const;
const { defineProperty } = Object;

interface Shown {
  readonly number: number;
  readonly value: unknown;
}

/** The shown values of one notebook, as variables of its cells. */
export class KeptValues {
  private shown: Shown[] = [];
  private out: Record<number, unknown> = {};

  constructor(locals: object, cells: readonly NumberedCell[]) {
    const offer = (name: string, get: () => unknown) =>
      hidden(locals, name, { get, set: (value) => replace(locals, name, value) });
    for (let i = 0; i < lastNames.length; i++) offer(lastNames[i] as string, () => this.shown[i]?.value);
    offer("Out", () => this.out);
    offer("In", () => Object.assign([], Object.fromEntries(cells.map(({ number, code }) => [number, code]))));
  }

  /** Keeps the value that a cell shows. */
  keep(number: number, value: unknown): void {
    const { shown } = this;
    const next: Shown[] = [{ number, value }];
    for (let i = 0; i < shown.length && i < keptCount - 1; i++) next[i + 1] = shown[i] as Shown;
    this.shown = next;
    this.out[number] = value;
    const left = next[lastNames.length];
    if (left !== undefined && bytesOf(left.value) >= largeBytes) {
      next[lastNames.length] = { number: left.number, value: undefined };
      this.drop(left.number, "a large value is kept while it is among the last three");
    }
    const oldest = shown[keptCount - 1];
    if (oldest !== undefined) this.drop(oldest.number, `the last ${keptCount} values are kept`);
  }

  /** Deletes all values. */
  clear(): void {
    this.shown = [];
    this.out = {};
  }

  private drop(number: number, why: string): void {
    const get = () => {
      throw new Error(`Out[${number}] is gone: ${why}. Give a value a name to keep it: const a = ...`);
    };
    hidden(this.out, number, { get });
  }
}

function hidden(owner: object, name: string | number, property: PropertyDescriptor): void {
  defineProperty(owner, name, { ...property, configurable: true, enumerable: false });
}

// A cell gave the name to a variable of its own.
function replace(locals: object, name: string, value: unknown): void {
  defineProperty(locals, name, { value, writable: true, configurable: true, enumerable: true });
}

// For a tensor, the memory of its storage. A user's object may throw.
function bytesOf(value: unknown): number {
  try {
    const { byteLength, storage } = (value ?? {}) as { byteLength?: unknown; storage?: { bytes?: unknown } };
    return Number(byteLength ?? storage?.bytes ?? 0);
  } catch {
    return 0;
  }
}
