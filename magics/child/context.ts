// The argument of every magic's function: the cell, the library, and ways to show output.
import type { CellHost, CellIdentity } from "../host.js";
import type { Library } from "../library.js";
import type { Figure } from "../render/figure.js";
import { tableHtml } from "../render/html.js";
import { type Listing, listingHtml, listingText } from "../render/listing.js";
import { figureBundle } from "../render/plot.js";
import { type Table, tableText } from "../render/table.js";

/** The surroundings of a magic's function. */
export class MagicContext {
  // The cell whose output holds the plotting library.
  #bringer: CellIdentity | undefined;

  /** Settings that were changed, by name. */
  readonly settings = new Map<string, string>();

  constructor(
    readonly host: CellHost,
    readonly jl: Library,
  ) {}

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

  /** Shows a figure; the first one of a session brings the plotting library along, and so it does when it is shown anew. */
  figure(figure: Figure): void {
    const cell = this.host.identity();
    const bringer = this.#bringer;
    const embed = bringer === undefined || (bringer.name === cell.name && bringer.run !== cell.run);
    if (embed) this.#bringer = cell;
    const { data, metadata } = figureBundle(figure, { embed });
    this.host.display(data, metadata);
  }

  /** Prints one line. */
  line(text: string): void {
    this.host.print(`${text}\n`);
  }
}
