// The line under a cell that waits for compilers: a display that is updated, and removed when the waits or the cell are
// over, or before the cell's next output.
import { randomUUID } from "node:crypto";
import { plural } from "../../magics/render/format.js";
import type { MimeBundle } from "../child/channel.js";
import type { Parent, Publisher } from "./publisher.js";

// Between two waits shorter than this the line stays.
const stayMs = 300;

// The classic Notebook ignores an update without a form that it draws.
const nothing = { "text/html": "", "text/plain": "" };

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
    if (isOver && this.shown === undefined) return;
    if (isOver) this.timer = setTimeout(() => this.remove(), stayMs);
    const update = this.shown !== undefined;
    this.shown ??= { id: randomUUID(), parent };
    const text = `Compiling: ${ended} of ${plural(kernels, "kernel")} done`;
    this.display({ "text/plain": text }, this.shown, update);
  }

  /** Removes the line. */
  remove(): void {
    clearTimeout(this.timer);
    const { shown } = this;
    if (shown === undefined) return;
    this.shown = undefined;
    // Beside other output the display can only be empty.
    if (this.publisher.hasOutput(shown.parent)) this.display(nothing, shown, true);
    else this.publisher.publishPassing("clear_output", { wait: false }, shown.parent);
  }

  private display(data: MimeBundle, { id, parent }: Shown, update: boolean): void {
    const type = update ? "update_display_data" : "display_data";
    // `passing` tells clients such as `jitlab run` that it is no part of the cell's output.
    const transient = { display_id: id, passing: true };
    this.publisher.publishPassing(type, { data, metadata: {}, transient }, parent);
  }
}
