// The registry of devices: the families, their open devices, and the default one.

import { printedAs } from "../base/dtype.js";
import { env } from "../base/env.js";
import { DeviceError, didYouMean, JitlabError, show } from "../base/errors.js";
import { cpuFamily } from "../device/cpu/device.js";
import { cudaFamily } from "../device/cuda/index.js";
import type { Device, DeviceFamily, DeviceServices, MatrixLibrary, Target } from "../device/device.js";
import { type DeviceKind, deviceKinds } from "../device/kinds.js";
import { openclFamily } from "../device/opencl/index.js";
import { wasmFamily } from "../device/wasm/index.js";
import { forgetAll } from "./kernel-tables.js";
import { buildHelper, prepareCompiler } from "./obtain.js";
import { warmUp } from "./warm-up.js";

/** One device as `jl.devices()` lists it. */
export interface DeviceInfo {
  readonly name: string;
  readonly kind: DeviceKind;
  readonly description: string;
  readonly available: boolean;
  readonly isDefault: boolean;
  /** Why it is not available and what to do; empty for an available device. */
  readonly reason: string;
}

const families: Readonly<Record<DeviceKind, DeviceFamily>> = {
  cuda: cudaFamily,
  cpu: cpuFamily,
  wasm: wasmFamily,
  opencl: openclFamily,
};
const all: readonly DeviceFamily[] = deviceKinds.map((kind) => families[kind]);

const services: DeviceServices = { build: buildHelper, prepare: prepareCompiler, unload: forgetAll };

const opened = new Map<string, Device>();
let chosen: Device | undefined;

/**
 * The device with a name such as `"cuda"`, `"cuda:1"` or `"cpu"`, opened at first use; without a name the default device.
 */
export function getDevice(name?: string): Device {
  if (name === undefined) return defaultDevice();
  const known = opened.get(name);
  if (known) return known;
  const { family, index } = parse(name);
  // "cuda" and "cuda:0" are one device, so that their tensors mix.
  const canonical = index === 0 ? family.kind : `${family.kind}:${index}`;
  const device = opened.get(canonical) ?? open(family, index);
  opened.set(canonical, device);
  opened.set(device.name, device);
  opened.set(name, device);
  return device;
}

/** Replaces a device of a name by another one, for tests; before the first is opened. */
export function replaceDevice(device: Device): void {
  opened.set(device.name, device);
}

function open(family: DeviceFamily, index: number): Device {
  const device = family.open(index, services);
  printedAs(device, device.name);
  if (family.warmsUp) warmUp(device);
  return device;
}

const hostFamily = all.find(({ sharesMemory }) => sharesMemory) as DeviceFamily;

/** The device that computes in the host's memory. */
export function hostDevice(): Device {
  return getDevice(hostFamily.kind);
}

/** The device of new tensors: the one set by setDevice, else JITLAB_DEVICE, else the first that works. */
export function defaultDevice(): Device {
  chosen ??= firstDevice();
  return chosen;
}

/** Makes a device the default and returns it. */
export function setDevice(name: string): Device {
  chosen = getDevice(name);
  return chosen;
}

/** Lists every device, and why a family has none. Does not open devices. */
export function listDevices(): DeviceInfo[] {
  const listed = all.flatMap((family): DeviceInfo[] => {
    const { devices, reason } = family.probe();
    const row = { kind: family.kind, isDefault: false };
    if (devices.length === 0) {
      return [{ ...row, name: family.kind, description: "", available: false, reason }];
    }
    return devices.map((device) => ({ ...row, ...device, available: true, reason: "" }));
  });
  const name = chosen?.name ?? env("device");
  const isDefault = (info: DeviceInfo) =>
    name === undefined
      ? info === listed.find((other) => other.available)
      : info.name === name || info.name === `${name}:0`;
  return listed.map((info) => ({ ...info, isDefault: isDefault(info) }));
}

/** The family that an architecture identifies, as `sm_90` identifies cuda; undefined for any other. */
export function kindOfArchitecture(arch: string): DeviceKind | undefined {
  return all.find(({ architectures }) => architectures?.test(arch))?.kind;
}

/** The target of a family of devices, for rendering and compiling without a device. */
export function targetOf(kind: string, arch?: string): Target {
  const { family, index } = parse(kind);
  const open = opened.get(index === 0 ? family.kind : `${family.kind}:${index}`);
  return open && arch === undefined ? open.target : family.target(arch);
}

/** The path of a device family's matrix product library; throws DeviceError with the install command. */
export function productLibraryOf(kind: DeviceKind): string {
  return families[kind].productLibrary?.() ?? "";
}

/** The library of factorizations in the host's memory; undefined if there is none. */
export function hostMatrices(): MatrixLibrary | undefined {
  return hostFamily.hostMatrices?.();
}

/** The name and path of a device family's library of factorizations; throws DeviceError with the install command. */
export function matrixLibraryOf(kind: DeviceKind): string {
  return families[kind].matrixLibrary?.() ?? "";
}

/** The devices that are open in this process. */
export function openDevices(): Device[] {
  return [...new Set(opened.values())];
}

function firstDevice(): Device {
  const wanted = env("device");
  if (wanted !== undefined) return getDevice(wanted);
  const reasons: string[] = [];
  for (const family of all) {
    const { devices, reason } = family.probe();
    if (devices.length === 0) {
      reasons.push(`${family.kind}: ${reason}`);
      continue;
    }
    try {
      return getDevice(family.kind);
    } catch (error) {
      if (!(error instanceof JitlabError)) throw error;
      reasons.push(`${family.kind}: ${error.message}`);
    }
  }
  throw new DeviceError("no-device", "No device works here.", reasons.join("\n"));
}

// What other libraries call GPUs; some of these names are nearer to cpu than to what they mean.
const namesElsewhere: ReadonlyMap<string, readonly [what: string, kind: string]> = new Map([
  ["gpu", ["An NVIDIA GPU", "cuda"]],
  ["xpu", ["An Intel GPU", "opencl"]],
  ["rocm", ["An AMD GPU", "opencl"]],
  ["hip", ["An AMD GPU", "opencl"]],
]);

function deviceHint(name: string): string {
  const [, word = "", index = ""] = /^([a-z]+)(:\d+)?$/i.exec(name) ?? [];
  const known = namesElsewhere.get(word.toLowerCase());
  if (known === undefined) return didYouMean(name, deviceKinds);
  const [what, kind] = known;
  return `${what} is ${show(`${kind}${index}`)}.`;
}

function parse(name: string): { family: DeviceFamily; index: number } {
  const [, kind, index = "0"] = /^([a-z]+)(?::(\d{1,4}))?$/.exec(typeof name === "string" ? name : "") ?? [];
  const family = all.find((candidate) => candidate.kind === kind);
  if (family) return { family, index: Number(index) };
  throw new JitlabError(
    "unknown-device",
    `Unknown device ${show(name)}.`,
    `${typeof name === "string" ? deviceHint(name) : ""} The devices are ${deviceKinds.join(", ")}; a number after a colon picks one of several.`.trim(),
  );
}
