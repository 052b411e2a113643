// Work on several devices of one process.
import { checkFunction } from "../base/arguments.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import { getDevice } from "../launch/devices.js";

/**
 * Calls a function once for each device and returns its results. GPUs work at the same time, because each call only queues its work.
 *
 * @example jl.onEach(["cpu"], (device, i) => jl.full([2], i, { device }).toArray()) // [[0, 0]]
 */
export function onEach<T>(devices: readonly string[], fn: (device: string, i: number) => T): T[] {
  checkFunction("onEach", "what to call", fn);
  const names = devicesOf("onEach", devices);
  return names.map((name, i) => fn(name, i));
}

/** The names of different devices, which are opened. */
export function devicesOf(what: string, devices: readonly string[]): readonly string[] {
  const help = 'Pass a list of different devices, such as ["cuda:0", "cuda:1"].';
  if (!isArray(devices) || devices.length === 0)
    throw new JitlabError("bad-argument", `${what}: the devices are ${show(devices)}.`, help);
  const names = devices.map((name) => getDevice(requireText(what, name, help)).name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new JitlabError("bad-argument", `${what}: ${twice} is in the list of devices twice.`, help);
  return names;
}

function requireText(what: string, name: unknown, help: string): string {
  if (typeof name === "string") return name;
  throw new JitlabError("bad-argument", `${what}: ${show(name)} is not the name of a device.`, help);
}
