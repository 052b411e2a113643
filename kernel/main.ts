#!/usr/bin/env node
// The command `jitlab`. It checks Node's version before it loads the command line, which an old Node cannot load.
import { oldNode } from "./node-version.js";

const complaint = oldNode();
if (complaint === undefined) {
  if (process.argv[2] === "kernel") (await import("./cli/early-language.js")).startEarly();
  await import("./cli/program.js");
} else {
  console.error(`jitlab: ${complaint.problem} ${complaint.help}`);
  process.exitCode = 1;
}
