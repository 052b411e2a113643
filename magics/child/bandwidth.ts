// Compares the kernels' memory throughput with the device's copy speed.
import type { Launch } from "../library.js";
import { formatBytes } from "../render/format.js";
import type { MagicContext } from "./context.js";

const copiedBytes = { cuda: 2 ** 28, host: 2 ** 26 };
const rounds = 7;
// Below this size the call's overhead dominates, so a percentage of the copy speed is misleading.
const tellingBytes = 2 ** 20;

const copySpeeds = new Map<string, number>();

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
  const { jl } = context;
  const bytes = device.startsWith("cuda") ? copiedBytes.cuda : copiedBytes.host;
  const [from, to] = [jl.empty([bytes / 4], { device }), jl.empty([bytes / 4], { device })];
  const seconds = fastest(context, device, () => to.copy_(from));
  from.dispose();
  to.dispose();
  const speed = (2 * bytes) / seconds;
  copySpeeds.set(device, speed);
  return speed;
}

/** The seconds of a call's launches: the fastest of some calls, by the device's clock where it has one. */
export function fastest({ jl }: MagicContext, device: string, call: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= rounds; i++) {
    const recording = jl.startRecording({ device: true });
    let launches: readonly Launch[] = [];
    try {
      call();
      jl.synchronize(device);
    } finally {
      ({ launches } = recording.stop());
    }
    const us = launches.reduce((sum, { deviceUs, phases }) => sum + (deviceUs ?? phases.launchMs * 1e3), 0);
    // The first call may compile.
    if (i > 0) least = Math.min(least, us / 1e6);
  }
  return least;
}

function gigabytes(bytesPerSecond: number): string {
  return `${Number((bytesPerSecond / 1e9).toPrecision(3))} GB/s`;
}
