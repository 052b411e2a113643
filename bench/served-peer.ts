// A peer that is launched in turns with ours, so that other work of the machine affects both equally.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../runtime/base/env.js";

const script = fileURLToPath(new URL("../../bench/peers.py", import.meta.url));

/** A peer's process, which makes one launch for each received name. */
export class ServedPeer {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(
    readonly name: string,
    log2: number,
    mode: "serve" | "serve-programs" = "serve",
  ) {
    this.#child = spawn("python3", [script, name, mode, "cpu", String(log2)], {
      stdio: ["pipe", "pipe", "ignore"],
      // A peer's idle threads must not take the processor from the others.
      env: environmentWith({ OMP_WAIT_POLICY: "passive", KMP_BLOCKTIME: "0" }),
    });
    this.#answers = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  /** Milliseconds of one launch; NaN for a missing one. */
  async launch(name: string): Promise<number> {
    const known = name === "copy-kernel" && this.name === "torch" ? "copy" : name;
    this.#child.stdin?.write(`${known}\n`);
    const { value, done } = await this.#answers.next();
    return done || value === "" ? Number.NaN : Number(value);
  }

  end(): void {
    this.#child.stdin?.end();
  }
}
