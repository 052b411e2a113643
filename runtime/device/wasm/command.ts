// Runs a WebAssembly command-line program with files in memory.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { CompilerLog } from "../compiler-log.js";

/** Files by their names in the program's root folder. */
export type Files = Readonly<Record<string, Uint8Array>>;

/** The result of a run. */
export interface Run {
  readonly status: number;
  /** Its output on both streams; the middle of a long text is omitted. */
  readonly log: string;
  readonly files: Files;
}

/** Runs the module's program; `args` begin with its name. Throws the engine's error if it traps. */
export function runCommand(module: WebAssembly.Module, args: readonly string[], files: Files): Run {
  const log = new CompilerLog();
  const decoder = new TextDecoder();
  const say = new ConsoleStdout((bytes) => {
    log.add(decoder.decode(bytes, { stream: true }));
  });
  const contents = new Map(Object.entries(files).map(([name, bytes]) => [name, new File(bytes)]));
  const folder = new PreopenDirectory("/", contents);
  const system = new WASI([...args], [], [new OpenFile(new File([])), say, say, folder], { debug: false });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system.wasiImport });
  const status = system.start(instance as Parameters<WASI["start"]>[0]);
  const left = [...contents].map(([name, file]) => [name, file.data] as const);
  return { status, log: `${log}`, files: Object.fromEntries(left) };
}
