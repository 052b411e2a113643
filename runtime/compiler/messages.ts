// What the compile service and its worker say to each other.
import type { MessagePort } from "node:worker_threads";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";

/** Handed to the worker at its start. */
export interface WorkerSetup {
  readonly port: MessagePort;
  /** Held, and never read: it closes with the thread. */
  readonly probe: MessagePort;
  /** The memory of the bell that it rings for each answer, and of the one that it rings once, at its start. */
  readonly bell: SharedArrayBuffer;
  readonly started: SharedArrayBuffer;
}

/** Service to worker. */
export type ToWorker =
  | { readonly type: "warm"; readonly spec: CompilerSpec }
  | {
      readonly type: "compile";
      readonly id: number;
      readonly spec: CompilerSpec;
      readonly request: CompileRequest;
    }
  | { readonly type: "cancel"; readonly id: number };

/** An error as it crosses the threads; `log` marks a CompileError. */
export interface Failure {
  readonly code: string;
  readonly what: string;
  readonly help: string;
  readonly log?: string;
}

/** Worker to service; `ms` is the compiler's own time. */
export type FromWorker =
  | { readonly id: number; readonly ms: number; readonly output: CompileOutput }
  | { readonly id: number; readonly ms: number; readonly failure: Failure };
