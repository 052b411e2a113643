// The child process: it runs converted cells and owns their values, tensors and devices. The parent starts it with pipes
// foreverything and replaces it when it dies.
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { withhold } from "../../runtime/base/env.js";
import { keepApply } from "./built-ins.js";
import { Interrupted } from "./cell-context.js";
import { CellRunner } from "./cell-runner.js";
import type { ToChild, WatchSetup } from "./channel.js";
import { Comms } from "./comms.js";
import { reportCompiling } from "./compile-waits.js";
import { installDebugView } from "./debug-view.js";
import { watchDetached } from "./detached.js";
import { Displays } from "./display.js";
import { reportAsText } from "./error-report.js";
import { Input, InputError } from "./input.js";
import { guardWord, installInterruption, isInterruption, shielded } from "./interruptible.js";
import { CellModules } from "./modules.js";
import { Notebook } from "./notebook.js";
import { NotebookWidgets } from "./notebook-widgets.js";
import { Output } from "./output.js";
import { ParentLink } from "./parent-link.js";
import { DetachedPrograms, endGroup } from "./process-group.js";
import { installPromiseView } from "./promise-view.js";
import { installStackTraces } from "./stack.js";
import { tslabModule } from "./tslab.js";

const [, , token = "", mark = ""] = process.argv;
const link = new ParentLink(token);
const output = new Output(link);
const displays = new Displays(output);
const comms = new Comms(link);
const widgets = new NotebookWidgets(comms, displays);
const parts = {
  link,
  output,
  displays,
  input: new Input(link),
  comms,
  modules: new CellModules(
    process.cwd(),
    {
      tslab: tslabModule(output),
      get "jitlab/widgets"() {
        return widgets.module;
      },
    },
    (text) => output.note(text),
  ),
  widgets,
};
const notebook = new Notebook(parts);
const runner = new CellRunner(parts, notebook);
const exit = process.exit.bind(process);

/** `process.exit()` in a cell: the cell ends, the notebook's variables stay. */
class ProcessExit extends Error {
  override readonly name = "ProcessExit";
}

const handlers: {
  readonly [K in ToChild["type"]]: (message: Extract<ToChild, { type: K }>, number: number) => void;
} = {
  run: (message, number) => runner.run(message, number),
  comm: (message, number) => runner.handleComm(message, number),
  answer: (message) => parts.input.receive(message),
  exit: () => exit(0),
};

// Errors of code that nobody awaits must neither end the process nor be silent.
function reportLate(what: string, error: unknown): void {
  if (isInterruption(error)) runner.interruptAll();
  else if (InputError.is(error) && runner.fail(error)) return;
  else if (!Interrupted.is(error)) output.note(reportAsText(what, error));
}

process.argv.splice(2);
process.exit = (code?: number | string | null): never => {
  throw new ProcessExit(
    `process.exit(${code ?? ""}) was called. The notebook continues; restart the kernel to end it.`,
  );
};
process.on("uncaughtException", (error) => reportLate("Uncaught exception", error));
process.on("unhandledRejection", (error) => reportLate("Unhandled rejection", error));
process.on("SIGINT", () => undefined); // the watch thread handles it
keepApply();
withhold("remoteCache", "remoteCacheKey", "remoteCacheKeyFile");
output.install();
parts.input.install();
installStackTraces();
installPromiseView();
installDebugView(notebook.locals, parts.displays);
reportCompiling(link);

const watch = new Worker(new URL("watch.js", import.meta.url), {
  workerData: { guard: guardWord.memory, mark } satisfies WatchSetup,
  execArgv: [],
});
watch.on("message", () => {
  // From here on the inspector leaves this callback alone, and a magic's hook can be guarded.
  shielded(() => undefined);
  const { asked: number, target } = guardWord;
  if (guardWord.pending) {
    runner.interrupt(target);
    guardWord.acknowledge(number);
  }
  link.send({ type: "interrupted", number });
});
watch.unref();
const detached = new DetachedPrograms(mark);
watchDetached(mark, (note) => {
  detached.note(note);
  link.send({ type: "detached", ...note });
  watch.postMessage(note); // which ends them where the parent is killed while cells keep this thread busy
});

// While the first cell is being written: opening the kernel cache costs tens of milliseconds. Required and not imported,
// because a cell that requires a module while an import of it is under way fails in Node 20. Before the timers are guarded.
setImmediate(() =>
  shielded(() => {
    const place = createRequire(import.meta.url)("../../runtime/cache/current-store.js");
    (place as typeof import("../../runtime/cache/current-store.js")).openEarly();
  }),
);
installInterruption();
link.listen(
  (message, number) => (handlers[message.type] as (...args: unknown[]) => void)(message, number),
  () => {
    detached.end();
    endGroup(process.pid);
  },
);
link.send({ type: "ready", pid: process.pid });
