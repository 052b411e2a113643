// The parent's handle of the child process: starts it with pipes, escalates interrupts, and reports its death. The child
// leads its own process group, so that programs of cells can be ended with it.
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { closeAll, outputPipes } from "../../magics/child/pipes.js";
import { cellMark, environmentWith } from "../../runtime/base/env.js";
import {
  descriptors,
  encodeLine,
  type FromChild,
  type FromWatch,
  type InputAnswer,
  LineDecoder,
  type ToChild,
  type WatchRequest,
} from "../child/channel.js";
import { exitPatience, launcherPipe } from "../child/job.js";
import { DetachedPrograms, endGroup } from "../child/process-group.js";
import type { DevtoolsEvent } from "../debugger/devtools.js";
import { NativeOutput } from "./native-output.js";

/** The child's messages that the server handles. */
export type FromRunningChild = Exclude<FromChild, { type: "broken" | "detached" | "interrupted" }>;

/** The events of a child. */
export interface ChildEvents {
  message(message: FromRunningChild): void;
  /** Text of native code on the child's stdout or stderr. */
  native(name: "stdout" | "stderr", text: string): void;
  /** The inspector sends a message while a debugger is attached. */
  devtools(event: DevtoolsEvent): void;
  /** The process has ended, with a sentence on how. */
  ended(how: string): void;
}

// V8's compiler threads make the first calls faster, but not where they take the time of the thread that runs them.
const compilerThreads = Math.max(1, Math.min(4, availableParallelism() - 1));

// Dynamic imports and resolution from the notebook's folder are behind flags, and their warnings would reach cells.
const flags = [
  `--v8-pool-size=${compilerThreads}`,
  "--experimental-vm-modules",
  "--experimental-import-meta-resolve",
  "--disable-warning=ExperimentalWarning",
];
const program = fileURLToPath(new URL("../child/main.js", import.meta.url));

// The steps of an interrupt: SIGINT at once, then repeated termination from the watch thread, then the end of the process.
// Only a native call that does not return gets that far. Ending costs all variables, and most such calls return within
// seconds, so it comes late, or sooner after another interrupt.
const terminateEveryMs = 400;
const impatientAfterMs = 2000;
const killAfterMs = 8000;
const stuckNote =
  "Waiting for a native call to return. Unless it does within " +
  `${(killAfterMs - impatientAfterMs) / 1000} seconds, its process is ended and the variables are lost; ` +
  "interrupt again to end it now.\n";
// How long a cell's answer waits for its native output if the mark does not arrive; in naps, because on a busy machine a
// single one can be over before the pipes were read.
const markerPatience = { naps: 10, napMs: 50 };
const exitMs = 2000;
// A dying process has died within this time after its pipes close.
const deathMs = 500;

// The runtime's message on stderr when a functor's fault ends the process.
const faultPattern = /^jitlab: SIG[A-Z]+ in the kernel (\w+)\./m;

/** A running child process. */
export class Child {
  private readonly process: ChildProcess;
  private readonly outputs: Readonly<Record<"stdout" | "stderr", Readable>>;
  private readonly natives: readonly NativeOutput[];
  private readonly waiting = new Set<() => void>();
  private readonly detached: DetachedPrograms;
  private count = 0;
  private watchCount = 0;
  /** Unanswered messages to the inspector. */
  private readonly asked = new Map<number, { resolve(result: object): void; reject(error: Error): void }>();
  private ready = false;
  /** The input request that a cell waits for. */
  private question: { readonly question: number; readonly later: boolean } | undefined;
  private ladder: { readonly start: number; readonly timers: readonly NodeJS.Timeout[] } | undefined;
  /** The number of the last interrupt, and of the last one that the child has seen. */
  private interrupts = 0;
  private seen = 0;
  /** Lines to send once the child has seen all interrupts: a pending signal would end the code that they start. */
  private readonly queued: string[] = [];
  /** The faulty kernel that the process reported before its end. */
  private faulty: string | undefined;
  /** True once an interrupt had to end the process. */
  killedByInterrupt = false;
  /** Why the process was ended, if a cell's code broke it. */
  private broken: string | undefined;
  private over = false;
  private readonly ended: Promise<unknown>;

