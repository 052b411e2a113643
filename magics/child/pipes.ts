// Descriptors for programs that they can open again by name. Node connects programs by sockets, for which opening
// /dev/stdin, /dev/stdout or /dev/stderr fails: `echo wrong > /dev/stderr`. Output goes through named pipes, input is a file.
import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** A pipe for a program's output: this process's end, and the descriptor of the program's. */
export interface OutputPipe {
  readonly source: Socket;
  readonly theirs: number;
}

/** Opens pipes for outputs; none where the system has no named ones. The caller closes `theirs` after starting the program. */
export function outputPipes(count: number): OutputPipe[] {
  return inFolder((folder) => {
    const paths = Array.from({ length: count }, (_, i) => join(folder, String(i)));
    const { status } = spawnSync("mkfifo", ["-m", "600", ...paths], { stdio: "ignore" });
    return status === 0 ? paths.map(opened) : [];
  });
}

// Opening a named pipe waits for its other end; to read without waiting, this one comes first.
function opened(path: string): OutputPipe {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  const theirs = openSync(path, O_WRONLY);
  return { source: new Socket({ fd, readable: true, writable: false }), theirs };
}

/** A descriptor from which a program reads a text. */
export function inputOf(text: string): number {
  return inFolder((folder) => {
    const path = join(folder, "input");
    writeFileSync(path, text, { mode: 0o600 });
    return openSync(path, "r");
  });
}

/** Closes descriptors that a program has now. */
export function closeAll(theirs: readonly number[]): void {
  for (const descriptor of theirs) closeSync(descriptor);
}

// What is open stays, when its name is gone.
function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-pipes-"));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
