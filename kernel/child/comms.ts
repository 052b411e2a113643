// Comms: named two-way channels between cells and code in the front end, such as widgets.
import { randomUUID } from "node:crypto";
import { currentCell } from "./cell-context.js";
import type { CommMessage } from "./channel.js";
import type { ParentLink } from "./parent-link.js";

/** Optional parts of a comm's message beside its data. */
export interface CommExtras {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly buffers?: readonly Uint8Array[];
}

/** One message that arrived over a comm. */
export interface CommEvent {
  readonly data: unknown;
  readonly metadata: unknown;
  readonly buffers: readonly Uint8Array[];
}

type Send = (event: CommMessage["event"], comm: Comm, data: unknown, extras: CommExtras) => void;

/** One open comm. */
export class Comm {
  /** Called with each message of the front end. */
  onMessage: ((event: CommEvent) => unknown) | undefined;
  /** Called when the front end closes the comm. */
  onClose: ((event: CommEvent) => unknown) | undefined;

  constructor(
    readonly id: string,
    readonly target: string,
    private readonly sendEvent: Send,
  ) {}

  send(data: unknown, extras: CommExtras = {}): void {
    this.sendEvent("message", this, data, extras);
  }

  close(data: unknown = {}, extras: CommExtras = {}): void {
    this.sendEvent("close", this, data, extras);
  }
}

/** Called when the front end opens a comm of a target. */
export type CommHandler = (comm: Comm, event: CommEvent) => unknown;

/** All comms of one notebook. */
export class Comms {
  private readonly targets = new Map<string, CommHandler>();
  private readonly opened = new Map<string, Comm>();
  private readonly wanted = new Set<string>();

  constructor(private readonly link: ParentLink) {}

  /** Opens a comm to the code that the front end registered under `target`. */
  readonly open = (target: string, data: unknown = {}, extras: CommExtras = {}): Comm => {
    const comm = new Comm(randomUUID().replaceAll("-", ""), target, this.send);
    this.opened.set(comm.id, comm);
    this.send("open", comm, data, extras);
    return comm;
  };

  /** Lets the front end open comms of `target`. */
  readonly register = (target: string, handler: CommHandler): void => {
    this.targets.set(target, handler);
  };

  /** True where a front end has opened a comm of `target`, also before anything was registered for it. */
  hasSeen(target: string): boolean {
    return this.wanted.has(target);
  }

  /** Calls the handler of a front end's event and returns its result. */
  receive(message: CommMessage): unknown {
    const { data, metadata } = message;
    const event = { data, metadata, buffers: message.buffers.map((text) => Buffer.from(text, "base64")) };
    if (message.event === "open") return this.accept(message, event);
    const comm = this.opened.get(message.id);
    if (message.event === "message") return comm?.onMessage?.(event);
    this.opened.delete(message.id);
    return comm?.onClose?.(event);
  }

  private accept(message: CommMessage, event: CommEvent): unknown {
    const comm = new Comm(message.id, message.target, this.send);
    const handler = this.targets.get(message.target);
    this.wanted.add(message.target);
    if (handler === undefined) return comm.close(); // the protocol's answer to an unknown target
    this.opened.set(comm.id, comm);
    return handler(comm, event);
  }

  private readonly send: Send = (event, comm, data, { metadata = {}, buffers = [] }) => {
    if (event === "close") this.opened.delete(comm.id);
    this.link.send({
      type: "comm",
      cell: currentCell().id,
      event,
      id: comm.id,
      target: comm.target,
      data,
      metadata,
      buffers: buffers.map((bytes) => Buffer.from(bytes).toString("base64")),
    });
  };
}
