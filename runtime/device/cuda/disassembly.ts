// Machine code as text: the toolkit's nvdisasm, or cuobjdump if only that is found.
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programs } from "../../base/builtins.js";
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { entries } from "../library-folders.js";

interface Tool {
  readonly name: string;
  readonly args: readonly string[];
  readonly lines: readonly string[];
}

const tools: readonly Tool[] = [
  { name: "nvdisasm", args: ["--print-code"], lines: ["--print-line-info", "--print-line-info-inline"] },
  { name: "cuobjdump", args: ["--dump-sass"], lines: [] },
];

/** A cubin's SASS, with the lines of its source if asked for; throws DeviceError `no-disassembler` with the install command. */
export function disassemble(binary: Uint8Array, withLines = false): string {
  const found = tools.flatMap(({ name, args, lines }) => {
    const path = findTool(name);
    return path === undefined ? [] : [{ path, args: withLines ? [...args, ...lines] : args }];
  })[0];
  if (!found) {
    throw new DeviceError(
      "no-disassembler",
      "Neither nvdisasm nor cuobjdump, which print a GPU's machine code, was found.",
      "They are part of the CUDA toolkit (Debian: `apt-get install nvidia-cuda-toolkit`); put its bin folder on the PATH or set CUDA_HOME.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "jitlab-"));
  try {
    const file = join(folder, "kernel.cubin");
    writeFileSync(file, binary);
    const { status, stdout, stderr } = programs().spawnSync(found.path, [...found.args, file], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status === 0) return stdout;
    throw new DeviceError(
      "no-disassembly",
      `${found.path} failed: ${stderr.trim() || `exit status ${status}`}.`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of a program of the CUDA toolkit: in CUDA_HOME, on the PATH, or below /usr/local. */
export function findTool(name: string): string | undefined {
  const home = env("cudaHome");
  const local = entries("/usr/local")
    .filter((entry) => /^cuda(-[\d.]+)?$/.test(entry))
    .map((entry) => join("/usr/local", entry, "bin"));
  const folders = [...(home ? [join(home, "bin")] : []), ...env("path"), ...local];
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
