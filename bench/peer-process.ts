// A peer in a separate process that times one case per received line, so that libraries take turns.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A peer's process, which times one case per received line. */
export class Peer {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  /** Starts a Python script; its name for the peer is the first argument. */
  constructor(
    readonly name: string,
    script: string,
    args: readonly string[],
  ) {
    this.#child = spawn("python3", [script, name, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  /** True when it is ready; false if the peer is not installed. */
  async ready(): Promise<boolean> {
    return (await this.#answers.next()).value === "ready";
  }

  /** Milliseconds of one call; NaN for a case that it does not have. */
  async measure(line: string): Promise<number> {
    this.#child.stdin?.write(`${line}\n`);
    const { value, done } = await this.#answers.next();
    return done || value === "" ? Number.NaN : Number(value);
  }

  /** Ends the process. */
  end(): void {
    this.#child.stdin?.end();
  }
}
