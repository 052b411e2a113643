// The library's own C++ in this folder, which the host's compiler compiles at its first use, as it does kernels.
import { readFileSync } from "node:fs";
import { libraryFile } from "../../base/files.js";
import type { Device } from "../device.js";
import { retryAfterFreeing } from "../retry.js";
import { openShared, type SharedObject } from "./libc.js";

const opened = new Map<string, SharedObject>();

/** The functions of the file `name`.cpp, `symbol` among them; throws if it cannot be compiled or there is no room for it. */
export function ownCode(device: Device, name: string, symbol: string): SharedObject {
  const known = opened.get(name);
  if (known) return known;
  const source = readFileSync(libraryFile(`device/cpu/${name}.cpp`), "utf8");
  const binary = device.services.build({ name, symbol, source }, device.target);
  const code = retryAfterFreeing(device, () => openShared(binary));
  opened.set(name, code);
  return code;
}
