// A launch of a plan, as earlier calls made it: while its scalars stay the same, a call only writes addresses into its arguments.

import type { PooledStorage } from "../../device/pooled-storage.js";
import { RepeatedLaunches } from "../../launch/repeated-launches.js";
import type { Scalar } from "../../ops/op.js";
import { isOpaque, valuesIn } from "../operations/ir.js";
import { type Binding, memoryAt, nodeAt, type ScalarRef, scalarAt } from "./binding.js";
import type { Launch } from "./launches.js";

/** So many alignments of a launch's operands are remembered. */
const mostKnown = 4;

/** What a launch of a plan has launched. */
export class KnownLaunch {
  readonly #reads: readonly number[];
  /** The addresses of what it reads, and of its outputs behind them. */
  readonly #pointers: Float64Array;
  readonly #scalars: readonly ScalarRef[];
  /** Those of the last call. */
  readonly #last: (Scalar | undefined)[];
  /** True if the last two calls had the same scalars. */
  #isSteady = false;
  /** Its launches over memory of different alignments, the latest first. */
  #known: readonly RepeatedLaunches[] = [];
  #isRepeatable: boolean;

  constructor({ nodes, operands, outputs, isChecked }: Launch, binding: Binding) {
    const own = nodes.map((number) => nodeAt(binding, number));
    this.#reads = [...new Set(operands.flatMap((one) => ("ref" in one ? [one.ref] : [])))];
    this.#pointers = new Float64Array(this.#reads.length + outputs.length);
    this.#scalars = own.flatMap((one, i): ScalarRef[] => {
      const node = nodes[i] as number;
      return [
        ...one.slot.operands.flatMap(({ window }, at) =>
          window === undefined ? [{ node, at, isParameter: false }] : [],
        ),
        ...valuesIn(one).map((_, at) => ({ node, at, isParameter: true })),
      ];
    });
    this.#last = new Array(this.#scalars.length);
    // It does nothing but launch: it copies no elements before that, and the host tests none.
    this.#isRepeatable =
      !isChecked &&
      outputs.every(({ base }) => base === undefined) &&
      !own.some((node) => isOpaque(node) && node.undo !== undefined);
  }

  /** True if its numbers were others in the last call than in the one before. */
  get hasChanged(): boolean {
    return this.#isRepeatable && !this.#isSteady;
  }

  /** Launches into fresh `memory` what an earlier call launched; false if no such launch is known. */
  again(binding: Binding, memory: readonly PooledStorage[]): boolean {
    if (!this.#isRepeatable) return false;
    this.#isSteady = this.#hasSameScalars(binding);
    if (!this.#isSteady) {
      // Before the scalars: an interrupt between them leaves no launch with others.
      this.#known = [];
      for (let i = 0; i < this.#last.length; i++)
        this.#last[i] = scalarAt(binding, this.#scalars[i] as ScalarRef);
      return false;
    }
    const [reads, pointers, known] = [this.#reads, this.#pointers, this.#known];
    for (let i = 0; i < reads.length; i++) pointers[i] = memoryAt(binding, reads[i] as number).pointer;
    for (let i = 0; i < memory.length; i++) {
      const own = memory[i] as PooledStorage;
      own.writing();
      pointers[reads.length + i] = own.pointer;
    }
    for (let i = 0; i < known.length; i++) {
      const one = known[i] as RepeatedLaunches;
      if (!one.fits(pointers)) continue;
      one.launch(pointers);
      return true;
    }
    return false;
  }

  /** Calls `run`, which makes the launch, after {@link again} made none, and keeps what it launches. */
  see(binding: Binding, memory: readonly PooledStorage[], run: () => void): void {
    if (!this.#isRepeatable || !this.#isSteady) {
      run();
      return;
    }
    const storages = [...this.#reads.map((ref) => memoryAt(binding, ref)), ...memory];
    const seen = RepeatedLaunches.of(storages, this.#pointers, run);
    if (seen === undefined) this.#isRepeatable = false;
    else this.#known = [seen, ...this.#known.filter(({ isLoaded }) => isLoaded)].slice(0, mostKnown);
  }

  #hasSameScalars(binding: Binding): boolean {
    const [scalars, last] = [this.#scalars, this.#last];
    for (let i = 0; i < scalars.length; i++)
      if (!Object.is(scalarAt(binding, scalars[i] as ScalarRef), last[i])) return false;
    return true;
  }
}
