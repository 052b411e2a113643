// Compiles many kernels in advance: missing ones on all cores, several in one compiler run if they can share it.
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers";
import { JitlabError } from "../base/errors.js";
import { count } from "../cache/counters.js";
import { withStore } from "../cache/current-store.js";
import type { StoredModule } from "../cache/store.js";
import { announce } from "../compiler/announcement.js";
import { CompilePool, type Outcome } from "../compiler/pool.js";
import { look } from "../compiler/service.js";
import {
  awaitStored,
  compileRequestOf,
  effectiveFlags,
  type KernelRequest,
  type KeyedRequest,
  keep,
  keepFound,
  keyOf,
} from "./obtain.js";

/** A kernel to store. */
export interface BatchJob {
  readonly request: KernelRequest;
  /** Jobs with equal words may share a text; a job without one does not share. Asked for kernels that are not stored. */
  readonly shares: () => string | undefined;
}

/** Options for running jobs. */
export interface BatchOptions<J extends BatchJob> {
  /** Compilers at once; default: all cores. */
  readonly threads?: number | undefined;
  /** Joins several jobs into one text. */
  readonly textOf: (jobs: readonly J[]) => string;
  /** Called when a job ends: stored before, stored now, or failed. */
  readonly done: (job: J, result: BatchResult) => void;
}

/** How a job ended: compiled now, stored before or by another process, or failed. */
export type BatchResult = "compiled" | "stored" | JitlabError;

type Keyed<J> = KeyedRequest & { readonly job: J };

/** Stores the kernels of all jobs. `done` receives failures; other jobs continue. */
export function compileBatches<J extends BatchJob>(jobs: readonly J[], options: BatchOptions<J>): void {
  new BatchRun(options).run(jobs);
}

class BatchRun<J extends BatchJob> {
  readonly #threads: number;
  readonly #claimed = new Set<string>();
  readonly #submitted = new Map<number, readonly Keyed<J>[]>();
  readonly #elsewhere: Keyed<J>[] = [];
  #pool: CompilePool | undefined;
  #lastId = 0;
  /** How many of the announced kernels are announced as ended. */
  #ended = 0;

  readonly #options: BatchOptions<J>;

  constructor(options: BatchOptions<J>) {
    this.#options = options;
    this.#threads = options.threads ?? availableParallelism();
  }

