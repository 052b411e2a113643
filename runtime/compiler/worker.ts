// The worker thread that owns the compilers. It serves several requests at once where the compiler is a program of its
// own; a compiler that is a library holds it until it is done.
import { workerData } from "node:worker_threads";
import { CompileError, JitlabError } from "../base/errors.js";
import type { Compiler, CompilerSpec } from "../device/device.js";
import type { Failure, FromWorker, ToWorker, WorkerSetup } from "./messages.js";
import { Bell } from "./thread.js";

const { port, bell: memory, started } = workerData as WorkerSetup;
const bell = new Bell(memory);
const compilers = new Map<string, Promise<Compiler>>();
const running = new Map<number, AbortController>();

new Bell(started).ring();

port.on("message", (message: ToWorker) => {
  if (message.type === "cancel") {
    running.get(message.id)?.abort();
    return;
  }
  const compiler = compilerOf(message.spec);
  if (message.type === "warm") {
    // A failure comes again, and is told, with the first request.
    compiler.catch(() => undefined);
    return;
  }
  void serve(message, compiler);
});

async function serve(message: ToWorker & { type: "compile" }, loading: Promise<Compiler>): Promise<void> {
  const { id, request } = message;
  const controller = new AbortController();
  running.set(id, controller);
  let from = performance.now();
  let answer: FromWorker;
  try {
    const compiler = await loading;
    from = performance.now();
    const output = await compiler.compile(request, controller.signal);
    answer = { id, ms: performance.now() - from, output };
  } catch (error) {
    answer = { id, ms: performance.now() - from, failure: failureOf(error) };
  }
  running.delete(id);
  port.postMessage(answer);
  bell.ring();
}

function compilerOf(spec: CompilerSpec): Promise<Compiler> {
  const key = `${spec.module} ${spec.path} ${spec.identity}`;
  const known = compilers.get(key);
  if (known) return known;
  const made = load(spec);
  compilers.set(key, made);
  // The next request tries again: what was missing may have been installed.
  made.catch(() => compilers.delete(key));
  return made;
}

async function load(spec: CompilerSpec): Promise<Compiler> {
  const module = (await import(spec.module)) as {
    createCompiler(spec: CompilerSpec): Compiler | Promise<Compiler>;
  };
  return module.createCompiler(spec);
}

function failureOf(error: unknown): Failure {
  if (error instanceof JitlabError) {
    const { code, what, help } = error;
    if (!(error instanceof CompileError)) return { code, what, help };
    // The error's text ends with the log, which its constructor adds again on the other side.
    const { log } = error;
    return { code, what: log === "" ? what : what.slice(0, -log.length - 1), help, log };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "compiler-failed", what: `The compiler failed in an unforeseen way: ${text}`, help: "" };
}
