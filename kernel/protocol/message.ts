// Jupyter messages and their wire format: a header, the header of the message that caused it, metadata and content as
// JSON frames, signed together. Both ends use this file: the kernel's server and the client that drives kernels.
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { userInfo } from "node:os";
import { JitlabError } from "../../runtime/base/errors.js";
import { wellFormedJson } from "./well-formed.js";

/** The version of the messaging protocol that every header names. */
export const protocolVersion = "5.5";

/** The sender, time and type of a message. */
export interface Header {
  readonly msg_id: string;
  readonly session: string;
  readonly username: string;
  readonly date: string;
  readonly msg_type: string;
  readonly version: string;
}

/** The fields of a message's content or metadata. */
export type Fields = Readonly<Record<string, unknown>>;

/** One message, without its signature. */
export interface Message {
  /** Routing frames of a ROUTER socket, or the topic of a published message. */
  readonly identities: readonly Buffer[];
  readonly header: Header;
  /** The header of the request that this message belongs to; empty if there is none. */
  readonly parent: Header | Record<string, never>;
  readonly metadata: Fields;
  readonly content: Fields;
  readonly buffers: readonly Uint8Array[];
}

/** The parts of a new message, before the writer adds its own. */
export interface Draft {
  readonly type: string;
  readonly content: Fields;
  readonly parent?: Message["parent"];
  readonly identities?: readonly Buffer[];
  readonly metadata?: Fields;
  readonly buffers?: readonly Uint8Array[];
}

/** A received message that is malformed, unsigned, wrongly signed or replayed; it is dropped. */
export class ProtocolError extends JitlabError {
  override readonly name = "ProtocolError";
}

const delimiter = Buffer.from("<IDS|MSG>");

// How many signatures are remembered against replays; the older half is dropped at the limit.
const maxSignatures = 65_536;

/** Encodes and decodes the messages of one session, signing them with the connection's key. */
export class Wire {
  /** Identifies this end in every header. */
  readonly session = randomUUID();
  private readonly username = userName();
  private readonly seen = new Set<string>();
  private count = 0;

  constructor(
    private readonly key: string,
    scheme = "hmac-sha256",
  ) {
    if (scheme !== "hmac-sha256") {
      throw new JitlabError(
        "signature-scheme",
        `The signature scheme "${scheme}" is not supported.`,
        'Only "hmac-sha256" is.',
      );
    }
  }

  /** A message of this session, with a fresh header. */
  message(draft: Draft): Message {
    return {
      identities: draft.identities ?? [],
      header: {
        msg_id: `${this.session}_${this.count++}`,
        session: this.session,
        username: this.username,
        date: new Date().toISOString(),
        msg_type: draft.type,
        version: protocolVersion,
      },
      parent: draft.parent ?? {},
      metadata: draft.metadata ?? {},
      content: draft.content,
      buffers: draft.buffers ?? [],
    };
  }

  /** The frames to send. */
  encode(message: Message): Uint8Array[] {
    const parts = [message.header, message.parent, message.metadata, message.content].map((part) =>
      Buffer.from(wellFormedJson(part)),
    );
    return [...message.identities, delimiter, Buffer.from(this.sign(parts)), ...parts, ...message.buffers];
  }

  /** The message in the received frames; the signature is checked before anything is parsed. */
  decode(frames: readonly Buffer[]): Message {
    const at = frames.findIndex((frame) => frame.equals(delimiter));
    const [signature, ...rest] = frames.slice(at + 1);
    if (at < 0 || signature === undefined || rest.length < 4) {
      throw new ProtocolError("malformed-message", `A message of ${frames.length} frames is truncated.`);
    }
    const parts = rest.slice(0, 4);
    this.verify(signature, parts);
    const [header, parent, metadata, content] = parts.map(parseFields);
    if (!isHeader(header) || !metadata || !content) {
      throw new ProtocolError("malformed-message", "A message's header has no msg_id, msg_type or session.");
    }
    return {
      identities: frames.slice(0, at),
      header,
      parent: isHeader(parent) ? parent : {},
      metadata,
      content,
      buffers: rest.slice(4),
    };
  }

  private sign(parts: readonly Uint8Array[]): string {
    if (this.key === "") return "";
    const hmac = createHmac("sha256", this.key);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  }

  private verify(signature: Buffer, parts: readonly Buffer[]): void {
    if (this.key === "") return;
    const expected = Buffer.from(this.sign(parts));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      throw new ProtocolError("wrong-signature", "A message's signature does not fit the connection's key.");
    }
    const digest = signature.toString();
    if (this.seen.has(digest)) {
      throw new ProtocolError("replayed-message", "A message was received twice.");
    }
    if (this.seen.size >= maxSignatures) {
      for (const old of [...this.seen].slice(0, maxSignatures / 2)) this.seen.delete(old);
    }
    this.seen.add(digest);
  }
}

function parseFields(part: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(part.toString());
  } catch {
    throw new ProtocolError("malformed-message", "A part of a message is not JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ProtocolError("malformed-message", "A part of a message is not a JSON object.");
  }
  return value as Record<string, unknown>;
}

function isHeader(value: unknown): value is Header {
  const header = value as Partial<Header> | undefined;
  return [header?.msg_id, header?.msg_type, header?.session].every((field) => typeof field === "string");
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "kernel"; // a user id without an entry in the password file, as in containers
  }
}
