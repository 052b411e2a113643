// The repeated launches of one device. At most one run is open. Any other call of the device first queues the launches that
// the run holds, so their order never changes, even if an interrupt ended the run.
import type { ArgumentBlock, LaunchConfig, RepeatedWork } from "./device.js";
import { type GraphHost, type Queueable, RepeatedLaunches } from "./repeated-launches.js";

/** The callers that repeat launches on a device. */
export class RepeatedRuns<K extends Queueable> {
  readonly #all = new Set<RepeatedLaunches<K>>();
  #open: RepeatedLaunches<K> | undefined;

  constructor(private readonly host: GraphHost<K>) {}

  /** Offers a launch to the open run; false if the caller queues it. */
  holds(kernel: K, args: ArgumentBlock, config: LaunchConfig): boolean {
    if (this.#open === undefined) return false;
    if (!config.cooperative) return this.#open.holds(kernel, args, config);
    this.flush();
    return false;
  }

  /** Queues the held launches; called before any other call of the device. */
  flush(): void {
    // The rest of a run that held launches back is queued without it: an interrupt may have ended it.
    if (this.#open?.flush()) this.#open = undefined;
  }

  /** Drops graphs with a kernel, which is about to be unloaded. */
  forget(kernel: K): void {
    for (const one of this.#all) one.forget(kernel);
  }

  /** The launches of a new caller. */
  work(mostChanged: number): RepeatedWork {
    const launches = new RepeatedLaunches<K>(this.host, mostChanged);
    this.#all.add(launches);
    return {
      run: (queue) => this.#run(launches, queue),
      get launches() {
        return launches.length;
      },
      again: (changed) => {
        this.flush();
        launches.again(changed);
      },
      release: () => {
        this.flush();
        this.#all.delete(launches);
        launches.release();
      },
    };
  }

  #run(launches: RepeatedLaunches<K>, queue: () => void): void {
    this.flush();
    launches.begin();
    this.#open = launches;
    try {
      queue();
    } catch (error) {
      this.flush();
      this.#open = undefined;
      throw error;
    }
    if (this.#open !== launches) return;
    launches.end();
    this.#open = undefined;
  }
}
