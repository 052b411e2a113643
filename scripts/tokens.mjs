// Compiles runtime/device/tokens/tokens.cpp, which finds unreachable memory. The build compiles it for its own platform where
// there is a compiler; the compiled files in the tree are for packages that are built or installed elsewhere. `node
// scripts/tokens.mjs` writes those: it needs g++ and aarch64-linux-gnu-g++ (Debian's g++-aarch64-linux-gnu).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = "runtime/device/tokens";
const source = join(folder, "tokens.cpp");
const compilers = { "linux-x64": "x86_64-linux-gnu-g++", "linux-arm64": "aarch64-linux-gnu-g++" };
const flags = {
  // Without the C library: the symbols are those of the process, whichever library it has.
  linux:
    "-Os -std=c++11 -shared -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -fno-stack-protector -nostdlib -s -Wl,--build-id=none,-z,norelro,-z,noseparate-code",
  darwin: "-Os -std=c++11 -bundle -fvisibility=hidden -fno-exceptions -fno-rtti -undefined dynamic_lookup",
};

/** The digest of a file. */
function digestOf(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Compiles for a platform; false if that fails. */
function compile(compiler, platform, to) {
  const known = flags[platform.split("-")[0]];
  if (known === undefined) return false;
  const made = `${to}.${process.pid}`;
  const { status } = spawnSync(compiler, [...known.split(" "), "-o", made, source], { stdio: "ignore" });
  if (status === 0) renameSync(made, to);
  else rmSync(made, { force: true });
  return status === 0;
}

/** Names the files of a folder with their digests, and that of the source they come from. */
function writeDigests(to) {
  const files = readdirSync(to).filter((name) => name.endsWith(".node"));
  const digests = Object.fromEntries(files.sort().map((name) => [name, digestOf(join(to, name))]));
  writeFileSync(
    join(to, "digests.json"),
    `${JSON.stringify({ source: digestOf(source), ...digests }, null, 2)}\n`,
  );
}

/** Puts the compiled files of all platforms into the built library. */
export function buildTokens(to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(folder))
    if (name.endsWith(".node")) cpSync(join(folder, name), join(to, name));
  const platform = `${process.platform}-${process.arch}`;
  const own = join(to, `${platform}.node`);
  [process.env.CXX, "c++", "g++", "clang++"].some((name) => name && compile(name, platform, own));
  writeDigests(to);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [platform, compiler] of Object.entries(compilers)) {
    if (!compile(compiler, platform, join(folder, `${platform}.node`)))
      throw new Error(`${compiler} does not compile ${source}`);
  }
  writeDigests(folder);
}
