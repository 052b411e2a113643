// Computations of several operations that share kernels: rows, losses, activations, views of what is being computed, and
// reads by computed indexes.
import * as jl from "../../../dist/runtime/index.js";
import { callOf, floats } from "./arguments.js";
import type { Place } from "./steps.js";

type Tensors = Record<string, ((...args: unknown[]) => jl.Tensor) | undefined>;

const swish = jl.jit("template <typename T> T silu(T a, T b) { return a / (T(1) + b * b); }");
const soft = jl.jit((x, slope = 0.1) => (x > 0 ? x : slope * x)) as unknown as (x: jl.Tensor) => jl.Tensor;
const leaky = (x: jl.Tensor) => soft(floats(x));
const spread = jl.reduction((a, b) => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }), {
  name: "spread",
  identity: { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
  map: (x) => ({ low: x, high: x }),
  finish: ({ low, high }) => high - low,
});

const call = (x: jl.Tensor, name: string, ...args: unknown[]): jl.Tensor =>
  (x as unknown as Tensors)[name]?.apply(x, args) as jl.Tensor;

/** The dimensions that a reduction takes away: all, the first, or the last. */
const dims = ({ below }: Place["random"]) =>
  below(2) === 0
    ? { dim: -1, keepdim: below(2) === 0 }
    : below(3) > 0
      ? { dim: 0, keepdim: below(2) === 0 }
      : {};

function viewed(x: jl.Tensor, { name, ...draw }: Place): jl.Tensor {
  if (name === "T") return x.T;
  const made = callOf(name, x, draw);
  return made ? call(made.self, name, ...made.args) : x;
}

function read(source: jl.Tensor, { name, ...draw }: Place): jl.Tensor | undefined {
  const made = callOf(name, source, draw);
  return made && call(made.self, name, ...made.args);
}

/** A product, of which there is none where broadcasting would make too many elements to compute in a moment. */
function product(x: jl.Tensor, y: jl.Tensor): jl.Tensor {
  const from = (one: jl.Tensor, i: number) => one.shape[one.ndim - 1 - i] ?? 1;
  const extents = Array.from({ length: Math.max(x.ndim, y.ndim) }, (_, i) =>
    Math.max(from(x, i), from(y, i)),
  );
  return extents.reduce((size, extent) => size * extent, 1) > 2 ** 22 ? x : x.mul(y);
}

/** The patterns as steps of a program. */
export const patterns = {
  rows: ({ x, y, name, random }) => {
    const kept = call(x, name, { dim: -1, keepdim: true });
    return call(random.below(2) ? y : x, random.pick(["sub", "mul"]), random.below(3) ? kept : kept.neg());
  },
  loss: ({ x, y, z, name, random }) => {
    const d = x.sub(y);
    return call(random.below(2) ? d.mul(z) : d.mul(d), name, dims(random));
  },
  // Two reductions of one tensor, or of one and what is computed from it.
  beside: ({ x, y, name, random }) => {
    const one = call(x, name, dims(random));
    const other = (random.below(2) ? x.mul(2) : x).amax(dims(random));
    return random.below(2) ? one.mul(other).add(y) : random.below(2) ? one.sub(other) : other.add(one);
  },
  // Users' functors around reductions.
  activation: ({ x, y, name, random }) => {
    if (random.below(2)) return leaky(call(swish(x, y), name, dims(random)));
    const kept = call(leaky(x), name, { dim: -1, keepdim: true });
    return swish(x, random.below(2) ? kept : kept.mul(2));
  },
  // A reduction of the user's.
  spread: ({ x, y, random }) => {
    const own = floats(x);
    if (random.below(2)) return spread(own.mul(2), dims(random));
    const kept = spread(own, { dim: -1, keepdim: true });
    return random.below(2) ? own.div(kept).add(own.sum(-1)) : kept.add(1).mul(y);
  },
  // A view of what is being computed, in a computation.
  turned: (place) => {
    const { x, y, random, scalar } = place;
    const seen = viewed(x.mul(scalar()).add(1), place);
    const way = random.below(3);
    return way === 0 ? seen.sin() : way === 1 ? product(seen, y) : seen.abs().sum(dims(random));
  },
  // Several views of what is being computed.
  several: (place) => {
    const { x, y, random, scalar } = place;
    const z = x.mul(scalar()).add(1);
    const way = random.below(4);
    if (way === 0) return z.slice("::-1").add(z);
    if (way === 1) {
      const half = Math.max(0, (z.shape[0] ?? 0) - 1);
      return z
        .narrow(0, 0, half)
        .mul(z.narrow(0, 1, half))
        .add(1);
    }
    const seen = viewed(z, place);
    return way === 2 ? seen.sum(dims(random)).mul(z) : product(seen, y).add(z);
  },
  // One half of a tensor is written from the other, and the other from the first.
  halves: ({ x, random, scalar }) => {
    const own = random.below(2) ? x : x.mul(scalar());
    if (own.ndim === 0) return own;
    const dim = random.below(own.ndim);
    const half = (own.shape[dim] as number) >> 1;
    const [low, high] = [own.narrow(dim, 0, half), own.narrow(dim, (own.shape[dim] as number) - half, half)];
    low.add_(high);
    if (random.below(2)) high.mul_(low);
    return own;
  },
  // What follows a reduction.
  tail: ({ x, y, name, random, scalar }) => {
    const result = call(x, name, dims(random)).mul(scalar()).add(1);
    const way = random.below(3);
    if (way === 0) return result.abs().sqrt();
    return way === 1 ? result.add(call(y, name, dims(random))) : result;
  },
  // Reads by indexes, of what is being computed or of memory.
  lookup: (place) => {
    const { x, z, random, scalar } = place;
    const found = read(random.below(2) ? x.mul(scalar()) : x, place);
    const way = random.below(4);
    if (found === undefined || way === 0) return found;
    return way === 1 ? found.sum(-1) : way === 2 ? found.mul(z).add(1) : found.add(1);
  },
} satisfies Record<string, (place: Place) => unknown>;
