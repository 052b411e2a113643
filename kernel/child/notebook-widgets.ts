// The widgets of a notebook, which are loaded at their first use, so that a kernel starts sooner.
import { createRequire } from "node:module";
import type { ProgressBar } from "../../magics/host.js";
import type { Comms } from "./comms.js";
import type { Displays } from "./display.js";
import { uninterrupted } from "./interruptible.js";
import type { Widgets } from "./widgets/make.js";

type Module = typeof import("./widgets/make.js");

// The comm target that a front end with widgets opens before any widget exists.
const controlTarget = "jupyter.widget.control";

/** The module `jitlab/widgets`, and the bar of long work. */
export class NotebookWidgets {
  private made: Widgets | undefined;

  constructor(
    private readonly comms: Comms,
    private readonly displays: Displays,
  ) {}

  /** The module `jitlab/widgets` that cells import. */
  get module(): object {
    return this.load().module;
  }

  /** Opens a bar from 0 to `max`; undefined if no front end has widgets. */
  progressBar(max: number): ProgressBar | undefined {
    return this.comms.hasSeen(controlTarget) ? this.load().progressBar(max) : undefined;
  }

  private load(): Widgets {
    const { makeWidgets } = uninterrupted(() =>
      createRequire(import.meta.url)("./widgets/make.js"),
    ) as Module;
    this.made ??= makeWidgets(this.comms, this.displays);
    return this.made;
  }
}
