// A reverse proxy as people put one before Jupyter: it keeps the path and the Host header, and passes WebSockets on.
import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

/** A proxy that listens. */
export interface ReverseProxy {
  readonly origin: string;
  stop(): void;
}

/** Starts a proxy to a port of this machine for one path and what is below it; anything else is not there. */
export async function startReverseProxy(path: string, port: number): Promise<ReverseProxy> {
  const sockets = new Set<Socket>();
  const proxy = createServer((asked, answer) => {
    const { method, url = "", headers } = asked;
    if (!url.startsWith(path)) {
      answer.writeHead(404).end();
      return;
    }
    const passed = request({ host: "127.0.0.1", port, method, path: url, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.rawHeaders);
      given.pipe(answer);
    });
    passed.on("error", () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  proxy.on("upgrade", ({ method, url, rawHeaders }, socket: Socket, head) => {
    const server = connect(port, "127.0.0.1", () => {
      const headers = rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
      server.write(`${method} ${url} HTTP/1.1\r\n${headers}\r\n`);
      server.write(head);
      socket.pipe(server).pipe(socket);
    });
    for (const end of [socket, server]) sockets.add(end.on("error", () => end.destroy()));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
