// The machine of a result, without paths and host names.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { basename } from "node:path";
import type { Device } from "../runtime/device/device.js";
import * as jl from "../runtime/index.js";

/** Names and versions, in the order they are shown. */
export type Machine = Readonly<Record<string, string>>;

/** Describes the machine and, where one is given, the device. */
export function describeMachine(device?: Device): Machine {
  const model = cpus()[0]?.model.trim() || process.arch;
  return {
    cpu: `${model}, ${availableParallelism()} threads, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    jitlab: ownVersion(),
    ...(device ? describeDevice(device) : {}),
  };
}

function describeDevice(device: Device): Machine {
  const { compiler } = device.target;
  if (device.target.kind !== "cuda") {
    return { device: device.name, compiler: firstLine(compiler.path, ["--version"]) };
  }
  const info = jl.devices().find((candidate) => candidate.name === device.name);
  const query = ["--query-gpu=driver_version,clocks.max.sm,clocks.max.memory", "--format=csv,noheader"];
  return {
    device: info?.description ?? device.name,
    driver: `${firstLine("nvidia-smi", query)} (version, clocks)`,
    compiler: basename(compiler.path),
  };
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

function firstLine(command: string, args: readonly string[]): string {
  try {
    const output = execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n")[0]?.trim() ?? "";
  } catch {
    return "unknown";
  }
}
