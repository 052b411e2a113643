// Shows the progress of long work as one display, which ends as one line. Short work shows none.
import { randomUUID } from "node:crypto";
import type { MimeBundle, ProgressBar } from "../host.js";
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
  #bar: ProgressBar | undefined;
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
    if (!this.#shown) return;
    const text = this.#text(`in ${formatTime((performance.now() - this.#began) / 1e3)}`);
    this.#display({ "text/html": lineHtml(text), "text/plain": text });
    this.#bar?.close();
  }

  #show(last: string): void {
    const text = this.#text(last);
    if (!this.#shown) this.#bar = this.context.host.progressBar(this.#total);
    this.#bar?.step(this.#done, text);
    // A widget changes by itself.
    if (this.#shown && this.#bar) return;
    const html = barHtml(this.#done / this.#total, text);
    this.#display({ ...this.#bar?.view, "text/html": html, "text/plain": text });
  }

  #text(words: string): string {
    return `${this.#done} of ${this.#total} ${words}`;
  }

  #display(data: MimeBundle): void {
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
