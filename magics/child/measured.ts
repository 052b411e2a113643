// The launches that were measured in this session, for %roofline without a call.
import type { Launch } from "../library.js";
import type { Arithmetic } from "./arithmetic.js";

/** One kernel's fastest launch, with what it computes. */
export interface Dot {
  readonly launch: Launch;
  readonly count: number;
  readonly seconds: number;
  /** Undefined if its machine code cannot be read. */
  readonly arithmetic: Arithmetic | undefined;
}

/** The fastest launch of each kernel and size. */
export class Measured {
  readonly #dots = new Map<string, Dot>();

  add(dots: readonly Dot[]): void {
    for (const dot of dots) {
      const name = `${dot.launch.key} ${dot.launch.bytes}`;
      const known = this.#dots.get(name);
      const fastest = known && known.seconds < dot.seconds ? known : dot;
      this.#dots.set(name, { ...fastest, count: dot.count + (known?.count ?? 0) });
    }
  }

  all(): Dot[] {
    return [...this.#dots.values()];
  }
}
