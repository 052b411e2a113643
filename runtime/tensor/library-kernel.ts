// The code of a library for one form of call as a loaded kernel, so that recordings, graphs and replays include it.
import { sha256 } from "../base/builtins.js";
import type { Device } from "../device/device.js";
import type { LoadedCode } from "../device/loaded-code.js";
import { computePending } from "../geometry/view.js";
import { writeAddress } from "../launch/argument-writers.js";
import { LoadedKernel } from "../launch/loaded-kernel.js";
import { lists } from "../launch/sink.js";
import { KernelClock } from "../launch/timings.js";
import type { Tensor } from "./tensor.js";

/** What a library is called for. */
export interface LibraryCall {
  /** The function that errors name. */
  readonly what: string;
  /** The routine. */
  readonly symbol: string;
  /** The library's name, and where it is. */
  readonly by: string;
  readonly place: string;
  readonly form: { readonly dtype: string };
  /** The number of its operands, whose addresses are its arguments. */
  readonly operands: number;
}

/** The kernel of a call, whose code is loaded now. */
export function libraryKernel(device: Device, call: LibraryCall, load: () => LoadedCode): LoadedKernel {
  const { what, symbol, by, place, form, operands } = call;
  const text = JSON.stringify(form);
  const request = {
    source: `// ${what} by ${by} ${place}: ${text}\n`,
    symbol,
    op: what,
    variant: by,
    dtypes: [form.dtype],
    target: device.target,
    division: { threads: 1, perThread: 1 },
    argumentBytes: 8 * operands,
  };
  const began = performance.now();
  const code = load();
  const phases = { generateMs: 0, lookupMs: 0, compileMs: 0, loadMs: performance.now() - began };
  const key = sha256(`${device.id} ${what} ${symbol} ${by} ${text}`);
  const clock = new KernelClock(request, key, device.name, "disk", phases);
  return new LoadedKernel(device, code, clock, request, request.argumentBytes, () => {}).retain();
}

/** Launches a library's kernel over its operands, or gives its request to a sink that only collects kernels. */
export function launchLibrary(
  kernel: LoadedKernel,
  operands: readonly Tensor[],
  written: readonly Tensor[],
  read: readonly Tensor[],
): void {
  const { request } = kernel;
  if (lists(request.op, () => ({ request, isCompiled: true }))) return;
  computePending(operands);
  const { u32 } = kernel.fill();
  for (const [i, { pointer }] of operands.entries()) writeAddress(u32, 2 * i, pointer);
  kernel.launch(kernel.over(1), written, read);
}
