// The versions of functors: each text that %%kernel, %%cuda and %%reduction gave a name.
import type { Library } from "../library.js";
import { UsageError } from "../magic.js";
import { type Definition, madeBy } from "./definition.js";

/** A function as a cell defined it. */
export interface Version {
  /** From 1 on. */
  readonly number: number;
  readonly fn: unknown;
  readonly source: string;
  readonly cell: string;
  readonly at: number;
}

const mostKept = 50;

/** The versions of each name, the oldest first. */
export class Versions {
  readonly #all = new Map<string, Version[]>();

  /** Notes a definition; the same text again is no new version. */
  note({ name, recipe, place, at }: Definition, fn: unknown): void {
    this.#add(name, { fn, source: recipe.source, cell: place.file, at });
  }

  /** Notes a definition of a process that has died; its function is made when it is asked for. */
  restore({ name, recipe, place, at }: Definition, jl: Library): void {
    let made: unknown;
    this.#add(name, {
      get fn() {
        made ??= madeBy(jl, recipe, place);
        return made;
      },
      source: recipe.source,
      cell: place.file,
      at,
    });
  }

  #add(name: string, version: Omit<Version, "number">): void {
    const { source } = version;
    const known = this.#all.get(name) ?? [];
    const last = known.at(-1);
    const number = last?.source === source ? last.number : (last?.number ?? 0) + 1;
    if (last?.number === number) known.pop();
    known.push(Object.defineProperties({ number } as Version, Object.getOwnPropertyDescriptors(version)));
    if (known.length > mostKept) known.shift();
    this.#all.set(name, known);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#all.clear();
  }

  /** The versions of a name; throws UsageError without any. */
  of(magic: string, name: string): readonly Version[] {
    const found = this.#all.get(name);
    if (found) return found;
    const names = [...this.#all.keys()];
    throw new UsageError(
      `${magic}: no cell with %%kernel, %%cuda or %%reduction defined ${JSON.stringify(name)}.${names.length > 0 ? ` Some defined ${names.join(", ")}.` : ""}`,
    );
  }
}
