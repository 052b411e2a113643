// Every magic, in the order of help. Parsing, %lsmagic, help, completion and the reference page are derived from it; it does
// not load the runtime, because the language process reads it.
import { cacheMagics } from "./cache.js";
import { cudaMagics } from "./cuda.js";
import { deviceMagics } from "./device.js";
import { diffMagics } from "./diff.js";
import { exportMagics } from "./export.js";
import { helpMagics } from "./help.js";
import { inspectMagics } from "./inspect.js";
import { kernelMagics } from "./kernel.js";
import type { Magic } from "./magic.js";
import { notebookMagics, processMagics } from "./notebook.js";
import { numberMagics } from "./numbers.js";
import { programMagics } from "./program.js";
import { reductionMagics } from "./reduction.js";
import { rooflineMagics } from "./roofline.js";
import { settingMagics } from "./settings.js";
import { richMagics, shellMagics } from "./shell.js";
import { sourceMagics } from "./source.js";
import { timeMagics } from "./time.js";
import { timingsMagics } from "./timings.js";

export { expandHelp, helpText, summary } from "./help.js";
export { expandShell } from "./shell.js";

/** Every magic. */
export const magics: readonly Magic[] = [
  ...kernelMagics,
  ...cudaMagics,
  ...reductionMagics,
  ...sourceMagics,
  ...inspectMagics,
  ...diffMagics,
  ...timingsMagics,
  ...rooflineMagics,
  ...cacheMagics,
  ...exportMagics,
  ...timeMagics,
  ...programMagics,
  ...numberMagics,
  ...deviceMagics,
  ...helpMagics,
  ...notebookMagics,
  ...settingMagics,
  ...processMagics,
  ...shellMagics,
  ...richMagics,
];

const byName = new Map(magics.map((magic) => [magic.name, magic]));

/** The magic of a name without percent signs, or undefined. */
export function findMagic(name: string): Magic | undefined {
  return byName.get(name);
}
