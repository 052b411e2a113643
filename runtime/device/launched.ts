// The kernel that a device launched last: a kernel fails after its launch, so that a later call reports its error.
import { DeviceError } from "../base/errors.js";

/** A launched kernel and its user's text. */
export interface Launched {
  readonly symbol: string;
  readonly userText: string | undefined;
}

/** The error with the kernel that may have caused it, if the device is lost; any other error as it is. */
export function withLaunched(error: unknown, launched: Launched | undefined): unknown {
  if (!(error instanceof DeviceError) || error.code !== "device-lost" || !launched) return error;
  const { symbol, userText } = launched;
  const last = `The kernel launched last was ${symbol}${userText ? `:\n\n${userText}\n` : "."}`;
  return new DeviceError(error.code, `${error.what} ${last}`, error.help);
}
