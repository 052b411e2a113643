// Messages over a socket between the compile service's worker and its processes: the length, then V8's form of the value.
import type { Socket } from "node:net";
import { deserialize, serialize } from "node:v8";

const lengthBytes = 4;

/** Sends a message. */
export function send(socket: Socket, message: unknown): void {
  const body = serialize(message);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(body.length);
  socket.cork();
  socket.write(length);
  socket.write(body);
  socket.uncork();
}

/** Calls `received` with each message. */
export function listen(socket: Socket, received: (message: unknown) => void): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  let needed = lengthBytes;
  socket.on("data", (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
    if (bytes < needed) return;
    let rest = Buffer.concat(parts);
    for (;;) {
      needed = lengthBytes + (rest.length < lengthBytes ? 0 : rest.readUInt32LE());
      if (rest.length < Math.max(needed, lengthBytes + 1)) break;
      received(deserialize(rest.subarray(lengthBytes, needed)));
      rest = rest.subarray(needed);
    }
    parts = [rest];
    bytes = rest.length;
  });
}
