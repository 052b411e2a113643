// Connection files: where a kernel's five sockets are, and the key that signs its messages.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { JitlabError } from "../../runtime/base/errors.js";

/** The five sockets by their names in a connection file. */
export const channels = ["shell", "iopub", "stdin", "control", "hb"] as const;

/** One of the five sockets. */
export type ChannelName = (typeof channels)[number];

/** The fields of a connection file. */
export interface ConnectionInfo {
  readonly transport: "tcp" | "ipc";
  readonly ip: string;
  readonly shell_port: number;
  readonly iopub_port: number;
  readonly stdin_port: number;
  readonly control_port: number;
  readonly hb_port: number;
  /** Empty: messages are not signed. */
  readonly key: string;
  readonly signature_scheme: string;
}

/** Reads and checks a connection file. */
export function readConnectionFile(path: string): ConnectionInfo {
  const fail = (what: string): never => {
    throw new JitlabError(
      "connection-file",
      `The connection file ${path} ${what}.`,
      "Jupyter writes this file when it starts a kernel; start the kernel through Jupyter.",
    );
  };
  let fields: Partial<ConnectionInfo>;
  try {
    fields = JSON.parse(readFileSync(path, "utf8")) as Partial<ConnectionInfo>;
  } catch (error) {
    if (error instanceof SyntaxError) return fail("is not complete JSON");
    return fail(`cannot be read: ${(error as Error).message}`);
  }
  if (typeof fields !== "object" || fields === null) return fail("is not a JSON object");
  const info = {
    ...fields,
    transport: fields.transport ?? "tcp",
    ip: fields.ip ?? "127.0.0.1",
    key: fields.key ?? "",
    signature_scheme: fields.signature_scheme || "hmac-sha256",
  } as ConnectionInfo;
  if (info.transport !== "tcp" && info.transport !== "ipc") fail(`names the transport "${info.transport}"`);
  if (typeof info.ip !== "string" || typeof info.key !== "string")
    fail("has an ip or a key that is not text");
  for (const channel of channels) {
    const port = info[`${channel}_port`];
    if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`has no usable ${channel}_port (${port})`);
  }
  return info;
}

/** The exit status of a kernel that cannot listen on its ports. */
export const portStatus = 98;

/** The address of one socket, as ZeroMQ spells it. */
export function addressOf(info: ConnectionInfo, channel: ChannelName): string {
  const port = info[`${channel}_port`];
  return info.transport === "tcp" ? `tcp://${info.ip}:${port}` : `ipc://${info.ip}-${port}`;
}

/** A connection on free local ports with a new key, for a kernel that is about to start. */
export async function newConnection(): Promise<ConnectionInfo> {
  const servers = await Promise.all(channels.map(() => listen()));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  const named = Object.fromEntries(channels.map((channel, i) => [`${channel}_port`, ports[i]]));
  return {
    transport: "tcp",
    ip: "127.0.0.1",
    key: randomBytes(24).toString("hex"),
    signature_scheme: "hmac-sha256",
    ...named,
  } as ConnectionInfo;
}

/** Writes a connection file that only its owner can read, because the key allows running code. */
export function writeConnectionFile(path: string, info: ConnectionInfo): void {
  writeFileSync(path, JSON.stringify(info, null, 2), { mode: 0o600 });
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
