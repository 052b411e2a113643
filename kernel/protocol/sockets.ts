// The ZeroMQ sockets of a kernel and of a client, and the only importer of zeromq. Replies are queued without limit and no
// send waits: a dropped reply would hang a front end, and a send that waits fails when 512 others do. Peers can connect to
// the ports without the key: a kernel limits the size of their messages and of the queue that it keeps for them.
import { context, Dealer, Request, Router, Subscriber, XPublisher } from "zeromq";
import { JitlabError } from "../../runtime/base/errors.js";
import { addressOf, type ChannelName, type ConnectionInfo } from "./connection.js";

type AnySocket = Dealer | Request | Router | Subscriber | XPublisher;

const unlimited = { sendHighWaterMark: 0, sendTimeout: 0 };

// A peer that sends a longer frame is disconnected; Jupyter's server forwards a tenth of that. A heartbeat is a few bytes.
const maxMessageSize = 100_000_000;
const maxHeartbeatSize = 1000;

// Published messages kept for a subscriber; one that stops reading loses later ones.
const maxUnread = 100_000;

/** One socket: frames out, frames in. */
export class Channel {
  constructor(private readonly socket: AnySocket) {}

  /** Queues a message of these frames; a disconnected peer is not an error. */
  send(frames: readonly Uint8Array[]): void {
    if (this.socket.closed || this.socket instanceof Subscriber) return;
    this.socket.send(frames as Uint8Array[]).catch(() => undefined);
  }

  /** Calls `handle` with the frames of each message, in order, until the socket is closed; a failure does not stop it. */
  listen(handle: (frames: Buffer[]) => void): void {
    if (this.socket instanceof Request) return;
    const receive = async (socket: AsyncIterable<Buffer[]>) => {
      for await (const frames of socket) {
        try {
          handle(frames);
        } catch (error) {
          console.error(`jitlab: a message could not be handled: ${(error as Error).message}`);
        }
      }
    };
    void receive(this.socket).catch((error: unknown) => {
      if (!this.socket.closed) throw error;
    });
  }

  /** Sends one frame and waits for its answer; only for the client's heartbeat. */
  async ask(frame: Uint8Array): Promise<Buffer | undefined> {
    if (!(this.socket instanceof Request)) return undefined;
    await this.socket.send(frame);
    const [answer] = await this.socket.receive();
    return answer;
  }

  close(): void {
    this.socket.close();
  }
}

/** The sockets of one end of a connection. */
export type Channels = Readonly<Record<ChannelName, Channel>>;

/** Binds a kernel's sockets; heartbeats are answered from here on. */
export async function bindSockets(info: ConnectionInfo): Promise<Channels> {
  // Queued messages may hold back the exit of the process for this long, never for good.
  const options = { ...unlimited, linger: 1000, maxMessageSize };
  const sockets = {
    shell: new Router(options),
    control: new Router(options),
    stdin: new Router(options),
    iopub: new XPublisher({ ...options, sendHighWaterMark: maxUnread, verbosity: "allSubs" }),
    hb: new Router({ ...options, maxMessageSize: maxHeartbeatSize }),
  };
  await Promise.all(
    Object.entries(sockets).map(async ([name, socket]) => {
      const address = addressOf(info, name as ChannelName);
      try {
        await socket.bind(address);
      } catch (error) {
        throw new JitlabError(
          "socket-bind",
          `The kernel cannot listen on ${address}: ${(error as Error).message}.`,
          "Another process may use the port; start the kernel again with a new connection file.",
        );
      }
    }),
  );
  const opened = openChannels(sockets);
  opened.hb.listen((frames) => opened.hb.send(frames));
  return opened;
}

/** Connects a client's sockets; `identity` routes both the replies and the requests for input. */
export function connectSockets(info: ConnectionInfo, identity: string): Channels {
  const options = { ...unlimited, linger: 0, reconnectInterval: 20 };
  const sockets = {
    shell: new Dealer({ ...options, routingId: identity }),
    control: new Dealer({ ...options, routingId: identity }),
    stdin: new Dealer({ ...options, routingId: identity }),
    iopub: new Subscriber({ linger: 0, reconnectInterval: 20, receiveHighWaterMark: 0 }),
    hb: new Request({ linger: 0, reconnectInterval: 20, relaxed: true, correlate: true }),
  };
  for (const [name, socket] of Object.entries(sockets)) socket.connect(addressOf(info, name as ChannelName));
  sockets.iopub.subscribe();
  return openChannels(sockets);
}

function openChannels(sockets: Record<ChannelName, AnySocket>): Channels {
  context.blocky = false; // the process may exit although messages to a vanished peer are queued
  const pairs = Object.entries(sockets).map(([name, socket]) => [name, new Channel(socket)]);
  return Object.fromEntries(pairs) as Channels;
}
