// What the main thread and the language worker say to each other.
import type { LanguageService } from "./service.js";
import type { LanguageState } from "./service-state.js";

/** What the worker is started with. */
export interface WorkerData {
  readonly cwd: string;
  readonly state: LanguageState;
}

/** The service's methods that the main thread calls. */
export type Method = "convert" | "complete" | "inspect" | "isComplete" | "forget" | "reset" | "typecheck";

/** Main thread to worker. */
export interface Request {
  readonly id: number;
  readonly method: Method;
  readonly args: Parameters<LanguageService[Method]>;
}

/** Worker to main thread; `state` where the request changed it. */
export interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: Error;
  readonly state?: LanguageState;
}