  run(jobs: readonly J[]): void {
    const missing: Keyed<J>[] = [];
    const keys = new Set<string>();
    const requests = new Set<KernelRequest>();
    for (const job of jobs) {
      if (requests.has(job.request)) {
        this.#options.done(job, "stored");
        continue;
      }
      requests.add(job.request);
      const key = keyOf(job.request);
      if (keys.has(key) || withStore((store) => store.has(key), false)) this.#options.done(job, "stored");
      else missing.push({ key, request: job.request, job });
      keys.add(key);
    }
    const [only, ...more] = missing;
    if (only === undefined) return;
    // The thread that compiles single kernels has loaded its compiler.
    if (more.length === 0) {
      this.#await(only);
      return;
    }
    // When an interrupted cell ends the wait for a compiler, only this still runs.
    const whenInterrupted = setImmediate(() => this.#end());
    announce(missing.length);
    try {
      this.#work(batchesOf(missing, this.#threads));
    } finally {
      announce(0, missing.length - this.#ended);
      clearImmediate(whenInterrupted);
      this.#end();
    }
    for (const one of this.#elsewhere) this.#await(one);
  }

  #work(batches: readonly (readonly Keyed<J>[])[]): void {
    const compilers = batches.flat().map(({ request }) => request.target.compiler);
    const textsAtOnce = Math.min(...compilers.map((compiler) => compiler.textsAtOnce));
    const further = compilers.find((compiler) => compiler.further === "threads")?.further ?? "processes";
    const pool = new CompilePool(Math.min(this.#threads, batches.length), textsAtOnce, further);
    this.#pool = pool;
    const queue = [...batches];
    const fill = () => {
      while (queue.length > 0 && pool.hasIdle) {
        const mine = this.#lookElsewhere((queue.shift() ?? []).filter((one) => this.#claim(one)));
        if (mine.length > 0) this.#submit(pool, mine);
      }
    };
    fill();
    while (pool.isBusy) {
      const outcome = pool.next();
      // First, so that no compiler waits until the outcome is stored.
      fill();
      queue.unshift(...this.#take(outcome));
      fill();
    }
  }

  /** Takes the lease just before compiling, so that other processes wait only for the compile. */
  #claim(one: Keyed<J>): boolean {
    if (this.#claimed.has(one.key)) return true;
    const claim = withStore((store) => store.claim(one.key), "ours");
    if (claim === "ours") this.#claimed.add(one.key);
    else if (claim === "stored") this.#finish(one, "stored");
    else this.#leave(one);
    return claim === "ours";
  }

  /** Asks the shared cache for kernels that are to be compiled now; returns those that this machine must compile. */
  #lookElsewhere(batch: readonly Keyed<J>[]): readonly Keyed<J>[] {
    const looks = look(batch.map(({ key }) => key));
    return batch.filter((one, i) => {
      const answer = looks[i];
      if (answer === undefined || answer === "ours") return true;
      this.#release(one.key);
      if (answer === "taken") this.#leave(one);
      else this.#keepFound(one, answer.found);
      return false;
    });
  }

  #keepFound(one: Keyed<J>, found: StoredModule): void {
    keepFound(found);
    const compileMs = found.kernels.find((kernel) => kernel.key === one.key)?.compileMs ?? 0;
    count(one.key, "remote", compileMs);
    this.#finish(one, "stored");
  }

  #submit(pool: CompilePool, batch: readonly Keyed<J>[]): void {
    const [first] = batch;
    if (!first) return;
    const { request } = first;
    const id = ++this.#lastId;
    const alone = batch.length === 1;
    const shared = () => ({
      source: this.#options.textOf(batch.map(({ job }) => job)),
      flags: effectiveFlags(request),
      quick: request.quick,
      name: "kernels",
    });
    this.#submitted.set(id, batch);
    pool.submit(id, request.target.compiler, alone ? compileRequestOf(request) : shared());
  }

  /** Stores an outcome; returns the kernels to compile again: those of a failed batch, one by one. */
  #take(outcome: Outcome): readonly (readonly Keyed<J>[])[] {
    const batch = this.#submitted.get(outcome.id) ?? [];
    this.#submitted.delete(outcome.id);
    if ("error" in outcome) {
      if (batch.length > 1) return batch.map((one) => [one]);
      for (const one of batch) {
        this.#release(one.key);
        this.#finish(one, outcome.error);
      }
      return [];
    }
    keep(batch, outcome.compiled);
    for (const one of batch) {
      this.#claimed.delete(one.key);
      count(one.key, "compiled", outcome.compiled.ms / batch.length);
      this.#finish(one, "compiled");
    }
    return [];
  }

  #finish(one: Keyed<J>, result: BatchResult): void {
    this.#announceEnd();
    this.#options.done(one.job, result);
  }

  /** Leaves a kernel to the process that compiles it. */
  #leave(one: Keyed<J>): void {
    this.#announceEnd();
    this.#elsewhere.push(one);
  }

  #announceEnd(): void {
    announce(0, 1);
    this.#ended++;
  }

  #await({ key, request, job }: Keyed<J>): void {
    let result: BatchResult;
    try {
      result = awaitStored(key, request) === "compiled" ? "compiled" : "stored";
    } catch (error) {
      if (!(error instanceof JitlabError)) throw error;
      result = error;
    }
    this.#options.done(job, result);
  }

  #release(key: string): void {
    this.#claimed.delete(key);
    withStore((store) => store.release(key), undefined);
  }

  #end(): void {
    this.#pool?.stop();
    this.#pool = undefined;
    for (const key of [...this.#claimed]) this.#release(key);
  }
}

/** Batches of about equal work, the largest first, in a number that keeps all threads busy to the end. */
function batchesOf<J extends BatchJob>(missing: readonly Keyed<J>[], threads: number): readonly Keyed<J>[][] {
  const sizeOf = (one: Keyed<J>) => one.request.source.length;
  const largestFirst = [...missing].sort((a, b) => sizeOf(b) - sizeOf(a));
  // Half of a thread's share, because a compile's time is only roughly its text's length.
  const share = missing.reduce((sum, one) => sum + sizeOf(one), 0) / threads / 2;
  const batches: Keyed<J>[][] = [];
  const open = new Map<string, { batch: Keyed<J>[]; size: number; symbols: Set<string> }>();
  for (const one of largestFirst) {
    const { request } = one.job;
    const shares = one.job.shares();
    const group = `${request.target.compiler.identity}\n${effectiveFlags(request).join(" ")}\n${request.quick}\n${shares}`;
    let current = open.get(group);
    const full =
      !current ||
      current.batch.length >= request.target.kernelsPerRun ||
      current.size + sizeOf(one) > share ||
      current.symbols.has(request.symbol);
    if (!current || full || shares === undefined) {
      current = { batch: [], size: 0, symbols: new Set() };
      batches.push(current.batch);
      if (shares !== undefined) open.set(group, current);
    }
    current.batch.push(one);
    current.size += sizeOf(one);
    current.symbols.add(request.symbol);
  }
  return batches;
}
