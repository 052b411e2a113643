// A thread that hands the identifier of a job's communicator from process 0 to the others, which prove that they know the job's
// secret. The identifier is encrypted with it. The calling thread waits for the answer in shared memory.
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { connect, createServer, type Socket } from "node:net";
import { workerData } from "node:worker_threads";
import { answerAt, type IdentifierWork, states } from "./identifier-work.js";

const work = workerData as IdentifierWork;
const { memory, rank, size, host, port, identifier, timeoutMs } = work;
const secret = Buffer.from(work.secret);
const place = `${host}:${port}`;
const ends = Date.now() + timeoutMs;
const retryMs = 100;
const mostBytes = 4096;
const cipher = "aes-256-gcm";

function answer(state: keyof typeof states, bytes: Uint8Array = new Uint8Array()): void {
  const words = new Int32Array(memory);
  const part = bytes.subarray(0, memory.byteLength - answerAt);
  new Uint8Array(memory, answerAt, part.length).set(part);
  Atomics.store(words, 1, part.length);
  Atomics.store(words, 0, states[state]);
  Atomics.notify(words, 0);
}

const failed = (problem: string) => answer("failed", new TextEncoder().encode(problem));
const macOf = (...words: readonly unknown[]) =>
  createHmac("sha256", secret).update(words.join("\0")).digest();
const keyFor = (member: number, nonce: string) => macOf("jitlab identifier", member, nonce);
const proofOf = (member: number, nonce: string) => macOf("jitlab member", member, size, nonce);

/** Calls `received` with the first line of a connection as an object; undefined if it is none. */
function firstLine(socket: Socket, received: (message: Record<string, unknown> | undefined) => void): void {
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    const end = text.indexOf("\n");
    if (end < 0 && text.length < mostBytes) return;
    socket.removeAllListeners("data");
    try {
      received(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
    } catch {
      received(undefined);
    }
  });
}

function serve(): void {
  const served = new Set<number>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined).setTimeout(10_000, () => socket.destroy());
    firstLine(socket, (message) => {
      const { member, nonce, proof } = message ?? {};
      const known = Buffer.from(String(proof), "hex");
      const wanted = proofOf(Number(member), String(nonce));
      if (known.length !== wanted.length || !timingSafeEqual(known, wanted)) {
        socket.end("{}\n");
        return;
      }
      const iv = randomBytes(12);
      const sealing = createCipheriv(cipher, keyFor(Number(member), String(nonce)), iv);
      const sealed = Buffer.concat([sealing.update(identifier), sealing.final()]);
      const parts = { iv, sealed, tag: sealing.getAuthTag() };
      const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString("hex")]);
      socket.end(`${JSON.stringify(Object.fromEntries(texts))}\n`);
      served.add(Number(member));
      if (served.size === size - 1) server.close();
    });
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
  const nonce = randomBytes(16).toString("hex");
  const socket = connect({ host, port, timeout: Math.max(retryMs, ends - Date.now()) });
  let isAnswered = false;
  const again = (why: string) => {
    socket.destroy();
    if (isAnswered) return;
    isAnswered = true;
    setTimeout(() => fetch(why), retryMs);
  };
  socket.on("error", ({ message }) => again(message));
  socket.on("timeout", () => again("no answer in time"));
  socket.on("close", () => again("it closed the connection"));
  socket.on("connect", () => {
    const proof = proofOf(rank, nonce).toString("hex");
    socket.write(`${JSON.stringify({ member: rank, nonce, proof })}\n`);
  });
  firstLine(socket, (message) => {
    isAnswered = true;
    socket.destroy();
    const { iv, sealed, tag } = message ?? {};
    const [start, text, seal] = [iv, sealed, tag].map((one) => Buffer.from(String(one), "hex")) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    try {
      const opening = createDecipheriv(cipher, keyFor(rank, nonce), start).setAuthTag(seal);
      answer("ready", Buffer.concat([opening.update(text), opening.final()]));
    } catch {
      failed(`${place} has another secret or another number of processes`);
    }
  });
}

if (rank === 0) serve();
else fetch();
