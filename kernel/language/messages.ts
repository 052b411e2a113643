// The messages between the kernel's main process and the language process.
import type { LanguageService } from "./service.js";
import type { LanguageState } from "./service-state.js";

/** The first message to a language process: the notebook's state. */
export interface Opening {
  readonly state: LanguageState;
}

/** The service's methods that the main process calls. */
export type Method = "convert" | "complete" | "inspect" | "isComplete" | "forget" | "reset" | "typecheck";

/** Main process to language process. */
export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly args: Parameters<LanguageService[Method]>;
}

/** Language process to main process; `state` if the request changed it. */
export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: Error;
  readonly state?: LanguageState;
}
