// Asks OpenCL's drivers for their devices in a child process, because a damaged driver ends the process that asks. The answer is
// kept in the cache's folder until the loader, a driver, the device files or groups of the user, or a variable that chooses among them
// changes.
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { programs, randomBytes, sha256 } from "../../base/builtins.js";
import { env, environmentWith, variablesLike } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { libraryFile } from "../../base/files.js";
import { entries, loaderFolders } from "../library-folders.js";
import type { DeviceFacts } from "./facts.js";
import { libraryName, openCl } from "./library.js";

/** What the child process prints: facts, or the error that it met. */
export type Answer =
  | { readonly devices: readonly DeviceFacts[] }
  | { readonly error: { readonly code: string; readonly what: string; readonly help: string } };

// Changes with what is asked.
const question = "1";
const vendorFolder = "/etc/OpenCL/vendors";
// GPUs' files. A driver shows only those that the user's groups may open.
const deviceFolder = "/dev/dri";
// The variables by which loaders and drivers choose, and those by which the loader of libraries does.
const choosing = /^(OCL_|POCL_|RUSTICL_|OPENCL_|LD_)/;
// A driver that compiles at its start may take seconds.
const patienceMs = 60_000;

let answered: { readonly key: string; readonly answer: Answer } | undefined;

/** The facts of all devices; throws DeviceError if there is no loader or driver, or if a driver fails. */
export function probedFacts(): readonly DeviceFacts[] {
  // The loader itself opens no driver before it is asked; where there is none, no process is started.
  openCl();
  const key = keyOfDrivers();
  if (answered?.key !== key) answered = { key, answer: keptAnswer(key) ?? askedAnswer(key) };
  const { answer } = answered;
  if ("devices" in answer) return answer.devices;
  throw new DeviceError(answer.error.code, answer.error.what, answer.error.help);
}

/** Changes with the loader, the drivers, the devices that they may open, and what chooses among them. */
function keyOfDrivers(): string {
  const loader = loaderFolders()
    .map((folder) => join(folder, libraryName))
    .find(isFile);
  const files = [...(loader === undefined ? [] : [loader]), ...driverFiles()];
  const open = [...entries(deviceFolder), ...(process.getgroups?.() ?? [])];
  const parts = [question, ...files.map(versionOf), ...open, ...variablesLike(choosing), process.arch];
  return sha256(parts.join("\n")).slice(0, 32);
}

/** The files that name drivers, and the drivers that they or a variable name. */
function driverFiles(): string[] {
  const chosen = variablesLike(/^OCL_ICD_/).flatMap((one) => one.slice(one.indexOf("=") + 1).split(":"));
  const named = [vendorFolder, ...chosen].flatMap((path) => [
    path,
    ...entries(path).map((name) => join(path, name)),
  ]);
  return named.filter(isFile).flatMap((file) => {
    const driver = file.endsWith(".icd") ? textOf(file).trim() : file;
    const found = driver.startsWith("/") ? [driver] : loaderFolders().map((folder) => join(folder, driver));
    return [file, ...found.filter(isFile)];
  });
}

function versionOf(path: string): string {
  const real = realpathSync(path);
  const { size, mtimeMs } = statSync(real);
  return `${real} ${size} ${mtimeMs}`;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function fileOf(key: string): string {
  return join(env("cacheDir"), `opencl-${key}.json`);
}

function keptAnswer(key: string): Answer | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(key), "utf8")) as Answer;
  } catch {
    return undefined;
  }
}

/** Asks, and keeps the answer, unless a driver failed: the machine may have been out of memory. */
function askedAnswer(key: string): Answer {
  const answer = ask();
  if ("error" in answer && answer.error.code !== "no-driver") return answer;
  try {
    const path = fileOf(key);
    const draft = `${path}.${randomBytes(6).toString("hex")}`;
    mkdirSync(env("cacheDir"), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(answer), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // The next process asks again.
  }
  return answer;
}

function ask(): Answer {
  const { status, signal, stdout, stderr, error } = programs().spawnSync(
    process.execPath,
    [fileURLToPath(libraryFile("device/opencl/probe-program.js"))],
    { encoding: "utf8", timeout: patienceMs, env: environmentWith({ NODE_OPTIONS: "" }) },
  );
  const printed = /^jitlab-opencl (.*)$/m.exec(stdout ?? "")?.[1];
  if (printed !== undefined) return JSON.parse(printed) as Answer;
  const how = error?.message ?? (signal ? `signal ${signal}` : `exit status ${status}`);
  const said = (stderr ?? "").trim().split("\n").slice(-3).join(" ");
  return {
    error: {
      code: "driver-failed",
      what: `An OpenCL driver ended the process that asked for its devices (${how}).${said === "" ? "" : ` It said: ${said}`}`,
      help: `Remove it from ${vendorFolder}, name a good one by OCL_ICD_VENDORS, such as ${vendorFolder}/intel.icd, or use the cpu device.`,
    },
  };
}
