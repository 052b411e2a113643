// Leases decide which process compiles a kernel, and how long others wait for it.
import { type LeaseOwner, mayCompile, self } from "./lease-owner.js";
import { type Row, textOf } from "./rows.js";

// A longer compile is done twice. Only threads of this host can be checked.
const ownHostMs = 60_000;
const otherHostMs = 10_000;

/** The leases that this process has seen. */
export class LeaseWatch {
  readonly #seen = new Map<string, { readonly lease: string; readonly from: number }>();

  /** The owner of a key's lease; undefined if there is none, or if its owner is stopped, ended or too slow. */
  ownerOf(key: string, row: Row | undefined): LeaseOwner | undefined {
    if (!row) return undefined;
    const holder = { host: textOf(row.host), pid: Number(row.pid), start: textOf(row.start) };
    const since = Number(row.since);
    const counts =
      holder.host === self().host
        ? Math.abs(Date.now() - since) < ownHostMs && mayCompile(holder)
        : this.#watchedMs(key, `${holder.host} ${holder.pid} ${holder.start} ${since}`) < otherHostMs;
    return counts ? holder : undefined;
  }

  /** How long this process has seen a lease; the clocks of other hosts may be wrong. */
  #watchedMs(key: string, lease: string): number {
    const now = performance.now();
    const known = this.#seen.get(key);
    if (known?.lease === lease) return now - known.from;
    this.#seen.set(key, { lease, from: now });
    return 0;
  }
}
