// Keeps compiled kernels for as long as this process lives: where the cache's folder cannot be used.
import type { Claim, Fetched, KernelRecord, Module, Store } from "./store.js";

interface Entry {
  readonly kernel: KernelRecord;
  readonly module: Module;
}

/** The store of one process. */
export class MemoryStore implements Store {
  readonly entries = new Map<string, Entry>();

  fetch(key: string): Fetched | undefined {
    const entry = this.entries.get(key);
    return entry && { binary: entry.module.binary, compileMs: entry.kernel.compileMs };
  }

  fetchText(key: string): { assembly: string; log: string } | undefined {
    return this.entries.get(key)?.module;
  }

  claim(key: string): Claim {
    return this.entries.has(key) ? "stored" : "ours";
  }

  release(): void {}

  put(module: Module, kernels: readonly KernelRecord[]): void {
    for (const kernel of kernels) this.entries.set(kernel.key, { kernel, module });
  }

  remove(key: string): void {
    this.entries.delete(key);
  }
}
