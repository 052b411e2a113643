// Compares the kernels' memory throughput with the device's copy speed.
import type { Launch } from "../library.js";
import { formatBytes } from "../render/format.js";
import type { MagicContext } from "./context.js";
import { launchesOf, microsecondsOf, tellingBytes } from "./launches.js";

const copiedBytes = { cuda: 2 ** 28, host: 2 ** 26 };
const rounds = 7;

// Sizes of copies that may stay in a cache.
const cachedBytes = Array.from({ length: 6 }, (_, i) => 2 ** (18 + i));

const copySpeeds = new Map<string, number>();
const cacheSpeeds = new Map<string, number>();

/** `24 MiB per loop, 410 GB/s (78 % of cuda:0's copy speed, 526 GB/s)`, or undefined if no kernel ran. */
export function bandwidthLine(
  context: MagicContext,
  launches: readonly Launch[],
  seconds: number,
): string | undefined {
  const bytes = launches.reduce((sum, launch) => sum + launch.bytes, 0);
  const device = launches[0]?.device;
  if (bytes === 0 || seconds === 0 || device === undefined) return undefined;
  const speed = bytes / seconds;
  const line = `Bandwidth: ${gigabytes(speed)} (${formatBytes(bytes)} per loop)`;
  if (bytes < tellingBytes || launches.some((launch) => launch.device !== device)) return line;
  const copy = copySpeed(context, device);
  return `${line}, ${Math.round((100 * speed) / copy)} % of ${device}'s copy speed of ${gigabytes(copy)}`;
}

/** Measures the bytes per second that a large copy on the device reads and writes, once per device. */
export function copySpeed(context: MagicContext, device: string): number {
  const known = copySpeeds.get(device);
  if (known !== undefined) return known;
  const bytes = device.startsWith("cuda") ? copiedBytes.cuda : copiedBytes.host;
  const speed = speedOfCopy(context, device, bytes);
  copySpeeds.set(device, speed);
  return speed;
}

/** Measures the same of the fastest of some small copies, whose bytes stay in a cache, once per device. */
export function cacheSpeed(context: MagicContext, device: string): number {
  const known = cacheSpeeds.get(device);
  if (known !== undefined) return known;
  const small = cachedBytes.map((bytes) => speedOfCopy(context, device, bytes));
  const speed = Math.max(copySpeed(context, device), ...small);
  cacheSpeeds.set(device, speed);
  return speed;
}

function speedOfCopy(context: MagicContext, device: string, bytes: number): number {
  const { jl } = context;
  const [from, to] = [jl.empty([bytes / 4], { device }), jl.empty([bytes / 4], { device })];
  const seconds = fastest(context, device, () => to.copy_(from));
  from.dispose();
  to.dispose();
  return (2 * bytes) / seconds;
}

/** The seconds of a call's launches: the fastest of some calls, by the device's clock where it has one. */
export function fastest(context: MagicContext, device: string, call: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= rounds; i++) {
    const launches = launchesOf(context, () => {
      call();
      context.jl.synchronize(device);
    });
    const us = launches.reduce((sum, launch) => sum + microsecondsOf(launch), 0);
    // The first call may compile.
    if (i > 0) least = Math.min(least, us / 1e6);
  }
  return least;
}

function gigabytes(bytesPerSecond: number): string {
  return `${Number((bytesPerSecond / 1e9).toPrecision(3))} GB/s`;
}
