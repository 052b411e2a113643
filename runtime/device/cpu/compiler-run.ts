// One run of the host's compiler, under a shell that outlives this process: whatever ends the process or the compile,
// neither a compiler nor a temporary folder stays behind.
import { constants as access, accessSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Duplex, Readable } from "node:stream";
import { programs, randomBytes } from "../../base/builtins.js";
import { environmentWith } from "../../base/env.js";
import { CompileError } from "../../base/errors.js";
import { CompilerLog } from "../compiler-log.js";

// A compiler that prints more than this is at its work for a long time, and is ended.
const tooLong = 2 ** 20;

// The shell leads a process group of its own, which holds the compiler and what that starts. It reads a line where the
// source is in the folder, and another where the results were read. The end of its input in place of a line says
// that the process is gone, or wants the code no more.
// Two steps instead of one, so that the assembly which is shown is the one that runs. Between them a kernel's symbols become its
// own: what GCC marks as unique, the static variables of templates and of inline functions, is one per process for the
// dynamic linker, whichever kernels define it; Clang, which marks none, knows no flag against it.
const script = `
folder=$1 file=$2
shift 2
if read -r line <&3; then
  {
    cd "$folder" &&
      (exec "$@" -S "$file" -o kernel.s 2>&1) &&
      (exec sed -i '/^[[:space:]]*[.]type[[:space:]]/s/gnu_unique_object$/object/' kernel.s 2>&1) &&
      (exec "$@" -shared -Wl,--as-needed kernel.s -o kernel.so 2>&1)
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

/** What became of a run. */
export interface CompilerRun {
  /** 0 where all went well, and then `binary` and `assembly` are there; undefined where the run was ended from outside. */
  readonly status: number | undefined;
  /** The signal that ended the compiler. */
  readonly killer: string | undefined;
  readonly log: string;
  readonly binary: Uint8Array;
  readonly assembly: string;
}

/** Runs a compiler on a source that it sees as the file of this name. Throws the system's errors, and CompileError where it prints without end. */
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
    // Compilers translate their complaints; those are read by compile/log.ts. What they leave behind is in the folder.
    env: environmentWith({ LC_ALL: "C", TMPDIR: folder }),
  });
  if (shell.pid === undefined) throw await new Promise((told) => shell.once("error", told));
  const control = shell.stdio[3] as Duplex;
  // A shell that was killed reads nothing.
  control.on("error", () => undefined);
  const cancel = () => control.destroy();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    // Made under the eyes of the shell, which removes it.
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

/** A shell tells of a signal by a status above 128. */
function killerOf(status = 0): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === status - 128)?.[0];
}

function collect(stream: Readable, received: (text: string) => void): Promise<void> {
  return new Promise((done, fail) => {
    stream.setEncoding("utf8").on("data", received);
    stream.on("error", fail).on("close", done);
  });
}
