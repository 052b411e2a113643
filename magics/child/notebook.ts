// %reset, %load, %history, %precompile and %%capture in the child.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Captured, MimeBundle } from "../host.js";
import { dtypeNames } from "../kernel.js";
import type { DTypeName } from "../library.js";
import { UsageError } from "../magic.js";
import { formatTime, plural } from "../render/format.js";
import type { MagicContext } from "./context.js";
import { resolveFunction } from "./source.js";

/** Deletes all variables, here and in the language service. */
export function reset({ host, versions }: MagicContext): void {
  for (const name of Object.keys(host.locals)) Reflect.deleteProperty(host.locals, name);
  host.request({ kind: "reset" });
  versions.clear();
}

/** Replaces the cell by the text of a file. */
export function load(context: MagicContext, path: string): void {
  let text: string;
  try {
    text = readFileSync(resolve(path), "utf8");
  } catch (error) {
    throw new UsageError(`%load cannot read ${path}: ${(error as NodeJS.ErrnoException).code}.`);
  }
  context.host.request({ kind: "load", text: `// %load ${path}\n${text}` });
}

/** Prints the cells so far. */
export function history(context: MagicContext, options: { last?: number; numbers: boolean }): void {
  const cells = context.host.history();
  const from = options.last === undefined ? 0 : Math.max(0, cells.length - options.last);
  const lines = cells.slice(from).map(({ number, code }) => {
    return options.numbers ? `${`${number}`.padStart(4)}: ${code.replaceAll("\n", "\n      ")}` : code;
  });
  context.line(lines.join("\n"));
}

/** Compiles ops and functors for dtypes before their first call. */
export function precompile(
  context: MagicContext,
  words: readonly string[],
  options: { device?: string },
): void {
  const all = words.flatMap((word) => word.split(",").filter((part) => part !== ""));
  const dtypes = all.filter((word): word is DTypeName => dtypeNames.includes(word));
  const names = all.filter((word) => !dtypeNames.includes(word));
  const entries = names.flatMap((name): [unknown, ...DTypeName[]][] => {
    const fn = resolveFunction(context, "%precompile", name);
    return dtypes.length > 0 ? dtypes.map((dtype) => [fn, dtype]) : [[fn]];
  });
  const { compiled, cached, ms } = context.jl.precompile(entries, options);
  context.line(
    `${plural(compiled, "kernel")} compiled, ${cached} already stored, in ${formatTime(ms / 1e3)}.`,
  );
}

/** The captured output of %%capture; `show()` shows it again. */
export interface CapturedOutput extends Captured {
  show(): void;
}

/** Keeps the cell's output until it ends; streams and displays set to false are not captured. */
export function capture(
  context: MagicContext,
  options: { stdout?: false; stderr?: false; display?: false },
): CapturedOutput {
  const { host } = context;
  const stop = host.capture();
  const kept: { stdout: string; stderr: string; outputs: { data: MimeBundle; metadata: MimeBundle }[] } = {
    stdout: "",
    stderr: "",
    outputs: [],
  };
  host.after(() => {
    const all = stop();
    if (options.stdout === false) host.print(all.stdout);
    else kept.stdout = all.stdout;
    if (options.stderr === false) host.printError(all.stderr);
    else kept.stderr = all.stderr;
    if (options.display === false) for (const one of all.outputs) host.display(one.data, one.metadata);
    else kept.outputs.push(...all.outputs);
  });
  return {
    get stdout() {
      return kept.stdout;
    },
    get stderr() {
      return kept.stderr;
    },
    get outputs() {
      return kept.outputs;
    },
    show() {
      if (kept.stdout) host.print(kept.stdout);
      if (kept.stderr) host.printError(kept.stderr);
      for (const one of kept.outputs) host.display(one.data, one.metadata);
    },
  };
}
