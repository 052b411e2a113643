// The most memory that jitlab holds of a device, as JITLAB_MEMORY says.
import { env } from "../base/env.js";
import { DeviceError } from "../base/errors.js";
import { bytesOf } from "../base/units.js";

/** The limit in bytes on a device of `total` bytes: all of it by default. Throws DeviceError for a bad JITLAB_MEMORY. */
export function memoryLimit(total: number): number {
  const text = env("memory");
  if (text === undefined) return total;
  const [, percent] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim()) ?? [];
  const share = Number(percent) / 100;
  const bytes = percent === undefined ? bytesOf(text) : share > 0 && share <= 1 ? share * total : undefined;
  if (bytes !== undefined) return Math.floor(Math.min(bytes, total));
  throw new DeviceError(
    "bad-memory-limit",
    `JITLAB_MEMORY is ${JSON.stringify(text)}, which is neither a size such as 8G nor a share such as 50%.`,
    "Correct or unset it, then start the kernel again.",
  );
}
