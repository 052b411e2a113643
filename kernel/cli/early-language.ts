// The language process of `jitlab kernel`, which takes longest to start: it starts before the command line is loaded.
import type { Language } from "../language/language.js";
import { startLanguage } from "../language/language-process.js";

let started: Language | undefined;

/** Starts the process. */
export function startEarly(): void {
  started = startLanguage();
}

/** The process that was started early, or a new one. */
export function earlyLanguage(): Language {
  return started ?? startLanguage();
}
