// The child's end of the channel to the parent.
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import {
  descriptors,
  encodeLine,
  type FromChild,
  LineDecoder,
  outputMarker,
  type ToChild,
} from "./channel.js";
import { flushNativeOutput } from "./native-flush.js";

/** Writes messages to the parent and reads its own. */
export class ParentLink {
  private count = 0;
  private unfinished: string | undefined;
  private markers = 0;

  /** `token` is the parent's secret for the markers on stdout and stderr. */
  constructor(private readonly token: string) {}

  /** Sends a message; it has left this process on return. */
  send(message: FromChild): void {
    this.repair();
    const line = encodeLine(++this.count, message);
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

  /** Calls `handle` with each message of the parent, and `end` when the parent is gone. */
  listen(handle: (message: ToChild, number: number) => void, end: () => void): void {
    const decoder = new LineDecoder<ToChild>();
    const socket = new Socket({ fd: descriptors.toChild, readable: true, writable: false });
    socket.on("data", (chunk: Buffer) => {
      for (const [number, message] of decoder.decode(chunk)) handle(message, number);
    });
    socket.on("close", end);
    socket.on("error", end);
  }

  /** Writes a line that an interrupt cut short again, whole; the parent ignores it where it was complete. */
  repair(): void {
    if (this.unfinished === undefined) return;
    const line = this.unfinished;
    writeAll(descriptors.toParent, `\n${line}`);
    this.unfinished = undefined;
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}
