// The processes of the compile service's worker, each of which compiles one text at a time. NVRTC's threads hold each other
// up, its processes do not. Started for many texts only: each loads Node and the compiler.
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { programs } from "../base/builtins.js";
import { environmentWith } from "../base/env.js";
import { libraryFile } from "../base/files.js";
import { endedError, startError } from "./failure.js";
import { listen, send } from "./frames.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { existsWorkingDirectory } from "./thread.js";

type CompileMessage = Extract<ToWorker, { type: "compile" }>;

// A shell names only descriptors of one digit; three are taken.
const mostPerShell = 7;
// NVRTC allocates and frees megabytes for each text: kept, they cost a tenth of the page faults.
const keptBytes = String(2 ** 30);
const environment = {
  MALLOC_ARENA_MAX: "1",
  MALLOC_TOP_PAD_: String(2 ** 24),
  MALLOC_TRIM_THRESHOLD_: keptBytes,
  // The process's flags, such as a debugger's port or a loader, do not apply to these.
  NODE_OPTIONS: "",
};

class CompilerProcess {
  #answered: ((answer: FromWorker | undefined) => void) | undefined;
  hasEnded = false;

  constructor(readonly socket: Socket) {
    listen(socket, (answer) => this.#settle(answer as FromWorker));
    // However a process ends, its socket closes.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.hasEnded = true;
      this.#settle(undefined);
    });
  }

  get isIdle(): boolean {
    return this.#answered === undefined && !this.hasEnded;
  }

  async compile(message: CompileMessage): Promise<FromWorker> {
    const answered = new Promise<FromWorker | undefined>((done) => {
      this.#answered = done;
    });
    send(this.socket, message);
    const answer = await answered;
    if (answer === undefined) throw endedError("compiler process");
    return answer;
  }

  #settle(answer: FromWorker | undefined): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(answer);
  }
}

/** Compiler processes, which end with this worker. */
export class CompilerProcesses {
  #all: CompilerProcess[] = [];

  /** Compiles in an idle process. Without one, starts as many as there may be. */
  async compile(message: CompileMessage, most: number): Promise<FromWorker> {
    for (;;) {
      this.#all = this.#all.filter((one) => !one.hasEnded);
      const idle = this.#all.find((one) => one.isIdle);
      if (idle) return idle.compile(message);
      await this.#start(Math.min(Math.max(most - this.#all.length, 1), mostPerShell));
    }
  }

  /** Ends the processes, even while they compile. */
  end(): void {
    for (const { socket } of this.#all) socket.destroy();
    this.#all = [];
  }

  /** Starts processes by one shell: forking this process, which may be large, takes longer than forking the shell. */
  async #start(count: number): Promise<void> {
    const own = Array.from({ length: count }, (_, i) => i + 3);
    const closed = own.map((fd) => `${fd}<&-`).join(" ");
    // It keeps no end of their sockets open, and leaves no ended process behind.
    const script = `${own.map((fd) => `"$0" "$1" <&${fd} ${closed} &`).join("\n")}\nexec ${closed}\nwait`;
    const program = fileURLToPath(libraryFile("compiler/process.js"));
    const shell = programs().spawn("/bin/sh", ["-c", script, process.execPath, program], {
      // Signals to this process's group, such as an interrupt, are not for them.
      detached: true,
      stdio: ["ignore", "ignore", "inherit", ...own.map(() => "pipe" as const)],
      env: environmentWith(environment),
      ...(!existsWorkingDirectory() && { cwd: "/" }),
    });
    if (shell.pid === undefined) {
      throw startError("compiler process", await new Promise((told) => shell.once("error", told)));
    }
    for (const fd of own) this.#all.push(new CompilerProcess(shell.stdio[fd] as Socket));
  }
}
