// A program of the command line that is WebAssembly, run on files that exist in memory only.
import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";
import { CompilerLog } from "../compiler-log.js";

/** Files by their names in the folder that a program sees as the outermost one. */
export type Files = Readonly<Record<string, Uint8Array>>;

/** What a run of a program leaves behind. */
export interface Run {
  readonly status: number;
  /** What it said, on either stream; the middle of a long text is left out. */
  readonly log: string;
  readonly files: Files;
}

/** Runs the module's program from start to end; `args` begin with its name. Throws what the engine throws where it traps. */
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
