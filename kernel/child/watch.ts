// A thread of the child that stays awake while cells keep the main thread busy. It interrupts them, and it ends the child
// and the programs of cells when the parent ends: its pipe closes however the parent dies.
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import {
  type DetachedNote,
  descriptors,
  encodeLine,
  type InterruptRequest,
  LineDecoder,
  type WatchRequest,
  type WatchSetup,
} from "./channel.js";
import { GuardWord, guardState } from "./guard-state.js";
import { InspectorSession } from "./inspector-session.js";
import {
  DetachedPrograms,
  endGroup,
  fileOf,
  interruptMissedPrograms,
  statOf,
  ticksSinceBoot,
} from "./process-group.js";

const { outside, moving, inside, firing, callback } = guardState;
// A main thread that only waits for its turn on a busy machine uses less before it sees an interrupt; in clock ticks.
const busyTicks = 5;
const { guard, mark } = workerData as WatchSetup;
const guardWord = new GuardWord(guard);
const mainThread = `self/task/${process.pid}`;
const socket = new Socket({ fd: descriptors.toWatch, readable: true, writable: true });
let told = 0;
let ticksAtInterrupt: number | undefined;
let sleepsBefore: number | undefined;
let signalled = Number.POSITIVE_INFINITY;
const inspector = new InspectorSession((message) => socket.write(encodeLine(++told, message)));

const requests: {
  readonly [K in WatchRequest["type"]]: (request: Extract<WatchRequest, { readonly type: K }>) => void;
} = {
  interrupt,
  terminate,
  devtools: (request) => inspector.post(request),
  "close-devtools": () => inspector.close(),
};
const detached = new DetachedPrograms(mark);
const decoder = new LineDecoder<WatchRequest>();

socket.on("data", (bytes: Buffer) => {
  decoder.decode(bytes, (request) => (requests[request.type] as (request: WatchRequest) => void)(request));
});
parentPort?.on("message", (note: DetachedNote) => detached.note(note));
parentPort?.unref(); // the socket keeps this thread
socket.on("close", endProcess);
socket.on("error", endProcess);

// Guarded code ends by the signal; other work of the cell ends when the event loop handles it.
function interrupt({ number, target }: InterruptRequest): void {
  guardWord.ask(number, target);
  ticksAtInterrupt = mainThreadTicks();
  sleepsBefore = undefined;
  sendSignal();
  inspector.resumeForSignal();
  tellMainThread();
}

function tellMainThread(): void {
  parentPort?.postMessage("interrupt");
}

// SIGINT goes to the whole process group: programs that the cell waits for end as well.
function sendSignal(): void {
  signalled = ticksSinceBoot();
  for (;;) {
    if (guardWord.state === firing) return; // one is on its way
    if (guardWord.move(inside, firing)) {
      // Asked here, where it cannot change: what is guarded may have begun after the event loop saw the interrupt.
      if (guardWord.pending) process.kill(0, "SIGINT");
      else guardWord.set(inside);
      return; // the end of the guarded code resets the state
    }
    const from = guardWord.state;
    if ((from === outside || from === callback) && guardWord.move(from, firing)) {
      process.kill(0, "SIGINT");
      guardWord.waitWhile(firing, 2); // until the signal has surely arrived
      guardWord.set(from);
      return;
    }
    guardWord.waitWhile(moving, 1);
  }
}

// For what the first signal did not end. Code that began right after it is guarded, and a second one ends it. A callback
// of native code is surrounded by no guard and never returned to the event loop; the inspector ends it, whose session is
// opened only for this: an open one makes the main thread keep what it logs. Guarded code that waits for a native call
// ends by the first signal as soon as that returns; ending it twice would end whatever runs next. The signal may have missed such
// a call, or the program that it waits for. A main thread that has not run yet is about to see the interrupt: ending that would make
// Node abort.
function terminate(): void {
  tellMainThread(); // again: an earlier termination may have hit the event loop where it handled that
  // A stopped main thread takes the signal as it goes on; ended here, it would not answer for its cell.
  if (!guardWord.pending || inspector.stopped) return;
  const { state } = guardWord;
  if (state === inside) sendSignal();
  else if (state === firing) {
    const since = signalled;
    signalled = ticksSinceBoot();
    interruptMissedPrograms(since);
    endSystemCall();
  } else if (state === callback && hasRun()) terminateByInspector();
}

function hasRun(): boolean {
  const ticks = mainThreadTicks();
  return ticks === undefined || ticksAtInterrupt === undefined || ticks - ticksAtInterrupt >= busyTicks;
}

// The main thread's processor time; undefined where the system does not tell it.
function mainThreadTicks(): number | undefined {
  const [user, system] = statOf(mainThread).slice(11);
  return system === undefined ? undefined : Number(user) + Number(system);
}

// A signal that comes just before a call of the system, such as a read, does not end that call; the next one does. It is sent to a
// main thread that has slept since the last look: one that runs may be about to leave the guarded code.
function endSystemCall(): void {
  const sleeps = mainThreadSleeps();
  if (sleeps !== undefined && sleeps === sleepsBefore) process.kill(process.pid, "SIGINT");
  sleepsBefore = sleeps;
}

// How often the main thread has gone to sleep, if it sleeps.
function mainThreadSleeps(): number | undefined {
  const [, sleeps] =
    /^State:\s*S[\s\S]*^voluntary_ctxt_switches:\s*(\d+)/m.exec(fileOf(mainThread, "status")) ?? [];
  return sleeps === undefined ? undefined : Number(sleeps);
}

// Meanwhile no guarded code begins: it would be ended instead.
function terminateByInspector(): void {
  if (!guardWord.move(callback, firing)) return;
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => {
    guardWord.set(outside);
    session.disconnect();
    // What ended may have been the callback that sees the interrupt.
    tellMainThread();
  });
}

// The pipe's end may be seen before an earlier message.
function endProcess(): void {
  for (;;) {
    const waiting = parentPort && receiveMessageOnPort(parentPort);
    if (!waiting) break;
    detached.note(waiting.message as DetachedNote);
  }
  detached.end();
  endGroup(process.pid);
}
