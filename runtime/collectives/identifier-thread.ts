// A thread that hands the identifier of a job's communicator from process 0 to the others: by TLS, for which the job's secret is the key
// that all know. The calling thread waits for the answer in shared memory.
import { createHmac } from "node:crypto";
import { connect, createServer } from "node:tls";
import { workerData } from "node:worker_threads";
import { answerAt, type IdentifierWork, states } from "./identifier-work.js";

const { memory, rank, size, host, port, secret, identifier, timeoutMs } = workerData as IdentifierWork;
const place = `${host}:${port}`;
const ends = Date.now() + timeoutMs;
const retryMs = 100;
const handshakeTimeout = 10_000;
const psk = createHmac("sha256", secret).update("jitlab job").digest();
const nameOf = (member: number) => `${member} of ${size}`;
// Node takes known keys with TLS 1.2.
const ciphers = "ECDHE-PSK-CHACHA20-POLY1305:DHE-PSK-AES256-GCM-SHA384";
const protocol = { ciphers, maxVersion: "TLSv1.2" } as const;

function answer(state: keyof typeof states, bytes: Uint8Array = new Uint8Array()): void {
  const words = new Int32Array(memory);
  const part = bytes.subarray(0, memory.byteLength - answerAt);
  new Uint8Array(memory, answerAt, part.length).set(part);
  Atomics.store(words, 1, part.length);
  Atomics.store(words, 0, states[state]);
  Atomics.notify(words, 0);
}

const failed = (problem: string) => answer("failed", new TextEncoder().encode(problem));

function serve(): void {
  const unserved = new Set(Array.from({ length: size - 1 }, (_, i) => nameOf(i + 1)));
  const known = new Set(unserved);
  const names = new WeakMap<object, string>();
  const pskCallback = (socket: object, name: string) => {
    names.set(socket, name);
    return known.has(name) ? psk : null;
  };
  const server = createServer({ ...protocol, pskCallback, handshakeTimeout }, (socket) => {
    socket.on("error", () => undefined).end(identifier);
    unserved.delete(names.get(socket) ?? "");
    if (unserved.size === 0) server.close();
  });
  server.on("error", ({ message }) => failed(`rank 0 cannot listen at port ${port} (${message})`));
  server.listen(port, () => answer("ready"));
  setTimeout(() => server.close(), timeoutMs).unref();
}

function fetch(reason = ""): void {
  if (Date.now() > ends) {
    failed(`${place} does not answer (${reason})`);
    return;
  }
  const pskCallback = () => ({ psk, identity: nameOf(rank) });
  const timeout = Math.max(retryMs, ends - Date.now());
  const own = { host, port, timeout, pskCallback, checkServerIdentity: () => undefined };
  const socket = connect({ ...protocol, ...own });
  let isAnswered = false;
  const once = (then: () => void) => {
    socket.destroy();
    if (!isAnswered) then();
    isAnswered = true;
  };
  const again = (why: string) => once(() => setTimeout(() => fetch(why), retryMs));
  socket.on("data", (bytes) => once(() => answer("ready", bytes)));
  socket.on("timeout", () => again("no answer in time"));
  socket.on("close", () => again("it closed the connection"));
  socket.on("error", ({ message, code }: NodeJS.ErrnoException) => {
    if (code?.startsWith("ERR_SSL"))
      once(() => failed(`${place} has another secret or another number of processes`));
    else again(message);
  });
}

if (rank === 0) serve();
else fetch();
