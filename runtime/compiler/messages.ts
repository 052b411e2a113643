// The messages between the compile service and its worker.
import type { Look, Remark } from "../cache/remote/remote-cache.js";
import type { StoredModule } from "../cache/store.js";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../device/device.js";

/** Messages from the service to a worker. */
export type ToWorker =
  | { readonly type: "warm"; readonly spec: CompilerSpec }
  | {
      readonly type: "compile";
      readonly id: number;
      readonly spec: CompilerSpec;
      readonly request: CompileRequest;
      /** The kernel's key, if the shared cache may have it. */
      readonly key?: string | undefined;
      /** Of a compile that runs beside others: how many run at once. */
      readonly beside?: number;
    }
  | { readonly type: "cancel"; readonly id: number }
  | { readonly type: "look"; readonly id: number; readonly keys: readonly string[] }
  | { readonly type: "share"; readonly id: number; readonly stored: StoredModule }
  | { readonly type: "end-processes" };

/** An error in a message from a worker; `log` marks a CompileError. */
export interface Failure {
  readonly code: string;
  readonly what: string;
  readonly help: string;
  readonly log?: string;
  /** The text that was compiled. */
  readonly source?: string | undefined;
}

/** Messages from a worker: the compiler's result and duration, a kernel of the shared cache, or that cache's message. */
export type FromWorker = {
  readonly id: number;
  /** A message of the shared cache for the user. */
  readonly remarks?: readonly Remark[];
} & (
  | { readonly ms: number; readonly output: CompileOutput }
  | { readonly failure: Failure }
  | { readonly found: StoredModule }
  | { readonly looks: readonly Look[] }
  | { readonly shared: true }
);
