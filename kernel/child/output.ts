// Sends the text and the displays of cells to the parent. Streams that write to the channel replace process.stdout and
// process.stderr, so that text and displays keep their order. Output of native code arrives through separate pipes.

import { Console } from "node:console";
import { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { currentCell } from "./cell-context.js";
import type { MimeBundle } from "./channel.js";
import type { ParentLink } from "./parent-link.js";

/** Sends each kind of output with the cell that caused it. */
export class Output {
  constructor(private readonly link: ParentLink) {}

  /** Text on stdout or stderr. */
  print(name: "stdout" | "stderr", text: string): void {
    const cell = currentCell();
    cell.check();
    if (text === "") return;
    if (cell.capture) cell.capture[name] += text;
    else this.link.send({ type: "stream", cell: cell.id, name, text });
  }

  /** Text on stderr about a cell, even an interrupted one. */
  note(text: string): void {
    this.link.send({ type: "stream", cell: currentCell().id, name: "stderr", text });
  }

  /** A display; `id` lets later ones update it. */
  display(data: MimeBundle, metadata: MimeBundle = {}, id?: string, update = false): void {
    const cell = currentCell();
    cell.check();
    if (cell.capture && !update) cell.capture.outputs.push({ data, metadata });
    else this.link.send({ type: "display", cell: cell.id, data, metadata, id, update });
  }

  /** The value of a cell's last expression. */
  result(data: MimeBundle): void {
    const cell = currentCell();
    if (cell.capture) cell.capture.outputs.push({ data, metadata: {} });
    else this.link.send({ type: "result", cell: cell.id, data, metadata: {} });
  }

  /** Removes the cell's output; with `wait`, when the next output comes. */
  clear(wait: boolean): void {
    const cell = currentCell();
    cell.check();
    this.link.send({ type: "clear", cell: cell.id, wait });
  }

  /** Makes process.stdout, process.stderr and the console write here. */
  install(): void {
    const stdout = new OutputStream((text) => this.print("stdout", text), 1);
    const stderr = new OutputStream((text) => this.print("stderr", text), 2);
    for (const [name, stream] of Object.entries({ stdout, stderr })) {
      Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream });
    }
    // Node's own console swallows errors, including the one that ends an interrupted cell's leftovers.
    const strict = new Console({ stdout, stderr, ignoreErrors: false });
    for (const [name, method] of Object.entries(strict)) {
      if (typeof method === "function" && name in console) Object.assign(console, { [name]: method });
    }
  }
}

const { nextTick } = process;

class OutputStream extends Writable {
  private readonly decoder = new StringDecoder("utf8");
  readonly isTTY = false;

  constructor(
    private readonly print: (text: string) => void,
    readonly fd: number,
  ) {
    super({ decodeStrings: false });
  }

  // Writable queues text that is written inside a write's callback; a console must not, so it leaves here at once.
  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof chunk === "string" && (typeof encoding !== "string" || /^utf-?8$/i.test(encoding))) {
      this.print(chunk);
    } else if (typeof chunk === "string") {
      this.print(this.decoder.write(Buffer.from(chunk, encoding as BufferEncoding)));
    } else if (chunk instanceof Uint8Array) {
      this.print(this.decoder.write(Buffer.from(chunk)));
    } else {
      throw new TypeError("Only text and bytes can be written to a stream.");
    }
    if (typeof callback === "function") nextTick(callback as () => void);
    return true;
  }

  // process.stdout cannot be closed.
  override end(...args: unknown[]): this {
    if (typeof args[0] === "string" || args[0] instanceof Uint8Array) this.write(args[0]);
    return this;
  }
}
