// The bar that magics show for long work, where the front end draws widgets.
import type { ProgressBar } from "../../../magics/host.js";
import { htmlText } from "../../../magics/render/escape.js";
import type { Controls } from "./controls.js";

/** Opens a bar from 0 to `max` with words behind it. */
export function openProgressBar({ progress, html, row }: Controls, max: number): ProgressBar {
  const bar = progress(max);
  const words = html();
  const whole = row(bar, words);
  return {
    view: whole.bundle(),
    step(done, text) {
      bar.value = done;
      words.value = htmlText(text);
    },
    close() {
      for (const widget of [whole, words, bar]) widget.close();
    },
  };
}
