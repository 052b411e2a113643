// Random programs of tensors: what one is, how it is made from a seed, run, and made smaller. A step names its operands by
// numbers that are taken modulo how many tensors there are, so that any step may be left out.
import * as jl from "../../dist/runtime/index.js";
import { sendTo } from "../../dist/runtime/launch/sink.js";
import { Collector } from "../../dist/runtime/program/collector.js";
import type { DTypeName } from "../../runtime/base/dtype.js";
import { device } from "./device.js";
import type { RandomSource } from "./random.js";

/** One line of a program: what it does with which tensors. */
export interface Step {
  readonly kind: Kind;
  readonly name: string;
  readonly on: readonly number[];
  readonly value: number;
  readonly dtype: DTypeName;
  /** True where the function returns the result; others are found through the closure that keeps them. */
  readonly returned: boolean;
}

/** A tensor that a program is given. */
export interface Leaf {
  readonly dtype: DTypeName;
  readonly shape: readonly number[];
}

/** A random program. */
export interface Program {
  readonly seed: number;
  /** The length of the rows of most tensors. */
  readonly width: number;
  readonly leaves: readonly Leaf[];
  readonly steps: readonly Step[];
}

type Kind = keyof typeof actions;
type Method = (...args: unknown[]) => jl.Tensor;
type Notes = string[];

const shapesOf = (width: number) => [[4, width], [4, width], [4, width], [width], [4, 1], [width, 4], []];
// Rows of few elements, of a few threads, of a warp and of a block of a GPU, whole and not; tensors of several parts.
const widths = [6, 6, 6, 6, 1, 16, 33, 70, 1030, 2100] as const;
// What a kernel computes is tested elsewhere, and each costs a compile: most choices are among few dtypes and operations.
const few: readonly DTypeName[] = ["float32", "float32", "float32", "float16", "int32", "bool"];
const dtypes: readonly DTypeName[] = [...few, ...few, "float64", "bfloat16", "complex64", "int64", "uint8"];
const castTypes: readonly DTypeName[] = [
  ...(["float32", "float16", "int32", "float64"] as const).flatMap((one) => [one, one]),
  "bfloat16",
  "int64",
];
const scalars = [0, 1, 2, -1, 0.5, 3, -0, 7] as const;

const names = {
  unary: [
    ...["neg", "abs", "sin", "exp", "isnan", "sqrt"].flatMap((one) => [one, one, one]),
    ...["tanh", "floor", "sign", "reciprocal", "gelu", "log1p", "signbit", "logicalNot", "round"],
  ],
  binary: [
    ...["add", "mul", "mul", "add", "div", "maximum", "lt"].flatMap((one) => [one, one]),
    ...["sub", "minimum", "remainder", "floorDivide", "eq", "hypot", "copysign", "bitwiseXor"],
  ],
  ternary: ["where", "addcmul", "where", "addcmul", "lerp", "clamp"],
  view: ["T", "narrow", "step", "back", "select", "unsqueeze", "expand", "flatten", "diagonal", "squeeze"],
  reduction: ["sum", "max", "argmax", "sum", "max", "prod", "mean", "var", "any", "norm", "logsumexp"],
  creation: ["zeros", "full", "arange", "rand", "randn"],
  look: ["item", "toArray", "data", "print", "share", "dispose", "graph"],
} as const;

const call = (tensor: jl.Tensor, name: string, ...args: unknown[]): jl.Tensor =>
  (tensor as unknown as Record<string, Method>)[name]?.apply(tensor, args) as jl.Tensor;

const views: Readonly<Record<string, (x: jl.Tensor, width: number) => jl.Tensor>> = {
  T: (x) => x.T,
  narrow: (x) => x.narrow(0, 1, 3),
  step: (x) => x.slice("::2"),
  back: (x) => x.slice("::-1"),
  select: (x) => x.select(0, -1),
  unsqueeze: (x) => x.unsqueeze(0),
  expand: (x, width) => x.expand(4, width),
  flatten: (x) => x.flatten(),
  diagonal: (x) => x.diagonal(),
  squeeze: (x) => x.squeeze(),
};

const looks: Readonly<Record<string, (x: jl.Tensor, notes: Notes) => void>> = {
  item: (x, notes) => notes.push(textOf(x.flatten().select(0, 0).item())),
  toArray: (x, notes) => notes.push(textOf(x.toArray())),
  data: (x, notes) => notes.push(textOf([...x.data()])),
  print: (x, notes) => notes.push(`${x}`.replaceAll("-nan", "nan")),
  share: (x) => {
    if (device.startsWith("cuda")) return;
    const array = x.asTypedArray();
    array.fill((typeof array[0] === "bigint" ? 1n : 1) as never);
  },
  dispose: (x) => x.dispose(),
  // Nothing runs while a graph is recorded, so what it wrote is there after a replay.
  graph: (x) => {
    const step = jl.graph(() => x.mul_(2));
    step();
    step.dispose();
  },
};

