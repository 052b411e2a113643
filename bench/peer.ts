// The peers: other libraries on the same machine in the same run. Each has one process of peers.py, which answers requests line by
// line, so that libraries can take turns.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../runtime/base/env.js";
import type { DeviceKind } from "../runtime/device/kinds.js";

const script = fileURLToPath(new URL("../../bench/peers.py", import.meta.url));

/** The libraries that peers.py has, and the devices for which they are measured. */
export const peerDevices = {
  numpy: ["cpu"],
  torch: ["cuda", "cpu"],
  "torch.compile": ["cuda", "cpu"],
  cupy: ["cuda"],
  jax: ["cuda", "cpu"],
} as const satisfies Readonly<Record<string, readonly DeviceKind[]>>;

/** The name of a peer. */
export type PeerName = keyof typeof peerDevices;

/** What a peer answers: neither of the two for something that it does not have. */
export interface Answer {
  readonly value?: number;
  readonly failure?: string;
}

/** A peer's process. */
export class Peer {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  constructor(
    readonly name: PeerName,
    device: DeviceKind,
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.#child = spawn("python3", [script, name, device], {
      stdio: ["pipe", "pipe", "inherit"],
      // A peer must not take from the others: a processor for its idle threads, or most of a GPU's memory ahead, as JAX does.
      env: environmentWith({
        OMP_WAIT_POLICY: "passive",
        KMP_BLOCKTIME: "0",
        XLA_PYTHON_CLIENT_PREALLOCATE: "false",
        ...environment,
      }),
    });
    // A process that ended says so by the end of its answers.
    this.#child.stdin?.on("error", () => undefined);
    this.#answers = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  /** Sends one request, a subject of peers.py and its words, and waits for the answer. */
  async ask(...words: readonly (string | number)[]): Promise<Answer> {
    this.#child.stdin?.write(`${words.join(" ")}\n`);
    const { value, done } = await this.#answers.next();
    return done ? { failure: "the process ended" } : (JSON.parse(value) as Answer);
  }

  /** Ends the process. */
  end(): void {
    this.#child.stdin?.end();
  }
}

/** Names and versions of the libraries that python3 has. */
export async function installedPeers(): Promise<Partial<Record<PeerName, string>>> {
  const listed = await runProgram("python3", [script, "list"]);
  if (listed.failure === "")
    return JSON.parse(listed.lines.at(-1) ?? "{}") as Partial<Record<PeerName, string>>;
  process.stderr.write(`python3 cannot list peers: ${listed.failure}\n`);
  return {};
}

/** A finished program. */
export interface Finished {
  readonly lines: readonly string[];
  /** Seconds from its start to its first line; NaN without one. */
  readonly firstLineSeconds: number;
  /** Empty on success. */
  readonly failure: string;
}

const patienceMs = 120_000;
const keptStderr = 600;

/** Runs a program, with a timeout (default: two minutes). */
export function runProgram(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  limitMs = patienceMs,
): Promise<Finished> {
  const began = performance.now();
  const child = spawn(command, args, {
    env: environmentWith(environment),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  let errors = "";
  let firstLineSeconds = Number.NaN;
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
    if (Number.isNaN(firstLineSeconds) && output.includes("\n")) {
      firstLineSeconds = (performance.now() - began) / 1000;
    }
  });
  child.stderr.on("data", (data: Buffer) => {
    errors = (errors + data.toString()).slice(-keptStderr);
  });
  return new Promise((resolve) => {
    const finish = (failure: string) =>
      resolve({ lines: output.split("\n").filter((line) => line !== ""), firstLineSeconds, failure });
    child.once("error", (error) => finish(error.message));
    child.once("close", (code, signal) => {
      finish(code === 0 ? "" : `ended with ${signal ?? `status ${code}`}: ${errors.trim()}`);
    });
  });
}
