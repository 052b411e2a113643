// What tests keep from run to run in build/test-cache, or where JITLAB_TEST_CACHE says: compiled kernels with the key that
// seals them, the snapshot of the language service, and files that tests made (kept-file.ts). Code that other tools made is in another folder.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";

const packageRoot = join(import.meta.dirname, "..", "..");
const main = join(packageRoot, "dist/kernel/main.js");
const unusedAfterMs = 14 * 24 * 3600 * 1000;

// A driver's name stays when its parts are replaced: the compiler proper, assembler, linker and C library.
const parts = ["cc1plus", "as", "ld"].map((name) => `-print-prog-name=${name}`);
const libraries = ["libc.so.6", "libm.so.6", "libstdc++.so"].map((name) => `-print-file-name=${name}`);

/** Names what the host's compiler makes code with: each part's path, size and time; a word without a compiler. */
function toolchain(): string {
  const { path, args } = findCompiler();
  if (path === "") return "none";
  const identity = createHash("sha256");
  for (const question of [...parts, ...libraries]) {
    const answer = execFileSync(path, [...args, question], { encoding: "utf8" }).trim();
    // The answer is a bare name for what is on the PATH, and for what is not installed, such as the C++ library's.
    const file = answer.includes("/") ? answer : pathOf(answer);
    const found = statSync(file, { throwIfNoEntry: false });
    identity.update(`${answer} ${found?.size} ${found?.mtimeMs}\n`);
  }
  return identity.digest("hex").slice(0, 16);
}

/** Where a program is on the PATH, or an empty text. */
const pathOf = (program: string) =>
  spawnSync("sh", ["-c", 'command -v "$1"', "sh", program], { encoding: "utf8" }).stdout.trim();

/** What is wrong with a folder's kernels, or an empty text. */
function faultIn(folder: string): string {
  const env = { ...process.env, ...variablesOf(folder) };
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, "cache", "verify", "--json"], {
    env,
    encoding: "utf8",
  });
  if (stderr !== "" || status !== 0) return stderr.trim() || `the check ended with status ${status}`;
  const { damaged } = JSON.parse(stdout) as { damaged: number };
  return damaged === 0 ? "" : `${damaged} kernels were damaged`;
}

function variablesOf(folder: string): Record<"JITLAB_CACHE_DIR" | "XDG_STATE_HOME", string> {
  return { JITLAB_CACHE_DIR: join(folder, "cache"), XDG_STATE_HOME: join(folder, "state") };
}

/** Opens the folder of this machine's tools; starts with an empty one where the kept one cannot be used, and says why. */
export function openTestCache(): Record<string, string> {
  const root = resolve(packageRoot, process.env.JITLAB_TEST_CACHE || "build/test-cache");
  try {
    mkdirSync(root, { recursive: true });
    const folder = join(root, toolchain());
    mkdirSync(join(folder, "files"), { recursive: true, mode: 0o700 });
    const now = new Date();
    utimesSync(folder, now, now);
    removeUnused(root);
    removeUnused(join(folder, "files"));
    const fault = faultIn(folder);
    if (fault !== "") {
      console.error(`The test cache ${folder} starts empty: ${fault}.`);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
    }
    return variablesOf(folder);
  } catch (error) {
    const folder = mkdtempSync(join(tmpdir(), "jitlab-test-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    console.error(`The test cache ${root} is not used: ${(error as Error).message}. This run has ${folder}.`);
    return variablesOf(folder);
  }
}

function removeUnused(root: string): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    // Another run removes its drafts meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - unusedAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
