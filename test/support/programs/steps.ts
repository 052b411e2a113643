// The steps of random programs: what each does with the program's tensors.
import * as jl from "../../../dist/runtime/index.js";
import { ops } from "../../../dist/runtime/ops/index.js";
import type { DTypeName } from "../../../runtime/base/dtype.js";
import { device } from "../device.js";
import type { RandomSource } from "../random.js";
import { callOf, castTypes, type Draw, floats, methodNames } from "./arguments.js";
import { patterns } from "./patterns.js";

/** One line of a program. */
export interface Step {
  readonly kind: Kind;
  readonly name: string;
  /** Its operands: numbers that are taken modulo how many tensors there are, so that any step may be left out. */
  readonly on: readonly number[];
  /** What its arguments are drawn from. */
  readonly seed: number;
  /** True where the function returns the results; others are found through the closure that keeps them. */
  readonly returned: boolean;
}

/** A step's surroundings: its operands, what it draws from, and where it notes what it saw. */
export interface Place extends Draw {
  readonly x: jl.Tensor;
  readonly y: jl.Tensor;
  readonly z: jl.Tensor;
  readonly name: string;
  readonly note: (text: string) => void;
  /** Pulls of derivatives that were kept: each computes the cotangents of its arguments. */
  readonly pulls: (() => unknown)[];
  /** Calls a method, and writes the call into the listing. */
  readonly call: (x: jl.Tensor, name: string, args: readonly unknown[]) => unknown;
}

type Functions = Record<string, ((...args: unknown[]) => unknown) | undefined>;
const library = jl as unknown as Functions;

interface OpRecord {
  readonly arity: number;
  readonly options?: Readonly<Record<string, { readonly default?: unknown; readonly choices?: object }>>;
}
const records = ops as unknown as Readonly<Record<string, OpRecord>>;

// What a kernel computes is tested elsewhere, and each costs a compile: most operations are few.
const unary = ["neg", "abs", "sin", "exp", "isnan", "sqrt", "floor", "sign", "logicalNot", "round", "relu"];
const binary = ["add", "mul", "mul", "add", "div", "maximum", "lt", "sub", "minimum", "remainder", "eq"];
const ternary = ["where", "addcmul", "lerp", "clamp"];
const common = [...unary, ...binary, ...binary, ...binary, ...ternary];
// The work of two polynomials grows with their degree, which may be any element.
const endless = new Set(["laguerrePolynomialL", "legendrePolynomialP"]);
const names = Object.keys(records).filter((name) => !endless.has(name));
const reductions = ["sum", "max", "argmax", "sum", "amin", "prod", "mean", "var", "any", "norm", "logsumexp"];
const views = [
  ...["T", "narrow", "slice", "slice", "select", "unsqueeze", "expand", "flatten", "diagonal", "squeeze"],
  ...["permute", "reshape", "unfold", "transpose", "movedim", "unflatten"],
];
const writes = [
  ...["copy_", "fill_", "set", "set", "indexPut_", "scatter_", "scatterAdd_", "scatterReduce_", "indexAdd_"],
  ...["indexCopy_", "indexFill_", "maskedFill_", "zero_", "uniform_"],
];
const rowReductions = ["sum", "amax", "mean", "logsumexp"];

const swish = jl.jit("template <typename T> T swish(T a, T b) { return a / (T(1) + b * b); }");
const both = jl.jit((a, b) => ({ sum: a + b, difference: a - b })) as unknown as (
  ...args: unknown[]
) => Record<string, jl.Tensor>;

/** A tensor, or a view of it: a part, turned, or without elements. */
function windowOf({ x, call, ...draw }: Place): jl.Tensor {
  const { below } = draw.random;
  if (below(2) === 0) return x;
  if (below(6) === 0 && x.ndim > 0) {
    const dim = below(x.ndim);
    return call(x, "narrow", [dim, below((x.shape[dim] as number) + 1), 0]) as jl.Tensor;
  }
  const name = draw.random.pick(["slice", "narrow", "select", "permute"]);
  const made = callOf(name, x, draw);
  return made ? (call(made.self, name, made.args) as jl.Tensor) : x;
}

