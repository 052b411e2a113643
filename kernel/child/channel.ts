// The messages between the parent and the child that runs cells. Each is one line of JSON on a pipe. The child writes
// synchronously: output leaves the process in order, even from an endless loop, a crash loses nothing, and a slow reader
// blocks the writer. An interrupt can cut a line short; the child then writes it again, and each message's number tells the
// reader which ones it has seen.
import { StringDecoder } from "node:string_decoder";
import { indexOf, isInteger, parseJson, pinned, plainJson, slice } from "./built-ins.js";

/** MIME type to value: text, base64 text for binary types, or JSON. */
export type MimeBundle = Readonly<Record<string, unknown>>;

/** The child's file descriptors beside stdin, which is empty, stdout and stderr. */
export const descriptors = {
  /** Child to parent, written synchronously. */
  toParent: 3,
  /** Parent to child, read by the event loop. */
  toChild: 4,
  /** Between the parent and the child's watch thread, which is awake while the main thread is busy. */
  toWatch: 5,
  /** Parent to child, read synchronously: the answers to a cell that waits for one. */
  answers: 6,
} as const;

/** An interrupt, for the watch thread: SIGINT. */
export interface InterruptRequest {
  readonly type: "interrupt";
  readonly number: number;
  /** The number of the last message to interrupt. */
  readonly target: number;
}

/** Ends code of the last interrupt's targets that SIGINT did not reach. */
export interface TerminateRequest {
  readonly type: "terminate";
}

/** A message of a debugger for the main thread's inspector. */
export interface DevtoolsRequest {
  readonly type: "devtools";
  readonly id: number;
  readonly method: string;
  readonly params: object;
}

/** Requests to the watch thread. */
export type WatchRequest =
  | InterruptRequest
  | TerminateRequest
  | DevtoolsRequest
  | { readonly type: "close-devtools" };

/** Messages of the watch thread: the inspector's answers and events. */
export type FromWatch =
  | { readonly id: number; readonly result: object }
  | { readonly id: number; readonly error: string }
  | { readonly method: string; readonly params: object };

/** A program that a cell started with `detached`. */
export interface DetachedNote {
  readonly pid: number;
  /** The mark in its environment, which its child processes inherit. */
  readonly mark: string;
  /** Whether it ends with the process that runs the cells, has ended, or goes on. */
  readonly state: "ends" | "ended" | "stays";
}

/** The value of `cell` in messages without a cell. */
export const noCell = "";

/** An expression to evaluate after a cell, as the language process converted it. */
export interface ConvertedExpression {
  readonly js: string;
  readonly lastExpression: string | undefined;
}

/** A cell as the user wrote it, under the number that the front end shows. */
export interface NumberedCell {
  readonly number: number;
  readonly code: string;
}

/** A cell to run, as the language process converted it. */
export interface RunMessage extends ConvertedExpression {
  readonly type: "run";
  /** Identifies the cell in every message that belongs to it. */
  readonly cell: string;
  /** The front end's id of the cell, equal in every run; without one, the cell's text. */
  readonly name: string;
  /** The name of the cell in stack traces, such as `In[3]`. */
  readonly filename: string;
  /** The user's own text, for carets in error messages. */
  readonly code: string;
  readonly sourceMap: string;
  readonly hasTopLevelAwait: boolean;
  readonly files: Readonly<Record<string, string>>;
  /** New entries for %history: the cells since the last one that ran, including those that did not run. */
  readonly cells: readonly NumberedCell[];
  /** The functors that cells defined in a process that has died. */
  readonly definitions: readonly string[];
  /** Expressions to evaluate after a success, by name. */
  readonly userExpressions: Readonly<Record<string, ConvertedExpression>>;
  /** False: no result is displayed. */
  readonly display: boolean;
  readonly allowStdin: boolean;
}

/** An event of a comm, in either direction; buffers are base64. */
export interface CommMessage {
  readonly type: "comm";
  readonly cell: string;
  readonly event: "open" | "message" | "close";
  readonly id: string;
  readonly target: string;
  readonly data: unknown;
  readonly metadata: unknown;
  readonly buffers: readonly string[];
}

/** Parent to child; a comm event is answered with `done`, as a cell is. */
export type ToChild = RunMessage | CommMessage | LaterAnswer | { readonly type: "exit" };

/** The answer to an input request that the event loop takes. */
export interface LaterAnswer {
  readonly type: "answer";
  readonly question: number;
  readonly value: string;
}

/**
 * The answer to an input request for which the whole process waits; without a value, the cell was interrupted. An answer to an earlier question, left by an interrupt, is skipped.
 */
