// Runs cells one after the other. A failed cell aborts the cells queued behind it, as notebooks expect from "run all", but
// not those that arrive after its reply.
import { setTimeout as sleep } from "node:timers/promises";
import type { CellError, ConvertedExpression, MimeBundle, RunMessage } from "../child/channel.js";
import type { Conversion, Language, LaterRequest, ParentRequest } from "../language/language.js";
import type { Fields, Message } from "../protocol/message.js";
import {
  abortedError,
  diagnosticsError,
  diagnosticsText,
  interruptedError,
  plainError,
} from "./cell-errors.js";
import type { CellEnd, Executor } from "./executor.js";
import type { History } from "./history.js";
import { NotebookRecord } from "./notebook-record.js";
import type { Publisher } from "./publisher.js";

/** The parts that the queue uses. */
export interface QueueParts {
  readonly publisher: Publisher;
  readonly language: Language;
  readonly executor: Executor;
  readonly history: History;
  /** Sends an execute_reply. */
  reply(request: Message, content: Fields): void;
}

interface Evaluation {
  readonly error: CellError | undefined;
  readonly userExpressions: Fields;
}

interface Running {
  readonly request: Message;
  readonly filename: string;
  phase: "converting" | "running";
  interrupted: boolean;
  readonly payload: Fields[];
  readonly requests: LaterRequest[];
}

// The name of code without a number.
const uncounted = "In[ ]";

// Options for the cells of a file: not in the history, and without showing their values.
const quietly: Fields = { silent: true };

// An interrupt waits this long for a running type check, because restarting the language process takes longer.
const checkPatienceMs = 300;

// Cells that a front end sends together arrive within this time.
const arrivalMs = 3;

/** Runs cells in the order of their requests. */
export class CellQueue {
  private readonly waiting: Message[] = [];
  private running: Running | undefined;
  private active = false;
  private readonly record = new NotebookRecord();
  /** The number of the latest cell. */
  count = 0;

  constructor(private readonly parts: QueueParts) {}

  /** Adds a request; it runs after the earlier ones. */
  add(request: Message): void {
    this.waiting.push(request);
    if (!this.active) void this.drain();
  }

  /** Stops the running cell and drops the waiting ones; if none runs, stops the leftovers of earlier cells. */
  interrupt(): void {
    const { running } = this;
    if (running === undefined) {
      this.parts.executor.interruptLeftovers();
      return;
    }
    running.interrupted = true;
    if (running.phase === "running") {
      this.parts.executor.interrupt();
      return;
    }
    setTimeout(() => {
      if (this.running === running && running.phase === "converting") this.parts.language.interrupt();
    }, checkPatienceMs);
  }

  /** The request that may ask for input now. */
  get current(): Message | undefined {
    return this.running?.request;
  }

  /** Keeps a request of the running cell's magic until the cell has ended; what it has defined is noted at once. */
  parentRequest(request: ParentRequest): void {
    if (request.kind === "defined") this.record.addDefinition(request.definition);
    else this.running?.requests.push(request);
  }

  /** The process that ran the cells has died. */
  processEnded(): void {
    this.record.processEnded();
  }

  private async drain(): Promise<void> {
    this.active = true;
    for (let request = this.waiting.shift(); request; request = this.waiting.shift()) {
      if (!this.announce(request)) continue;
      await this.execute(request).catch((error: Error) => this.answerFailure(request, error));
    }
    this.active = false;
  }

  /** Publishes that a request is being handled; false if its header cannot be sent back, so that it cannot be answered. */
  private announce(request: Message): boolean {
    const { publisher } = this.parts;
    try {
      publisher.ownCell(request.header);
      publisher.status("busy", request.header);
      return true;
    } catch (error) {
      console.error(
        `jitlab: a cell is dropped, because its header cannot be sent back: ${(error as Error).message}`,
      );
      return false;
    }
  }

