// Hides the kernel's marks in displayed promises. Node marks each promise with its cell, under enumerable symbols.
import { type InspectOptions, inspect } from "node:util";

const marks = /^(?:async_id_symbol|trigger_async_id_symbol|kResourceStore)$/;

/** Lets `console.log` and displays show promises without the marks of Node's bookkeeping. */
export function installPromiseView(): void {
  const hidden = { enumerable: false, configurable: true, writable: true };
  function view(this: object, _depth: number, options: InspectOptions): string {
    for (const symbol of Object.getOwnPropertySymbols(this)) {
      const isMark = marks.test(symbol.description ?? "");
      if (isMark && !Object.isFrozen(this)) Object.defineProperty(this, symbol, { enumerable: false });
    }
    // A property of its own keeps the view of this promise, and of no other, from coming here again.
    if (!Object.isExtensible(this)) return "Promise";
    Object.defineProperty(this, inspect.custom, { ...hidden, value: undefined });
    try {
      return inspect(this, options);
    } finally {
      delete (this as Record<symbol, unknown>)[inspect.custom];
    }
  }
  Object.defineProperty(Promise.prototype, inspect.custom, { ...hidden, value: view });
}
