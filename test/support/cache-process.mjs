// A process that uses the kernel cache, for tests of several processes. Its argument is JSON: an `action` with its values;
// it prints one line of JSON.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { Worker } from "node:worker_threads";
import { cacheStatus } from "../../dist/runtime/api/cache-status.js";
import { openEarly, withStore } from "../../dist/runtime/cache/current-store.js";
import { whyCompiled } from "../../dist/runtime/cache/miss-reason.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { fetchCode, keyOf, obtain } from "../../dist/runtime/launch/obtain.js";

// Opened at first use: opening it asks the cache.
const cpu = () => getDevice("cpu");
const single = { grid: [1, 1, 1], block: [1, 1, 1], sharedBytes: 0 };

function requestFor(name) {
  const source = `extern "C" void ${name}(const void *args, long long, long long) {
  const char name[] = "${name}";
  **(unsigned char *const *)args = name[0];
}\n`;
  return {
    source,
    symbol: name,
    op: name,
    variant: "contiguous",
    dtypes: ["uint8"],
    target: cpu().target,
  };
}

/** Obtains a kernel, runs it, and says where it came from and what it wrote. */
function use(name) {
  const device = cpu();
  const { code, origin, key } = obtain(requestFor(name), device);
  const block = device.createBlock(8);
  const out = device.allocator.allocate(1);
  block.i64[0] = BigInt(out);
  code.launch(block, single);
  const result = new Uint8Array(1);
  device.read(out, result);
  return { name, key, origin, result: String.fromCharCode(result[0]) };
}

const actions = {
  use: ({ names, cwd }) => {
    const [first, ...others] = names;
    const used = [use(first)];
    if (cwd) process.chdir(cwd);
    return { used: [...used, ...others.map(use)], status: cacheStatus() };
  },
  // Compiles kernels of operations beforehand.
  precompile: ({ ops }) => ({
    report: jl.precompile(
      ops.map((op) => [jl[op], "float32"]),
      { device: "cpu" },
    ),
  }),
  list: () => ({ entries: jl.cache.list() }),
  // Opens the database early, then perhaps chooses another folder, and uses kernels.
  early: ({ names, moveTo }) => {
    openEarly();
    const opened = existsSync(join(process.env.JITLAB_CACHE_DIR, "kernels.sqlite"));
    if (moveTo) process.env.JITLAB_CACHE_DIR = moveTo;
    return { opened, used: names.map(use), status: cacheStatus() };
  },
  // Stores kernels one after the other and says why the last was compiled.
  why: ({ kernels }) => {
    for (const [i, { name, kind, arch, compiler, flags, ...kernel }] of kernels.entries()) {
      const binary = Buffer.from(`binary ${i}`);
      const module = { binary, assembly: "", log: "", kind, arch, compiler, flags, compileMs: 1 };
      const record = { key: `key ${i}`, op: name, compileMs: 1, ...kernel };
      withStore((store) => store.put(module, [record]), undefined);
    }
    return { why: whyCompiled(`key ${kernels.length - 1}`), unknown: whyCompiled("no such key") };
  },
  // Uses a kernel whose stored code is none, twice.
  refused: ({ name }) => {
    const { symbol, op, variant, dtypes, source, target } = requestFor(name);
    const compiler = target.compiler.identity;
    const module = { binary: Buffer.from("no code"), assembly: "", log: "", kind: "cpu", arch: target.arch };
    const record = { key: keyOf(requestFor(name)), symbol, op, variant, dtypes, source, compileMs: 1 };
    withStore((store) => store.put({ ...module, compiler, flags: [], compileMs: 1 }, [record]), undefined);
    return { used: [use(name), use(name)], status: cacheStatus() };
  },
  // Stores other code than a kernel's under its key, and keeps the database open.
  plant: ({ name }) => {
    setInterval(() => undefined, 1000);
    const { symbol, op, variant, dtypes, source, target } = requestFor(name);
    const planted = source.replace(`"${name}"`, '"EVIL"');
    const { binary } = fetchCode({ ...requestFor(name), source: planted });
    const module = { binary, assembly: "", log: "", kind: "cpu", arch: target.arch, flags: [], compileMs: 1 };
    const record = { key: keyOf(requestFor(name)), symbol, op, variant, dtypes, source, compileMs: 1 };
    withStore((store) => store.put({ ...module, compiler: target.compiler.identity }, [record]), undefined);
    return { used: [use(name)], status: cacheStatus() };
  },
  // Takes a lease and keeps it until the process is killed.
  hold: ({ name }) => {
    setInterval(() => undefined, 1000);
    return { claim: withStore((store) => store.claim(keyOf(requestFor(name))), "none") };
  },
  // Takes a lease in a worker thread, which is terminated while it holds it.
  holdInThread: async ({ name }) => {
    setInterval(() => undefined, 1000);
    const worker = new Worker(import.meta.filename, {
      argv: [JSON.stringify({ action: "hold", name })],
      stdout: true,
    });
    await once(worker.stdout, "data");
    await worker.terminate();
    return { terminated: true };
  },
  // Asks the cache while the database, which has no tables yet, is locked, and uses kernels after that.
  locked: ({ file, names }) => {
    const other = new (createRequire(import.meta.url)("libsql"))(file);
    other.exec("BEGIN EXCLUSIVE");
    const answer = withStore((store) => store.has("key"), "locked");
    other.exec("COMMIT");
    other.close();
    return { answer, used: names.map(use), status: cacheStatus() };
  },
  // Says that it starts, and uses a kernel.
  start: ({ name }) => {
    console.log("{}");
    return { used: [use(name)] };
  },
  // Starts to use a kernel, is interrupted, and goes on living.
  interrupted: ({ name }) => {
    setInterval(() => undefined, 1000);
    try {
      new Script("use()").runInContext(createContext({ use: () => use(name) }), { timeout: 1000 });
    } catch (error) {
      return { error: error.message };
    }
  },
};

const { action, ...values } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(await actions[action](values)));
