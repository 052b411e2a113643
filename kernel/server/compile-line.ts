// The line under a cell that waits for compilers: a display that is updated, and removed when the waits or the cell are
// over, or before the cell's next output.
import { randomUUID } from "node:crypto";
import { plural } from "../../magics/render/format.js";
import type { Parent, Publisher } from "./publisher.js";

// Between two waits shorter than this the line stays.
const stayMs = 300;

interface Shown {
  readonly id: string;
  readonly parent: Parent;
}

/** The line of the cell that compiles. */
export class CompileLine {
  private shown: Shown | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly publisher: Publisher) {
    publisher.beforeOutput = () => this.remove();
  }

  /** Shows how many kernels a cell has waited for, and how many of them have ended. */
  show(parent: Parent, kernels: number, ended: number): void {
    clearTimeout(this.timer);
    if (this.shown?.parent !== parent) this.remove();
    const isOver = ended === kernels;
    // Beside other output it could not be removed: an empty display would stay in the notebook.
    if (this.shown === undefined && (isOver || this.publisher.hasOutput(parent))) return;
    if (isOver) this.timer = setTimeout(() => this.remove(), stayMs);
    const type = this.shown === undefined ? "display_data" : "update_display_data";
    this.shown ??= { id: randomUUID(), parent };
    const data = { "text/plain": `Compiling: ${ended} of ${plural(kernels, "kernel")} done` };
    // `passing` tells clients such as `jitlab run` that it is no part of the cell's output.
    const transient = { display_id: this.shown.id, passing: true };
    this.publisher.publishPassing(type, { data, metadata: {}, transient }, parent);
  }

  /** Removes the line. */
  remove(): void {
    clearTimeout(this.timer);
    const { shown } = this;
    if (shown === undefined) return;
    this.shown = undefined;
    this.publisher.publishPassing("clear_output", { wait: false }, shown.parent);
  }
}
