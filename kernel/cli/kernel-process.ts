// A kernel started as a separate process, like Jupyter does: with a connection file, and a command line that names it.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentWith } from "../../runtime/base/env.js";
import { launcherPipe } from "../child/job.js";
import {
  type ConnectionInfo,
  newConnection,
  portStatus,
  writeConnectionFile,
} from "../protocol/connection.js";

/** How to start a kernel. */
export interface StartOptions {
  /** The command line, `{connection_file}` standing for the file, as in a kernelspec; this package's kernel by default. */
  readonly argv?: readonly string[];
  readonly cwd?: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** A connection instead of a new one on free local ports. */
  readonly connection?: ConnectionInfo;
}

const ownArgv = [
  process.execPath,
  fileURLToPath(new URL("../main.js", import.meta.url)),
  "kernel",
  "-f",
  "{connection_file}",
];

// How much of a kernel's stderr is kept for the error that reports its death.
const keptStderr = 4000;

/** A running kernel process. */
export class KernelProcess {
  private stderr = "";
  /** Settles with a sentence on how the process ended. */
  readonly ended: Promise<string>;

  private constructor(
    readonly connection: ConnectionInfo,
    readonly connectionFile: string,
    private readonly process: ChildProcess,
    folder: string,
  ) {
    process.stderr?.on("data", (data: Buffer) => {
      this.stderr = (this.stderr + data.toString()).slice(-keptStderr);
    });
    this.ended = new Promise((resolve) => {
      process.once("error", (error) => resolve(`The kernel cannot start: ${error.message}.`));
      process.once("close", (code, signal) => {
        resolve(`The kernel ended with ${signal ?? `status ${code}`}.${this.stderr && `\n${this.stderr}`}`);
      });
    });
    const stop = endTogether(process, folder);
    void this.ended.then(stop);
  }

  /** Starts a kernel; it may take a while until it answers. */
  static async start(options: StartOptions = {}): Promise<KernelProcess> {
    const connection = options.connection ?? (await newConnection());
    const folder = mkdtempSync(join(tmpdir(), "jitlab-kernel-"));
    const file = join(folder, "connection.json");
    writeConnectionFile(file, connection);
    const [command = "", ...words] = (options.argv ?? ownArgv).map((word) =>
      word.replace("{connection_file}", file),
    );
    const own = ["ignore", "ignore", "pipe"] as const;
    const launcher = launcherPipe(own.length);
    const child = spawn(command, words, {
      cwd: options.cwd,
      env: environmentWith({ JPY_PARENT_PID: String(process.pid), ...launcher.environment, ...options.env }),
      stdio: [...own, ...launcher.stdio],
      detached: true, // Ctrl-C in this terminal is this process's to handle
    });
    return new KernelProcess(connection, file, child, folder);
  }

  /** True if the kernel has ended because another process had one of its ports. */
  get missedPort(): boolean {
    return this.process.exitCode === portStatus;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Ends the process at once. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.process.kill(signal);
  }
}

// Signals that end a process, but those that `jitlab run` itself handles.
const endings = ["SIGTERM", "SIGHUP"] as const;

/** Ends a kernel and removes its folder with this process, unless by SIGKILL, or when the result is called. */
function endTogether(kernel: ChildProcess, folder: string): () => void {
  const stop = () => {
    process.off("exit", end);
    for (const signal of endings) process.off(signal, endBySignal);
    rmSync(folder, { recursive: true, force: true });
  };
  const end = () => {
    kernel.kill("SIGTERM");
    stop();
  };
  const endBySignal = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  process.once("exit", end);
  for (const signal of endings) process.once(signal, endBySignal);
  return stop;
}
