// A process whose worker threads call kernels: `node thread-process.mjs DEVICE in-turn|at-once COUNT`. Worker N adds N to
// zeros and to a large tensor; the process prints, as one line of JSON, what each of them got.
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

const large = 100_000;
const rounds = 50;

if (isMainThread) {
  const [device, order, count] = process.argv.slice(2);
  const gate = new Int32Array(new SharedArrayBuffer(8));
  const together = order === "at-once" ? Number(count) : 1;
  const answers = [];
  for (let first = 1; first <= Number(count); first += together) {
    gate.fill(0);
    const numbers = Array.from({ length: together }, (_, i) => first + i);
    const run = (n) =>
      new Promise((done, fail) => {
        const worker = new Worker(new URL(import.meta.url), { workerData: { n, device, gate, together } });
        worker.once("message", done);
        worker.once("error", fail);
      });
    answers.push(...(await Promise.all(numbers.map(run))));
  }
  console.log(JSON.stringify(answers));
} else {
  const jl = await import("../../dist/runtime/index.js");
  const { n, device, gate, together } = workerData;
  const add = jl.jit(`template <typename T> T f(T x) { return x + T(${n}); }`);
  const x = jl.arange(large, { device });
  if (Atomics.add(gate, 0, 1) + 1 === together) {
    Atomics.store(gate, 1, 1);
    Atomics.notify(gate, 1);
  }
  Atomics.wait(gate, 1, 0);
  const wrong = [];
  for (let round = 0; round < rounds; round++) {
    if (!add(x).sub(n).eq(x).all().item()) wrong.push(round);
  }
  parentPort.postMessage({ small: add(jl.zeros([2], { device })).toArray(), wrong });
}
