// A plot as a value: a cell's last line or display() shows it; elsewhere it has a picture and a text.
import { formsOf, type PlotForms } from "../render/bundle.js";
import type { Figure } from "../render/figure.js";
import { shownPlot } from "../render/showing.js";

/** A plot. A notebook shows it; `png()` is its picture, `String(plot)` its text. */
export class Plot {
  readonly #forms: () => PlotForms;

  /** Plots are made by line(), image() and the like. */
  constructor(
    forms: () => PlotForms,
    /** What it draws; absent for a specification of Plotly's. */
    readonly figure?: Figure,
  ) {
    this.#forms = forms;
  }

  /** The bytes of its picture as a PNG file; undefined for a specification that cannot be drawn without a browser. */
  png(): Uint8Array | undefined {
    return this.#forms().png;
  }

  toString(): string {
    return this.#forms().text;
  }

  [Symbol.for("Jupyter.display")](): object {
    return shownPlot(this.#forms()).data;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

/** The plot of a figure. */
export function plotOf(figure: Figure): Plot {
  return new Plot(() => formsOf(figure), figure);
}
