// Ends the language process with the kernel's main process, even during an endless check: a thread notices that the
// process has another parent, which it gets when its own has died.

const program = `
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGKILL"), 500);
`;

/** Starts the watch. */
export function endWithParent(): void {
  // Not imported: a program that makes a snapshot cannot load threads.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  new Worker(program, { eval: true, execArgv: [], env: {}, stdout: false }).unref();
}
