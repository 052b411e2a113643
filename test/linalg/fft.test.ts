// jl.fft beside PyTorch's results, and its errors on long and odd lengths beside sums in float64.
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";
import { epsilonOf, expectWritten, tensorOf, type Written, writtenData } from "../support/written.js";

const { inputs, cases, orders } = writtenData<{
  readonly inputs: Readonly<Record<string, Written>>;
  readonly cases: readonly { name: string; input: string; more: string; result: Written }[];
  readonly orders: readonly { call: string; result: Written }[];
}>("fft.json.gz");
const functions = jl.fft as unknown as Record<string, (x: jl.Tensor, options?: object) => jl.Tensor>;

beforeAll(async () => {
  await useAnyDevice();
  jl.manualSeed(2);
});

describe("PyTorch's results", () => {
  test.each(cases.map((one) => [`${one.name}(${one.input}${one.more && `, ${one.more}`})`, one] as const))(
    "%s",
    (_, { name, input, more, result }) => {
      const options = more ? (new Function(`return ${more};`)() as object) : undefined;
      const found = functions[name]!(tensorOf(inputs[input] as Written), options);
      expect(found.dtype.name).toBe(result.dtype);
      expectWritten(found, result, 8 * epsilonOf(result.dtype));
    },
  );
  test.each(orders.map(({ call, result }) => [call, result] as const))("%s", (call, result) => {
    const run = new Function("jl", "cube", `return jl.fft.${call};`) as (...args: unknown[]) => jl.Tensor;
    expectWritten(run(jl, tensorOf(inputs.cube as Written)), result, epsilonOf(result.dtype));
  });
});

/** The transform of pairs by its definition, in float64. */
function defined(x: readonly number[]): number[] {
  const n = x.length / 2;
  return Array.from({ length: n }, (_, k) => {
    let [re, im] = [0, 0];
    for (let j = 0; j < n; j++) {
      const angle = (-2 * Math.PI * ((j * k) % n)) / n;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      re += x[2 * j]! * c - x[2 * j + 1]! * s;
      im += x[2 * j]! * s + x[2 * j + 1]! * c;
    }
    return [re, im];
  }).flat();
}

describe.each(["complex64", "complex128"] as const)("the error of %s, in parts of the result", (dtype) => {
  test.each([128, 243, 360, 509, 1001, 1018])("of length %i", (length) => {
    const part = () => jl.randn([length], { dtype: "float64" });
    const x = jl.complex(part(), part()).to(dtype);
    const wanted = defined([...x.data()].map(Number));
    const found = [...jl.fft.fft(x).data()].map(Number);
    const norm = (numbers: readonly number[]) => Math.hypot(...numbers);
    const error = norm(found.map((number, i) => number - wanted[i]!)) / norm(wanted);
    expect(error).toBeLessThan(dtype === "complex64" ? 5e-7 : 4e-15);
    const back = [...jl.fft.ifft(jl.fft.fft(x)).data()].map(Number);
    const given = [...x.data()].map(Number);
    expect(norm(back.map((number, i) => number - given[i]!)) / norm(given)).toBeLessThan(
      dtype === "complex64" ? 1e-6 : 8e-15,
    );
  });
});

test("operands that are transposed, cut and backwards, which keep their elements", () => {
  const x = jl.randn([6, 5, 8], { dtype: "float64" });
  const z = jl.complex(x, x.flip(0));
  const before = z.toArray();
  for (const view of [z.mT, z.slice("::2, :, ::-1"), z.narrow(2, 1, 5), z.transpose(0, 2)]) {
    for (const dim of [0, 1, 2]) {
      const found = jl.fft.fft(view, { dim });
      const apart = jl.fft.fft(view.clone(), { dim });
      expect(found.sub(apart).abs().max().item()).toBeLessThan(1e-13);
    }
  }
  expect(z.toArray()).toEqual(before);
});

test("as steps of compiled functions, replays and graphs", () => {
  const smooth = (x: jl.Tensor) =>
    jl.fft.irfft(jl.fft.rfft(x.mul(2)).mul(jl.fft.rfftfreq(12, { dtype: "float64" }).lt(0.2)) as jl.Tensor);
  const make = () => jl.randn([2, 12], { dtype: "float64" });
  for (const step of [jl.compile(smooth), jl.compile(smooth, { replay: true })]) {
    for (let call = 0; call < 4; call++) {
      const x = make();
      expect(step(x).sub(smooth(x)).abs().max().item()).toBeLessThan(1e-14);
    }
  }
  const odd = jl.compile((x: jl.Tensor) => jl.fft.fft(x).abs());
  for (let call = 0; call < 3; call++) {
    const x = jl.randn([17]);
    expect(odd(x).sub(jl.fft.fft(x).abs()).abs().max().item()).toBeLessThan(1e-5);
  }
  const x = make();
  const graph = jl.graph(() => jl.fft.fft(x));
  for (let call = 0; call < 2; call++) {
    x.copy_(make());
    expect(graph().toArray()).toEqual(jl.fft.fft(x).toArray());
  }
});

test("no rows, and one element", () => {
  expect(jl.fft.fft(jl.zeros([0, 4])).shape).toEqual([0, 4]);
  expect(jl.fft.fft(jl.zeros([0, 17])).shape).toEqual([0, 17]);
  expect(jl.fft.fft(jl.tensor([3])).toArray()).toEqual([{ re: 3, im: 0 }]);
  expect(jl.fft.fftn(jl.tensor(2)).toArray()).toEqual({ re: 2, im: 0 });
});

describe("what is refused", () => {
  const z = () => jl.complex(jl.ones([4]), jl.ones([4]));
  test.each<[string, () => unknown]>([
    ["half precision", () => jl.fft.fft(jl.ones([4]).to("float16"))],
    ["a complex tensor where a real one is meant", () => jl.fft.rfft(z())],
    ["a length of 0", () => jl.fft.fft(jl.ones([4]), { n: 0 })],
    ["a fraction of a length", () => jl.fft.fft(jl.ones([4]), { n: 1.5 })],
    ["no elements", () => jl.fft.fft(jl.zeros([0]))],
    ["one element of half a spectrum", () => jl.fft.irfft(jl.ones([1]))],
    ["a dimension that there is not", () => jl.fft.fft(jl.ones([4]), { dim: 1 })],
    ["a 0-d tensor", () => jl.fft.fft(jl.tensor(1))],
    ["a real transform of no dimension", () => jl.fft.rfftn(jl.tensor(1))],
    ["a dimension twice", () => jl.fft.fftn(jl.ones([2, 2]), { dim: [0, 0] })],
    ["one dimension for two", () => jl.fft.fft2(jl.ones([4]))],
    ["too few lengths", () => jl.fft.fftn(jl.ones([2, 2]), { s: [2], dim: [0, 1] })],
    ["an unknown norm", () => jl.fft.fft(jl.ones([4]), { norm: "unitary" as never })],
    ["an unknown option", () => jl.fft.fft(jl.ones([4]), { axis: 0 } as never)],
    ["what is not a tensor", () => jl.fft.fft([1, 2] as never)],
    ["no frequencies", () => jl.fft.fftfreq(0)],
    ["samples without a distance", () => jl.fft.fftfreq(4, { d: 0 })],
  ])("%s", (_, run) => {
    expect(refusal(run)).toMatchSnapshot();
  });
});
