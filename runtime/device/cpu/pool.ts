// The threads that divide work of the processor. pool.cpp does the work; it is compiled at the first call.
import type { Device } from "../device.js";
import { ffi } from "../ffi.js";
import { ownCode } from "./own-code.js";

/** The calls of pool.cpp, as declared in the comments. */
export interface Pool {
  /** `void jitlab_launch(Kernel kernel, const void *args, long long count, long long unit, int threads);` */
  launch(kernel: number, args: number, count: number, unit: number, threads: number): void;
  /** `void jitlab_divide(Kernel kernel, const void *args, long long count, long long estimate, int threads);` */
  divide(kernel: number, args: number, count: number, estimate: number, threads: number): void;
}

let opened: Pool | undefined;

/** The pool of the cpu device. */
export function poolOf(device: Device): Pool {
  if (opened) return opened;
  const symbol = "jitlab_launch";
  const code = ownCode(device, "pool", symbol);
  const type = ffi().proto("void", ["uintptr_t", "uintptr_t", "int64_t", "int64_t", "int"]);
  const call = (name: string) => ffi().decode(code.address(name), type);
  opened = { launch: call(symbol), divide: call("jitlab_divide") } as Pool;
  return opened;
}
