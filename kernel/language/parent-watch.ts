// Ends the language process with the kernel's main process, also in the middle of a check that may take for ever: a thread
// of its own sees that the process has another parent, as one whose parent has died gets.

const program = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 500);
`;

/** Starts the watch. */
export function endWithParent(): void {
  // Not imported: a program whose heap is kept in a snapshot may not load threads.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  new Worker(program, { eval: true, execArgv: [], env: {}, stdout: false }).unref();
}
