// Convolutions with random options beside their definition: the result and the gradients of the input, the weight and the bias, as
// separate calls and compiled. FUZZ_CONVOLUTIONS says how many, FUZZ_SEED sets the first one.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { isCompiled, useAnyDevice } from "../support/device.js";
import { type RandomSource, randomSource } from "../support/random.js";

beforeAll(useAnyDevice);

// A compiler takes seconds for the kernels of one.
const count = Number(process.env.FUZZ_CONVOLUTIONS ?? (isCompiled ? 4 : 60));
const first = Number(process.env.FUZZ_SEED ?? 1);
/** What rounding a sum of whole numbers to a dtype may change of it. */
const rounding = { float64: 0, float32: 0, float16: 2 ** -11, bfloat16: 2 ** -8 } as const;
type Dtype = keyof typeof rounding;

/** A convolution: its call, and which elements of the input and the weight each element of the result adds up. */
interface Program {
  readonly text: string;
  readonly call: (x: jl.Tensor, weight: jl.Tensor, bias: jl.Tensor) => jl.Tensor;
  readonly shapes: {
    readonly x: number[];
    readonly weight: number[];
    readonly bias: number[];
    readonly out: number[];
  };
  readonly terms: (add: (out: number, x: number, weight: number) => void) => void;
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, extent) => product * extent, 1);
const placesOf = (shape: readonly number[]): number[][] =>
  shape.reduce<number[][]>(
    (all, extent) => all.flatMap((one) => Array.from({ length: extent }, (_, i) => [...one, i])),
    [[]],
  );
const indexOf = (shape: readonly number[], place: readonly number[]) =>
  shape.reduce((index, extent, d) => index * extent + (place[d] as number), 0);

function programOf({ below, pick }: RandomSource): Program | undefined {
  const name = pick(["conv1d", "conv2d", "conv2d", "convTranspose2d"] as const);
  const isTransposed = name === "convTranspose2d";
  const dims = name === "conv1d" ? 1 : 2;
  const each = (make: () => number) => Array.from({ length: dims }, make);
  // Enough channels and columns to fill the vectors of a processor.
  const isWide = below(3) === 0;
  const groups = isWide ? 1 : pick([1, 1, 2, 3]);
  const [from, to] = isWide
    ? [3 + below(5), 4 + below(5)]
    : [groups * (1 + below(3)), groups * (1 + below(3))];
  const space = each(() => 1 + below(6)).with(-1, isWide ? 5 + below(14) : 1 + below(6));
  const size = each(() => 1 + below(3));
  const dilation = each(() => 1 + below(2));
  const isSame = !isTransposed && below(5) === 0;
  const stride = isSame || isWide ? each(() => 1) : each(() => 1 + below(3));
  const margins = isSame
    ? size.map((length, d) => Math.floor(((dilation[d] as number) * (length - 1)) / 2))
    : each(() => below(3));
  const further = isTransposed ? each(() => below(2)) : [];
  const at = (list: readonly number[], d: number) => list[d] as number;
  const reach = size.map((length, d) => at(dilation, d) * (length - 1));
  if (further.some((extra, d) => extra >= Math.max(at(stride, d), at(dilation, d)))) return undefined;
  const counts = space.map((extent, d) => {
    if (isTransposed)
      return (extent - 1) * at(stride, d) + at(reach, d) + 1 - 2 * at(margins, d) + at(further, d);
    const after = isSame ? at(reach, d) - at(margins, d) : at(margins, d);
    return Math.floor((extent + at(margins, d) + after - at(reach, d) - 1) / at(stride, d)) + 1;
  });
  if (counts.some((extent) => extent <= 0)) return undefined;
  const lead = below(4) === 0 ? [] : [1 + below(2)];
  const [inner, outer] = [from / groups, to / groups];
  const shapes = {
    x: [...lead, from, ...space],
    weight: [...(isTransposed ? [from, outer] : [to, inner]), ...size],
    bias: [to],
    out: [...lead, to, ...counts],
  };
  const padding = isSame ? ("same" as const) : margins;
  const options = { stride, padding, dilation, groups, ...(isTransposed ? { outputPadding: further } : {}) };
  const hasBias = below(2) === 0;
  return {
    text: `${name} of ${shapes.x} by ${shapes.weight} ${JSON.stringify(options)}${hasBias ? " with a bias" : ""}`,
    call: (x, weight, bias) => {
      const all = hasBias ? { ...options, bias } : options;
      const found = isTransposed
        ? jl.convTranspose2d(x, weight, all as Parameters<typeof jl.convTranspose2d>[2])
        : jl[name](x, weight, all as Parameters<typeof jl.conv2d>[2]);
      return hasBias ? found : found.add(bias.mul(0).reshape(...[to, ...counts.map(() => 1)]));
    },
    shapes,
    terms: (add) => {
      // Where the windows begin is on the wide side: the input's, or the transposed result's.
      const [narrow, wide] = isTransposed ? [space, counts] : [counts, space];
      for (const batch of placesOf(lead)) {
        for (const [group, o, i] of placesOf([groups, outer, inner]) as [number, number, number][]) {
          for (const place of placesOf(narrow)) {
            for (const step of placesOf(size)) {
              const other = place.map(
                (p, d) => p * at(stride, d) + at(step, d) * at(dilation, d) - at(margins, d),
              );
              if (other.some((p, d) => p < 0 || p >= at(wide, d))) continue;
              const [inX, inOut] = isTransposed ? [place, other] : [other, place];
              const w = isTransposed ? [group * inner + i, o, ...step] : [group * outer + o, i, ...step];
              add(
                indexOf(shapes.out, [...batch, group * outer + o, ...inOut]),
                indexOf(shapes.x, [...batch, group * inner + i, ...inX]),
                indexOf(shapes.weight, w),
              );
            }
          }
        }
      }
    },
  };
}

