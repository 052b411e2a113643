// The language process's loop: it answers the main process's requests one after the other, and sends changed state along,
// from which another process can continue.
import { magics } from "../../magics/table.js";
import { dtypes } from "../../runtime/base/dtype.js";
import { ops } from "../../runtime/ops/index.js";
import type { Libraries } from "./libraries.js";
import type { Answer, Opening, Request } from "./messages.js";
import { endWithParent } from "./parent-watch.js";
import { LanguageService } from "./service.js";
import type { LanguageState } from "./service-state.js";

const completionAfterMs = 1000;
const vocabulary = { ops: Object.keys(ops), dtypes: Object.keys(dtypes) };

/** Creates the service of a notebook in the folder `cwd`. */
export function openService(
  libraries: Libraries,
  packageRoot: string,
  cwd: string,
  state?: LanguageState,
): LanguageService {
  return new LanguageService({ cwd, packageRoot, libraries, magics, vocabulary }, state);
}

/** Answers the main process until it ends. */
export function serveParent(libraries: Libraries, packageRoot: string): void {
  process.on("disconnect", () => process.exit());
  endWithParent();
  // Ctrl-C in a terminal reaches every process of the group; only the main process reacts to it.
  process.on("SIGINT", () => undefined);
  process.once("message", ({ state }: Opening) => {
    const service = openService(libraries, packageRoot, process.cwd(), state);
    let sent = service.state;
    process.on("message", (request: Request) => {
      const answer = answerTo(service, request);
      const changed = service.state !== sent;
      sent = service.state;
      process.send?.(changed ? { ...answer, state: sent } : answer);
    });
    service.warmUp();
    // The first completion loads the collators that it sorts with; no cell needs them.
    setTimeout(() => service.complete("", 0), completionAfterMs);
  });
}

function answerTo(service: LanguageService, { id, method, args }: Request): Answer {
  try {
    const target = service[method] as (...given: readonly unknown[]) => unknown;
    return { id, value: target.apply(service, args) };
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) };
  }
}
