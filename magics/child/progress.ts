// Shows the progress of long work as one changing display, of which a saved notebook keeps one line. Short work shows none.
import { randomUUID } from "node:crypto";
import { htmlText } from "../render/escape.js";
import { formatTime } from "../render/format.js";
import { border, quiet } from "../render/html.js";
import type { MagicContext } from "./context.js";

const quietMs = 1500;
const pauseMs = 300;
const barWidth = 240;

/** One piece of long work. */
export class Progress {
  readonly #id = randomUUID();
  readonly #began = performance.now();
  #next = this.#began + quietMs;
  #shown = false;
  #done = 0;
  #total = 0;

  constructor(readonly context: MagicContext) {}

  /** Reports how many steps are done, and the last one's name. */
  step(done: number, total: number, last: string): void {
    this.#done = done;
    this.#total = total;
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + pauseMs;
    this.#show(last);
  }

  /** Ends the display, if there is one, with a summary. */
  end(): void {
    if (this.#shown) this.#show(`in ${formatTime((performance.now() - this.#began) / 1e3)}`, true);
  }

  #show(words: string, ended = false): void {
    const text = `${this.#done} of ${this.#total} ${words}`;
    const data = {
      "text/html": ended ? lineHtml(text) : barHtml(this.#done / this.#total, text),
      "text/plain": text,
    };
    this.context.host.display(data, {}, { id: this.#id, update: this.#shown });
    this.#shown = true;
  }
}

function lineHtml(text: string): string {
  return `<div style="font-size: 12px; ${quiet}; white-space: pre">${htmlText(text)}</div>`;
}

function barHtml(share: number, text: string): string {
  const filled = Math.round(share * barWidth);
  const bar = `<div style="width: ${filled}px; height: 8px; background-color: #3f8fd9"></div>`;
  return [
    `<div style="display: flex; align-items: center; font-size: 12px; ${quiet}">`,
    `<div style="width: ${barWidth}px; min-width: ${barWidth}px; height: 8px; margin-right: 10px; background-color: ${border}">${bar}</div>`,
    `<div style="white-space: pre">${htmlText(text)}</div></div>`,
  ].join("");
}
