// The language worker's thread: takes requests from the kernel's main thread one after the other, and sends back the
// declarations that a new worker would need to go on.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { magics } from "../../magics/table.js";
import { dtypes } from "../../runtime/dtype.js";
import { ops } from "../../runtime/ops/index.js";
import type { Answer, Request, WorkerData } from "./messages.js";
import { LanguageService } from "./service.js";

const { cwd, state } = workerData as WorkerData;
const packageRoot = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const vocabulary = { ops: Object.keys(ops), dtypes: Object.keys(dtypes) };
const service = new LanguageService({ cwd, packageRoot, magics, vocabulary }, state);

if (parentPort) serve(parentPort);

function serve(port: MessagePort): void {
  let sent = service.state;
  port.on("message", (request: Request) => {
    const answer = answerTo(request);
    const changed = service.state !== sent;
    sent = service.state;
    port.postMessage(changed ? { ...answer, state: sent } : answer);
  });
  // The first program reads Node's and jitlab's types; a cell that comes early waits for it anyway.
  service.isComplete("");
  service.complete("", 0);
}

function answerTo(request: Request): Answer {
  try {
    return { id: request.id, value: call(request) };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function call({ method, args }: Request): unknown {
  const target = service[method] as (...given: readonly unknown[]) => unknown;
  return target.apply(service, args);
}
