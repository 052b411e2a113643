// The kernel's answers by message type, one table per channel. `execute_request` is handled by the queue of cells.
import type { DebugAdapter, DebugRequest } from "../debugger/adapter.js";
import type { Language } from "../language/language.js";
import type { Fields, Message } from "../protocol/message.js";
import type { CellQueue } from "./cell-queue.js";
import { toCodePoints, toUtf16 } from "./code-points.js";
import type { Executor } from "./executor.js";
import type { History } from "./history.js";
import type { Publisher } from "./publisher.js";

/** The parts of the server that handlers use. */
export interface HandlerHost {
  readonly language: Language;
  readonly executor: Executor;
  readonly queue: CellQueue;
  readonly history: History;
  readonly publisher: Publisher;
  readonly debugger: DebugAdapter;
  /** The content of a kernel_info_reply. */
  info(): Fields;
  /** Ends the kernel after its last messages are sent. */
  shutdown(request: Message): Promise<void>;
}

/** The content of the reply to a request; undefined for messages that have none. */
export type Handler = (
  server: HandlerHost,
  request: Message,
) => Fields | undefined | Promise<Fields | undefined>;

const kernelInfo: Handler = (server) => server.info();

const shutdown: Handler = (server, request) => {
  void server.shutdown(request);
  return { restart: request.content.restart === true };
};

const interrupt: Handler = (server) => {
  server.queue.interrupt();
  return {};
};

const complete: Handler = async ({ language }, { content }) => {
  const { code, cursor } = position(content);
  const { start, end, matches } = await language.complete(code, cursor);
  const span = { start: toCodePoints(code, start), end: toCodePoints(code, end) };
  return {
    matches: matches.map(({ text }) => text),
    cursor_start: span.start,
    cursor_end: span.end,
    metadata: { _jupyter_types_experimental: matches.map(({ text, type }) => ({ text, type, ...span })) },
  };
};

const inspect: Handler = async ({ language }, { content }) => {
  const { code, cursor } = position(content);
  const found = await language.inspect(code, cursor, content.detail_level === 1 ? 1 : 0);
  const data = found ? { "text/plain": found.text, "text/markdown": found.markdown } : {};
  return { found: found !== undefined, data, metadata: {} };
};

const isComplete: Handler = async ({ language }, { content }) => {
  const { status, indent } = await language.isComplete(text(content.code));
  return status === "incomplete" ? { status, indent } : { status };
};

const history: Handler = (server, { content }) => {
  const rows = server.history.query(content);
  // With `output`, a row holds the input and the output; outputs are not kept.
  return {
    history:
      content.output === true ? rows.map(([session, line, input]) => [session, line, [input, null]]) : rows,
  };
};

const debug: Handler = async (server, { content }) =>
  (await server.debugger.answer(content as unknown as DebugRequest)) as Fields;

const commInfo: Handler = (server, { content }) => server.executor.comms.info(content.target_name);

const comm: Handler = async (server, message) => {
  const event = server.executor.comms.fromProtocol(message);
  if (event === undefined) return undefined;
  server.publisher.own(message.header);
  await server.executor.handleComm(event);
  return undefined;
};

/** The shell channel. */
export const shellHandlers: Readonly<Record<string, Handler>> = {
  kernel_info_request: kernelInfo,
  complete_request: complete,
  inspect_request: inspect,
  is_complete_request: isComplete,
  history_request: history,
  comm_info_request: commInfo,
  comm_open: comm,
  comm_msg: comm,
  comm_close: comm,
  interrupt_request: interrupt,
  shutdown_request: shutdown,
};

/** The control channel. */
export const controlHandlers: Readonly<Record<string, Handler>> = {
  debug_request: debug,
  kernel_info_request: kernelInfo,
  interrupt_request: interrupt,
  shutdown_request: shutdown,
};

function text(value: unknown): string {
  if (typeof value !== "string") throw new TypeError("The request needs its code as text.");
  return value;
}

function position(content: Fields): { readonly code: string; readonly cursor: number } {
  const code = text(content.code);
  const cursor = typeof content.cursor_pos === "number" ? toUtf16(code, content.cursor_pos) : code.length;
  return { code, cursor };
}
