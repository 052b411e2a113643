// Servers that answer with something else than what was asked, as Redis never does.

import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Remark, RemoteCache } from "../../dist/runtime/cache/remote/remote-cache.js";

let server: Server | undefined;
afterEach(() => void server?.close());

/** A cache on a server that gives one answer to each command after the first messages of a connection. */
async function cacheOn(answer: string, remarks: Remark[]): Promise<RemoteCache> {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      for (const command of `${data}`.match(/\*\d+\r\n\$\d+\r\n\w+/g) ?? [])
        socket.write(/(GET|EXPIRE|SET)$/i.test(command) ? answer : "+OK\r\n");
    });
  });
  await new Promise<void>((listening) => server?.listen(0, "127.0.0.1", listening));
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const limits = { ttlMs: 1000, maxBytes: 1000, prefix: "jitlab", secret: Buffer.alloc(32) };
  return new RemoteCache({ url, address: url, folder: undefined, ...limits }, (remark) =>
    remarks.push(remark),
  );
}

test.each([
  ["a list", "*3\r\n:1\r\n$3\r\nabc\r\n+a\r\n"],
  ["a number", ":5\r\n"],
  ["a map", "%1\r\n+a\r\n+b\r\n"],
])("%s in the place of a row is a failure of the cache", async (_what, answer) => {
  const remarks: Remark[] = [];
  const cache = await cacheOn(answer, remarks);
  expect(await cache.look("a".repeat(64))).toBe(undefined);
  expect(remarks.map(([, text]) => text)).toEqual([
    expect.stringContaining("it answered with something else than bytes"),
  ]);
});

test.each([
  ["a list of numbers", "*1\r\n:1\r\n"],
  ["a list of another length", "*0\r\n"],
  ["a text", "$3\r\nabc\r\n"],
])("%s in the place of rows is a failure of the cache", async (_what, answer) => {
  const remarks: Remark[] = [];
  const cache = await cacheOn(answer, remarks);
  expect(await cache.watch("a".repeat(64), () => false)).toBe(undefined);
  expect(remarks.map(([, text]) => text)).toEqual([
    expect.stringContaining("it answered with something else than bytes"),
  ]);
});
