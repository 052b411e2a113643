// Machines of `npm run bench:remote`: processes with cache folders of their own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./process.js";

/** The cost of one kernel for a machine. */
export interface Kernel {
  readonly origin: string;
  /** From the request until its code was loaded. */
  readonly ms: number;
  /** The compiler's own time, wherever it ran. */
  readonly compilerMs: number;
}

const secret = "the secret of the benchmark";
const limitMs = 15 * 60_000;
const child = fileURLToPath(new URL("./remote-child.js", import.meta.url));

/** Machines, each with an empty cache, in one folder. */
export class Machines {
  readonly folder = mkdtempSync(join(tmpdir(), "jitlab-bench-"));
  #count = 0;

  /** What a new machine gets, from the shared cache of this address or by compiling: `count` kernels from number `first` on. */
  async run(address: string, count: number, first = 0, key = secret): Promise<readonly Kernel[]> {
    const env = {
      JITLAB_CACHE_DIR: join(this.folder, `machine-${this.#count++}`),
      JITLAB_REMOTE_CACHE: address,
      JITLAB_REMOTE_CACHE_KEY: key,
    };
    const args = [child, `${count}`, `${first}`];
    const { lines, failure } = await runProgram(process.execPath, args, env, limitMs);
    if (failure !== "") throw new Error(failure);
    return JSON.parse(lines.at(-1) ?? "") as Kernel[];
  }

  /** Deletes all of them. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
