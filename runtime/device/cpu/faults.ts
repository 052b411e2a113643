// Faults in users' functors on the processor: a kernel that touches memory that is not its own is named on stderr before the
// process ends. The work is done by faults.cpp.
import { readFileSync } from "node:fs";
import { libraryFile } from "../../base/files.js";
import type { Device } from "../device.js";
import { ffi } from "../ffi.js";
import { withRoom } from "../room.js";
import { openShared } from "./libc.js";

type Helper = (kernel: number, text: string | null) => void;

/** Guards a loaded kernel of a user, by its address; the returned function must be called before it is unloaded. */
export type Guard = (kernel: number, symbol: string, userText: string) => () => void;

let helper: Helper | undefined;

/** What guards kernels on a device of the processor; it throws where there is no room for it. */
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
  const source = readFileSync(libraryFile("device/cpu/faults.cpp"), "utf8");
  const binary = device.services.build({ name: "faults", symbol, source }, device.target);
  const type = ffi().proto("void", ["uintptr_t", "str"]);
  return ffi().decode(withRoom(device, () => openShared(binary)).address(symbol), type) as Helper;
}
