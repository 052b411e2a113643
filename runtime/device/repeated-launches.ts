// The launches of a caller that repeats them, such as a program. At first each is queued at once, and learned. When the same
// kernels were launched a few times, they become a graph: from then on the launches of a run are held back, compared with those
// of the graph, and queued as one at its end, after the changed ones were updated. Every run passes all of its arguments, so the
// graph keeps no memory, and no address in it is older than the run.
import { DeviceError } from "../base/errors.js";
import type { ArgumentBlock, LaunchConfig } from "./device.js";

/** A kernel that can be launched at once. */
export interface Queueable {
  launch(args: ArgumentBlock, config: LaunchConfig): void;
}

/** A launch with its own copy of the arguments. */
export interface KeptLaunch<K> {
  readonly kernel: K;
  readonly args: ArgumentBlock;
  readonly config: LaunchConfig;
}

/** Launches that are queued as one, each of which can be changed. */
export interface LaunchGraph {
  /** Passes the present arguments of one launch to the graph. */
  update(at: number): void;
  /** Queues them; nothing may be called between its last call of the driver and its return. */
  launch(): void;
  release(): void;
}

/** The operations of a device for repeated launches. */
export interface GraphHost<K> {
  createBlock(bytes: number): ArgumentBlock;
  /** A graph of launches, one after the other; throws DeviceError if the device refuses it. */
  compose(launches: readonly KeptLaunch<K>[]): LaunchGraph;
}

/** The least and the greatest number of launches for which a graph pays; longer programs keep the device busy anyway. */
const [leastLaunches, mostLaunches] = [2, 1000];
/** So many runs in a row have the same kernels before they become a graph; twice as many after each graph that did not fit. */
const firstRuns = 2;

/** The launches of one caller. */
export class RepeatedLaunches<K extends Queueable> {
  #launches: Kept<K>[] = [];
  #graph: LaunchGraph | undefined;
  /** The runs in a row with the same kernels, and how many of them make a graph. */
  #alike = 0;
  #needed = firstRuns;
  // The open run: its launches, those that are queued, those with other arguments than in the run before, whether all
  // kernels were the same, and whether the launches are held back.
  #count = 0;
  #queued = 0;
  #changed = 0;
  #isSame = true;
  #isHolding = false;

  constructor(
    private readonly host: GraphHost<K>,
    /** With more changed launches than these, a run's are queued one by one. */
    private readonly mostChanged: number,
  ) {}

  /** The number of launches that are known. */
  get length(): number {
    return this.#launches.length;
  }

  begin(): void {
    this.#count = 0;
    this.#queued = 0;
    this.#changed = 0;
    this.#isSame = true;
    this.#isHolding = this.#graph !== undefined;
  }

  /** Takes the next launch of the run; true if it is held back, else the caller queues it. */
  holds(kernel: K, args: ArgumentBlock, config: LaunchConfig): boolean {
    const at = this.#count;
    const known = this.#launches[at];
    if (known?.isOf(kernel, args)) {
      if (!known.has(args, config)) {
        this.#changed++;
        known.take(args, config);
      }
    } else {
      this.flush();
      this.#cut(at);
      if (at < mostLaunches) this.#launches.push(new Kept(kernel, this.host, args, config));
    }
    this.#count = at + 1;
    return this.#isHolding;
  }

  /** Queues the held launches one by one and stops holding the rest of the run. Returns false if nothing was held. */
  flush(): boolean {
    if (!this.#isHolding) {
      // A graph would omit the work in between.
      this.#isSame = false;
      return false;
    }
    try {
      while (this.#queued < this.#count) {
        const { kernel, args, config } = this.#launches[this.#queued] as Kept<K>;
        kernel.launch(args, config);
        // Without a call in between: an interrupt does not queue it again.
        this.#queued++;
      }
    } finally {
      this.#isHolding = false;
    }
    return true;
  }