  constructor(private readonly events: ChildEvents) {
    const token = randomUUID();
    const mark = randomUUID();
    this.detached = new DetachedPrograms(mark);
    const pipes = outputPipes(2);
    const [out, err] = pipes;
    const own = [
      "ignore",
      out?.theirs ?? "pipe",
      err?.theirs ?? "pipe",
      "pipe",
      "pipe",
      "pipe",
      "pipe",
    ] as const;
    const launcher = launcherPipe(own.length);
    this.process = spawn(process.execPath, [...flags, program, token, mark], {
      env: environmentWith({ [cellMark]: mark, ...launcher.environment }),
      stdio: [...own, ...launcher.stdio],
      detached: true,
    });
    closeAll(pipes.map(({ theirs }) => theirs));
    this.outputs = {
      stdout: out?.source ?? (this.process.stdout as Readable),
      stderr: err?.source ?? (this.process.stderr as Readable),
    };
    for (const stream of this.streams()) stream?.on("error", () => undefined); // its end is reported once
    this.natives = (["stdout", "stderr"] as const).map((name) => {
      const native = new NativeOutput(
        token,
        (text) => {
          this.faulty = faultPattern.exec(text)?.[1] ?? this.faulty;
          events.native(name, text);
        },
        () => this.wake(),
      );
      this.outputs[name].on("data", (chunk: Buffer) => native.receive(chunk));
      return native;
    });
    this.listen<FromChild>(descriptors.toParent, (message) => this.receive(message));
    this.listen<FromWatch>(descriptors.toWatch, (message) => this.receiveFromWatch(message));
    for (const descriptor of Object.values(descriptors)) {
      this.pipe(descriptor).once("close", () => this.lost(descriptor));
    }
    this.ended = once(this.process, "exit").catch(() => undefined);
    this.process.once("error", (error) => this.end(`could not be started: ${error.message}`));
    this.process.once("exit", (code, signal) => this.exited(code, signal));
  }

  private listen<T>(descriptor: number, handle: (message: T) => void): void {
    const decoder = new LineDecoder<T>();
    (this.process.stdio[descriptor] as Readable).on("data", (chunk: Buffer) => {
      if (this.broken !== undefined) return;
      try {
        decoder.decode(chunk, handle);
      } catch (error) {
        this.breakOff((error as Error).message);
      }
    });
  }

  /** Sends a cell or a comm event; it waits until the child is ready and has seen all earlier interrupts. */
  send(message: ToChild): void {
    const line = encodeLine(++this.count, message);
    if (this.seen < this.interrupts) this.queued.push(line);
    else this.pipe(descriptors.toChild).write(line);
  }

  /** Answers the cell that waits for input; undefined makes its prompt throw. */
  answer(value: string | undefined): void {
    if (this.question === undefined) return;
    const { question, later } = this.question;
    this.question = undefined;
    if (!later) {
      const answer: InputAnswer = { question, value };
      this.pipe(descriptors.answers).write(`${JSON.stringify(answer)}\n`);
    } else if (value !== undefined) this.send({ type: "answer", question, value });
  }

