// A thread of the child that stays awake while cells keep the main thread busy. It interrupts them, and it ends the child,
// with everything that cells started, when the parent is gone: its pipe closes however the parent died.
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { descriptors, LineDecoder, type WatchRequest } from "./channel.js";
import { GuardWord, guardState } from "./guard-state.js";

const { outside, moving, inside, firing } = guardState;
const guardWord = new GuardWord(workerData as SharedArrayBuffer);
const socket = new Socket({ fd: descriptors.toWatch, readable: true, writable: false });

const requests: Readonly<Record<WatchRequest["type"], (target: number) => void>> = { interrupt, terminate };
const decoder = new LineDecoder<WatchRequest>();

socket.on("data", (bytes: Buffer) => {
  for (const [, { type, target }] of decoder.decode(bytes)) requests[type](target);
});
socket.on("close", endProcess);
socket.on("error", endProcess);

// Guarded code ends by the signal; whatever else the cell does ends when the event loop hears of it.
function interrupt(target: number): void {
  guardWord.target = target;
  sendSignal();
  parentPort?.postMessage("interrupt");
}

// SIGINT goes to the whole process group: programs that the cell waits for end as well.
function sendSignal(): void {
  for (;;) {
    if (guardWord.state === firing) return; // one is on its way
    if (guardWord.move(inside, firing)) {
      process.kill(0, "SIGINT");
      return; // the end of the guarded code resets the state
    }
    if (guardWord.move(outside, firing)) {
      process.kill(0, "SIGINT");
      guardWord.waitWhile(firing, 2); // until the signal has surely arrived
      guardWord.set(outside);
      return;
    }
    guardWord.waitWhile(moving, 1);
  }
}

// For a callback of native code, which no guard surrounds and which never returned to the event loop. Guarded code ends
// by SIGINT as soon as the native call that it waits for returns; ending it twice would end whatever runs next. The
// session is opened only for this: an open one makes the main thread keep what it logs.
function terminate(): void {
  if (guardWord.state !== outside || !guardWord.pending) return;
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}

function endProcess(): void {
  process.kill(-process.pid, "SIGKILL");
}
