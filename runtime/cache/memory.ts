// Keeps compiled kernels in this process if the cache's folder cannot be used.
import { self } from "./lease-owner.js";
import { sha256 } from "./rows.js";
import {
  type CacheFilter,
  type Claim,
  type Fetched,
  type FetchedText,
  type KernelRecord,
  type Module,
  matches,
  type Relative,
  type Store,
  type StoredKernel,
  type StoredModule,
  type StoreTotals,
  type Verification,
} from "./store.js";

interface Entry {
  readonly kernel: KernelRecord;
  readonly module: Module;
  readonly createdAt: number;
}

/** The store of one process. */
export class MemoryStore implements Store {
  readonly #entries = new Map<string, Entry>();

  fetch(key: string): Fetched | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    const { kernel, module } = entry;
    return { symbol: kernel.symbol, binary: module.binary, compileMs: kernel.compileMs };
  }

  fetchText(key: string): FetchedText | undefined {
    const module = this.#entries.get(key)?.module;
    return module && { assembly: module.assembly, log: module.log };
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  knows(arch: string): boolean {
    return this.list().some((kernel) => kernel.arch === arch);
  }

  claim(key: string): Claim {
    return this.has(key) ? "stored" : "ours";
  }

  release(): void {}

  put(module: Module, kernels: readonly KernelRecord[]): void {
    for (const kernel of kernels) this.#entries.set(kernel.key, { kernel, module, createdAt: Date.now() });
  }

  remove(key: string): void {
    this.#entries.delete(key);
  }

  list(): StoredKernel[] {
    return [...this.#entries.values()].reverse().map(({ kernel, module, createdAt }) => {
      const { key, op, variant, dtypes, compileMs } = kernel;
      const { kind, arch, compiler } = module;
      const bytes = module.binary.length + module.assembly.length + module.log.length + kernel.source.length;
      const { host, pid } = self();
      const history = { createdAt, lastUse: createdAt, host, pid, hits: 0, hitsHere: 0 };
      return { key, op, variant, dtypes, kind, arch, compiler, bytes, compileMs, ...history };
    });
  }

  relatives(key: string): Relative[] {
    const all = [...this.#entries.values()];
    const own = this.#entries.get(key);
    if (!own) return [];
    return all
      .slice(0, all.indexOf(own) + 1)
      .filter(({ kernel }) => kernel.op === own.kernel.op)
      .map(({ kernel, module }) => ({ ...module, ...kernel, module: sha256(module.binary) }));
  }

  *modules(): Iterable<StoredModule> {
    const all = [...this.#entries.values()];
    for (const module of new Set(all.map((entry) => entry.module))) {
      yield { module, kernels: all.filter((entry) => entry.module === module).map(({ kernel }) => kernel) };
    }
  }

  totals(): StoreTotals {
    const bytes = this.list().reduce((sum, kernel) => sum + kernel.bytes, 0);
    return { kernels: this.#entries.size, bytes, hits: 0, savedMs: 0 };
  }

  clear(filter: CacheFilter): number {
    const doomed = this.list().filter((kernel) => matches(kernel, filter, Date.now()));
    for (const { key } of doomed) this.#entries.delete(key);
    return doomed.length;
  }

  verify(): Verification {
    return { checked: this.#entries.size, damaged: 0 };
  }
}
