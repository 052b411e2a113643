// A C++ compiler that takes its time, for tests of what waits for one.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";

/** Writes a compiler into a folder, for CXX: the host's, so many seconds later. Its questions for versions are answered at once. */
export function slowCompiler(folder: string, seconds: number): string {
  const path = join(folder, "slow-compiler");
  const script = `#!/bin/sh\ncase "$*" in *-o*) sleep ${seconds} ;; esac\nexec ${findCompiler().path} "$@"\n`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}
