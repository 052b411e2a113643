// `jitlab doctor`: checks the requirements of jitlab and says how to install missing ones. Only a missing requirement
// makes the exit status 1.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatMs } from "../../magics/render/format.js";
import { env } from "../../runtime/base/env.js";
import { JitlabError } from "../../runtime/base/errors.js";
import { probeRemote } from "../../runtime/cache/remote/transfer.js";
import { findTool } from "../../runtime/device/cuda/disassembly.js";
import { cudaFamily } from "../../runtime/device/cuda/index.js";
import type { DeviceKind } from "../../runtime/device/kinds.js";
import { memoryLimit } from "../../runtime/device/memory-limit.js";
import { openOwners } from "../../runtime/device/owners.js";
import { cache, devices } from "../../runtime/index.js";
import { matrixLibraryOf, productLibraryOf, targetOf } from "../../runtime/launch/devices.js";
import { findJupyter, readKernelspec } from "./install.js";
import { kernelFolders } from "./jupyter-paths.js";
import { checkedNative, checkedNode, nativeModules } from "./requirements.js";
import { wrapped } from "./wrapped.js";

/** The result of one check. */
export interface Finding {
  readonly name: string;
  /** `missing`: an optional part is missing; `failed`: a required part is missing. */
  readonly status: "ok" | "missing" | "failed";
  /** The result, or the problem. */
  readonly detail: string;
  /** The remedy; empty without a problem. */
  readonly help: string;
}

interface Check {
  readonly name: string;
  readonly required: boolean;
  /** True for a part that only a GPU uses. */
  readonly ofGpu?: boolean;
  /** True for a part that few machines have: without --all it is shown only where it is found. */
  readonly isRare?: boolean;
  /** The result; throws JitlabError with the problem and the remedy. */
  probe(): string | Promise<string>;
}

const checks: readonly Check[] = [
  { name: "Node.js", required: true, probe: checkedNode },
  ...nativeModules.map((name) => ({ name, required: true, probe: () => checkedNative(name) })),
  { name: "device", required: true, probe: probeDefaultDevice },
  { name: "C++ compiler", required: false, probe: () => targetOf("cpu").compiler.path },
  { name: "BLAS", required: false, probe: () => productLibraryOf("cpu") },
  { name: "LAPACK", required: false, probe: () => matrixLibraryOf("cpu") },
  { name: "embedded clang", required: false, probe: () => targetOf("wasm").compiler.identity },
  { name: "NVIDIA GPU", required: false, probe: () => probeFamily("cuda") },
  { name: "NVRTC", required: false, ofGpu: true, probe: () => targetOf("cuda").compiler.path },
  { name: "cuBLASLt", required: false, ofGpu: true, probe: () => productLibraryOf("cuda") },
  { name: "cuSOLVER", required: false, ofGpu: true, probe: () => matrixLibraryOf("cuda") },
  { name: "cuFFT", required: false, ofGpu: true, probe: () => cudaFamily.transformLibrary?.() ?? "" },
  { name: "cuDNN", required: false, ofGpu: true, probe: () => cudaFamily.convolutionLibrary?.() ?? "" },
  { name: "OpenCL", required: false, isRare: true, probe: () => probeFamily("opencl") },
  { name: "memory", required: false, probe: probeMemory },
  { name: "GPU counters", required: false, ofGpu: true, probe: probeCounters },
  { name: "kernel cache", required: false, probe: probeCache },
  { name: "shared cache", required: false, probe: probeSharedCache },
  { name: "Jupyter", required: false, probe: probeJupyter },
  { name: "kernelspec", required: false, probe: probeKernelspec },
];

// The page with a section for each check; it comes with the package.
const page = fileURLToPath(new URL("../../../docs/troubleshooting.md", import.meta.url));

/** Runs every check. */
export async function examine(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(await resultOf(check));
  return findings;
}

async function resultOf({ name, required, probe }: Check): Promise<Finding> {
  try {
    return { name, status: "ok", detail: await probe(), help: "" };
  } catch (error) {
    const status = required ? "failed" : "missing";
    if (error instanceof JitlabError) return { name, status, detail: error.what, help: error.help };
    return { name, status, detail: String(error), help: "" };
  }
}

/** How the results are printed. */
export interface DoctorOptions {
  readonly json?: boolean;
  /** True prints each check, also what works and what a missing GPU lacks. */
  readonly all?: boolean;
}

/** Prints the results and returns the exit status. */
export async function runDoctor({ json = false, all = false }: DoctorOptions): Promise<number> {
  const findings = await examine();
  const healthy = findings.every((finding) => finding.status !== "failed");
  const verdict = verdictOf(findings);
  const lines = all ? findings.map(describe) : summary(findings);
  console.log(
    json ? JSON.stringify({ healthy, verdict, findings, page }, null, 2) : [verdict, ...lines].join("\n"),
  );
  return healthy ? 0 : 1;
}

function verdictOf(findings: readonly Finding[]): string {
  const failed = findings.filter(({ status }) => status === "failed").map(({ name }) => name);
  if (failed.length > 0) return `jitlab does not work here. What it needs and lacks: ${failed.join(", ")}.`;
  const device = findings.find(({ name }) => name === "device")?.detail ?? "";
  return wrapped(`jitlab works here, on the device ${device}`, 0);
}

