// A process that feeds the library what nobody should, drawn from a seed, and then looks whether tensors that were not
// written to kept their values. Prints a report as JSON; the test that starts it knows a crash by its exit status.
import { inspect } from "node:util";
import * as jl from "../../dist/runtime/index.js";

const [seed = 1, count = 400] = process.argv.slice(2).map(Number);
let state = BigInt(seed) * 2654435761n + 88172645463325252n;
const random = () => {
  state ^= BigInt.asUintN(64, state << 13n);
  state ^= state >> 7n;
  state ^= BigInt.asUintN(64, state << 17n);
  return Number(state >> 11n) / 2 ** 53;
};
const pick = (list) => list[Math.floor(random() * list.length)];

const on = { device: process.env.JITLAB_TEST_DEVICE ?? "cpu" };
jl.setDevice(on.device);
const dtypes = ["float32", "int64", "bool"];
const canaries = dtypes.map((dtype) => jl.ones([1000], { dtype, ...on }));
const before = canaries.map((canary) => JSON.stringify(canary.toArray(), text));
function text(_, value) {
  return typeof value === "bigint" ? `${value}` : value;
}

const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  3,
  7,
  1.5,
  -2.5,
  -1e9,
  1e9,
  2 ** 31,
  2 ** 40,
  2 ** 53,
  -(2 ** 53),
  2 ** 62,
  1e300,
  NaN,
  Infinity,
  -Infinity,
];
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
const cyclic = [];
cyclic.push(cyclic);
const values = [
  ...numbers,
  5n,
  -(2n ** 63n),
  2n ** 64n,
  true,
  null,
  undefined,
  "x",
  "",
  {},
  [],
  { re: 1, im: NaN },
  { re: "a" },
  Symbol("s"),
  () => 1,
  () => {
    throw new jl.JitlabError("thrown", "by a callback");
  },
  [[1, 2], [3]],
  [[[]]],
  revoked({}),
  revoked([]),
  revoked(() => 1),
  new Proxy({}, {}),
  new Proxy([1, 2], {}),
  Object.create(jl.Tensor.prototype),
  { pointer: 8, shape: [1], dtype: "float32" },
  { dtype: revoked({}), shape: revoked([]), device: Symbol("d") },
  cyclic,
  new Date(0),
  Object.create(null),
  new Float32Array(3),
  new Float32Array(0),
  new Uint32Array(2),
  new DataView(new ArrayBuffer(4)),
  new SharedArrayBuffer(16),
  "float32",
  "cpu",
  "cuda:99",
  "::0",
  "0:1, ...",
  "template <typename T> T f(T x) { return x; }",
  "T f(",
];
const options = () => {
  const chosen = {};
  for (const key of [
    "out",
    "dtype",
    "device",
    "dim",
    "keepdim",
    "alpha",
    "shape",
    "decimals",
    "posinf",
    "threads",
    "nonsense",
  ])
    if (random() < 0.25) chosen[key] = anything(2);
  return chosen;
};
const shapes = [
  [],
  [0],
  [1],
  [3],
  [2, 3],
  [3, 1],
  [0, 4],
  [NaN],
  [-1],
  [2 ** 53],
  [2 ** 27, 2 ** 27],
  [1e9],
  [1e5, 1e5],
  new Array(16).fill(9),
  [1.5],
  [-0],
  [2 ** 32, 2 ** 32, 0],
  [Infinity],
  ["3"],
  [null],
  "3",
  null,
  new Array(17).fill(1),
  [2 ** 40],
];

/** Tensors that the calls may write into and dispose of. */
const pool = dtypes.map((dtype) => jl.ones([2, 3], { dtype, ...on }));
const gone = jl.ones([2, 3], on);
gone.dispose();
const owner = jl.ones([4], on);
const stale = owner.narrow(0, 1, 2);
owner.dispose();
const lost = new Float32Array(6);
const adopted = jl.fromTypedArray(lost);
structuredClone(lost.buffer, { transfer: [lost.buffer] });
pool.push(gone, stale, adopted, jl.ones([2, 3], on).T, jl.ones([3], on).expand(2, 3), jl.tensor(1, on));
pool.push(
  jl.tensor(1, on).expand(2 ** 30),
  jl.ones([1], on).expand(...new Array(16).fill(9)),
  jl.ones([0, 3], on),
);
const standing = pool.length;
const tensor = () => pick(pool);
function anything(depth = 0) {
  const kind = random();
  if (kind < 0.4) return tensor();
  if (kind < 0.7) return pick(values);
  if (kind < 0.8) return pick(shapes);
  if (depth < 2 && kind < 0.9)
    return Array.from({ length: Math.floor(random() * 4) }, () => anything(depth + 1));
  return depth < 2 ? options() : pick(numbers);
}

