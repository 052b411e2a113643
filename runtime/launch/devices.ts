// The registry of devices: the families, their open devices, and the default one.
import { env } from "../base/env.js";
import { DeviceError, didYouMean, JitlabError, show } from "../base/errors.js";
import { writtenAs } from "../base/written.js";
import { cpuBackend } from "../device/cpu/device.js";
import { cudaBackend } from "../device/cuda/index.js";
import type { Backend, Device, DeviceServices, Target } from "../device/device.js";
import { type DeviceKind, deviceKinds } from "../device/kinds.js";
import { wasmBackend } from "../device/wasm/index.js";
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

const families: Readonly<Record<DeviceKind, Backend>> = {
  cuda: cudaBackend,
  cpu: cpuBackend,
  wasm: wasmBackend,
};
const backends: readonly Backend[] = deviceKinds.map((kind) => families[kind]);

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
  const { backend, index } = parse(name);
  // "cuda" and "cuda:0" are one device, so that their tensors mix.
  const canonical = index === 0 ? backend.kind : `${backend.kind}:${index}`;
  const device = opened.get(canonical) ?? open(backend, index);
  opened.set(canonical, device);
  opened.set(device.name, device);
  opened.set(name, device);
  return device;
}

function open(backend: Backend, index: number): Device {
  const device = backend.open(index, services);
  writtenAs(device, device.name);
  if (backend.warmsUp) warmUp(device);
  return device;
}

/** The device that computes in the host's memory. */
export function hostDevice(): Device {
  const backend = backends.find(({ sharesMemory }) => sharesMemory) as Backend;
  return getDevice(backend.kind);
}

/** True for a valid device name, whether or not the device exists. */
export function isDeviceName(name: string): boolean {
  const kind = /^([a-z]+)(?::\d{1,4})?$/.exec(name)?.[1];
  return deviceKinds.some((known) => known === kind);
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
  const listed = backends.flatMap((backend): DeviceInfo[] => {
    const { devices, reason } = backend.probe();
    const row = { kind: backend.kind, isDefault: false };
    if (devices.length === 0) {
      return [{ ...row, name: backend.kind, description: "", available: false, reason }];
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
  return backends.find(({ architectures }) => architectures?.test(arch))?.kind;
}

/** The target of a family of devices, for rendering and compiling without a device. */
export function targetOf(kind: string, arch?: string): Target {
  const { backend, index } = parse(kind);
  const open = opened.get(index === 0 ? backend.kind : `${backend.kind}:${index}`);
  return open && arch === undefined ? open.target : backend.target(arch);
}

/** The path of a device family's matrix product library; throws DeviceError with the install command. */
export function productLibraryOf(kind: DeviceKind): string {
  return families[kind].productLibrary?.() ?? "";
}

/** The devices that are open in this process. */
export function openDevices(): Device[] {
  return [...new Set(opened.values())];
}

function firstDevice(): Device {
  const wanted = env("device");
  if (wanted !== undefined) return getDevice(wanted);
  const reasons: string[] = [];
  for (const backend of backends) {
    const { devices, reason } = backend.probe();
    if (devices.length === 0) {
      reasons.push(`${backend.kind}: ${reason}`);
      continue;
    }
    try {
      return getDevice(backend.kind);
    } catch (error) {
      if (!(error instanceof JitlabError)) throw error;
      reasons.push(`${backend.kind}: ${error.message}`);
    }
  }
  throw new DeviceError("no-device", "No device works here.", reasons.join("\n"));
}

// `gpu` is nearer to cpu than to what it means.
function deviceHint(name: string): string {
  return /^gpu(?::\d+)?$/i.test(name)
    ? `An NVIDIA GPU is ${show(name.toLowerCase().replace("gpu", "cuda"))}.`
    : didYouMean(name, deviceKinds);
}

function parse(name: string): { backend: Backend; index: number } {
  const [, kind, index = "0"] = /^([a-z]+)(?::(\d{1,4}))?$/.exec(typeof name === "string" ? name : "") ?? [];
  const backend = backends.find((candidate) => candidate.kind === kind);
  if (backend) return { backend, index: Number(index) };
  throw new JitlabError(
    "unknown-device",
    `Unknown device ${show(name)}.`,
    `${typeof name === "string" ? deviceHint(name) : ""} The devices are ${deviceKinds.join(", ")}; a number after a colon picks one of several.`.trim(),
  );
}