const swish = jl.jit("template <typename T> T swish(T a, T b) { return a / (T(1) + b * b); }");
const soft = jl.jit((x, slope = 0.1) => (x > 0 ? x : slope * x)) as unknown as (x: jl.Tensor) => jl.Tensor;
const floats = (x: jl.Tensor) => (x.dtype.kind === "float" ? x : x.abs().to("float32"));
const leaky = (x: jl.Tensor) => soft(floats(x));
const spread = jl.reduction((a, b) => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }), {
  name: "spread",
  identity: { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
  map: (x) => ({ low: x, high: x }),
  finish: ({ low, high }) => high - low,
});
const inner = jl.compile((x: jl.Tensor, y: jl.Tensor, value: number) => {
  y.mul_(2);
  return x.add(y).mul(value);
});

/** Indexes below an extent. */
const within = (y: jl.Tensor, extent: number) => y.abs().mul(3).to("int32").remainder(extent);
const lookups: Readonly<Record<string, (x: jl.Tensor, y: jl.Tensor) => jl.Tensor>> = {
  take: (x, y) => x.take(within(y, x.size).sub(x.size)),
  indexSelect: (x, y) => x.indexSelect(0, within(y.flatten().slice("::3"), x.shape[0] ?? 1)),
  gather: (x, y) => x.gather(-1, within(y, x.shape.at(-1) ?? 1).to("int64")),
  takeAlongDim: (x, y) => x.takeAlongDim(within(y, x.shape.at(-1) ?? 1), -1),
  at: (x, y) => x.at(":", within(y.flatten().slice(":5"), x.shape.at(1) ?? 1)),
};

/** Writes by indexes; those with an underscore write into their tensor. */
const writes: Readonly<Record<string, (x: jl.Tensor, y: jl.Tensor, value: number) => jl.Tensor>> = {
  scatter: (x, y, value) => x.scatter(-1, within(y, x.shape.at(-1) ?? 1), value),
  scatterAdd: (x, y) => x.scatterAdd(-1, within(y, x.shape.at(-1) ?? 1), y.to(x.dtype.name)),
  scatterReduce: (x, y) =>
    x.scatterReduce(0, within(y, x.shape[0] ?? 1), y.to(x.dtype.name), "mean", { includeSelf: false }),
  indexAdd: (x, y) =>
    x.indexAdd(0, within(y.flatten().slice(":3"), x.shape[0] ?? 1), x.slice("::-1").narrow(0, 0, 3)),
  indexFill: (x, y, value) => x.indexFill(-1, within(y.flatten().slice("::3"), x.shape.at(-1) ?? 1), value),
  scatterAdd_: (x, y) => x.scatterAdd_(-1, within(y, x.shape.at(-1) ?? 1), y.to(x.dtype.name)),
  indexCopy_: (x, y) => x.indexCopy_(0, within(y.flatten().slice(":3"), x.shape[0] ?? 1), x.narrow(0, 1, 3)),
  indexPut_: (x, y, value) =>
    x.indexPut_([within(y.flatten().slice(":5"), x.shape[0] ?? 1)], value, { accumulate: value > 1 }),
  set: (x, y, value) => x.set(["::2", within(y.flatten().slice(":5"), x.shape[1] ?? 1)], value),
};

/** Draws with the elements as probabilities or rates; one with an underscore writes into its tensor. */
const draws: Readonly<Record<string, (x: jl.Tensor, value: number) => jl.Tensor>> = {
  bernoulli: (x) => among(x, 1).bernoulli(),
  poisson: (x) => among(x, 20).poisson(),
  multinomial: (x, value) =>
    among(x, 20)
      .add(1)
      .multinomial(2, { replacement: value > 1 }),
  bernoulli_: (x) => x.bernoulli_(0.3),
};

/** Floating numbers from 0 to a greatest one. */
const among = (x: jl.Tensor, greatest: number) => floats(x).nanToNum().abs().clampMax(greatest);

/** Does one step and returns its result, if it has one. */
type Action = (
  step: Step,
  operands: readonly jl.Tensor[],
  notes: Notes,
  width: number,
) => jl.Tensor | undefined;

