// Publishes the messages that every front end receives. Consecutive text of one stream becomes one message, because each
// message costs a front end time and a loop can print a hundred thousand lines.
import { cut } from "../../runtime/base/cut.js";
import type { Fields, Header, Message, Wire } from "../protocol/message.js";
import type { Channel } from "../protocol/sockets.js";

/** The header of the request that a message belongs to. */
export type Parent = Message["parent"];

/** A kernel's state as front ends show it. */
export type KernelState = "starting" | "busy" | "idle";

interface PendingText {
  readonly name: string;
  readonly parent: Parent;
  text: string;
}

// Text waits this long for more text, up to this size.
const mergeMs = 15;
const mergeCharacters = 65_536;

// One cell's limit of printed text; the rest is dropped, because more would crash the front end.
const maxCharacters = 20_000_000;

// The messages that add to a cell's output, and the one that removes it.
const additions = new Set(["stream", "display_data", "execute_result", "error"]);
const removal = "clear_output";

// Cells whose output may still arrive; output of older ones goes to the latest.
const maxParents = 1000;

/** Sends messages to all subscribers, in order. */
export class Publisher {
  private pending: PendingText | undefined;
  private timer: NodeJS.Timeout | undefined;
  private started = false;
  private latestCell: Parent = {};
  private readonly parents = new Map<
    string,
    { readonly header: Header; printed: number; hasOutput: boolean }
  >();
  /** Called before a cell's output grows or is removed. */
  beforeOutput: () => void = () => undefined;

  constructor(
    private readonly channel: Channel,
    private readonly wire: Wire,
  ) {
    channel.listen(([frame]) => {
      if (frame?.[0] === 1) this.welcome(frame.subarray(1));
    });
  }

  /** Records a request, so that output can name it by its id. */
  own(header: Header): void {
    this.parents.set(header.msg_id, { header, printed: 0, hasOutput: false });
    if (this.parents.size > maxParents) this.parents.delete(this.parents.keys().next().value ?? "");
  }

  /** Records a cell's request; output without a request belongs to the latest cell. */
  ownCell(header: Header): void {
    this.own(header);
    this.latestCell = header;
  }

  /** The request with that id, or the latest cell's if it is unknown. */
  parentOf(id: string): Parent {
    return this.parents.get(id)?.header ?? this.latestCell;
  }

  /** Whether a request may have output that was not removed, apart from what passes. */
  hasOutput({ msg_id = "" }: Parent): boolean {
    return this.parents.get(msg_id)?.hasOutput ?? true;
  }

  /** Publishes a message. */
  publish(
    type: string,
    content: Fields,
    parent: Parent,
    extras: { readonly metadata?: Fields; readonly buffers?: readonly Uint8Array[] } = {},
  ): void {
    this.noteOutput(type, parent);
    this.publishPassing(type, content, parent, extras);
  }

  /** Publishes a message about output that its sender removes. */
  publishPassing(type: string, content: Fields, parent: Parent, extras = {}): void {
    this.flush();
    this.send(type, content, parent, Buffer.from(`kernel.${this.wire.session}.${type}`), extras);
  }

  /** Publishes the kernel's state around a request. */
  status(state: KernelState, parent: Parent): void {
    this.publish("status", { execution_state: state }, parent);
  }

  /** Publishes text of a stream, merged with directly following text. */
  stream(name: "stdout" | "stderr", text: string, parent: Parent): void {
    const allowed = this.allowed(text, parent);
    if (allowed === "") return;
    this.noteOutput("stream", parent);
    if (this.pending?.name !== name || this.pending.parent !== parent) {
      this.flush();
      this.pending = { name, parent, text: "" };
      this.timer = setTimeout(() => this.flush(), mergeMs);
    }
    this.pending.text += allowed;
    if (this.pending.text.length >= mergeCharacters) this.flush();
  }

  /** Sends the held-back text. */
  flush(): void {
    clearTimeout(this.timer);
    const { pending } = this;
    this.pending = undefined;
    if (pending) {
      const { name, text, parent } = pending;
      this.send("stream", { name, text }, parent, Buffer.from(`kernel.${this.wire.session}.stream`));
    }
  }

  private noteOutput(type: string, { msg_id = "" }: Parent): void {
    if (!additions.has(type) && type !== removal) return;
    this.beforeOutput();
    const owner = this.parents.get(msg_id);
    if (owner) owner.hasOutput = type !== removal;
  }

  private allowed(text: string, parent: Parent): string {
    const owner = parent.msg_id === undefined ? undefined : this.parents.get(parent.msg_id);
    if (owner === undefined) return text;
    const left = maxCharacters - owner.printed;
    owner.printed += text.length;
    if (text.length <= left) return text;
    if (left < 0) return "";
    return `${cut(text, 0, left)}\n[The cell has printed ${maxCharacters / 1e6} million characters; the rest is not shown.]\n`;
  }

  // The protocol's answer to a subscription. `starting` follows the first one, because nobody could receive it before.
  private welcome(subscription: Buffer): void {
    this.send("iopub_welcome", { subscription: subscription.toString() }, {}, subscription);
    if (!this.started) this.status("starting", {});
    this.started = true;
  }

  private send(
    type: string,
    content: Fields,
    parent: Parent,
    topic: Buffer,
    extras: { readonly metadata?: Fields; readonly buffers?: readonly Uint8Array[] } = {},
  ): void {
    this.channel.send(
      this.wire.encode(this.wire.message({ type, content, parent, identities: [topic], ...extras })),
    );
  }
}