/** Values for the options that an operation's record declares. */
function optionsOf({ options = {} }: OpRecord, { random, scalar }: Place): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, { choices, default: value }]): [string, unknown][] => {
      if (random.below(2) === 0) return [];
      if (choices) return [[name, random.pick(Object.keys(choices))]];
      return [[name, typeof value === "boolean" ? random.below(2) === 0 : scalar()]];
    }),
  );
}

/** Functions of which each has launches of another kind: steps, and what derivatives are taken of. */
const functions: Readonly<Record<string, (x: jl.Tensor, y: jl.Tensor) => jl.Tensor>> = {
  mul: (x, y) => x.mul(y).sin(),
  product: (x, y) => (x.ndim < 2 || y.ndim < 2 ? x.mul(y) : x.matmul(y.mT)),
  sort: (x) => x.sort(-1).values,
  roll: (x, y) => x.roll(1).mul(y),
  cumsum: (x) => x.cumsum(x.ndim > 0 ? -1 : 0),
  softmax: (x) => x.softmax(-1),
  sum: (x, y) => x.sum({ dim: -1, keepdim: true }).mul(y),
  flip: (x, y) => jl.cat([x.flip(0), y.to(x.dtype.name)]),
  write: (x, y) => {
    const z = x.clone();
    z.select(0, 0).mul_(y.flatten().select(0, 0));
    return z.mul(y);
  },
  lookup: (x) => x.gather(x.ndim - 1, jl.zeros([...x.shape], { dtype: "int64", device })),
  take: (x) =>
    x.take(
      jl
        .arange(x.size, { device })
        .flip(0)
        .reshape([...x.shape]),
    ),
  mode: (x) => x.mode(-1, { keepdim: true }).values.expand([...x.shape]),
  highest: (x) => x.topk(x.shape.at(-1) ?? 1, -1).values,
  distances: (x, y) => (x.ndim < 2 || y.ndim < 2 ? x.mul(y) : jl.cdist(x, y)),
};

const looks: Readonly<Record<string, (place: Place) => void>> = {
  item: ({ x, note }) => note(textOf(x.flatten().select(0, 0).item())),
  toArray: ({ x, note }) => note(textOf(x.toArray())),
  data: ({ x, note }) => note(textOf([...x.data()])),
  print: ({ x, note }) => note(`${x}`.replaceAll("-nan", "nan")),
  // The host writes into memory that tensors have.
  share: ({ x }) => {
    if (device.startsWith("cuda")) return;
    const array = x.asTypedArray();
    array.fill((typeof array[0] === "bigint" ? 1n : 1) as never);
  },
  dispose: ({ x }) => x.dispose(),
  // Nothing runs while a graph is recorded, so what it wrote is there after a replay.
  graph: ({ x }) => {
    const step = jl.graph(() => x.mul_(2));
    step();
    step.dispose();
  },
  synchronize: () => jl.synchronize(),
};

