// A process that uses the kernel cache, for tests of several processes. Its argument is JSON: an `action` with its values;
// it prints one line of JSON.
import { createContext, Script } from "node:vm";
import { keyOf, obtain } from "../../dist/runtime/cache/kernels.js";
import { withStore } from "../../dist/runtime/cache/place.js";
import { cacheStatus } from "../../dist/runtime/cache/status.js";
import { getDevice } from "../../dist/runtime/device/index.js";

const device = getDevice("cpu");
const shape = { threads: 1, perThread: 1 };

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
    target: device.target,
  };
}

/** Obtains a kernel, runs it, and says where it came from and what it wrote. */
function use(name) {
  const { program, origin, key } = obtain(requestFor(name), device, shape);
  const block = device.createBlock(8);
  const out = device.allocator.allocate(1);
  block.i64[0] = BigInt(out);
  program.launch(block, 1);
  const result = new Uint8Array(1);
  device.read(out, result);
  return { name, key, origin, result: String.fromCharCode(result[0]) };
}

const actions = {
  use: ({ names }) => ({ used: names.map(use), status: cacheStatus() }),
  // Takes a lease and keeps it until the process is killed.
  hold: ({ name }) => {
    setInterval(() => undefined, 1000);
    return { claim: withStore((store) => store.claim(keyOf(requestFor(name))), "none") };
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
console.log(JSON.stringify(actions[action](values)));
