// The argument of every magic's function: the cell, the library, and ways to show output.
import type { CellHost } from "../host.js";
import type { Library } from "../library.js";
import { formsOf } from "../render/bundle.js";
import type { Figure } from "../render/figure.js";
import { tableHtml } from "../render/html.js";
import { type Listing, listingHtml, listingText } from "../render/listing.js";
import { shownPlot, showPlotsIn } from "../render/showing.js";
import { type Table, tableText } from "../render/table.js";
import { decodeDefinition } from "./definition.js";
import { Versions } from "./kept-versions.js";
import { Measured } from "./measured.js";

/** What a magic's function works with. */
export class MagicContext {
  /** Changed settings, by name. */
  readonly settings = new Map<string, string>();
  /** The functors that cells defined. */
  readonly versions = new Versions();
  /** The launches that %roofline measured. */
  readonly measured = new Measured();
  #finite: ReturnType<Library["watchFinite"]> | undefined;

  constructor(
    readonly host: CellHost,
    readonly jl: Library,
  ) {
    showPlotsIn(() => host.identity());
    for (const text of host.definitions()) this.versions.restore(decodeDefinition(text), jl);
  }

  /** Stops each cell at the first NaN from now on, or no longer. */
  stopAtNan(isOn: boolean): void {
    this.#finite?.stop();
    this.#finite = isOn ? this.jl.watchFinite() : undefined;
  }

  /** Runs what measures or compares programs, whose operations are not checked one by one. */
  unchecked<R>(run: () => R): R {
    if (this.#finite === undefined) return run();
    this.stopAtNan(false);
    try {
      return run();
    } finally {
      this.stopAtNan(true);
    }
  }

  /** Shows several tables in one output. */
  table(...tables: readonly Table[]): void {
    this.host.display({
      "text/html": tables.map(tableHtml).join("\n"),
      "text/plain": tables.map(tableText).join("\n\n"),
    });
  }

  /** Shows several code listings in one output. */
  listings(listings: readonly Listing[]): void {
    this.host.display({
      "text/html": listings.map(listingHtml).join("\n"),
      "text/plain": listings.map(listingText).join("\n\n"),
    });
  }

  /** Shows a figure. */
  figure(figure: Figure): void {
    const { data, metadata } = shownPlot(formsOf(figure));
    this.host.display(data, metadata);
  }

  /** Prints one line. */
  line(text: string): void {
    this.host.print(`${text}\n`);
  }
}