  // For an error of the kernel: without a reply and the idle state, a front end waits forever.
  private async answerFailure(request: Message, failure: Error): Promise<void> {
    this.running = undefined;
    const error = plainError("KernelError", `The kernel could not finish this cell: ${failure.message}`);
    const ended = { request, payload: [], interrupted: false };
    const stops = request.content.stop_on_error !== false;
    await this.conclude(ended, { error, userExpressions: {} }, stops).catch((again: Error) => {
      console.error(`jitlab: a cell could not be answered: ${failure.message} (${again.message})`);
    });
  }

  private async execute(request: Message): Promise<void> {
    const { publisher } = this.parts;
    const { code, silent, store_history, stop_on_error } = request.content;
    if (typeof code !== "string") {
      const { name, message } = plainError("ProtocolError", "An execute_request needs its code as text.");
      this.parts.reply(request, errorContent(name, message, [], this.count));
      return publisher.status("idle", request.header);
    }
    const isBlank = code.trim() === "";
    const counts = silent !== true && store_history !== false && !isBlank;
    if (counts) {
      this.parts.history.add(++this.count, code);
      this.record.addCell({ number: this.count, code });
    }
    const running: Running = {
      request,
      filename: counts ? `In[${this.count}]` : uncounted,
      phase: "converting",
      interrupted: false,
      payload: [],
      requests: [],
    };
    this.running = running;
    if (silent !== true) {
      publisher.publish("execute_input", { code, execution_count: this.count }, request.header);
    }
    const end = isBlank ? { error: undefined, userExpressions: {} } : await this.evaluate(running, code);
    this.running = undefined;
    await this.conclude(running, end, stop_on_error !== false);
  }

  private async evaluate(running: Running, code: string): Promise<Evaluation> {
    try {
      const message = await this.convert(running, code);
      if ("traceback" in message) return { error: message, userExpressions: {} };
      if (await this.endedEarly(running, running.filename)) {
        return { error: interruptedError, userExpressions: {} };
      }
      const end = await this.parts.executor.run({ ...message.run, ...this.record.take() });
      let { error } = end;
      // A request may add others. After a failure no further cell runs.
      for (const request of running.requests) {
        if (error === undefined || request.kind !== "run")
          error = (await this.carryOut(request, running)) ?? error;
      }
      return {
        error,
        userExpressions: { ...message.failed, ...expressionContents(end) },
      };
    } catch (error) {
      if (running.interrupted) return { error: interruptedError, userExpressions: {} };
      const { name, message } = error as Error;
      return { error: plainError(name, message), userExpressions: {} };
    }
  }

  /** Whether an interrupt came while the code was converted: it does not run, and its declarations are forgotten. */
  private async endedEarly(running: Running, filename: string): Promise<boolean> {
    running.phase = "running"; // no interrupt ends the language process any more
    if (running.interrupted) await this.parts.language.forget(filename);
    return running.interrupted;
  }

  private async convert(
    running: Running,
    code: string,
  ): Promise<CellError | { run: RunMessage; failed: Fields }> {
    const { language, publisher } = this.parts;
    const { request, filename } = running;
    const conversion = await language.convert(code, filename);
    if (conversion.errors.length > 0) return diagnosticsError(conversion.errors, code, filename);
    if (conversion.warnings.length > 0) {
      publisher.stream("stderr", diagnosticsText(conversion.warnings, code, filename), request.header);
    }
    const { expressions, failed } = await this.convertExpressions(request.content.user_expressions);
    const run = runMessage(request, filename, code, conversion, expressions);
    return { run, failed };
  }

  private async convertExpressions(
    wanted: unknown,
  ): Promise<{ expressions: Record<string, ConvertedExpression>; failed: Fields }> {
    const expressions: Record<string, ConvertedExpression> = {};
    const failed: Record<string, unknown> = {};
    if (typeof wanted !== "object" || wanted === null) return { expressions, failed };
    for (const [name, text] of Object.entries(wanted)) {
      const filename = uncounted;
      const code = `(${String(text)})`;
      const conversion = await this.parts.language.convert(code, filename);
      if (conversion.errors.length === 0) expressions[name] = conversion;
      else failed[name] = errorFields(diagnosticsError(conversion.errors, code, filename));
    }
    return { expressions, failed };
  }