/** The result and the gradients by the definition, from whole numbers: exact. */
function defined(
  { shapes, terms }: Program,
  x: number[],
  weight: number[],
  bias: number[],
  g: number[],
): number[][] {
  const space = sizeOf(shapes.out.slice(shapes.out.length - (shapes.weight.length - 2)));
  const channelOf = (i: number) => Math.floor(i / space) % bias.length;
  const out = g.map((_, i) => bias[channelOf(i)] as number);
  const grads = [x, weight, bias].map((one) => new Array<number>(one.length).fill(0)) as [
    number[],
    number[],
    number[],
  ];
  const plus = (list: number[], i: number, value: number) => {
    list[i] = (list[i] as number) + value;
  };
  for (const [i, one] of g.entries()) plus(grads[2], channelOf(i), one);
  terms((o, i, w) => {
    const [xi, wi, gi] = [x[i], weight[w], g[o]] as [number, number, number];
    plus(out, o, xi * wi);
    plus(grads[0], i, gi * wi);
    plus(grads[1], w, gi * xi);
  });
  return [out, ...grads];
}

test.each(Array.from({ length: count }, (_, i) => first + i))("convolution of seed %i", (seed) => {
  const source = randomSource(seed);
  const { below, pick } = source;
  let program = programOf(source);
  while (program === undefined) program = programOf(source);
  const { text, call, shapes } = program;
  const dtype = pick(Object.keys(rounding) as Dtype[]);
  const whole = (shape: readonly number[]) => Array.from({ length: sizeOf(shape) }, () => below(9) - 4);
  const [x, weight, given, g] = [shapes.x, shapes.weight, shapes.bias, shapes.out].map(whole) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const hasBias = text.endsWith("bias");
  const bias = hasBias ? given : given.map(() => 0);
  const isTurned = below(3) === 0;
  const make = (list: number[], shape: number[]) => {
    const made = jl.tensor(list, { dtype }).reshape([...shape]);
    // In another order in memory.
    return isTurned ? made.transpose(0, -1).contiguous().transpose(0, -1) : made;
  };
  const tensors = [make(x, shapes.x), make(weight, shapes.weight), make(bias, shapes.bias)] as const;
  const cotangent = make(g, shapes.out);
  const wanted = defined(program, x, weight, bias, g);
  if (!hasBias) wanted[3] = bias;
  const both = (...[a, b, c]: typeof tensors) => {
    const { value, pull } = jl.vjp(call, a, b, c);
    return [value, ...(pull(cotangent) as unknown as jl.Tensor[])];
  };
  for (const [way, run] of Object.entries({ separate: both, compiled: jl.compile(both) })) {
    const found = run(...tensors);
    for (const [k, part] of ["result", "input", "weight", "bias"].entries()) {
      const want = wanted[k] as number[];
      const got = found[k] as jl.Tensor;
      const what = `${way}, ${part} of ${text} in ${dtype}`;
      expect(got.dtype.name, what).toBe(dtype);
      const values = [...got.flatten().data()].map(Number);
      expect(values.length, what).toBe(want.length);
      for (const [i, value] of values.entries()) {
        const expected = want[i] as number;
        if (Math.abs(value - expected) > rounding[dtype] * Math.abs(expected))
          expect.fail(`${what}: element ${i} is ${value}, not ${expected}`);
      }
    }
  }
});