  /** Sends a message to the inspector of the process; rejects if that fails, or the process ends. */
  devtools(method: string, params: object): Promise<object> {
    const id = ++this.watchCount;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.pipe(descriptors.toWatch).write(encodeLine(id, { type: "devtools", id, method, params }));
    });
  }

  /** Ends the inspector's session. */
  closeDevtools(): void {
    this.watch({ type: "close-devtools" });
    this.giveUpAsked("The debugger was closed.");
  }

  /** Interrupts the running request in increasing steps, until the child reports that it saw the interrupt. */
  interrupt(): void {
    if (!this.ready)
      this.killForInterrupt(); // nothing can be lost yet
    else if (this.ladder === undefined) this.climb();
    else if (performance.now() - this.ladder.start >= impatientAfterMs) this.killForInterrupt();
    else if (this.queued.length > 0) this.ask(); // for the requests sent after the first one
  }

  /** Settles when the native output before a mark has arrived. */
  async outputBefore(marker: number): Promise<void> {
    const arrived = () => this.natives.every((native) => native.marker >= marker);
    for (let nap = 0; nap < markerPatience.naps && !arrived(); nap++) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, markerPatience.napMs);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Lets the process end, with what cells do at its exit; by force after a while. */
  async close(): Promise<void> {
    if (this.ready && !this.over) {
      this.send({ type: "exit" });
      await Promise.race([this.ended, sleep(exitPatience(exitMs), undefined, { ref: false })]);
    }
    this.kill();
  }

  /** Ends the process and all that its cells started. */
  kill(): void {
    if (this.process.pid !== undefined) endGroup(this.process.pid);
    this.detached.end();
  }

  private climb(): void {
    this.ask();
    this.answer(undefined);
    const timers = [
      setInterval(() => this.watch({ type: "terminate" }), terminateEveryMs),
      setTimeout(() => this.events.native("stderr", stuckNote), impatientAfterMs),
      setTimeout(() => this.killForInterrupt(), killAfterMs),
    ];
    this.ladder = { start: performance.now(), timers };
  }

  private receiveFromWatch(message: FromWatch): void {
    if ("method" in message) {
      this.events.devtools(message as DevtoolsEvent);
      return;
    }
    const asked = this.asked.get(message.id);
    this.asked.delete(message.id);
    if ("error" in message) asked?.reject(new Error(message.error));
    else asked?.resolve(message.result);
  }

  private ask(): void {
    this.watch({ type: "interrupt", number: ++this.interrupts, target: this.count });
  }

  private sawInterrupts(upTo: number): void {
    this.seen = upTo;
    if (upTo < this.interrupts) return;
    this.stopLadder();
    for (const line of this.queued.splice(0)) this.pipe(descriptors.toChild).write(line);
  }

  private stopLadder(): void {
    for (const timer of this.ladder?.timers ?? []) clearTimeout(timer);
    this.ladder = undefined;
  }

  private giveUpAsked(why: string): void {
    for (const { reject } of this.asked.values()) reject(new Error(why));
    this.asked.clear();
  }

  private watch(request: WatchRequest): void {
    this.pipe(descriptors.toWatch).write(encodeLine(++this.watchCount, request));
  }

  private receive(message: FromChild): void {
    if (message.type === "ready") this.ready = true;
    if (message.type === "input-request") this.question = message;
    if (message.type === "broken") this.breakOff(message.reason);
    else if (message.type === "detached") this.detached.note(message);
    else if (message.type === "interrupted") this.sawInterrupts(message.number);
    else this.events.message(message);
  }

  // The process cannot answer: it is ended, so that waiting cells still get an answer.
  private breakOff(reason: string): void {
    if (this.broken !== undefined || this.over) return;
    this.broken = reason;
    this.kill();
  }

  // The pipes of a process that dies close before its end is reported.
  private lost(descriptor: number): void {
    const breakOff = () => this.breakOff(`something closed its file descriptor ${descriptor}`);
    afterEvents(breakOff, deathMs).unref();
  }

  private exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.over = true;
    this.kill(); // the processes that cells started
    // Pipes may still hold output; a process that escaped the group may hold them open forever.
    afterEvents(() => this.end(this.howEnded(code, signal)), this.outputs.stdout.readableEnded ? 0 : 50);
  }

  private howEnded(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.broken !== undefined) return `could not continue and was ended: ${this.broken}`;
    const where = this.faulty === undefined ? "" : ` in the kernel ${this.faulty}`;
    return signal ? `was ended by ${signal}${where}` : `ended with status ${code}`;
  }

  private end(how: string): void {
    this.stopLadder();
    this.giveUpAsked("The process that runs the cells has ended.");
    for (const native of this.natives) native.end();
    this.wake();
    for (const stream of this.streams()) stream?.destroy();
    this.events.ended(how);
  }

  private killForInterrupt(): void {
    this.killedByInterrupt = true;
    this.kill();
  }

  private streams() {
    return [...this.process.stdio, ...Object.values(this.outputs)];
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

// On a busy machine a timer may be due before the events that came first were handled.
function afterEvents(run: () => void, ms: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(run), ms);
}