/** The dimensions that a reduction takes away: all, the first, or the last. */
const dimsOf = (value: number) =>
  value > 4 || value === 0.5
    ? { dim: -1, keepdim: value > 4 }
    : value > 1
      ? { dim: 0, keepdim: value > 2 }
      : {};

const actions = {
  unary: ({ name }, [x]) => call(x as jl.Tensor, name),
  binary: ({ name }, [x, y]) => call(x as jl.Tensor, name, y),
  scalar: ({ name, value }, [x]) => call(x as jl.Tensor, name, value),
  ternary: ({ name }, [x, y, z]) => (jl as unknown as Record<string, Method>)[name]?.(x, y, z),
  cast: ({ dtype }, [x]) => x?.to(dtype),
  copy: (_, [x]) => x?.clone(),
  // Operations of kernels that are no maps or reductions.
  apart: ({ name }, [x]) => {
    if (name === "sort") return x?.sort().values;
    if (name === "histc") return x?.histc(3, -2, 2);
    if (name === "histogram") return x?.histogram(5, { range: [-1, 3] }).hist;
    return name === "roll" ? x?.roll(1) : x?.cumsum(0);
  },
  expression: ({ value }, [x, y]) =>
    jl.fuse`${swish}(${x as jl.Tensor}, ${y as jl.Tensor}) * ${value} + exp(-${x as jl.Tensor})`,
  user: (_, [x, y]) => swish(x as jl.Tensor, y as jl.Tensor),
  nested: ({ value }, [x, y]) => inner(x as jl.Tensor, y as jl.Tensor, value),
  view: ({ name }, [x], _, width) => views[name]?.(x as jl.Tensor, width),
  inPlace: ({ name, value }, [x, y]) => call(x as jl.Tensor, `${name}_`, value > 1 ? value : y),
  fill: ({ value }, [x]) => x?.fill_(value),
  write: (_, [x, y]) => x?.copy_(y as jl.Tensor),
  out: ({ name }, [x, y, z]) => call(x as jl.Tensor, name, y, { out: z }),
  reduction: ({ name, value }, [x]) => call(x as jl.Tensor, name, dimsOf(value)),
  list: ({ value }, operands) => {
    for (const x of operands) x.mul_(value).add_(1);
    return undefined;
  },
  rows: ({ name, value }, [x, y]) => {
    const kept = call(x as jl.Tensor, name, { dim: -1, keepdim: true });
    return call((value > 1 ? y : x) as jl.Tensor, value > 0 ? "sub" : "mul", value === 1 ? kept.neg() : kept);
  },
  loss: ({ name, value }, [x, y, z]) => {
    const d = x?.sub(y as jl.Tensor) as jl.Tensor;
    return call(value === 2 ? d.mul(z as jl.Tensor) : d.mul(d), name, dimsOf(value));
  },
  // Two reductions of one tensor, or of one and what is computed from it.
  beside: ({ name, value }, [x, y]) => {
    const [a, b] = [x as jl.Tensor, (value < 1 ? x?.mul(2) : x) as jl.Tensor];
    const [one, other] = [call(a, name, dimsOf(value)), call(b, "max", dimsOf(value))];
    return value === 1 ? one.mul(other).add(y as jl.Tensor) : value > 2 ? one.sub(other) : other.add(one);
  },
  // Users' functors around reductions.
  activation: ({ name, value }, [x, y]) => {
    if (value > 2) return leaky(call(swish(x as jl.Tensor, y as jl.Tensor), name, dimsOf(value)));
    const kept = call(leaky(x as jl.Tensor), name, { dim: -1, keepdim: true });
    return swish(x as jl.Tensor, value > 0 ? kept : kept.mul(value));
  },
  // A reduction of the user's.
  spread: ({ value }, [x, y]) => {
    const own = floats(x as jl.Tensor);
    if (value < 1) return spread(own.mul(2), dimsOf(value));
    const kept = spread(own, { dim: -1, keepdim: true });
    return value === 1 ? own.div(kept).add(own.sum(-1)) : kept.add(1).mul(y as jl.Tensor);
  },
  // A view of what is being computed, in a computation.
  turned: ({ name, value }, [x, y], _, width) => {
    const seen = views[name]?.((x as jl.Tensor).mul(value).add(1), width) as jl.Tensor;
    if (value < 1) return seen.sin();
    return value === 1 ? seen.mul(y as jl.Tensor) : seen.abs().sum(dimsOf(value));
  },
  // Several views of what is being computed.
  several: ({ name, value }, [x, y], _, width) => {
    const z = (x as jl.Tensor).mul(value).add(1);
    const seen = views[name]?.(z, width) as jl.Tensor;
    if (value < 1) return z.slice("::-1").add(z);
    if (value === 1)
      return z
        .narrow(0, 0, 3)
        .mul(z.narrow(0, 1, 3))
        .add(1);
    return value === 2 ? seen.sum(dimsOf(value)).mul(z) : seen.mul(y as jl.Tensor).add(z);
  },
  // What follows a reduction.
  tail: ({ name, value }, [x, y]) => {
    const result = call(x as jl.Tensor, name, dimsOf(value))
      .mul(value)
      .add(1);
    if (value > 2) return result.abs().sqrt();
    return value > 0 ? result.add(call(y as jl.Tensor, name, dimsOf(value))) : result;
  },
  // Reads by indexes that the program computes.
  lookup: ({ name, value }, [x, y, z]) => {
    const source = value > 2 ? (x as jl.Tensor).mul(value) : (x as jl.Tensor);
    const read = lookups[name]?.(source, floats(y as jl.Tensor)) as jl.Tensor;
    if (value < 0) return read.sum(-1);
    return value > 0 ? read.mul(z as jl.Tensor).add(1) : read;
  },
  // Writes by indexes that the program computes.
  indexed: ({ name, value }, [x, y]) => {
    const target = value === 3 ? (x as jl.Tensor).T : (x as jl.Tensor);
    return writes[name]?.(target, floats(y as jl.Tensor), value);
  },
  draw: ({ name, value }, [x]) => draws[name]?.(x as jl.Tensor, value),
  creation: ({ name, value, dtype }, _operands, _notes, width) => {
    const options = { dtype: jl.dtypes[dtype].kind === "float" ? dtype : ("float32" as const) };
    if (name === "full") return jl.full([4, width], value, options);
    if (name === "arange") return jl.arange(0, width, 1, options);
    return (jl as unknown as Record<string, Method>)[name]?.([4, width], options);
  },
  undeferred: ({ name }, [x, y]) => jl.eager(() => call(x as jl.Tensor, name, y)),
  look: ({ name }, [x], notes) => void looks[name]?.(x as jl.Tensor, notes),
} satisfies Record<string, Action>;