const actions = {
  // An operation of the records: plain, with options, written into its first operand or another tensor.
  op: (place) => {
    const { name, x, y, z, scalar, random, call } = place;
    const record = records[name] as OpRecord;
    const others = [y, z].slice(0, record.arity - 1).map((one) => (random.below(3) === 0 ? scalar() : one));
    const options = optionsOf(record, place);
    const way = random.below(8);
    if (way === 0) return call(windowOf(place), `${name}_`, [...others, options]);
    const out = way === 1 ? { out: random.below(2) === 0 ? z : windowOf(place) } : {};
    return call(x, name, [...others, { ...options, ...out }]);
  },
  method: ({ name, x, call, ...draw }) => {
    const made = callOf(name, x, draw);
    return made && call(made.self, name, made.args);
  },
  // A write into a part.
  written: (place) => {
    const { name, x: _, call, ...draw } = place;
    const made = callOf(name, windowOf(place), draw);
    return made && call(made.self, name, made.args);
  },
  function: ({ x, y, name }) => functions[name]?.(x, y),
  // A derivative, of which the pull is kept.
  derivative: ({ x, y, name, pulls }) => {
    const [a, b] = [floats(x), floats(y)];
    const { value, pull } = jl.vjp(functions[name] as (a: jl.Tensor, b: jl.Tensor) => jl.Tensor, a, b);
    const ones = () => jl.ones([...value.shape], { dtype: value.dtype.name as "float32", device });
    pulls.push(() => pull(ones()));
    return value;
  },
  // The lanes of one tensor, beside the whole of another or its lanes.
  lanes: ({ x, y, name, random }) => {
    const f = functions[name] as (a: jl.Tensor, b: jl.Tensor) => jl.Tensor;
    return jl.vmap(f, { inDims: [0, random.below(2) ? 0 : null] })(x, y);
  },
  // A few steps that hand on a carry.
  carried: ({ x, y, name }) => {
    const rows = floats(x);
    if (rows.ndim === 0 || (rows.shape[0] as number) > 6) return undefined;
    const f = functions[name] as (a: jl.Tensor, b: jl.Tensor) => jl.Tensor;
    const init = jl.ones([...rows.shape.slice(1)], { dtype: rows.dtype.name as "float32", device });
    return jl.scan((carry: jl.Tensor, row) => [carry.mul(0.5).add(row), f(carry, y)], init, rows);
  },
  pull: ({ pulls, random }) => pulls.splice(random.below(pulls.length), 1)[0]?.(),
  cast: ({ x, random, call }) => call(x, "to", [random.pick(castTypes)]),
  // One of several memory orders, in one kernel.
  list: ({ x, y, z, scalar, call }) => {
    const value = scalar();
    for (const one of new Set([x, y, z])) call(call(one, "mul_", [value]) as jl.Tensor, "add_", [1]);
    return undefined;
  },
  twice: ({ x, y, call, scalar }) => {
    const value = scalar();
    return [call(x, "mul", [value]), call(y.T, "add", [value])];
  },
  window: (place) => {
    const { y, call, scalar, random } = place;
    return call(windowOf(place), random.pick(["add_", "mul_", "sub_"]), [random.below(2) ? y : scalar()]);
  },
  user: ({ x, y, z, random, scalar }) => {
    const way = random.below(4);
    if (way === 0) return both(x, y);
    if (way === 1) return jl.fuse`${swish}(${x}, ${y}) * ${scalar()} + exp(-${x})`;
    return way === 2 ? swish(x, y, { out: z } as never) : swish(x, y);
  },
  joined: ({ x, y, z, random, scalar }) => {
    const dim = random.below(Math.max(1, x.ndim));
    switch (random.below(6)) {
      case 0:
        return jl.cat([x, y], dim);
      case 1:
        return jl.stack([x, x.mul(scalar())], dim);
      case 2:
        return jl.where(x.gt(scalar()), y, z);
      case 3:
        return x.ndim === 2 ? jl.einsum("ij->ji", x) : jl.hstack([x, x]);
      case 4:
        return x.size < 100 && y.size < 100 ? jl.meshgrid([x.flatten(), y.flatten()]) : jl.vstack([x, x]);
      default:
        return jl.broadcastTensors(x, y);
    }
  },
  creation: ({ x, random, scalar }) => {
    const dtype = random.pick(["float32", "float32", "float16", "int32", "float64"] as const) as DTypeName;
    const shape = [...x.shape];
    const made = library[random.pick(["zeros", "ones", "rand", "randn"])];
    switch (random.below(4)) {
      case 0:
        return jl.full(shape, scalar(), { dtype, device });
      case 1:
        return jl.arange(x.shape.at(-1) ?? 3, { device });
      case 2:
        return jl.randint(-3, 9, shape, { device });
      default:
        return made?.(shape, { dtype: dtype === "int32" ? "float32" : dtype, device });
    }
  },
  nested: ({ x, y, scalar }) => inner(x, y, scalar()),
  undeferred: ({ x, y, name, random, call, ...draw }) =>
    jl.eager(() => {
      if (random.below(2)) return call(x, random.pick(["add", "mul_", "maximum", "sub_"]), [y]);
      const made = callOf(name, x, { random, ...draw });
      return made && call(made.self, name, made.args);
    }),
  look: (place) => void looks[place.name]?.(place),
  // Only where the function is asynchronous; see the generator of the body.
  pause: () => undefined,
  // Replaced by the step that made a tensor, if any was made.
  again: () => undefined,
  ...patterns,
} satisfies Record<string, (place: Place) => unknown>;

