// OpenCL's devices as a family: those whose drivers take SPIR-V, and have shared virtual memory and subgroups.
import { DeviceError, JitlabError } from "../../base/errors.js";
import type { DeviceFamily, Probe } from "../device.js";
import { compilerSpec, openclTarget } from "./clang.js";
import { OpenClDevice } from "./device.js";
import { askDevices, type DeviceFacts } from "./facts.js";
import { probedFacts } from "./probe.js";

const hiddenHelp =
  "Drivers show a GPU to users who may open /dev/dri/renderD128: `sudo usermod -aG render $USER`, then log in again; Mesa's Rusticl only where it is named, as `RUSTICL_ENABLE=radeonsi`. Without a GPU install `pocl-opencl-icd`, or use the cpu device.";

/** The family of OpenCL's devices. */
export const openclFamily: DeviceFamily = {
  kind: "opencl",
  probe,
  warmsUp: true,
  sharesMemory: false,
  architectures: /^spirv64$/,
  open: (index, services) => {
    // A driver that ends the process that asks it ends a child process first, which also tries each device.
    const tried = probedFacts();
    const usable = usableOf(tried);
    if (index >= usable.length)
      throw new DeviceError(
        "no-device",
        `There is no device opencl:${index}: the drivers show ${usable.length}.`,
        `The last one is opencl:${usable.length - 1}.`,
      );
    const found = askDevices().filter((_, i) => tried[i]?.lacks === "")[index];
    if (found) return new OpenClDevice(index, found, services);
    throw new DeviceError("no-device", `The device opencl:${index} is gone.`, "Start again.");
  },
  target: () => openclTarget(),
};

/** The devices that work; throws DeviceError `no-device` without one. */
function usableOf(all: readonly DeviceFacts[]): readonly DeviceFacts[] {
  if (all.length === 0) throw new DeviceError("no-device", "OpenCL's drivers show no device.", hiddenHelp);
  const usable = all.filter(({ lacks }) => lacks === "");
  if (usable.length > 0) return usable;
  const reasons = all.map(({ name, driver, lacks }) => `${name} (driver ${driver}) has no ${lacks}.`);
  throw new DeviceError("no-device", reasons.join(" "), "Install a newer driver, or use the cpu device.");
}

function probe(): Probe {
  try {
    const usable = usableOf(probedFacts());
    const { path } = compilerSpec();
    const devices = usable.map((facts, index) => ({
      name: `opencl:${index}`,
      description: [
        facts.name,
        `${facts.platform} ${facts.driver}`,
        ...(facts.hasFloat64 ? [] : ["without float64"]),
        path,
      ].join(", "),
    }));
    return { devices, reason: "" };
  } catch (error) {
    if (error instanceof JitlabError) return { devices: [], reason: error.message.replace("\n", " ") };
    throw error;
  }
}