const weights: readonly (readonly [Kind, number])[] = [
  ["unary", 8],
  ["binary", 10],
  ["scalar", 6],
  ["ternary", 2],
  ["cast", 4],
  ["copy", 1],
  ["apart", 3],
  ["user", 1],
  ["expression", 1],
  ["nested", 1],
  ["list", 2],
  ["view", 6],
  ["inPlace", 5],
  ["fill", 1],
  ["write", 2],
  ["out", 2],
  ["reduction", 4],
  ["rows", 4],
  ["loss", 3],
  ["beside", 3],
  ["activation", 2],
  ["spread", 2],
  ["turned", 3],
  ["several", 3],
  ["tail", 3],
  ["lookup", 4],
  ["indexed", 4],
  ["draw", 3],
  ["creation", 3],
  ["undeferred", 1],
  ["look", 2],
];
const kinds = weights.flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind));
const namesOf: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  ...names,
  scalar: names.binary,
  apart: ["roll", "cumsum", "sort", "histc", "histogram"],
  rows: ["sum", "max", "mean"],
  loss: ["sum", "mean", "argmin"],
  beside: ["sum", "mean", "argmin", "var"],
  activation: ["sum", "max", "mean"],
  turned: names.view,
  several: names.view,
  tail: ["sum", "max", "mean", "norm"],
  lookup: Object.keys(lookups),
  indexed: Object.keys(writes),
  draw: Object.keys(draws),
  inPlace: ["add", "mul", "div"],
  out: names.binary,
  undeferred: names.binary,
};

/** The program of a seed. */
export function programOf({ seed, below, pick }: RandomSource): Program {
  const width = pick(widths);
  const shapes = shapesOf(width);
  const leaves = Array.from({ length: 2 + below(2) }, () => ({ dtype: pick(dtypes), shape: pick(shapes) }));
  const steps = Array.from({ length: 3 + below(12) }, (): Step => {
    const kind = pick(kinds);
    return {
      kind,
      name: pick(namesOf[kind] ?? [""]),
      on: [below(1000), below(1000), below(1000)],
      value: pick(scalars),
      dtype: pick(castTypes),
      returned: below(3) === 0,
    };
  });
  return { seed, width, leaves, steps };
}

