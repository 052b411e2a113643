// Messages as raw frames, so that tests can write what no client would.
import { createHmac } from "node:crypto";

/** The frames of these parts (header, parent, metadata, content, buffers), signed with the connection's key. */
export function signedFrames(key: string, parts: readonly (string | Buffer)[]): Buffer[] {
  const bytes = parts.map((part) => Buffer.from(part as string));
  const hmac = createHmac("sha256", key);
  for (const part of bytes.slice(0, 4)) hmac.update(part);
  return [Buffer.from("<IDS|MSG>"), Buffer.from(hmac.digest("hex")), ...bytes];
}
