// The records of tuning: the chosen form of a kernel, by the device's model and the size of launches, with the times of the
// other forms; and the launches of kernels that have several forms.
import type { DeviceKind } from "../device/kinds.js";

/** The launches that a choice applies to. */
export interface ChoiceKey {
  /** The key of the kernel in its default form. */
  readonly kernel: string;
  /** The device's model, with its driver. */
  readonly model: string;
  /** The most elements of a launch. */
  readonly upTo: number;
}

/** The description of a choice. */
export interface ChoiceFacts {
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  /** The time of each form in microseconds, the default first. */
  readonly times: readonly { readonly form: string; readonly us: number }[];
  /** Milliseconds since the epoch. */
  readonly measuredAt: number;
}

/** A choice. */
export interface StoredChoice extends ChoiceKey, ChoiceFacts {
  readonly form: string;
}

/** A launch to be repeated by somebody else. */
export interface StoredRun extends ChoiceKey {
  readonly kind: DeviceKind;
  readonly text: Uint8Array;
}

/** A launch whose text is made where it is not stored yet. */
export interface RunNote extends Omit<StoredRun, "text"> {
  readonly make: () => Uint8Array;
}

/** Where choices and runs are kept. */
export interface TuningStore {
  /** The choices for a kernel on a model. */
  choices(kernel: string, model: string): readonly StoredChoice[];
  /** Every choice. */
  all(): readonly StoredChoice[];
  put(choice: StoredChoice): void;
  /** Forgets every choice, and returns how many there were. */
  clear(): number;
  /** Notes a run soon, with others. */
  note(run: RunNote): void;
  runs(): readonly StoredRun[];
}

/** Keeps choices in this process, whose runs are known without a store. */
export class MemoryTuning implements TuningStore {
  readonly #choices = new Map<string, StoredChoice>();

  choices(kernel: string, model: string): readonly StoredChoice[] {
    return this.all().filter((choice) => choice.kernel === kernel && choice.model === model);
  }

  all(): readonly StoredChoice[] {
    return [...this.#choices.values()];
  }

  put(choice: StoredChoice): void {
    const { kernel, model, upTo } = choice;
    this.#choices.set([kernel, model, upTo].join("\0"), choice);
  }

  clear(): number {
    const { size } = this.#choices;
    this.#choices.clear();
    return size;
  }

  note(): void {}

  runs(): readonly StoredRun[] {
    return [];
  }

  /** Forgets the choices for other kernels. */
  keepOnly(isStored: (kernel: string) => boolean): void {
    for (const [name, { kernel }] of this.#choices) if (!isStored(kernel)) this.#choices.delete(name);
  }
}
