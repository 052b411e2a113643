import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskStore } from "../../dist/runtime/cache/disk.js";

const seconds = Number(process.env.CHAOS_SECONDS ?? 60);
const processes = 8;
const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 2 ** 31);
const kernels = Array.from({ length: 200 }, (_, i) => `kernel-name-${String(i).padStart(4, "0")}`);

const root = mkdtempSync(join(tmpdir(), "jitlab-chaos-"));
// The key of the caches: the processes and this one share it.
process.env.XDG_STATE_HOME = join(root, "state");
const compiler = join(root, "fast-cxx");
let folders = 0;
let state = seed;
function random(limit: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

// A compiler that takes milliseconds: it puts the kernel's name into a library that was compiled beforehand, and notes it.
beforeAll(() => {
  console.log(`chaos: ${seconds} s each, seed ${seed}`);
  writeFileSync(
    join(root, "template.cpp"),
    `extern "C" void kernel(const void *args, long long, long long) {
      static const volatile char name[] = "PLACE-HOLDER-000";
      for (int i = 0; i < 16; i++) (*(char *const *)args)[i] = name[i];
    }`,
  );
  execFileSync("c++", [
    "-shared",
    "-fPIC",
    "-O1",
    "-o",
    join(root, "template.so"),
    join(root, "template.cpp"),
  ]);
  const script = `#!/bin/sh
for last; do :; done
case "$*" in
  *-shared*) read -r word name < kernel.s; echo "$name" >> "$CHAOS_LOG"; sed "s/PLACE-HOLDER-000/$name/" "${join(root, "template.so")}" > "$last" ;;
  *) cat ./*.cpp > "$last" ;;
esac
`;
  writeFileSync(compiler, script, { mode: 0o755 });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Place {
  readonly folder: string;
  readonly database: string;
  readonly log: string;
}

function freshPlace(): Place {
  const folder = join(root, String(folders++));
  mkdirSync(folder, { mode: 0o700 });
  const log = join(root, `compiled-${folders}`);
  writeFileSync(log, "");
  return { folder, database: join(folder, "kernels.sqlite"), log };
}

interface Worker {
  readonly child: ChildProcess;
  /** What it said; undefined where it was killed. */
  readonly outcome: Promise<{ wrong: string[]; compiled: number; used: number } | undefined>;
}

function start({ folder, log }: Place): Worker {
  const argument = JSON.stringify({ kernels, seed: random(2 ** 31) });
  const child = spawn(process.execPath, [join(import.meta.dirname, "worker.mjs"), argument], {
    env: { ...process.env, JITLAB_CACHE_DIR: folder, CXX: compiler, CHAOS_LOG: log },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout?.on("data", (data) => {
    output += data;
  });
  child.stderr?.on("data", (data) => {
    errors += data;
  });
  const outcome = new Promise<any>((done, fail) => {
    child.on("close", (status, signal) => {
      if (signal === "SIGKILL") done(undefined);
      else if (status === 0) done(JSON.parse(output));
      else fail(new Error(`A process ended with ${signal ?? status}:\n${errors}`));
    });
  });
  outcome.catch(() => undefined);
  return { child, outcome };
}

const compiledIn = ({ log }: Place) => readFileSync(log, "utf8").trimEnd().split("\n").sort();

/** Keeps all processes running, does something every so often, and lets the last ones end. */
async function keepRunning(
  place: Place,
  everyMs: number,
  harm: (workers: Worker[]) => void,
): Promise<number> {
  const workers = Array.from({ length: processes }, () => start(place));
  const wrong: string[] = [];
  let finished = 0;
  const watch = async (at: number): Promise<void> => {
    const outcome = await (workers[at] as Worker).outcome;
    wrong.push(...(outcome?.wrong ?? []));
    if (outcome) finished++;
    if (performance.now() >= until) return;
    workers[at] = start(place);
    await watch(at);
  };
  const until = performance.now() + seconds * 1000;
  const watching = Promise.all(workers.map((_, at) => watch(at)));
  while (performance.now() < until) {
    await Promise.race([sleep(everyMs), watching]);
    harm(workers);
  }
  await watching;
  expect(wrong).toEqual([]);
  return finished;
}

async function expectSound(place: Place): Promise<void> {
  const last = await start(place).outcome;
  expect(last).toMatchObject({ wrong: [], used: kernels.length });
  const store = new DiskStore(place.folder, 2 ** 30);
  store.open();
  expect(store.verify()).toEqual({ checked: kernels.length, damaged: 0 });
  store.close();
}

test("8 processes that use 200 kernels compile each of them once", async () => {
  const place = freshPlace();
  const outcomes = await Promise.all(Array.from({ length: processes }, () => start(place).outcome));
  expect(outcomes.map((outcome) => outcome?.wrong)).toEqual(outcomes.map(() => []));
  expect(compiledIn(place)).toEqual(kernels);
  expect(outcomes.reduce((sum, outcome) => sum + (outcome?.compiled ?? 0), 0)).toBe(kernels.length);
});

test("processes that are killed leave no lock, no damage and no wrong kernel", async () => {
  const place = freshPlace();
  let kills = 0;
  const finished = await keepRunning(place, 100, (workers) => {
    const victim = workers[random(workers.length)]?.child;
    if (victim?.exitCode === null && victim.kill("SIGKILL")) kills++;
  });
  await expectSound(place);
  console.log(`${kills} kills, ${finished} processes finished, ${compiledIn(place).length} compiles`);
  // A killed process may have compiled one kernel without storing it.
  expect(compiledIn(place).length).toBeLessThanOrEqual(kernels.length + kills);
  expect(new Set(compiledIn(place))).toEqual(new Set(kernels));
});

// A minute of it makes a thousand of them.
test("bytes that change and tails that are lost under running processes never give a wrong kernel", async () => {
  const place = freshPlace();
  let flips = 0;
  let cuts = 0;
  const finished = await keepRunning(place, 50, () => {
    if (!existsSync(place.database)) return;
    const file = openSync(place.database, "r+");
    try {
      const { size } = fstatSync(file);
      if (size === 0) return;
      const at = random(size);
      if (random(10) === 0) {
        ftruncateSync(file, at);
        cuts++;
        return;
      }
      const byte = Buffer.alloc(1);
      readSync(file, byte, 0, 1, at);
      byte[0] = (byte[0] as number) ^ (1 << random(8));
      writeSync(file, byte, 0, 1, at);
      flips++;
    } finally {
      closeSync(file);
    }
  });
  console.log(
    `${flips} flips, ${cuts} cuts, ${finished} processes finished, ${compiledIn(place).length} compiles`,
  );
  expect(finished).toBeGreaterThan(0);
  const last = await start(place).outcome;
  expect(last).toMatchObject({ wrong: [], used: kernels.length });
});