// Not fed: classes, names beside the functions, and what would work for minutes or on files that are not the test's.
const unfed = new Set([
  "CompileError",
  "DeviceError",
  "JitlabError",
  "NotFiniteError",
  "traceMemory",
  "watchDigits",
  "watchFinite",
  "Table",
  "Tensor",
  "setDevice",
  "nearest",
  "didYouMean",
]);
const elementwise = Object.keys(jl.ops);
const functions = Object.keys(jl).filter((name) => typeof jl[name] === "function" && !unfed.has(name));
const { prototype } = jl.Tensor;
const methods = Object.getOwnPropertyNames(prototype)
  .filter((name) => typeof Object.getOwnPropertyDescriptor(prototype, name).value === "function")
  .filter((name) => !["constructor", "pointer", "device", "ndim", "T", ...hidden()].includes(name));
/** Methods that TypeScript hides. */
function hidden() {
  return ["window", "through", "toDType", "readable", "keep"];
}
// Elementwise operations are alike; a few stand for all, so that few kernels are compiled.
const few = ["add", "gcd", "where", "lt", "sqrt", "round", "nanToNum"];
const chosen = (names) =>
  names.filter(
    (name) => !elementwise.includes(name.replace(/_$/, "")) || few.includes(name.replace(/_$/, "")),
  );
const [fed, fedMethods] = [chosen(functions), chosen(methods)];
const isArray = (value) => {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
};
/** A computation over this many elements takes too long for a test, however right it is. */
const bearable = (args) =>
  args.every((arg) => !(arg instanceof jl.Tensor) || arg.size <= 2 ** 21 || arg === gone) &&
  args.every((arg) => !isArray(arg) || bearable(arg.filter((inner) => inner !== arg && !isArray(inner))));
const list = () => Array.from({ length: Math.floor(random() * 5) }, () => anything());
const computing = new Set([
  "view",
  "expand",
  "permute",
  "transpose",
  "select",
  "narrow",
  "slice",
  "at",
  "squeeze",
  "unsqueeze",
]);

// ODD_INPUT_TRACE=1 writes each call to stderr before it is made, so that one that never ends is known.
const trace = (name, args) => {
  if (!process.env.ODD_INPUT_TRACE) return;
  const told = (value) => {
    if (isArray(value) && value !== cyclic) return `[${value.map(told).join(", ")}]`;
    if (!pool.includes(value))
      return inspect(value, { customInspect: false, depth: 1, breakLength: Infinity });
    try {
      return `${value.dtype} tensor of ${value.shape}`;
    } catch (error) {
      return error.message;
    }
  };
  process.stderr.write(`${name}: ${args.map(told).join(", ")}\n`);
};

/** One random call: what to run, and how to name it. */
function draw() {
  const kind = random();
  if (kind < 0.06) return ["make", () => pool.push(jl.ones([2, 3], { dtype: pick(dtypes), ...on }).mul(3))];
  if (kind < 0.12) return ["drop", () => pool.length > standing && pool.splice(standing, 1)[0].dispose()];
  const args = list();
  if (kind < 0.5) {
    const name = pick(fed);
    trace(name, args);
    return [name, () => (bearable(args) ? jl[name](...args) : undefined)];
  }
  if (kind < 0.55) return ["fuse", () => jl.fuse`sin(${anything(1)}) * 2 + ${anything(1)}`];
  const name = pick(fedMethods);
  const target = tensor();
  trace(name, [target, ...args]);
  return [
    name,
    () =>
      bearable([target, ...args]) || computing.has(name) || name.startsWith("to")
        ? target[name](...args)
        : undefined,
  ];
}

const report = { refused: 0, worked: 0, foreign: {}, fed: [...fed, ...fedMethods].length };
for (let i = 0; i < count; i++) {
  const [name, run] = draw();
  try {
    const result = run();
    if (result instanceof Promise) result.catch(() => {});
    if (typeof result?.stop === "function") result.stop();
    report.worked++;
  } catch (error) {
    report.refused++;
    if (!(error instanceof jl.JitlabError))
      report.foreign[`${name}: ${error}`] = (error?.stack ?? "").split("\n")[1];
  }
}
report.corrupted = dtypes.filter((_, i) => JSON.stringify(canaries[i].toArray(), text) !== before[i]);
process.stdout.write(`${JSON.stringify(report)}\n`);
