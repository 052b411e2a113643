// Decodes arriving messages. A malformed, wrongly signed or replayed one is dropped and logged, without an answer.
import type { Message, Wire } from "../protocol/message.js";

/** The message in these frames, or undefined if it was dropped. */
export function receivedMessage(wire: Wire, channel: string, frames: readonly Buffer[]): Message | undefined {
  try {
    return wire.decode(frames);
  } catch (error) {
    console.error(`jitlab: dropped a message on ${channel}: ${(error as Error).message}`);
    return undefined;
  }
}
