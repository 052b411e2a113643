// Runs the stages of the proof: `npm test` alone, then the others two at a time, because they share neither a port nor a cache
// that they assert about. Each ends at its limit; a stage beside another one prints its output when it has ended. With --full
// every stage has all its cases, its full length and an empty cache to begin with: for a night. Otherwise a long stage
// takes some days for all its files: each day another part.
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const isFull = process.argv.includes("--full");
const logs = join("build", "stages");
const line = "=".repeat(78);
const today = Math.floor(Date.now() / 86_400_000);

// Minutes say when a stage has hung, not how long it may take.
const first = { name: "test", minutes: 40 };
// The longest first: at the end they would run alone. Kept kernels shorten all but the clients.
const others = [
  { name: "test:clients", minutes: 40, days: 3 },
  { name: "test:opencl", minutes: 40, days: 4 },
  { name: "test:compiled", minutes: 40, days: 6, missing: withoutCompiler },
  { name: "test:wasm", minutes: 40, days: 6, missing: withoutClang },
  { name: "test:conformance", minutes: 40, days: 6, missing: withoutCompiler },
  { name: "test:cuda", minutes: 30, days: 3, missing: withoutNvrtc },
  { name: "test:package", minutes: 20 },
  { name: "test:chaos", minutes: 10, env: { CHAOS_SECONDS: "5" } },
  { name: "test:soak", minutes: 15, env: { SOAK_SHARE: "0.1" } },
];
const full = [
  { name: "test:compiled", minutes: 60, missing: withoutCompiler },
  { name: "test:programs", minutes: 300, missing: withoutCompiler },
  { name: "test:wasm", minutes: 240, missing: withoutClang },
  { name: "test:conformance", minutes: 240, missing: withoutCompiler },
  { name: "test:clients", minutes: 60 },
  { name: "test:cuda", minutes: 120, missing: withoutNvrtc },
  { name: "test:opencl", minutes: 240 },
  { name: "test:package", minutes: 30 },
  { name: "test:soak", minutes: 120 },
  { name: "test:chaos", minutes: 30 },
];

/** Why the processor's kernels cannot be compiled; nothing where they can. */
async function withoutCompiler() {
  const { findCompiler } = await built("runtime/device/cpu/toolchain");
  return findCompiler().reason;
}

async function withoutNvrtc() {
  const { findNvrtc } = await built("runtime/device/cuda/library-search");
  return findNvrtc() ? "" : "NVRTC was not found, so the generated CUDA is not compiled.";
}

async function withoutClang() {
  return existsSync("node_modules/@yowasp/clang")
    ? ""
    : "The embedded compiler @yowasp/clang is not installed.";
}

const built = (file) => import(new URL(`../dist/${file}.js`, import.meta.url).href);

const running = new Set();
const failures = [];
const skipped = [];

/** Ends a stage and the processes that it started, which are in its group. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // it has ended meanwhile
  }
}

/** The names of the tests that failed in an output of Vitest, for the last lines: a long output is cut in its middle. */
function failedTests(output) {
  const plain = stripVTControlCharacters(output);
  return [...new Set(plain.match(/(?<=^ FAIL\s+)\S.*$/gm))];
}

/** Runs a stage to its end; beside another one its output goes to a file first. */
async function run({ name, minutes, days, missing, env }, isAlone) {
  const reason = (await missing?.()) ?? "";
  if (reason !== "") {
    skipped.push(`npm run ${name}: ${reason}`);
    console.error(`\n${line}\nSKIPPED: npm run ${name}: ${reason}\n${line}\n`);
    return;
  }
  console.log(`npm run ${name} begins`);
  const log = join(logs, `${name.replace(":", "-")}.log`);
  const out = isAlone ? "inherit" : openSync(log, "w");
  const part = days === undefined ? "" : ` -- --shard=${(today % days) + 1}/${days}`;
  const command = `TIMEFORMAT='%R s, %U s user and %S s system'; time npm run ${name}${part}`;
  const child = spawn("bash", ["-c", command], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", out, out],
  });
  running.add(child);
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    end(child);
  }, minutes * 60_000);
  const status = await new Promise((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, signal) => done(signal ?? code));
  });
  clearTimeout(limit);
  running.delete(child);
  end(child);
  let failed = [];
  if (!isAlone) {
    closeSync(out);
    const text = readFileSync(log, "utf8");
    process.stdout.write(`\n${line}\nnpm run ${name}\n${line}\n${text}\n`);
    failed = failedTests(text);
  }
  const how = isLate ? `did not end within ${minutes} minutes` : `ended with ${status}`;
  if (status !== 0) failures.push([`npm run ${name} ${how}`, ...failed].join("\n  "));
}

async function runInTurn(queue) {
  for (let stage = queue.shift(); stage; stage = queue.shift()) await run(stage, false);
}

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => {
    for (const child of running) end(child);
    process.exit(1);
  });

mkdirSync(logs, { recursive: true });
if (isFull) {
  process.env.JITLAB_TEST_ALL = "1";
  process.env.JITLAB_TEST_CACHE = mkdtempSync(join(tmpdir(), "jitlab-full-"));
  process.once("exit", () => rmSync(process.env.JITLAB_TEST_CACHE, { recursive: true, force: true }));
}
await run(first, true);
if (failures.length === 0) {
  const queue = isFull ? full : others;
  await Promise.all([runInTurn(queue), runInTurn(queue)]);
}
for (const text of skipped) console.error(`SKIPPED: ${text}`);
for (const text of failures) console.error(`FAILED: ${text}`);
process.exitCode = failures.length === 0 ? 0 : 1;