const inner = jl.compile((x: jl.Tensor, y: jl.Tensor, value: number) => {
  y.mul_(2);
  return x.add(y).mul(value);
});

/** What a step does. */
export type Kind = keyof typeof actions;

const mostly =
  (few: readonly string[], all: readonly string[], one: number) =>
  ({ below, pick }: RandomSource) =>
    below(one) === 0 ? pick(all) : pick(few);

// How often a step is of a kind, of which action, and which name it has.
const table: readonly (readonly [number, Kind, ((random: RandomSource) => string)?])[] = [
  [14, "op", mostly(common, names, 8)],
  [6, "method", ({ pick }) => pick(methodNames)],
  [5, "method", ({ pick }) => pick(views)],
  [5, "method", ({ pick }) => pick(reductions)],
  [5, "method", ({ pick }) => pick(writes)],
  [3, "cast"],
  [2, "list"],
  [2, "twice"],
  [4, "window"],
  [2, "user"],
  [2, "joined"],
  [2, "creation"],
  [1, "nested"],
  [2, "undeferred", ({ pick }) => pick(methodNames)],
  [3, "written", ({ pick }) => pick(writes)],
  [14, "function", ({ pick }) => pick(Object.keys(functions))],
  [2, "derivative", ({ pick }) => pick(Object.keys(functions))],
  [2, "pull"],
  [1, "carried", ({ pick }) => pick(Object.keys(functions))],
  [2, "lanes", ({ pick }) => pick(Object.keys(functions))],
  [2, "look", ({ pick }) => pick(Object.keys(looks))],
  [1, "pause"],
  [4, "rows", ({ pick }) => pick(rowReductions)],
  [3, "loss", ({ pick }) => pick(["sum", "mean", "argmin"])],
  [3, "beside", ({ pick }) => pick(["sum", "mean", "argmin", "var"])],
  [2, "activation", ({ pick }) => pick(["sum", "amax", "mean"])],
  [1, "spread"],
  [3, "turned", ({ pick }) => pick(views)],
  [3, "several", ({ pick }) => pick(views)],
  [3, "halves"],
  [3, "tail", ({ pick }) => pick(["sum", "amax", "mean", "norm"])],
  [4, "lookup", ({ pick }) => pick(["take", "indexSelect", "gather", "takeAlongDim", "at"])],
];
const weighted = table.flatMap((row) => Array<(typeof table)[number]>(row[0]).fill(row));

const pausing = table.find(([, kind]) => kind === "pause") as (typeof table)[number];

/** A random step; one in four of a function that awaits is a pause. */
export function drawStep(random: RandomSource, isPausing: boolean): Step {
  const { below, pick } = random;
  const [, kind, name] = isPausing && below(4) === 0 ? pausing : pick(weighted);
  return {
    kind,
    name: name?.(random) ?? "",
    on: [below(1000), below(1000), below(1000)],
    seed: below(2 ** 30),
    returned: below(3) === 0,
  };
}

/** A step that does to a tensor that was made what made it. */
export function repeatedStep(random: RandomSource): Step {
  return { ...drawStep(random, false), kind: "again" };
}

/** Does a step; returns its tensors. */
export function act(kind: Kind, place: Place): jl.Tensor[] {
  const action: (place: Place) => unknown = actions[kind];
  const result = action(place);
  const tensors = tensorsIn(result);
  if (tensors.length === 0 && result !== undefined) place.note(textOf(result));
  return tensors;
}

function tensorsIn(value: unknown): jl.Tensor[] {
  if (value instanceof jl.Tensor) return [value];
  if (Array.isArray(value)) return value.flatMap(tensorsIn);
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return [];
  return Object.values(value).flatMap(tensorsIn);
}

/** A value as text that tells zeros apart, and no NaN from another. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf)}]`;
  if (ArrayBuffer.isView(value)) return textOf([...(value as unknown as Iterable<unknown>)]);
  if (Object.is(value, -0)) return "-0";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
