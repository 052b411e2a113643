// What OpenCL's drivers say about their devices, as plain data: asked in a child process before the first use (probe.ts), because
// a damaged driver ends the process that asks, and again in the process that opens a device.
import { variablesLike } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { CL_PLATFORM_NOT_FOUND_KHR, check, driverHelp, type Out, openCl } from "./library.js";

/** Facts of one device. */
export interface DeviceFacts {
  readonly platform: string;
  readonly name: string;
  readonly driver: string;
  /** What it lacks that every kernel needs, in words; empty if it works. */
  readonly lacks: string;
  readonly hasFloat64: boolean;
  readonly hasLongAtomics: boolean;
  /** True if division and square root of float32 can be rounded correctly, with the compiler's option. */
  readonly roundsDivision: boolean;
  readonly computeUnits: number;
  readonly memoryBytes: number;
  readonly largestBytes: number;
  readonly sharedBytes: number;
  readonly argumentBytes: number;
}

/** A device with its handle. */
export interface FoundDevice {
  readonly handle: number;
  readonly facts: DeviceFacts;
}

// cl.h: what to ask of a platform and a device.
const CL_PLATFORM_NAME = 0x0902;
const CL_DEVICE_TYPE_ALL = 0xffffffffn;
const ask = {
  computeUnits: 0x1002,
  largestBytes: 0x1010,
  argumentBytes: 0x1017,
  singleConfig: 0x101b,
  memoryBytes: 0x101f,
  sharedBytes: 0x1023,
  name: 0x102b,
  driver: 0x102d,
  extensions: 0x1030,
  doubleConfig: 0x1032,
  svm: 0x1053,
  il: 0x105b,
  /** Of cl_intel_required_subgroup_size. */
  subgroupSizes: 0x4108,
} as const;
// Kernels ask for it.
const warp = 32;
const CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 128n;

/** All devices of all drivers; throws DeviceError `no-driver` without a loader or a driver. */
export function askDevices(): FoundDevice[] {
  const cl = openCl();
  const count: Out = [0];
  const found = cl.clGetPlatformIDs(0, null, count);
  if (found === CL_PLATFORM_NOT_FOUND_KHR || (found === 0 && count[0] === 0)) {
    const where = variablesLike(/^OCL_ICD_/).map((one) => ` (${one})`);
    throw new DeviceError("no-driver", `OpenCL's loader found no driver${where.join("")}.`, driverHelp);
  }
  check("clGetPlatformIDs", found);
  const platforms = new BigUint64Array(count[0]);
  check("clGetPlatformIDs", cl.clGetPlatformIDs(platforms.length, platforms, count));
  return [...platforms].flatMap((platform) => {
    const name = textOf((...room) => cl.clGetPlatformInfo(Number(platform), CL_PLATFORM_NAME, ...room));
    const devices: Out = [0];
    const some = cl.clGetDeviceIDs(Number(platform), CL_DEVICE_TYPE_ALL, 0, null, devices);
    if (some !== 0 || devices[0] === 0) return [];
    const handles = new BigUint64Array(devices[0]);
    check(
      "clGetDeviceIDs",
      cl.clGetDeviceIDs(Number(platform), CL_DEVICE_TYPE_ALL, handles.length, handles, devices),
    );
    return [...handles].map((handle) => ({ handle: Number(handle), facts: factsOf(name, Number(handle)) }));
  });
}

function factsOf(platform: string, device: number): DeviceFacts {
  const info = (what: number) => (room: number, value: Uint8Array | null, size: Out) =>
    openCl().clGetDeviceInfo(device, what, room, value, size);
  const text = (what: number) => textOf(info(what));
  const number = (what: number) => Number(wordOf(info(what)));
  const extensions = text(ask.extensions).split(" ");
  const missing = [
    /\bSPIR-V_1\.[0-9]/.test(text(ask.il)) ? "" : "SPIR-V",
    number(ask.svm) === 0 ? "shared virtual memory" : "",
    wordsOf(info(ask.subgroupSizes)).includes(BigInt(warp)) ? "" : `subgroups of ${warp} threads`,
  ].filter((one) => one !== "");
  return {
    platform,
    name: text(ask.name).trim(),
    driver: text(ask.driver),
    lacks: missing.join(" and "),
    hasFloat64: number(ask.doubleConfig) !== 0,
    hasLongAtomics: extensions.includes("cl_khr_int64_base_atomics"),
    roundsDivision: (wordOf(info(ask.singleConfig)) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) !== 0n,
    computeUnits: number(ask.computeUnits),
    memoryBytes: number(ask.memoryBytes),
    largestBytes: number(ask.largestBytes),
    sharedBytes: number(ask.sharedBytes),
    argumentBytes: number(ask.argumentBytes),
  };
}

/** A list of words; empty where the driver does not know what is asked. */
function wordsOf(info: Info): bigint[] {
  const size: Out = [0];
  if (info(0, null, size) !== 0) return [];
  const value = new Uint8Array(Math.ceil(size[0] / 8) * 8);
  return info(value.length, value, size) === 0 ? [...new BigUint64Array(value.buffer)] : [];
}

type Info = (room: number, value: Uint8Array | null, size: Out) => number;

/** A text; empty where the driver does not know what is asked. */
function textOf(info: Info): string {
  const size: Out = [0];
  if (info(0, null, size) !== 0 || size[0] === 0) return "";
  const value = new Uint8Array(size[0]);
  if (info(value.length, value, size) !== 0) return "";
  return new TextDecoder().decode(value).replace(/\0.*$/s, "");
}

/** A number of up to eight bytes; 0 where the driver does not know what is asked. */
function wordOf(info: Info): bigint {
  const value = new Uint8Array(8);
  return info(value.length, value, [0]) === 0 ? new DataView(value.buffer).getBigUint64(0, true) : 0n;
}
