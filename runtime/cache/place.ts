// Chooses the place for compiled kernels, once per process.
import { MemoryStore } from "./memory.js";
import type { Store } from "./store.js";

let chosen: Store | undefined;

/** The store of this process. */
export function store(): Store {
  chosen ??= new MemoryStore();
  return chosen;
}
