// The program of a compiler process: the worker, with a socket as its port. It ends with the socket, however the other end
// closes: NVRTC compiles in a thread of the pool, so that this one notices.
import { Socket } from "node:net";
import { listen, send } from "./frames.js";
import type { ToWorker } from "./messages.js";
import { serve } from "./worker.js";

const socket = new Socket({ fd: 0, readable: true, writable: true });
// A signal, because an exit waits for compiles.
socket.on("close", () => process.kill(process.pid, "SIGKILL"));
socket.on("error", () => undefined);
const receive = serve((answer) => send(socket, answer));
listen(socket, (message) => receive(message as ToWorker));
