// Runs clang in the compile service's worker: CUDA's text goes in, and a module of SPIR-V comes out, without temporary files.
import type { Readable } from "node:stream";
import { programs } from "../../base/builtins.js";
import { environmentWith } from "../../base/env.js";
import { CompileError } from "../../base/errors.js";
import { CompilerLog } from "../compiler-log.js";
import type { CompileOutput, CompileRequest, Compiler, CompilerSpec } from "../device.js";
import { clangHelp, listingFlag } from "./clang.js";

// A compiler that prints more than this is killed.
const tooLong = 2 ** 20;

/** The compiler behind a spec of `openclTarget`. */
export function createCompiler(spec: CompilerSpec): Compiler {
  return { compile: (request, signal) => compile(spec.path, request, signal as AbortSignal | undefined) };
}

async function compile(
  program: string,
  { source, flags, name }: CompileRequest,
  signal: AbortSignal | undefined,
): Promise<CompileOutput> {
  const isListing = flags.includes(listingFlag);
  const file = `${name.replace(/[^\w.-]+/g, "_") || "kernel"}.cu`;
  const args = ["-cc1", ...flags, ...(isListing ? [] : ["-emit-obj"]), "-main-file-name", file];
  const child = programs().spawn(program, [...args, "-x", "cuda", "-", "-o", "-"], {
    // Compilers translate their messages, which compiler/log.ts parses.
    env: environmentWith({ LC_ALL: "C" }),
    stdio: "pipe",
  });
  const kill = () => void child.kill("SIGKILL");
  signal?.addEventListener("abort", kill, { once: true });
  try {
    const log = new CompilerLog();
    const written: Uint8Array[] = [];
    // A killed compiler does not read.
    child.stdin.on("error", () => undefined);
    child.stdin.end(source);
    const ended = new Promise<{ code: number | null; killer: string | null }>((done, fail) => {
      child.once("error", fail).once("exit", (code, killer) => done({ code, killer }));
    });
    const [{ code, killer }] = await Promise.all([
      ended,
      collect(child.stdout, (bytes) => void written.push(bytes)),
      collect(child.stderr, (bytes) => {
        log.add(Buffer.from(bytes).toString("utf8"));
        if (log.length > tooLong) kill();
      }),
    ]);
    if (killer !== null) {
      const why =
        log.length > tooLong ? `printed more than ${tooLong} characters` : `was killed by ${killer}`;
      throw new CompileError(
        `The compiler ${program} ${why}.`,
        `${log}`,
        "Try again. The machine may be out of memory.",
      );
    }
    if (code !== 0) {
      const isOld = /unknown target triple/.test(`${log}`);
      const what = isOld ? "writes no SPIR-V" : `rejected the kernel (exit status ${code})`;
      throw new CompileError(`The compiler ${program} ${what}.`, `${log}`, isOld ? clangHelp : "");
    }
    const output = new Uint8Array(Buffer.concat(written));
    return isListing
      ? { binary: new Uint8Array(), assembly: new TextDecoder().decode(output), log: `${log}` }
      : { binary: output, assembly: "", log: `${log}` };
  } catch (error) {
    if (error instanceof CompileError) throw error;
    throw new CompileError(
      `The compiler ${program} did not start: ${(error as Error).message}.`,
      "",
      clangHelp,
    );
  } finally {
    signal?.removeEventListener("abort", kill);
  }
}

function collect(stream: Readable, received: (bytes: Uint8Array) => void): Promise<void> {
  return new Promise((done, fail) => {
    stream.on("data", received).on("error", fail).on("close", done);
  });
}
