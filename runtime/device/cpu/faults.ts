// Faults in users' functors on the processor: a kernel that accesses invalid memory is named on stderr before the process
// ends. faults.cpp does the work.
import type { Device } from "../device.js";
import { ffi } from "../ffi.js";
import { ownCode } from "./own-code.js";

type Helper = (kernel: number, text: string | null) => void;

/** Guards a user's loaded kernel, by its address; the returned function must be called before unloading. */
export type Guard = (kernel: number, symbol: string, userText: string) => () => void;

let helper: Helper | undefined;

/** The guard of kernels on a cpu device; throws if there is no room for it. */
export function faultGuard(device: Device): Guard {
  if (process.platform !== "linux") return () => () => undefined;
  helper ??= load(device);
  const call = helper;
  return (kernel, symbol, userText) => {
    call(kernel, `the kernel ${symbol}. Its functor:\n\n${userText}\n\n`);
    return () => call(kernel, null);
  };
}

function load(device: Device): Helper {
  const symbol = "jitlab_guard";
  const type = ffi().proto("void", ["uintptr_t", "str"]);
  return ffi().decode(ownCode(device, "faults", symbol).address(symbol), type) as Helper;
}
