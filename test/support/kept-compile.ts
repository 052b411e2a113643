// Compiles with NVRTC for tests that look at the outcome alone: each text once for its flags, this NVRTC, and how it is called.
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "../../dist/runtime/compiler/service.js";
import type { CompileOutput, CompileRequest, CompilerSpec } from "../../runtime/device/device.js";
import { keptFile } from "./kept-file.js";

const caller = readFileSync(new URL("../../dist/runtime/device/cuda/nvrtc.js", import.meta.url), "utf8");

/** The names and architectures of which a file of tests has had machine code. */
const assembled = new Set<string>();

/**
 * The outcome of a compile, perhaps of an earlier run's; throws the compiler's error, which is not kept. The first of each name
 * and architecture is machine code, and every one that must be; the others are PTX, which takes half the time.
 */
export function keptCompile(
  compiler: CompilerSpec,
  { name, source, flags }: CompileRequest,
  mustBeCode = false,
): CompileOutput {
  const key = `${name} ${flags.join(" ")}`;
  const isCode = mustBeCode || !assembled.has(key);
  assembled.add(key);
  const toPtx = (flag: string) => flag.replace("architecture=sm_", "architecture=compute_");
  const request = { name, source, flags: isCode ? flags : flags.map(toPtx) };
  const path = keptFile(".json", [compiler.identity, caller, JSON.stringify(request)], (made) => {
    const { binary, ...rest } = compile(compiler, request);
    writeFileSync(made, JSON.stringify({ ...rest, binary: Buffer.from(binary).toString("base64") }));
  });
  const { binary, ...rest } = JSON.parse(readFileSync(path, "utf8"));
  return { ...rest, binary: new Uint8Array(Buffer.from(binary, "base64")) };
}
