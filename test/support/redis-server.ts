// A Redis server for tests, and a proxy that makes it slow.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A running server. */
export interface RedisServer {
  readonly port: number;
  readonly process: ChildProcess;
  /** The output of redis-cli. */
  ask(...command: string[]): string;
  stop(): Promise<void>;
}

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a server without persistence. */
export async function startRedis(options: readonly string[] = [], port?: number): Promise<RedisServer> {
  const at = port ?? (await freePort());
  const args = ["--port", `${at}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...options];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const text of server.stdout) {
    said += text;
    if (/Ready to accept connections/.test(said)) break;
  }
  server.stdout.resume();
  return {
    port: at,
    process: server,
    ask: (...command) =>
      execFileSync("redis-cli", ["-p", `${at}`, "--no-auth-warning", ...command], {
        encoding: "utf8",
      }).trim(),
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGCONT");
      server.kill("SIGKILL");
      await once(server, "exit");
    },
  };
}

/** A proxy that delays each answer of a server by this time. */
export async function startSlowProxy(to: number, delayMs: number): Promise<{ port: number; stop(): void }> {
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const server = connect(to, "127.0.0.1");
    for (const end of [socket, server]) sockets.add(end.on("error", () => end.destroy()));
    socket.pipe(server);
    server.on("data", (chunk) => setTimeout(() => socket.writable && socket.write(chunk), delayMs));
    server.on("close", () => socket.destroy());
    socket.on("close", () => server.destroy());
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    port: (proxy.address() as AddressInfo).port,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