  private async carryOut(request: LaterRequest, running: Running): Promise<CellError | undefined> {
    const { language } = this.parts;
    if (request.kind === "run") return this.runCells(request.cells, running);
    if (request.kind === "reset") {
      this.record.reset();
      await language.reset();
    } else if (request.kind === "forget") await language.forget(running.filename);
    else if (request.kind === "typecheck") await language.typecheck(request.mode);
    else running.payload.push({ source: "set_next_input", text: request.text, replace: true });
    return undefined;
  }

  private async runCells(
    cells: readonly { readonly code: string; readonly name: string }[],
    running: Running,
  ): Promise<CellError | undefined> {
    const request = { ...running.request, content: quietly };
    for (const { code, name } of cells) {
      if (running.interrupted) return interruptedError;
      const filename = `${running.filename.slice(0, -1)}: ${name.replaceAll("]", ")")}]`;
      running.phase = "converting";
      const message = await this.convert({ ...running, filename, request }, code);
      if ("traceback" in message) return message;
      if (await this.endedEarly(running, filename)) return interruptedError;
      const { error } = await this.parts.executor.run(message.run);
      if (error) return error;
    }
    return undefined;
  }

  private async conclude(
    { request, payload, interrupted }: Pick<Running, "request" | "payload" | "interrupted">,
    end: Evaluation,
    stopOnError: boolean,
  ): Promise<void> {
    const { publisher, reply } = this.parts;
    const { error, userExpressions } = end;
    const aborts = interrupted || (error !== undefined && stopOnError);
    if (aborts) await sleep(arrivalMs);
    const aborted = aborts ? this.waiting.splice(0) : [];
    if (error) {
      const content = { ename: error.name, evalue: error.message, traceback: error.traceback };
      publisher.publish("error", content, request.header);
      reply(request, {
        ...errorContent(error.name, error.message, error.traceback, this.count),
        user_expressions: {},
        payload,
      });
    } else {
      publisher.flush();
      reply(request, {
        status: "ok",
        execution_count: this.count,
        user_expressions: userExpressions,
        payload,
      });
    }
    publisher.status("idle", request.header);
    for (const other of aborted) this.abort(other);
  }

  private abort(request: Message): void {
    const { publisher, reply } = this.parts;
    publisher.status("busy", request.header);
    reply(request, {
      ...errorContent(abortedError.name, abortedError.message, abortedError.traceback, this.count),
      user_expressions: {},
      payload: [],
    });
    publisher.status("idle", request.header);
  }
}

function runMessage(
  request: Message,
  filename: string,
  code: string,
  conversion: Conversion,
  userExpressions: RunMessage["userExpressions"],
): RunMessage {
  const { js, sourceMap, hasTopLevelAwait, lastExpression, files } = conversion;
  return {
    type: "run",
    cell: request.header.msg_id,
    name: typeof request.metadata.cellId === "string" ? request.metadata.cellId : code,
    filename,
    code,
    js,
    sourceMap,
    hasTopLevelAwait,
    lastExpression,
    files,
    userExpressions,
    display: request.content.silent !== true,
    cells: [],
    definitions: [],
    allowStdin: request.content.allow_stdin === true,
  };
}

function expressionContents(end: CellEnd): Fields {
  const entries = Object.entries(end.userExpressions).map(([name, value]) => [
    name,
    "traceback" in value
      ? errorFields(value as CellError)
      : { status: "ok", data: value as MimeBundle, metadata: {} },
  ]);
  return Object.fromEntries(entries) as Fields;
}

function errorFields({ name, message, traceback }: CellError): Fields {
  return { status: "error", ename: name, evalue: message, traceback };
}

function errorContent(name: string, message: string, traceback: readonly string[], count: number): Fields {
  return { ...errorFields({ name, message, traceback }), execution_count: count };
}