/** What works in one line, what is missing with its remedy, and the parts for a GPU only where there is one. */
function summary(findings: readonly Finding[]): string[] {
  const isOk = (name: string) => findings.some((finding) => finding.name === name && finding.status === "ok");
  const ofGpu = new Set(checks.filter((check) => check.ofGpu).map(({ name }) => name));
  const rare = new Set(checks.filter((check) => check.isRare).map(({ name }) => name));
  const shown = findings.filter(
    ({ name }) => (isOk("NVIDIA GPU") || !ofGpu.has(name)) && (isOk(name) || !rare.has(name)),
  );
  const working = shown.filter(({ status }) => status === "ok").map(({ name }) => name);
  const lacking = shown
    .filter(({ status }) => status !== "ok")
    .map((finding) =>
      finding.name === "NVIDIA GPU" ? { ...finding, detail: "none is found here", help: "" } : finding,
    );
  const works: Finding = { name: "works", status: "ok", detail: working.join(", "), help: "" };
  const more = "`jitlab doctor --all` shows every check and what a GPU would need. More on each:";
  return [describe(works), ...lacking.map(describe), ...(lacking.length > 0 ? [more, page] : [])];
}

const marks = { ok: "✓", missing: "–", failed: "✗" } as const;

function describe(finding: Finding): string {
  const text = finding.help === "" ? finding.detail : `${finding.detail}\n${finding.help}`;
  return `${marks[finding.status]} ${finding.name.padEnd(15)}${wrapped(text, 17).trimStart()}`;
}

function probeDefaultDevice(): string {
  const all = devices();
  const chosen = all.find((device) => device.isDefault);
  if (chosen?.available) return `${chosen.name}: ${chosen.description}`;
  const reasons = all
    .filter((device) => !device.available)
    .map((device) => `${device.name}: ${device.reason}`);
  throw new JitlabError("no-device", "No device works here.", reasons.join("\n"));
}

/** The devices of a family. */
function probeFamily(kind: DeviceKind): string {
  const family = devices().filter((device) => device.kind === kind);
  const found = family.filter((device) => device.available);
  if (found.length > 0) return found.map((device) => `${device.name}: ${device.description}`).join("\n");
  // A reason states the problem first, then the remedy.
  const [what = "", ...help] = (family[0]?.reason ?? "").split(/(?<=\.)\s+(?=[A-Z])/);
  throw new JitlabError("no-device", what, help.join(" "));
}

/** What finds the memory of dropped tensors, and the limit. */
function probeMemory(): string {
  const limit = env("memory");
  if (limit !== undefined) memoryLimit(1);
  const { kind, reason } = openOwners();
  if (kind === "tokens")
    return `minor collections of garbage find dropped tensors${limit === undefined ? "" : `; JITLAB_MEMORY is ${limit}`}`;
  throw new JitlabError(
    "no-tokens",
    `Only full collections of garbage find dropped tensors: ${reason}.`,
    "Loops that drop tensors hold more memory; `using` or `dispose` frees it at once.",
  );
}

/** Nsight Compute, and whether this user may read counters: the driver lists its settings. */
function probeCounters(): string {
  let settings: string;
  try {
    settings = readFileSync("/proc/driver/nvidia/params", "utf8");
  } catch {
    throw new JitlabError("no-counters", "No NVIDIA driver is loaded.", "%inspect works without counters.");
  }
  if (/^RmProfilingAdminOnly: 1$/m.test(settings) && process.getuid?.() !== 0) {
    throw new JitlabError(
      "counters-forbidden",
      "Only administrators may read this GPU's counters (ERR_NVGPUCTRPERM).",
      "An administrator allows them with the line `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/nvidia.conf, and a restart.",
    );
  }
  const path = findTool("ncu");
  if (path !== undefined) return path;
  throw new JitlabError(
    "no-ncu",
    "Nsight Compute (ncu) was not found.",
    "It is part of the CUDA toolkit; `%inspect --counters` needs it.",
  );
}

function probeCache(): string {
  const status = cache.status();
  const size = `${status.kernels} kernels, ${(status.bytes / 2 ** 20).toFixed(1)} MiB`;
  if (status.mode === "disk") return `${status.path}: ${size}`;
  throw new JitlabError("cache-in-memory", `Kernels are kept in memory only: ${status.reason}`, status.help);
}

async function probeSharedCache(): Promise<string> {
  if (env("remoteCache") === undefined) return "none is set (JITLAB_REMOTE_CACHE)";
  const { address, answerMs } = await probeRemote();
  return `${address}: answers in ${formatMs(answerMs)}`;
}

function probeJupyter(): string {
  const found = findJupyter();
  if (found.length > 0) return found.join(", ");
  throw new JitlabError(
    "no-jupyter",
    "No Jupyter on the PATH.",
    "`python3 -m venv .venv && .venv/bin/pip install jupyterlab ipywidgets` installs one. VS Code's Jupyter extension and `jitlab run` need none.",
  );
}

function probeKernelspec(): string {
  const found = kernelFolders().flatMap((folder) => {
    const spec = readKernelspec(folder);
    return spec?.metadata?.jitlab ? [{ folder, spec }] : [];
  });
  if (found.length === 0) {
    throw new JitlabError(
      "no-kernelspec",
      "Jupyter does not know the kernel yet.",
      "`jitlab install` installs it.",
    );
  }
  for (const { folder, spec } of found) {
    const lost = spec.argv.slice(0, 2).find((path) => !existsSync(path));
    if (lost !== undefined) {
      throw new JitlabError(
        "stale-kernelspec",
        `${folder} starts ${lost}, which is not there any more.`,
        "`jitlab install` writes it anew; for another place or name use the same options as then.",
      );
    }
  }
  const own = fileURLToPath(new URL("../main.js", import.meta.url));
  const name = ({ folder, spec }: (typeof found)[number]) =>
    spec.argv[1] === own ? folder : `${folder} (another copy: ${spec.argv[1]})`;
  return found.map(name).join("\n");
}