export interface InputAnswer {
  readonly question: number;
  readonly value: string | undefined;
}

/** An error as notebooks show it. */
export interface CellError {
  readonly name: string;
  readonly message: string;
  /** Lines of the traceback, ANSI colors allowed. */
  readonly traceback: readonly string[];
}

/** Child to parent; `cell` is the cell that scheduled the output, also when it arrives late. */
export type FromChild =
  | { readonly type: "ready"; readonly pid: number }
  /** The targets of all interrupts up to this one have ended. */
  | { readonly type: "interrupted"; readonly number: number }
  /** A program in its own process group must end with this process, or no longer. */
  | ({ readonly type: "detached" } & DetachedNote)
  /** A cell broke something that the kernel needs in this process. */
  | { readonly type: "broken"; readonly reason: string }
  | {
      readonly type: "stream";
      readonly cell: string;
      readonly name: "stdout" | "stderr";
      readonly text: string;
    }
  | {
      readonly type: "display";
      readonly cell: string;
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
      readonly id: string | undefined;
      readonly update: boolean;
    }
  | {
      readonly type: "result";
      readonly cell: string;
      readonly data: MimeBundle;
      readonly metadata: MimeBundle;
    }
  | { readonly type: "clear"; readonly cell: string; readonly wait: boolean }
  /** A cell has waited for compilers for a while: for how many kernels so far, and how many of them have ended. */
  | { readonly type: "compiling"; readonly cell: string; readonly kernels: number; readonly ended: number }
  | {
      readonly type: "input-request";
      readonly cell: string;
      readonly question: number;
      readonly prompt: string;
      readonly password: boolean;
      /** True if the event loop takes the answer, false if the process waits for it. */
      readonly later: boolean;
    }
  | { readonly type: "parent-request"; readonly cell: string; readonly request: unknown }
  | CommMessage
  | {
      readonly type: "done";
      readonly cell: string;
      readonly error: CellError | undefined;
      readonly userExpressions: Readonly<Record<string, MimeBundle | CellError>>;
      /** The number of the mark that ends the cell's output on stdout and stderr. */
      readonly marker: number;
    };

/** One message as a line. */
export function encodeLine(number: number, message: FromChild | FromWatch | ToChild | WatchRequest): string {
  return `${plainJson([number, message])}\n`;
}

// How much of a foreign line is shown.
const longestShown = 60;

/** A line on the channel that the kernel did not write. */
export class ForeignLine extends Error {}

/**
 * Joins the chunks of a pipe to lines, and the lines to messages, each once. Throws ForeignLine for a line that is neither
 * the next message, nor the last one again, nor the start of an interrupted one.
 */
export class LineDecoder<T> {
  private readonly text = pinned(new StringDecoder("utf8"));
  private rest = "";
  private last = 0;
  private lastLine: string | undefined;

  /** Calls `handle` with each message that this chunk completes, and its number. */
  decode(chunk: Buffer, handle: (message: T, number: number) => void): void {
    const text = this.text.write(chunk);
    let start = 0;
    for (let end = indexOf(text, "\n"); end >= 0; end = indexOf(text, "\n", start)) {
      const line = this.rest + slice(text, start, end);
      this.rest = "";
      start = end + 1;
      this.take(line, handle);
    }
    this.rest += slice(text, start);
  }

  private take(line: string, handle: (message: T, number: number) => void): void {
    if (line === this.lastLine) return;
    const parsed = numbered(line);
    if (parsed === undefined && this.isCutShort(line)) return;
    if (parsed?.[0] !== this.last + 1) {
      throw new ForeignLine(
        `something wrote ${plainJson(slice(line, 0, longestShown))} to the kernel's own channel`,
      );
    }
    this.last++;
    this.lastLine = line;
    handle(parsed[1] as T, this.last);
  }

  private isCutShort(line: string): boolean {
    return begins(line, `[${this.last},`) || begins(line, `[${this.last + 1},`);
  }
}

function numbered(line: string): readonly [number, unknown] | undefined {
  try {
    const value = parseJson(line) as readonly [number, unknown];
    return isInteger(value[0]) && typeof value[1] === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

// Whether one text is a prefix of the other.
function begins(line: string, start: string): boolean {
  return line.length < start.length ? slice(start, 0, line.length) === line : indexOf(line, start) === 0;
}

/** The child's mark on stdout and stderr at the end of a cell: everything before it belongs to that cell. */
export function outputMarker(token: string, count: number): string {
  return `\0${token}:${count}\0`;
}

/** The data that the watch thread gets at its start. */
export interface WatchSetup {
  readonly guard: SharedArrayBuffer;
  /** The mark of programs that cells start. */
  readonly mark: string;
}
