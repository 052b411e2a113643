// Collects the messages that a kernel publishes into the outputs of a notebook's cells, as a front end does: streams are
// merged, displays may be updated later from any cell, and a cleared cell starts again.
import type { CodeCell, Data, Output } from "./notebook.js";

type Displayed = Output & { output_type: "display_data" | "execute_result" };

/** One published message: its type and its content. */
export interface Published {
  readonly type: string;
  readonly content: Data;
}

/** The outputs of a notebook while it runs. */
export class OutputCollector {
  readonly #displays = new Map<string, Displayed[]>();
  readonly #clearLater = new Set<CodeCell>();

  /** Adds a message's output to its cell and returns it; undefined if it only changed earlier outputs. */
  add(cell: CodeCell, message: Published): Output | undefined {
    const { type, content } = message;
    if (type === "clear_output") {
      if (content.wait) this.#clearLater.add(cell);
      else cell.outputs = [];
      return undefined;
    }
    if (type === "update_display_data") {
      for (const shown of this.#displays.get(displayId(content) ?? "") ?? []) {
        shown.data = content.data as Data;
        shown.metadata = content.metadata as Data;
      }
      return undefined;
    }
    const output = outputMakers[type]?.(content);
    if (output === undefined) return undefined;
    if (this.#clearLater.delete(cell)) cell.outputs = [];
    this.#append(cell, output, displayId(content));
    return output;
  }

  #append(cell: CodeCell, output: Output, id: string | undefined): void {
    const last = cell.outputs.at(-1);
    if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
      last.text += output.text;
      return;
    }
    // A copy, because a stream's text grows while the caller may still show the earlier one.
    const kept = { ...output };
    cell.outputs.push(kept);
    if (id !== undefined && (kept.output_type === "display_data" || kept.output_type === "execute_result")) {
      this.#displays.set(id, [...(this.#displays.get(id) ?? []), kept]);
    }
  }
}

function displayId(content: Data): string | undefined {
  const id = (content.transient as Data | undefined)?.display_id;
  return typeof id === "string" ? id : undefined;
}

const outputMakers: Readonly<Record<string, (content: Data) => Output>> = {
  stream: (content) => ({
    output_type: "stream",
    name: content.name === "stderr" ? "stderr" : "stdout",
    text: String(content.text),
  }),
  display_data: (content) => ({
    output_type: "display_data",
    data: content.data as Data,
    metadata: content.metadata as Data,
  }),
  execute_result: (content) => ({
    output_type: "execute_result",
    execution_count: Number(content.execution_count),
    data: content.data as Data,
    metadata: content.metadata as Data,
  }),
  error: (content) => ({
    output_type: "error",
    ename: String(content.ename),
    evalue: String(content.evalue),
    traceback: content.traceback as string[],
  }),
};
