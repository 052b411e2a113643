// The parent's hold on the child process: starting it with pipes for everything, the ladder of ways to interrupt it, and
// what its death means. The child leads a process group of its own, so that what cells start can be ended with it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  descriptors,
  encodeLine,
  type FromChild,
  type InputAnswer,
  LineDecoder,
  type ToChild,
  type WatchRequest,
} from "./executor/channel.js";
import { NativeOutput } from "./server/native-output.js";

/** What a child tells the server. */
export interface ChildEvents {
  message(message: FromChild): void;
  /** Text of native code on the child's stdout or stderr. */
  native(name: "stdout" | "stderr", text: string): void;
  /** The process has ended, with a sentence on how. */
  ended(how: string): void;
}

// Dynamic imports and resolution from the notebook's folder are behind flags, and their warnings would reach cells.
const flags = [
  "--experimental-vm-modules",
  "--experimental-import-meta-resolve",
  "--disable-warning=ExperimentalWarning",
];
const program = fileURLToPath(new URL("executor/main.js", import.meta.url));

// The ladder of an interrupt: SIGINT at once, then termination from the watch thread, again and again, then the end of
// the process. Only a native call that does not return gets that far. It costs all variables, and most such calls return
// within seconds, so the end comes late, and sooner for who interrupts again.
const terminateEveryMs = 400;
const impatientAfterMs = 2000;
const killAfterMs = 8000;
const stuckNote =
  "The cell is in a native call, which nothing can stop. Unless it returns within " +
  `${(killAfterMs - impatientAfterMs) / 1000} seconds, its process is ended and the variables are lost; ` +
  "interrupt again to end it now.\n";
// How long a cell's answer waits for its native output, where something keeps the mark from arriving.
const markerPatienceMs = 500;

/** A running child process. */
export class Child {
  private readonly process: ChildProcess;
  private readonly natives: readonly NativeOutput[];
  private readonly waiting = new Set<() => void>();
  private count = 0;
  private watchCount = 0;
  private ready = false;
  /** The number of the question that a cell waits for. */
  private question: number | undefined;
  private ladder: { readonly start: number; readonly timers: readonly NodeJS.Timeout[] } | undefined;
  /** True once an interrupt had to end the process. */
  killedByInterrupt = false;

  constructor(private readonly events: ChildEvents) {
    const token = randomUUID();
    this.process = spawn(process.execPath, [...flags, program, token], {
      stdio: ["pipe", "pipe", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of this.process.stdio) stream?.on("error", () => undefined); // its end is reported once
    this.natives = (["stdout", "stderr"] as const).map((name) => {
      const native = new NativeOutput(
        token,
        (text) => events.native(name, text),
        () => this.wake(),
      );
      this.process[name]?.on("data", (chunk: Buffer) => native.receive(chunk));
      return native;
    });
    const decoder = new LineDecoder<FromChild>();
    (this.process.stdio[descriptors.toParent] as Readable).on("data", (chunk: Buffer) => {
      for (const [, message] of decoder.decode(chunk)) this.receive(message);
    });
    this.process.once("error", (error) => this.end(`could not be started: ${error.message}`));
    this.process.once("exit", (code, signal) => this.exited(code, signal));
  }

  /** Hands over a cell or a comm event; it waits in the pipe until the child is ready. */
  send(message: ToChild): void {
    this.pipe(descriptors.toChild).write(encodeLine(++this.count, message));
  }

  /** Answers the cell that waits for input; undefined ends the cell's wait with an error. */
  answer(value: string | undefined): void {
    if (this.question === undefined) return;
    const answer: InputAnswer = { question: this.question, value };
    this.question = undefined;
    this.pipe(0).write(`${JSON.stringify(answer)}\n`);
  }

  /** Asks the running cell to stop, then insists; `settled` ends that. */
  interrupt(): void {
    if (!this.ready)
      this.killForInterrupt(); // nothing can be lost yet
    else if (this.ladder === undefined) this.climb();
    else if (performance.now() - this.ladder.start >= impatientAfterMs) this.killForInterrupt();
  }

  /** The cell has ended: the ladder of an interrupt is climbed no further. */
  settled(): void {
    for (const timer of this.ladder?.timers ?? []) clearTimeout(timer);
    this.ladder = undefined;
  }

  /** Settles when the native output before a mark has arrived. */
  async outputBefore(marker: number): Promise<void> {
    const arrived = () => this.natives.every((native) => native.marker >= marker);
    const deadline = performance.now() + markerPatienceMs;
    while (!arrived() && performance.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, markerPatienceMs);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Ends the process and all that its cells started. */
  kill(): void {
    if (this.process.pid === undefined) return;
    try {
      process.kill(-this.process.pid, "SIGKILL");
    } catch {
      // the group is gone
    }
  }

  private climb(): void {
    const target = this.count;
    this.watch("interrupt", target);
    this.answer(undefined);
    const timers = [
      setInterval(() => this.watch("terminate", target), terminateEveryMs),
      setTimeout(() => this.events.native("stderr", stuckNote), impatientAfterMs),
      setTimeout(() => this.killForInterrupt(), killAfterMs),
    ];
    this.ladder = { start: performance.now(), timers };
  }

  private watch(type: WatchRequest["type"], target: number): void {
    this.pipe(descriptors.toWatch).write(encodeLine(++this.watchCount, { type, target }));
  }

  private receive(message: FromChild): void {
    if (message.type === "ready") this.ready = true;
    if (message.type === "input-request") this.question = message.question;
    this.events.message(message);
  }

  private exited(code: number | null, signal: NodeJS.Signals | null): void {
    const how = signal ? `was ended by ${signal}` : `ended with status ${code}`;
    this.kill(); // what the cells started
    // Pipes may still hold output; a process that escaped the group may hold them open for ever.
    setTimeout(() => this.end(how), this.process.stdout?.readableEnded ? 0 : 50);
  }

  private end(how: string): void {
    this.settled();
    for (const native of this.natives) native.end();
    this.wake();
    for (const stream of this.process.stdio) stream?.destroy();
    this.events.ended(how);
  }

  private killForInterrupt(): void {
    this.killedByInterrupt = true;
    this.kill();
  }

  private pipe(descriptor: number): Writable {
    return this.process.stdio[descriptor] as Writable;
  }

  private wake(): void {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