/** The tensors that a program is given. */
function leavesOf(program: Program): jl.Tensor[] {
  return program.leaves.map(({ shape, dtype }, i) => {
    const size = shape.reduce((product: number, extent) => product * extent, 1);
    const numbers = Array.from({ length: size }, (_, k) => (((k + i) * 37) % 19) / 4 - 2);
    return jl
      .tensor(new Float32Array(numbers), { device })
      .reshape(...shape)
      .to(dtype)
      .clone();
  });
}

/** What six calls of a program return, and what they leave in its tensors. */
export function repeatedOutcome(program: Program, options: jl.CompileOptions): string[] {
  const given = leavesOf(program);
  const step = jl.compile((leaves: readonly jl.Tensor[]) => body(program, leaves, [], [], 0), options);
  jl.manualSeed(program.seed);
  return Array.from({ length: 6 }, () => {
    const results = step(given).map(show);
    for (const tensor of given) attempt([], () => tensor.neg_());
    return [...results, ...given.map(show)].join("\n");
  });
}

/** What a program shows in one of the ways to run it: every tensor that it made or was given, notes and errors. */
export function outcomeOf(program: Program, backend: "eager" | "steps" | "fused"): string[] {
  const given = leavesOf(program);
  const notes: string[] = [];
  const kept: jl.Tensor[] = [];
  const step = jl.compile((shift: number) => body(program, given, kept, notes, shift), { backend });
  const results: jl.Tensor[] = [];
  jl.manualSeed(program.seed);
  // A second call finds the program; what is written between has no effect on what the first one made.
  for (const shift of [0, 1]) {
    results.push(...step(shift));
    for (const tensor of given) attempt(notes, () => tensor.neg_());
  }
  return [...notes, ...[...given, ...results, ...kept].map(show)];
}

/** Runs the steps; a step that is refused says so in the notes, and the others go on. */
function body(
  program: Program,
  given: readonly jl.Tensor[],
  kept: jl.Tensor[],
  notes: Notes,
  shift: number,
): jl.Tensor[] {
  const tensors = [...given];
  const returned: jl.Tensor[] = [];
  for (const step of program.steps) {
    const operands = step.on.map((at) => tensors[at % tensors.length] as jl.Tensor);
    attempt(notes, () => {
      const action: Action = actions[step.kind];
      const result = action({ ...step, value: step.value + shift }, operands, notes, program.width);
      if (result === undefined) return;
      tensors.push(result);
      (step.returned ? returned : kept).push(result);
    });
  }
  return returned;
}

function attempt(notes: Notes, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof jl.JitlabError)) throw error;
    notes.push(error.code);
  }
}

/** A tensor's dtype, shape, strides and bits, all NaN alike. */
function show(tensor: jl.Tensor): string {
  try {
    const text = textOf([...tensor.data()]);
    return `${tensor.dtype.name}[${tensor.shape}]/[${tensor.strides}] ${text}`;
  } catch (error) {
    if (!(error instanceof jl.JitlabError)) throw error;
    return error.code;
  }
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(textOf)}]`
    : Object.is(value, -0)
      ? "-0"
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);

/** True where a program shows the same in each way to run it. */
export function agrees(program: Program): boolean {
  const want = outcomeOf(program, "eager").join("\n");
  return (["steps", "fused"] as const).every((backend) => attemptOutcome(program, backend) === want);
}

function attemptOutcome(program: Program, backend: "steps" | "fused"): string {
  try {
    return outcomeOf(program, backend).join("\n");
  } catch (error) {
    return String(error);
  }
}

/** The smallest program with the fault of a given one that leaving out steps finds. */
export function shrunk(program: Program): Program {
  for (let at = program.steps.length - 1; at >= 0; at--) {
    const less = { ...program, steps: program.steps.filter((_, i) => i !== at) };
    if (!agrees(less)) return shrunk(less);
  }
  return program;
}

/** A program as lines of code. */
export function listing({ leaves, steps }: Program): string {
  const lines = leaves.map(({ dtype, shape }, i) => `t${i} = ${dtype}[${shape}]`);
  const text = steps.map(({ kind, name, on, value, dtype, returned }) => {
    return `${kind} ${name} on ${on} value ${value} dtype ${dtype}${returned ? " returned" : ""}`;
  });
  return [...lines, ...text].join("\n");
}

/** Compiles the kernels of programs in every way to run them; nothing is launched, so elements have no values. */
export function compileAll(programs: readonly Program[]): void {
  const collector = new Collector();
  sendTo(collector);
  try {
    for (const program of programs) {
      for (const backend of ["eager", "steps", "fused"] as const) outcomeOf(program, backend);
    }
  } finally {
    sendTo(undefined);
  }
  collector.compile((error) => {
    throw error;
  });
}
