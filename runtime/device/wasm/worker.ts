// A worker thread: waits for jobs and runs chunks of them. It never returns to its event loop.
import { receiveMessageOnPort, workerData } from "node:worker_threads";
import { instantiate, type KernelInstance } from "./code.js";
import { Job, word } from "./job.js";
import type { ToWorker, WorkerSetup } from "./threads.js";

const { memory, job: shared, port, thread, stack } = workerData as WorkerSetup;
const spinMs = 0.05;

const job = new Job(shared);
const { words } = job;
const modules = new Map<number, { readonly module: WebAssembly.Module; readonly symbol: string }>();
const instances = new Map<number, KernelInstance>();

/** The instance of a kernel in this thread. The main thread has already written its constants. */
function instanceOf(id: number): KernelInstance | undefined {
  const known = instances.get(id);
  if (known) return known;
  readMessages();
  const message = modules.get(id);
  if (!message) return undefined;
  const made = instantiate(message.module, memory, message.symbol);
  instances.set(id, made);
  return made;
}

function readMessages(): void {
  for (;;) {
    const message = (receiveMessageOnPort(port) as { message: ToWorker } | undefined)?.message;
    if (!message) return;
    if ("module" in message) modules.set(message.id, message);
    else {
      modules.delete(message.id);
      instances.delete(message.id);
    }
  }
}

function serve(): void {
  try {
    const own = instanceOf(words[word.code] as number);
    if (!own) return;
    own.stack.value = stack;
    job.work(own.kernel, thread);
  } catch (error) {
    // Catches everything, because the main thread waits for this one.
    job.abandon();
    port.postMessage(error instanceof Error ? error.message : String(error));
    Atomics.store(words, word.failed, 1);
  }
}

for (let seen = 0; ; ) {
  const until = performance.now() + spinMs;
  while (Atomics.load(words, word.generation) === seen && performance.now() < until);
  Atomics.wait(words, word.generation, seen);
  seen = Atomics.load(words, word.generation);
  // Counted before the check: either the main thread waits for this one, or this one sees that it is too late.
  Atomics.add(words, word.inside, 1);
  if (Atomics.load(words, word.accepting) === 1) serve();
  Atomics.sub(words, word.inside, 1);
  Atomics.notify(words, word.inside);
}
