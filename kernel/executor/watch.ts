// A thread of the child that stays awake while cells keep the main thread busy. It ends code that SIGINT cannot reach,
// and it ends the child, with everything that cells started, when the parent is gone: its pipe closes however the parent
// died.
import { Session } from "node:inspector";
import { Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { descriptors } from "./channel.js";

const guardDepth = workerData as Int32Array;
const socket = new Socket({ fd: descriptors.toWatch, readable: true, writable: false });

socket.on("data", () => {
  // Guarded code ends by SIGINT as soon as the native call that it waits for returns; ending it twice would end
  // whatever runs next.
  if (Atomics.load(guardDepth, 0) === 0) terminate();
});
socket.on("close", () => process.kill(-process.pid, "SIGKILL"));
socket.on("error", () => process.kill(-process.pid, "SIGKILL"));

// Connected only for this: an open session makes the main thread keep what it logs.
function terminate(): void {
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => {
    session.disconnect();
    parentPort?.postMessage("terminated");
  });
}
