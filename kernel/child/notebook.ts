// The notebook's variables: the object that cells write their declarations to, with the names that every notebook starts
// with.
import type { CellHost } from "../../magics/host.js";
import type { ParentRequest } from "../language/language.js";
import { currentCell } from "./cell-context.js";
import type { NumberedCell } from "./channel.js";
import type { Comms } from "./comms.js";
import { type Displays, markup } from "./display.js";
import { type ErrorMode, setErrorMode } from "./error-mode.js";
import type { Input } from "./input.js";
import { KeptValues } from "./kept-values.js";
import type { CellModules } from "./modules.js";
import type { NotebookWidgets } from "./notebook-widgets.js";
import type { Output } from "./output.js";
import type { ParentLink } from "./parent-link.js";
import { functionHomes } from "./stack.js";

/** The parts that implement the names of every notebook. */
export interface NotebookParts {
  readonly link: ParentLink;
  readonly output: Output;
  readonly displays: Displays;
  readonly input: Input;
  readonly comms: Comms;
  readonly modules: CellModules;
  readonly widgets: NotebookWidgets;
}

interface Magics {
  createMagicRuntime(host: CellHost): object;
}

interface Library {
  functor(...args: unknown[]): unknown;
}

/** The variables of one notebook, and its cells. */
export class Notebook {
  /** The cells' `exports`. */
  readonly locals: Record<string, unknown> = {};
  /** The cells so far, as the user wrote them, the current one last. */
  readonly cells: NumberedCell[] = [];
  /** The functors that cells defined in a process that has died. */
  readonly definitions: string[] = [];
  /** The values that cells have shown. */
  readonly kept = new KeptValues(this.locals, this.cells);
  private runtime: object | undefined;

  constructor(private readonly parts: NotebookParts) {
    const { displays, input, comms } = parts;
    const names: Record<string, unknown> = {
      display: displays.display,
      clearOutput: displays.clearOutput,
      html: markup("text/html"),
      md: markup("text/markdown"),
      svg: markup("image/svg+xml"),
      prompt: input.prompt,
      confirm: input.confirm,
      comms: { open: comms.open, register: comms.register },
      functor: this.functor,
    };
    // Not enumerable, so that listing or deleting the notebook's variables skips them.
    for (const [name, value] of Object.entries(names)) {
      Object.defineProperty(this.locals, name, { value, writable: true, configurable: true });
    }
    // The home of a cell's function for jl.jit: the notebook's variables, and its source position.
    const functions = { variables: this.locals, homes: functionHomes };
    Object.defineProperty(globalThis, Symbol.for("jitlab.functions"), {
      value: functions,
      configurable: true,
    });
    const get = () => this.magicRuntime();
    Object.defineProperty(this.locals, "$magic", { get, configurable: true });
  }

  private readonly functor: Library["functor"] = (...args) =>
    (this.own("jitlab") as Library).functor(...args);

  // Loaded at the first use of a magic, so that cells without magics start sooner.
  private magicRuntime(): object {
    this.runtime ??= (this.own("jitlab/magics") as Magics).createMagicRuntime(this.host());
    return this.runtime;
  }

  private own(name: "jitlab" | "jitlab/magics"): unknown {
    return this.parts.modules.require(name);
  }

  /** The running cell as the magics see it. */
  private host(): CellHost {
    const { link, output } = this.parts;
    return {
      display: (data, metadata, named) => output.display(data, metadata, named?.id, named?.update),
      progressBar: (max) => this.parts.widgets.progressBar(max),
      print: (text) => output.print("stdout", text),
      printError: (text) => output.print("stderr", text),
      identity: () => {
        const { name, id, file } = currentCell();
        return { name, run: id, file };
      },
      after: (fn) => {
        const { after } = currentCell();
        after[after.length] = fn;
      },
      ending: (fn) => {
        currentCell().ending = fn;
      },
      locals: this.locals,
      request: (request) => {
        if ((request as ParentRequest).kind === "reset") this.kept.clear();
        link.send({ type: "parent-request", cell: currentCell().id, request });
      },
      capture: () => {
        const cell = currentCell();
        const outer = cell.capture;
        const capture = { stdout: "", stderr: "", outputs: [] };
        cell.capture = capture;
        return () => {
          cell.capture = outer;
          return capture;
        };
      },
      showErrors: (mode) => setErrorMode(mode as ErrorMode),
      unloadModule: (path) => this.parts.modules.unload(path),
      history: () => this.cells,
      definitions: () => this.definitions,
    };
  }
}
