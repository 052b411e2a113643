// Tells the parent about a cell that has waited for compilers for a second. The compilers' own waits call it, since this
// thread does nothing else meanwhile.
import { performance } from "node:perf_hooks";
import type { CompileListener } from "../../runtime/compiler/announcement.js";
import { currentCell } from "./cell-context.js";
import type { ParentLink } from "./parent-link.js";

const quietMs = 1000;
// Cells may replace it.
const now = performance.now.bind(performance);

/** Listens to the library's waits for compilers. */
export function reportCompiling(link: ParentLink): void {
  let cell = currentCell();
  let kernels = 0;
  let ended = 0;
  let waitedMs = 0;
  let last = 0;
  let told = "";
  const listener: CompileListener = (begun, over) => {
    if (cell !== currentCell()) {
      cell = currentCell();
      kernels = ended = waitedMs = 0;
    }
    const time = now();
    if (ended < kernels) waitedMs += time - last;
    last = time;
    kernels += begun;
    ended += over;
    if (waitedMs < quietMs || cell.over) return;
    const state = `${cell.id} ${kernels} ${ended}`;
    if (state === told) return;
    told = state;
    link.send({ type: "compiling", cell: cell.id, kernels, ended });
  };
  Object.defineProperty(globalThis, Symbol.for("jitlab.compiling"), { value: listener, configurable: true });
}
