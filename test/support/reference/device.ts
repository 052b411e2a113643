// The reference device: the processor without a compiler. It runs the text of each kernel as JavaScript, so that tests of
// everything before that text (planning, windows, memory, donation, replay, arguments) need no compiler. An operation is computed
// in one way wherever it stands, but not with the bits of compiled code.
import { readFileSync } from "node:fs";
import { argumentBlock } from "../../../dist/runtime/device/argument-blocks.js";
import type { Device, DeviceServices, Mark, Target } from "../../../dist/runtime/device/device.js";
import { cppDialect } from "../../../dist/runtime/device/dialect.js";
import { ffi } from "../../../dist/runtime/device/ffi.js";
import type { LoadedCode } from "../../../dist/runtime/device/loaded-code.js";
import { replaceDevice } from "../../../dist/runtime/launch/devices.js";
import { Memory } from "./memory.js";
import { Unsupported } from "./parser.js";
import { Bytes } from "./runtime.js";
import { type Kernel, kernelOf } from "./translator.js";

const target: Target = {
  kind: "cpu",
  // Without the headers of compilers: the functions in them are JavaScript here.
  dialect: { ...cppDialect, preludes: [], guards: [], named: [] },
  arch: "reference",
  compiler: {
    name: "reference",
    module: new URL("compiler.mjs", import.meta.url).href,
    path: "reference",
    identity: "reference",
    textsAtOnce: Number.POSITIVE_INFINITY,
    further: "threads",
  },
  flags: [],
  contraction: { off: "", on: "" },
  kernelsPerRun: 8,
  argumentBytes: 2 ** 15,
};

/** What it could not run, with how often: by the reason. */
export const unsupported = new Map<string, number>();

/** Headers that every dialect has, for types that the reference device knows. */
const headers = [
  ...["codegen/headers/saturate.h", "codegen/headers/half.h"],
  ...["ops/functors/complex.cuh", "ops/functors/number-types.cuh"],
].map((file) => readFileSync(new URL(`../../../dist/runtime/${file}`, import.meta.url), "utf8").trimEnd());

/** Declarations of C's math functions for every type: here all numbers have one. */
const mathForms =
  /\/\/ The math functions that the text calls, for numbers of every type\.\nnamespace std \{\n[\s\S]*?\n\}\n(?:using std::\w+;\n)*/g;

const kernels = new Map<string, Kernel | Unsupported>();

/** The JavaScript of a kernel, made once. */
function translated(text: string, symbol: string): Kernel {
  const key = `${symbol}\n${text}`;
  let kernel = kernels.get(key);
  if (kernel === undefined) {
    // The parser goes back by errors, whose traces nobody reads.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      kernel = kernelOf(
        headers.reduce((rest, header) => rest.replace(header, ""), text).replace(mathForms, ""),
        symbol,
      );
    } catch (error) {
      if (!(error instanceof Unsupported) && !(error instanceof SyntaxError)) throw error;
      kernel = new Unsupported(`The reference device cannot run ${symbol}: ${error.message}`);
    }
    Error.stackTraceLimit = limit;
    kernels.set(key, kernel);
  }
  if (typeof kernel === "function") return kernel;
  unsupported.set(kernel.message, (unsupported.get(kernel.message) ?? 0) + 1);
  throw kernel;
}

class ReferenceDevice implements Device {
  readonly name = "cpu";
  readonly id = 62;
  readonly target = target;
  readonly model = "reference";
  readonly services: DeviceServices = { build: none, prepare: () => {}, unload: () => {} };
  readonly allocator = new Memory();

  createBlock(bytes: number) {
    return argumentBlock(bytes);
  }

  load(binary: Uint8Array, symbol: string): LoadedCode {
    const text = new TextDecoder().decode(binary);
    const { resolve } = this.allocator;
    return {
      launch: ({ bytes }, config) => {
        const args = new Bytes(bytes.buffer, bytes.byteOffset, resolve);
        translated(text, symbol)(args, 0, config.grid[0]);
      },
      unload: () => {},
    };
  }

  write(pointer: number, bytes: Uint8Array): void {
    this.allocator.bytesAt(pointer, bytes.byteLength).set(bytes);
  }

  read(pointer: number, bytes: Uint8Array): void {
    bytes.set(this.allocator.bytesAt(pointer, bytes.byteLength));
  }

  copy(to: number, from: number, bytes: number): void {
    if (bytes > 0) this.write(to, this.allocator.bytesAt(from, bytes));
  }

  hostView(pointer: number, bytes: number): ArrayBuffer {
    return bytes === 0 ? new ArrayBuffer(0) : ffi().view(pointer, bytes);
  }

  addressOf(memory: ArrayBufferView): number {
    return this.allocator.addressOf(memory);
  }

  synchronize(): void {}

  mark(): Mark {
    const at = performance.now();
    return { since: () => performance.now() - at, wait: () => {}, release: () => {} };
  }

  memory(): { free: number; total: number } {
    return { free: 2 ** 34, total: 2 ** 34 };
  }
}

function none(): never {
  throw new Error("The reference device has no helpers.");
}

/** Replaces the processor by the reference device, for all tests of a file. */
export function useReference(): void {
  replaceDevice(new ReferenceDevice());
}
