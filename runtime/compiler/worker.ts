// The worker thread that owns the compilers and queries the shared cache. It serves several requests at once if the compiler
// can compile beside others; else the compiler blocks it until done.
import { workerData } from "node:worker_threads";
import { CompileError, JitlabError } from "../base/errors.js";
import { type Remark, RemoteCache, within } from "../cache/remote/remote-cache.js";
import type { Compiler, CompilerSpec } from "../device/device.js";
import type { Failure, FromWorker, ToWorker } from "./messages.js";
import { type Attempt, raced, timed } from "./race.js";
import { Bell } from "./thread.js";
import type { WorkerSetup } from "./worker-setup.js";

type Message<Type extends ToWorker["type"]> = Extract<ToWorker, { type: Type }>;
type Answer = FromWorker extends infer Each
  ? Each extends FromWorker
    ? Omit<Each, "id" | "remarks">
    : never
  : never;

const { port, bell: memory, started, remote: settings } = workerData as WorkerSetup;
const bell = new Bell(memory);
const compilers = new Map<string, Promise<Compiler>>();
const running = new Map<number, AbortController>();
let remarks: Remark[] = [];
// Several kernels take longer to compile than one, and nothing compiles in parallel with their lookup.
const batchLookMs = 40;

new Bell(started).ring();
const remote = settings && new RemoteCache(settings, (remark) => remarks.push(remark));

const handlers: { readonly [Type in ToWorker["type"]]: (message: Message<Type>) => void } = {
  warm: ({ spec }) => void prepare(spec),
  compile: (message) => void answer(message.id, compile(message), message.request.source),
  cancel: ({ id }) => running.get(id)?.abort(),
  look: ({ id, keys }) => void answer(id, look(keys)),
  share: ({ id, stored }) => void answer(id, share(stored)),
};

port.on("message", (message: ToWorker) => (handlers[message.type] as (message: ToWorker) => void)(message));

async function answer(id: number, work: Promise<Answer>, source?: string): Promise<void> {
  const done = await work.catch((error): Answer => ({ failure: failureOf(error, source) }));
  port.postMessage({ id, ...done, ...(remarks.length > 0 && { remarks }) } satisfies FromWorker);
  remarks = [];
  bell.ring();
}

/** Prepares for the next request: connects to the shared cache if it answers, else loads the compiler. */
async function prepare(spec: CompilerSpec): Promise<void> {
  if (await remote?.connect()) return;
  // Ignored: the first request fails again and reports it.
  await compilerOf(spec)
    .then((compiler) => compiler.prepare?.())
    .catch(() => undefined);
}

async function compile({ id, spec, request, key, beside }: Message<"compile">): Promise<Answer> {
  const controller = new AbortController();
  running.set(id, controller);
  const compileHere = async (signal: AbortSignal) => {
    const compiler = await compilerOf(spec);
    return timed(spec.name, async () => compiler.compile(request, signal, beside));
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

function failureOf(error: unknown, source: string | undefined): Failure {
  if (error instanceof JitlabError) {
    const { code, what, help } = error;
    if (!(error instanceof CompileError)) return { code, what, help };
    // The error's text ends with the log, which the constructor adds again in the other thread.
    const { log } = error;
    return { code, what: log === "" ? what : what.slice(0, -log.length - 1), help, log, source };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "compiler-failed", what: `The compiler failed unexpectedly: ${text}`, help: "" };
}
