// The child's end of the channel to the parent.
import { Socket } from "node:net";
import { pinned, writeAll } from "./built-ins.js";
import {
  descriptors,
  encodeLine,
  type FromChild,
  LineDecoder,
  outputMarker,
  type ToChild,
} from "./channel.js";
import { reportError } from "./error-report.js";
import { keepCallbacks } from "./interruptible.js";
import { flushNativeOutput } from "./native-flush.js";

/** Writes messages to the parent and reads its own. */
export class ParentLink {
  private count = 0;
  private unfinished: string | undefined;
  private markers = 0;

  /** `token` is the parent's secret for the markers on stdout and stderr. */
  constructor(private readonly token: string) {}

  /** Sends a message synchronously. */
  send(message: FromChild): void {
    this.repair();
    const line = encodeLine(this.count + 1, message);
    // Together, and after the encoding: an interrupt may end this function at any call, and no number may be left out.
    this.count++;
    this.unfinished = line;
    writeAll(descriptors.toParent, line);
    this.unfinished = undefined;
  }

  /** Marks on stdout and stderr that everything before belongs to the cell that ends here; gives the mark's number. */
  mark(): number {
    flushNativeOutput();
    const marker = outputMarker(this.token, ++this.markers);
    writeAll(1, marker);
    writeAll(2, marker);
    return this.markers;
  }

  /** Tells the parent that this process cannot run cells any more, and why. */
  breakOff(error: unknown): void {
    const { name, message } = reportError(error);
    this.send({ type: "broken", reason: `${name}: ${message}` });
  }

  /** Calls `handle` with each message of the parent, and `end` when the parent has ended. */
  listen(handle: (message: ToChild, number: number) => void, end: () => void): void {
    const decoder = new LineDecoder<ToChild>();
    const socket = pinned(new Socket({ fd: descriptors.toChild, readable: true, writable: false }));
    keepCallbacks((socket as unknown as { _handle: object })._handle);
    socket.on("data", (chunk: Buffer) => {
      try {
        decoder.decode(chunk, handle);
      } catch (error) {
        this.breakOff(error);
      }
    });
    socket.on("close", end);
    socket.on("error", end);
  }

  /** Writes an interrupted line again; the parent ignores it if it was complete. */
  repair(): void {
    if (this.unfinished === undefined) return;
    const line = this.unfinished;
    writeAll(descriptors.toParent, `\n${line}`);
    this.unfinished = undefined;
  }
}
