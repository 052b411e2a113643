// The worker that owns the compilers and queries the shared cache: a thread, or a process that such a thread has started. It
// serves several requests at once if the compiler can compile beside others; else the compiler blocks it until done.
import { workerData } from "node:worker_threads";
import { CompileError } from "../base/errors.js";
import { type Remark, RemoteCache, within } from "../cache/remote/remote-cache.js";
import type { Compiler, CompilerSpec } from "../device/device.js";
import { failureOf } from "./failure.js";
import type { FromWorker, ToWorker } from "./messages.js";
import type { CompilerProcesses } from "./processes.js";
import { type Attempt, raced, timed } from "./race.js";
import { Bell } from "./thread.js";
import type { WorkerSetup } from "./worker-setup.js";

type Message<Type extends ToWorker["type"]> = Extract<ToWorker, { type: Type }>;
type Answer = FromWorker extends infer Each
  ? Each extends FromWorker
    ? Omit<Each, "id" | "remarks">
    : never
  : never;

const compilers = new Map<string, Promise<Compiler>>();
const running = new Map<number, AbortController>();
let remarks: Remark[] = [];
let remote: RemoteCache | undefined;
let reply: (answer: FromWorker) => void;
let processes: CompilerProcesses | undefined;
/** Whether this worker may start processes; one that is a process starts none. */
let hasProcesses = false;
/** Texts that this worker itself compiles at once. */
let ownTexts = 0;
// Several kernels take longer to compile than one, and nothing compiles in parallel with their lookup.
const batchLookMs = 40;

const handlers: { readonly [Type in ToWorker["type"]]: (message: Message<Type>) => void } = {
  warm: ({ spec }) => void prepare(spec),
  compile: (message) => void answer(message.id, compile(message), message.request.source),
  cancel: ({ id }) => running.get(id)?.abort(),
  look: ({ id, keys }) => void answer(id, look(keys)),
  share: ({ id, stored }) => void answer(id, share(stored)),
  "end-processes": () => processes?.end(),
};

// A process has no such data: its program calls `serve`.
if (workerData !== null) serveThread(workerData as WorkerSetup);

function serveThread({ port, bell: memory, started, remote: settings }: WorkerSetup): void {
  const bell = new Bell(memory);
  new Bell(started).ring();
  remote = settings && new RemoteCache(settings, (remark) => remarks.push(remark));
  hasProcesses = true;
  const receive = serve((message) => {
    port.postMessage(message);
    bell.ring();
  });
  port.on("message", receive);
}

/** Answers messages by `send`. Returns the function that receives them. */
export function serve(send: (answer: FromWorker) => void): (message: ToWorker) => void {
  reply = send;
  return (message) => (handlers[message.type] as (message: ToWorker) => void)(message);
}

async function answer(id: number, work: Promise<Answer>, source?: string): Promise<void> {
  const done = await work.catch((error): Answer => ({ failure: failureOf(error, source) }));
  const told = remarks;
  remarks = [];
  reply({ id, ...done, ...(told.length > 0 && { remarks: told }) });
}

/** Prepares for the next request: connects to the shared cache if it answers, else loads the compiler. */
async function prepare(spec: CompilerSpec): Promise<void> {
  if (await remote?.connect()) return;
  // Ignored: the first request fails again and reports it.
  await compilerOf(spec)
    .then((compiler) => compiler.prepare?.())
    .catch(() => undefined);
}

async function compile(message: Message<"compile">): Promise<Answer> {
  if (isTooMany(message)) return compileInProcess(message);
  const { id, spec, request, key, beside } = message;
  const controller = new AbortController();
  running.set(id, controller);
  const compileHere = async (signal: AbortSignal) => {
    ownTexts++;
    try {
      const compiler = await compilerOf(spec);
      return await timed(spec.name, async () => compiler.compile(request, signal, beside !== undefined));
    } finally {
      ownTexts--;
    }
  };
  const start = (): Attempt => {
    const own = new AbortController();
    const compiled = compileHere(AbortSignal.any([own.signal, controller.signal]));
    return { compiled, end: () => own.abort() };
  };
  // A compiler library goes on; its result is dropped.
  const cancelled = new Promise<never>((_, fail) => {
    controller.signal.addEventListener("abort", () =>
      fail(new CompileError("The compile was cancelled.", "")),
    );
  });
  const compiled = () =>
    remote && key !== undefined
      ? raced(remote, key, spec.name, start, () => controller.signal.aborted)
      : compileHere(controller.signal);
  try {
    return await Promise.race([cancelled, compiled()]);
  } finally {
    running.delete(id);
  }
}

/** Whether a text is one too many for this worker, which takes one less than it could: the last would stop its messages. */
function isTooMany({ spec, beside = 0 }: Message<"compile">): boolean {
  const isFurther = beside > spec.textsAtOnce && ownTexts >= spec.textsAtOnce - 1;
  return hasProcesses && spec.further === "processes" && isFurther;
}

async function compileInProcess(message: Message<"compile">): Promise<Answer> {
  const { spec, beside = 0 } = message;
  // Loaded when needed: a first call needs one compiler, in this thread.
  const { CompilerProcesses } = await import("./processes.js");
  processes ??= new CompilerProcesses();
  return processes.compile(message, beside - Math.max(0, spec.textsAtOnce - 1));
}

async function look(keys: readonly string[]): Promise<Answer> {
  await remote?.ready();
  return {
    looks: await Promise.all(keys.map(async (key) => remote && within(batchLookMs, remote.look(key)))),
  };
}

async function share(stored: Message<"share">["stored"]): Promise<Answer> {
  await remote?.put(stored);
  return { shared: true };
}

function compilerOf(spec: CompilerSpec): Promise<Compiler> {
  const key = `${spec.module} ${spec.path} ${spec.identity}`;
  const known = compilers.get(key);
  if (known) return known;
  const made = load(spec);
  compilers.set(key, made);
  // The next request tries again: the missing part may be installed by then.
  made.catch(() => compilers.delete(key));
  return made;
}

async function load(spec: CompilerSpec): Promise<Compiler> {
  const module = (await import(spec.module)) as {
    createCompiler(spec: CompilerSpec): Compiler | Promise<Compiler>;
  };
  return module.createCompiler(spec);
}
