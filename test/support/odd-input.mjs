// A process that feeds the library what nobody should, drawn from a seed, and then looks whether tensors that were not
// written to kept their values. Prints a report as JSON; the test that starts it knows a crash by its exit status.
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
  2 ** 53,
  -(2 ** 53),
  2 ** 62,
  1e300,
  NaN,
  Infinity,
  -Infinity,
];
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
];
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
  [1.5],
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
pool.push(gone, stale, jl.ones([2, 3], on).T, jl.ones([3], on).expand(2, 3), jl.tensor(1, on));
const tensor = () => pick(pool);
const anything = () => (random() < 0.5 ? tensor() : pick(values));

const names = ["add", "gcd", "where", "lt", "sqrt"];
const views = [
  "view",
  "reshape",
  "permute",
  "transpose",
  "expand",
  "squeeze",
  "unsqueeze",
  "select",
  "narrow",
  "slice",
  "at",
  "flatten",
];
const makers = [
  "empty",
  "zeros",
  "ones",
  "full",
  "eye",
  "arange",
  "linspace",
  "logspace",
  "rand",
  "randn",
  "randint",
  "tensor",
];
const reductions = ["sum", "mean", "max", "argmin", "any"].filter((name) => typeof jl[name] === "function");
const actions = [
  () => jl[pick(names)](anything(), anything(), anything()),
  () => jl[pick(names)](tensor(), tensor(), { out: anything() }),
  () => tensor()[`${pick(names)}_`](anything(), anything()),
  () => tensor()[pick(views)](anything(), anything(), anything()),
  () => tensor()[pick(views)](...[].concat(pick(shapes) ?? [])),
  () => jl[pick(makers)](pick(shapes), pick(values), { dtype: pick([...dtypes, "float31", 3, null]), ...on }),
  () => jl[pick(makers)](pick(values), pick(values), pick(values), on),
  () => tensor().to(pick([...dtypes, "cuda:99", "float31", undefined])),
  () => tensor().copy_(anything()),
  () => tensor().fill_(pick(values)),
  () => tensor().item(),
  () => tensor().toArray(),
  () => String(tensor()),
  () => jl[pick(reductions)](tensor(), pick(values), { keepdim: pick(values) }),
  () => jl.promoteTypes(pick(values), pick(dtypes)),
  // Memory handed out twice would show here.
  () => pool.push(jl.ones([2, 3], { dtype: pick(dtypes), ...on }).mul(3)),
  () => pool.length > 11 && pool.splice(8, 1)[0].dispose(),
];

const report = { refused: 0, worked: 0, foreign: {} };
for (let i = 0; i < count; i++) {
  const action = pick(actions);
  try {
    action();
    report.worked++;
  } catch (error) {
    report.refused++;
    if (!(error instanceof jl.JitlabError))
      report.foreign[`${action}: ${error}`] = (error.stack ?? "").split("\n")[1];
  }
}
report.corrupted = dtypes.filter((_, i) => JSON.stringify(canaries[i].toArray(), text) !== before[i]);
process.stdout.write(`${JSON.stringify(report)}\n`);
