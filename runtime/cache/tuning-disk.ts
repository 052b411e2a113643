// Choices and runs in the database, beside the kernels. Every row is sealed as kernels are; one whose seal is wrong is not used.
import type { DeviceKind } from "../device/kinds.js";
import type { Database } from "./database.js";
import { type Row, sha256, textOf } from "./rows.js";
import { isSame, sealOfWords } from "./seal.js";
import type { ChoiceFacts, RunNote, StoredChoice, StoredRun, TuningStore } from "./tuning.js";

const notesAtOnce = 20;
const [choiceKind, runKind] = ["jitlab choice", "jitlab run"];

/** The tables of one database. */
export class DiskTuning implements TuningStore {
  readonly #notes: RunNote[] = [];

  constructor(
    private readonly database: Database,
    private readonly secret: Buffer,
    private readonly flushSoon: () => void,
  ) {}

  choices(kernel: string, model: string): readonly StoredChoice[] {
    return this.database.all("choices", kernel, model).flatMap((row) => this.#choiceOf(row));
  }

  all(): readonly StoredChoice[] {
    return this.database.all("allChoices").flatMap((row) => this.#choiceOf(row));
  }

  put({ kernel, model, upTo, form, ...facts }: StoredChoice): void {
    const text = JSON.stringify(facts);
    const seal = this.#sealOfChoice([kernel, model, upTo, form, text]);
    this.database.run("putChoice", kernel, model, upTo, form, text, seal);
  }

  clear(): number {
    const { length } = this.database.all("allChoices");
    this.database.run("clearChoices");
    return length;
  }

  note(run: RunNote): void {
    this.#notes.push(run);
    this.flushSoon();
  }

  runs(): readonly StoredRun[] {
    this.putRuns(this.takeNotes(this.#notes.length));
    return this.database.all("runs").flatMap((row) => this.#runOf(row));
  }

  /** The texts of the oldest notes, to be written: making one takes milliseconds, so the others wait for the next time. */
  takeNotes(most = notesAtOnce): readonly StoredRun[] {
    const notes = this.#notes.splice(0, most);
    if (this.#notes.length > 0) this.flushSoon();
    const missing = notes.filter(
      ({ kernel, model, upTo }) => this.database.get("hasRun", kernel, model, upTo) === undefined,
    );
    return missing.map(({ make, ...key }) => ({ ...key, text: make() }));
  }

  putRuns(runs: readonly StoredRun[]): void {
    for (const { kernel, model, upTo, kind, text } of runs) {
      const seal = this.#sealOfRun([kernel, model, upTo, kind, sha256(text)]);
      this.database.run("putRun", kernel, model, upTo, kind, text, seal);
    }
  }

  /** Removes records whose kernel is no longer stored. */
  removeOrphans(): void {
    this.database.run("removeChoices");
    this.database.run("removeRuns");
  }

  #choiceOf(row: Row): StoredChoice[] {
    const [kernel, model, form, facts] = [row.kernel, row.model, row.form, row.facts].map(textOf) as [
      string,
      string,
      string,
      string,
    ];
    const upTo = Number(row.up_to);
    if (!isSame(textOf(row.seal), this.#sealOfChoice([kernel, model, upTo, form, facts]))) return [];
    return [{ kernel, model, upTo, form, ...(JSON.parse(facts) as ChoiceFacts) }];
  }

  #runOf(row: Row): StoredRun[] {
    const [kernel, model, kind] = [row.kernel, row.model, row.kind].map(textOf) as [string, string, string];
    const upTo = Number(row.up_to);
    const { packed } = row;
    const text = packed instanceof ArrayBuffer ? new Uint8Array(packed) : (packed as Uint8Array);
    if (!isSame(textOf(row.seal), this.#sealOfRun([kernel, model, upTo, kind, sha256(text)]))) return [];
    return [{ kernel, model, upTo, kind: kind as DeviceKind, text }];
  }

  #sealOfChoice(words: readonly (string | number)[]): string {
    return sealOfWords(this.secret, choiceKind as string, words);
  }

  #sealOfRun(words: readonly (string | number)[]): string {
    return sealOfWords(this.secret, runKind as string, words);
  }
}