  /** Ends the run: queues the held launches, as one graph if that is faster. */
  end(): void {
    if (this.#count !== this.#launches.length) {
      this.flush();
      this.#cut(Math.min(this.#count, mostLaunches));
    }
    if (this.#isHolding) this.#queueTogether();
    else if (this.#graph === undefined) this.#learn();
  }

  /** Queues the launches of the last run again, for measuring: one by one, or as a graph with `changed` updated launches. */
  again(changed: number | undefined): void {
    if (changed === undefined) {
      for (const { kernel, args, config } of this.#launches) kernel.launch(args, config);
      return;
    }
    const graph = this.#graph ?? this.#compose();
    for (const one of this.#launches.slice(Math.max(0, this.length - changed))) one.isStale = true;
    this.#queueGraph(graph);
  }

  /** Drops a graph with this kernel, which is about to be unloaded. */
  forget(kernel: K): void {
    const at = this.#launches.findIndex((one) => one.kernel === kernel);
    if (at >= 0) this.#cut(at);
  }

  release(): void {
    this.#cut(0);
  }

  #queueTogether(): void {
    // A launch that changed in this run mostly changes in the next one.
    if (this.#changed > this.mostChanged) {
      this.flush();
      return;
    }
    try {
      this.#queueGraph(this.#graph as LaunchGraph);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      this.#refuse();
      this.flush();
    }
  }

  #queueGraph(graph: LaunchGraph): void {
    for (let i = 0; i < this.#launches.length; i++) {
      const one = this.#launches[i] as Kept<K>;
      if (!one.isStale) continue;
      graph.update(i);
      one.isStale = false;
    }
    graph.launch();
    // Without a call in between: an interrupt does not queue them again.
    this.#isHolding = false;
  }

  #learn(): void {
    this.#alike = this.#isSame ? this.#alike + 1 : 1;
    if (this.#alike < this.#needed || this.#count < leastLaunches || this.#count > mostLaunches) return;
    try {
      this.#compose();
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      this.#refuse();
    }
  }

  #compose(): LaunchGraph {
    this.#graph = this.host.compose(this.#launches);
    for (const one of this.#launches) one.isStale = false;
    return this.#graph;
  }

  /** Makes no further graph, because the device refused one. */
  #refuse(): void {
    this.#dropGraph();
    this.#needed = Number.POSITIVE_INFINITY;
  }

  /** Forgets the launches from one on, and the graph of all. */
  #cut(at: number): void {
    this.#isSame = false;
    this.#dropGraph();
    for (const { args } of this.#launches.splice(at)) args.release();
  }

  #dropGraph(): void {
    const graph = this.#graph;
    if (graph === undefined) return;
    this.#graph = undefined;
    this.#needed *= 2;
    graph.release();
  }
}

/** A learned launch. */
class Kept<K> implements KeptLaunch<K> {
  readonly args: ArgumentBlock;
  config: LaunchConfig;
  /** True if the graph has other arguments. */
  isStale = true;

  constructor(
    readonly kernel: K,
    host: GraphHost<K>,
    args: ArgumentBlock,
    config: LaunchConfig,
  ) {
    this.args = host.createBlock(args.bytes.byteLength);
    this.config = copied(config);
    this.args.bytes.set(args.bytes);
  }

  isOf(kernel: K, { bytes }: ArgumentBlock): boolean {
    return this.kernel === kernel && this.args.bytes.byteLength === bytes.byteLength;
  }

  has({ u32, bytes }: ArgumentBlock, config: LaunchConfig): boolean {
    if (!isSameConfig(this.config, config)) return false;
    const own = this.args.u32;
    for (let i = 0; i < bytes.byteLength >> 2; i++) if (own[i] !== u32[i]) return false;
    return true;
  }

  take(args: ArgumentBlock, config: LaunchConfig): void {
    // Before the first byte changes, in case of an interrupt.
    this.isStale = true;
    if (!isSameConfig(this.config, config)) this.config = copied(config);
    this.args.bytes.set(args.bytes);
  }
}

/** The caller's configuration is valid until its next launch. */
function copied({ grid, block, sharedBytes }: LaunchConfig): LaunchConfig {
  return { grid: [...grid], block: [...block], sharedBytes };
}

function isSameConfig(a: LaunchConfig, b: LaunchConfig): boolean {
  if (a.sharedBytes !== b.sharedBytes) return false;
  for (let d = 0; d < 3; d++) if (a.grid[d] !== b.grid[d] || a.block[d] !== b.block[d]) return false;
  return true;
}
