// Messages as they arrive. One that is malformed, wrongly signed or replayed is dropped with a line in the server's log:
// there is nobody to answer.
import type { Message, Wire } from "../message.js";

/** The message in these frames, or undefined where it was dropped. */
export function receivedMessage(wire: Wire, channel: string, frames: readonly Buffer[]): Message | undefined {
  try {
    return wire.decode(frames);
  } catch (error) {
    console.error(`jitlab: dropped a message on ${channel}: ${(error as Error).message}`);
    return undefined;
  }
}
