// The open comms, which the server must be able to list while the child is busy, and their messages on the wire.
import type { CommMessage } from "../child/channel.js";
import type { Fields, Message } from "../protocol/message.js";

const types: Readonly<Record<CommMessage["event"], string>> = {
  open: "comm_open",
  message: "comm_msg",
  close: "comm_close",
};

/** Comms by their ids. */
export class CommTable {
  private readonly targets = new Map<string, string>();

  /** Applies a comm event from either side. */
  note({ event, id, target }: CommMessage): void {
    if (event === "open") this.targets.set(id, target);
    if (event === "close") this.targets.delete(id);
  }

  clear(): void {
    this.targets.clear();
  }

  /** The content of a comm_info_reply. */
  info(target: unknown): Fields {
    const entries = [...this.targets].filter(([, name]) => typeof target !== "string" || name === target);
    return { comms: Object.fromEntries(entries.map(([id, name]) => [id, { target_name: name }])) };
  }

  /** A comm event of the child as a protocol message. */
  toProtocol(message: CommMessage): {
    type: string;
    content: Fields;
    metadata: Fields;
    buffers: readonly Uint8Array[];
  } {
    const target = message.event === "open" ? { target_name: message.target } : {};
    return {
      type: types[message.event],
      content: { comm_id: message.id, ...target, data: message.data ?? {} },
      metadata: (message.metadata ?? {}) as Fields,
      buffers: message.buffers.map((text) => Buffer.from(text, "base64")),
    };
  }

  /** A protocol message as a comm event for the child; undefined if it names no comm. */
  fromProtocol(message: Message): CommMessage | undefined {
    const { comm_id: id, target_name: target, data } = message.content;
    const event = Object.entries(types).find(([, type]) => type === message.header.msg_type)?.[0];
    if (typeof id !== "string" || event === undefined) return undefined;
    return {
      type: "comm",
      cell: message.header.msg_id,
      event: event as CommMessage["event"],
      id,
      target: typeof target === "string" ? target : (this.targets.get(id) ?? ""),
      data,
      metadata: message.metadata,
      buffers: message.buffers.map((bytes) => Buffer.from(bytes).toString("base64")),
    };
  }
}
