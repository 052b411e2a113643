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

// For what the first signal did not end. Code that began right after it is guarded, and a second one ends it. A callback
// of native code is surrounded by no guard and never returned to the event loop; the inspector ends it, whose session is
// opened only for this: an open one makes the main thread keep what it logs. Guarded code that waits for a native call
// ends by the first signal as soon as that returns; ending it twice would end whatever runs next.
function terminate(): void {
  if (!guardWord.pending) return;
  const { state } = guardWord;
  if (state === inside) sendSignal();
  else if (state === outside) terminateByInspector();
}

function terminateByInspector(): void {
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}

function endProcess(): void {
  process.kill(-process.pid, "SIGKILL");
}
