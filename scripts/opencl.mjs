// Runs the tests of the device opencl in a Debian 13 in a folder, with PoCL, an OpenCL driver for processors, and clang 22. Needs
// root and mmdebstrap; otherwise it says so and ends well. `node scripts/opencl.mjs [COMMAND ...]` runs a command there instead, options go to Vitest;
// JITLAB_OPENCL_ROOT names the folder, which is kept for the next run.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = join(dirname(fileURLToPath(import.meta.url)), "..");
const root = process.env.JITLAB_OPENCL_ROOT ?? join(tmpdir(), "jitlab-opencl");
const packages = ["pocl-opencl-icd", "ocl-icd-libopencl1", "clang-22", "g++", "ca-certificates"];
// Written when the folder is complete.
const stamp = join(root, "etc/jitlab-packages");

function skip(reason) {
  const line = "=".repeat(78);
  console.error(`\n${line}\nSKIPPED: ${reason}\n${line}\n`);
  process.exit(0);
}

function output(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}

/** Debian's mirror and that of its security updates, as this machine's apt knows them. */
function mirrors() {
  const format = "$(ORIGIN) $(LABEL) $(SITE)";
  const lines = output("apt-get", "indextargets", "--format", format, "Identifier: Packages").split("\n");
  const siteOf = (label) => lines.find((line) => line.startsWith(`Debian ${label} `))?.split(" ")[2];
  return { main: siteOf("Debian"), security: siteOf("Debian-Security") };
}

function makeRoot() {
  const { main, security } = mirrors();
  if (main === undefined)
    skip("apt knows no mirror of Debian, so there is no folder for the tests of opencl.");
  rmSync(root, { recursive: true, force: true });
  const sources = [
    `deb ${main} trixie main`,
    ...(security === undefined ? [] : [`deb ${security} trixie-security main`]),
  ];
  const args = ["--variant=minbase", `--include=${packages.join(",")}`, "trixie", root, ...sources];
  const { status } = spawnSync("mmdebstrap", args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) {
    rmSync(root, { recursive: true, force: true });
    skip("mmdebstrap could not make a Debian 13, so the device opencl is not tested.");
  }
  writeFileSync(stamp, packages.join(" "));
}

if (process.platform !== "linux" || process.getuid() !== 0)
  skip("the folder of a Debian 13 needs root, so the device opencl is not tested.");
if (spawnSync("unshare", ["--mount", "true"]).status !== 0)
  skip("this root may not mount folders, so the device opencl is not tested.");
if (output("sh", "-c", "command -v mmdebstrap") === "")
  skip("mmdebstrap is not installed (`apt-get install mmdebstrap`), so the device opencl is not tested.");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== packages.join(" ")) makeRoot();

// Node comes from here; it needs only libraries that a C++ compiler brings.
cpSync(realpathSync(process.execPath), join(root, "usr/local/bin/node"));
const given = process.argv.slice(2);
const tests = ["node", "node_modules/vitest/vitest.mjs", "run", "--mode", "opencl"];
const command = given[0]?.startsWith("--") === false ? given : [...tests, ...given];
const folders = [
  ...new Set([checkout, realpathSync(checkout), realpathSync(join(checkout, "node_modules"))]),
];
for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
const script = [
  ...["proc", "sys", "dev"].map((name) => `mount --rbind /${name} "$ROOT/${name}"`),
  ...folders.map((folder) => `mount --bind "${folder}" "$ROOT${folder}"`),
  'exec chroot "$ROOT" sh -c \'cd "$1" && shift && exec "$@"\' sh "$@"',
].join(" && ");
// In a space of its own, so that no mount remains.
const { status, signal } = spawnSync("unshare", ["--mount", "sh", "-c", script, "sh", checkout, ...command], {
  stdio: "inherit",
  env: {
    ...process.env,
    ROOT: root,
    HOME: "/root",
    TMPDIR: "/tmp",
    PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    JITLAB_TEST_DEVICE: "opencl",
    // Only the driver that is tested.
    OCL_ICD_VENDORS: "/etc/OpenCL/vendors/pocl.icd",
  },
});
process.exit(status ?? (signal ? 1 : 0));
