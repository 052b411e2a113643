// The messages between the parent and the child that runs cells. They travel over Node's IPC channel with advanced
// serialization, so typed arrays and Uint8Array buffers pass as they are.

/** MIME type to value: text, base64 text for binary types, or JSON. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** A cell to run, as the language worker converted it. */
export interface RunMessage {
  readonly type: "run";
  /** Identifies the cell in every message that belongs to it. */
  readonly cell: string;
  /** The name of the cell in stack traces, such as `In[3]`. */
  readonly filename: string;
  /** The user's own text, for carets in error messages. */
  readonly code: string;
  readonly js: string;
  readonly sourceMap: string;
  readonly hasTopLevelAwait: boolean;
  readonly lastExpression: string | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Expressions to evaluate after a success, by name. */
  readonly userExpressions: Readonly<Record<string, { readonly js: string; readonly lastExpression: string | undefined }>>;
  /** False: no result is displayed. */
  readonly display: boolean;
  readonly allowStdin: boolean;
}

/** Parent to child. */
export type ToChild =
  | RunMessage
  | { readonly type: "input"; readonly value: string | undefined }
  | {
      readonly type: "comm";
      readonly event: "open" | "message" | "close";
      readonly id: string;
      readonly target: string;
      readonly data: unknown;
      readonly metadata: unknown;
      readonly buffers: readonly Uint8Array[];
    }
  | { readonly type: "exit" };

/** An error as notebooks show it. */
export interface CellError {
  readonly name: string;
  readonly message: string;
  /** Lines of the traceback, ANSI colours allowed. */
  readonly traceback: readonly string[];
}

/** Child to parent; `cell` is the cell that scheduled the output, also when it arrives late. */
export type FromChild =
  | { readonly type: "ready"; readonly pid: number }
  | { readonly type: "stream"; readonly cell: string; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
      readonly type: "display";
      readonly cell: string;
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
      readonly id: string | undefined;
      readonly update: boolean;
    }
  | { readonly type: "result"; readonly cell: string; readonly data: MimeBundle; readonly metadata: MimeBundle }
  | { readonly type: "clear"; readonly cell: string; readonly wait: boolean }
  | { readonly type: "input-request"; readonly cell: string; readonly prompt: string; readonly password: boolean }
  | { readonly type: "parent-request"; readonly cell: string; readonly request: unknown }
  | {
      readonly type: "comm";
      readonly cell: string;
      readonly event: "open" | "message" | "close";
      readonly id: string;
      readonly target: string;
      readonly data: unknown;
      readonly metadata: unknown;
      readonly buffers: readonly Uint8Array[];
    }
  | {
      readonly type: "done";
      readonly cell: string;
      readonly error: CellError | undefined;
      readonly userExpressions: Readonly<Record<string, MimeBundle | CellError>>;
    };
