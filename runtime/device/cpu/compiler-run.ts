// One run of the host's compiler, under a shell that outlives this process: however the process or the compile ends, no
// compiler and no temporary folder remains.
import { constants as access, accessSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { programs, randomBytes } from "../../base/builtins.js";
import { environmentWith } from "../../base/env.js";
import { CompileError } from "../../base/errors.js";
import { CompilerLog } from "../compiler-log.js";

// A compiler that prints more than this is killed.
const tooLong = 2 ** 20;

// The shell leads its own process group, with the compiler and its children. It reads one line when the source is in the
// folder, and another when the results have been read. The end of its input instead of a line means that the process ended
// or cancelled the compile. Two steps instead of one, so that the shown assembly is the one that runs. Between them a
// kernel's symbols are made private: GCC marks static variables of templates and inline functions as unique, and the dynamic
// linker would share them between kernels. Clang does not mark them, and has no flag against it. Few kernels need a library beside those of C, and looking through all takes half of a link.
const script = `
folder=$1 file=$2
shift 2
if read -r line <&3; then
  {
    cd "$folder" &&
      (exec "$@" -S "$file" -o kernel.s 2>&1) &&
      (exec sed -i '/^[[:space:]]*[.]type[[:space:]]/s/gnu_unique_object$/object/' kernel.s 2>&1) &&
      {
        (exec "$@" -shared -nostdlib -Wl,-z,defs,--as-needed kernel.s -lm -lgcc -lc -o kernel.so >/dev/null 2>&1) ||
          (exec "$@" -shared -Wl,--as-needed kernel.s -o kernel.so 2>&1)
      }
    echo $? >&4
  } 3<&- &
  exec >/dev/null 4>&-
  read -r line <&3 && wait
fi
trap '' TERM
kill -TERM 0
rm -rf "$folder"
kill -KILL 0
`;

/** The result of a run. */
export interface CompilerRun {
  /** 0 on success, with `binary` and `assembly`; undefined if the run was ended from outside. */
  readonly status: number | undefined;
  /** The signal that ended the compiler. */
  readonly killer: string | undefined;
  readonly log: string;
  readonly binary: Uint8Array;
  readonly assembly: string;
}

/** Runs a compiler on a source under this file name. Throws the system's errors, and CompileError if it prints too much. */
export async function runCompiler(
  [program, ...args]: readonly [string, ...string[]],
  file: string,
  source: string,
  signal: AbortSignal | undefined,
): Promise<CompilerRun> {
  accessSync(program, access.X_OK);
  const folder = join(resolve(tmpdir()), `jitlab-cxx-${randomBytes(12).toString("hex")}`);
  const shell = programs().spawn("/bin/sh", ["-c", script, "sh", folder, file, program, ...args], {
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "ignore", "pipe", "pipe"],
    // Compilers translate their messages, which compiler/log.ts parses. Their temporary files are in the folder.
    env: environmentWith({ LC_ALL: "C", TMPDIR: folder }),
  });
  if (shell.pid === undefined) throw await new Promise((told) => shell.once("error", told));
  const control = shell.stdio[3] as Duplex;
  // A killed shell does not read.
  control.on("error", () => undefined);
  const cancel = () => control.destroy();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    // Made while the shell runs, which removes it.
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, file), source);
    control.write("\n");
    const log = new CompilerLog();
    let said = "";
    await Promise.all([
      collect(shell.stdout as Readable, (text) => {
        log.add(text);
        if (log.length > tooLong) cancel();
      }),
      collect(shell.stdio[4] as Readable, (text) => {
        said += text;
      }),
    ]);
    if (log.length > tooLong)
      throw new CompileError(
        `The C++ compiler ${program} printed more than ${tooLong} characters.`,
        `${log}`,
      );
    const status = said === "" ? undefined : Number(said);
    const done = status === 0;
    const outcome: CompilerRun = {
      status,
      killer: killerOf(status),
      log: `${log}`,
      binary: done ? readFileSync(join(folder, "kernel.so")) : new Uint8Array(),
      assembly: done ? readFileSync(join(folder, "kernel.s"), "utf8") : "",
    };
    if (status !== undefined) control.end("\n");
    return outcome;
  } finally {
    signal?.removeEventListener("abort", cancel);
    if (!control.writableEnded) control.destroy();
  }
}

/** A shell reports a signal as a status above 128. */
function killerOf(status = 0): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
}

function collect(stream: Readable, received: (text: string) => void): Promise<void> {
  return new Promise((done, fail) => {
    stream.setEncoding("utf8").on("data", received);
    stream.on("error", fail).on("close", done);
  });
}
