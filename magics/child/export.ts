// %export in the child: writes the folder, and says what to do there.
import { existsSync } from "node:fs";
import { JitlabError } from "../../runtime/base/errors.js";
import { UsageError } from "../magic.js";
import { formatBytes, plural } from "../render/format.js";
import type { MagicContext } from "./context.js";

/** The arguments of %export. */
export interface ExportRequest {
  /** The expression as typed. */
  readonly title: string;
  readonly folder?: string;
  readonly launches?: readonly number[];
  readonly inputs: "recorded" | "random";
  /** True: without a limit of bytes. */
  readonly all: boolean;
}

// What the library's errors name, and how it is written with the magic.
const words = [
  ["exportLaunch: ", "%export: "],
  ["{ launches: [1, 2] }", "--launches 1,2"],
  [
    'Pass { mostBytes: Infinity } to write all, or { inputs: "random" }',
    "Add --yes to write all, or --no-inputs",
  ],
] as const;

/** Writes the launches of a call to a folder. */
export function exportLaunch(context: MagicContext, request: ExportRequest, call: () => unknown): void {
  const { title, launches, inputs, all } = request;
  const { exportLaunch: write } = context.jl;
  const chosen = launches && { launches };
  const limit = all ? { mostBytes: Number.POSITIVE_INFINITY } : {};
  try {
    const folder = request.folder ?? newFolder(title);
    const made = write(call, [], { folder, title, inputs, ...chosen, ...limit });
    context.line(
      `${plural(made.launches, "launch")} of ${plural(made.kernels, "kernel")}, ${formatBytes(made.bytes)}: cd ${made.folder} && make && ./run`,
    );
  } catch (error) {
    // The export's own errors are a misuse of the magic; an error of the call is the cell's.
    if (!(error instanceof JitlabError) || !error.what.startsWith("exportLaunch: ")) throw error;
    // A usage error is one line: a list comes before it.
    const [help = "", ...list] = error.help.split("\n");
    if (list.length > 0) context.line(list.join("\n"));
    const text = `${error.what} ${help.replace(/:$/, ".")}`;
    throw new UsageError(words.reduce((said, [from, to]) => said.replace(from, to), text));
  }
}

/** A new folder named after a call: `x-add-launch` for `x.add(1)`. */
function newFolder(title: string): string {
  const head = /^[\w$.]+/.exec(title)?.[0] ?? "";
  const name = `${head.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 40)}-launch`.replace(/^-+/, "");
  for (let number = 1; ; number++) {
    const folder = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(folder)) return folder;
  }
}
