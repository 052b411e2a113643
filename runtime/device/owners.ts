// Finds the blocks that nothing reaches any more. A block has a token whose death any collection of garbage reports; where
// tokens do not work, a WeakRef that a full collection empties.
import { collectGarbage, collectYoung, releaseTargets } from "./garbage.js";
import type { Block } from "./pooled-storage.js";
import { loadTokens, type Tokens } from "./tokens/tokens.js";

/** How a pool finds unreachable blocks: by minor collections of garbage, or by full ones alone. */
export type OwnerKind = "tokens" | "WeakRefs";

/** The blocks of one pool, by number. A number is used again when its earlier block cannot be reported any more. */
export interface Owners {
  readonly kind: OwnerKind;
  /** Why tokens do not work; empty if they do. */
  readonly reason: string;
  /** A number for a block. */
  number(): number;
  /** Watches a block. */
  watch(block: Block): void;
  /** The block with this number was disposed of. */
  forget(number: number): void;
  /** Collects garbage: what died young, or all. */
  collect(kind: "minor" | "full"): void;
  /** The number of a block that was found dead, the same one until {@link retire}; -1 if there is none. */
  found(): number;
  /** The block of the found number is freed. */
  retire(number: number): void;
}

/** Owners by tokens if they work; `folder` is for tests. */
export function openOwners(folder?: string): Owners {
  const tokens = loadTokens(folder);
  return typeof tokens === "string" ? new WeakOwners(tokens) : new TokenOwners(tokens);
}

// How many numbers one native call returns.
const batch = 1024;

/** A number stays with its token, also if the block is disposed of before: so an old report never frees a later block. */
class TokenOwners implements Owners {
  readonly kind = "tokens";
  readonly reason = "";
  readonly #tokens: Tokens;
  readonly #free: number[] = [];
  readonly #dead = new Uint32Array(batch);
  #count = 0;
  #at = 0;
  #next = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  number(): number {
    return this.#free.pop() ?? this.#next++;
  }

  watch(block: Block): void {
    block.token = new this.#tokens.Token(block.slot);
  }

  forget(): void {}

  collect(kind: "minor" | "full"): void {
    if (kind === "full") collectGarbage();
    else collectYoung();
  }

  found(): number {
    if (this.#at === this.#count) {
      this.#at = 0;
      this.#count = 0;
      this.#count = this.#tokens.dead(this.#dead);
      if (this.#count === 0) return -1;
    }
    return this.#dead[this.#at] as number;
  }

  retire(number: number): void {
    this.#at++;
    this.#free.push(number);
  }
}

// WeakRefs get slower when one job keeps many.
const refsPerJob = 512;

class WeakOwners implements Owners {
  readonly kind = "WeakRefs";
  readonly #blocks: (WeakRef<Block> | undefined)[] = [];
  readonly #free: number[] = [];
  #at = Number.POSITIVE_INFINITY;
  #refsInJob = 0;

  constructor(readonly reason: string) {}

  number(): number {
    return this.#free.pop() ?? this.#blocks.push(undefined) - 1;
  }

  watch(block: Block): void {
    this.#note();
    this.#blocks[block.slot] = new WeakRef(block);
  }

  forget(number: number): void {
    this.#blocks[number] = undefined;
    this.#free.push(number);
  }

  collect(): void {
    collectGarbage();
    this.#at = 0;
  }

  found(): number {
    for (; this.#at < this.#blocks.length; this.#at++) {
      const block = this.#blocks[this.#at];
      if (block === undefined) continue;
      if (block.deref() === undefined) return this.#at;
      this.#note();
    }
    return -1;
  }

  retire(number: number): void {
    this.forget(number);
  }

  #note(): void {
    if (++this.#refsInJob < refsPerJob) return;
    this.#refsInJob = 0;
    releaseTargets();
  }
}
