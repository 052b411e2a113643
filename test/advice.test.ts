// The line of advice under an error of TypeScript: what users of PyTorch, NumPy and Python write, and what they read then.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CellRunner } from "./support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-advice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runner = new CellRunner(folder, {});

beforeAll(() => {
  const setup = 'import * as jl from "jitlab"; const x = jl.rand([4, 3]), y = x; const list = [1, 2];';
  expect(runner.convert(setup).errors).toEqual([]);
});

/** The lines under the first error's first line. */
function adviceFor(cell: string): string[] {
  const [first] = runner.convert(cell).errors;
  expect(first, cell).toBeDefined();
  return first!.message.split("\n").slice(1);
}

test.each([
  ["x + 1", "Tensors have methods for it: x.add(y)."],
  ["x > 1", "Tensors have methods for it: x.gt(y)."],
  [
    "x * y",
    "Tensors have methods instead of operators: x.mul(2), x.sub(y); jl.sub(1, x) where the number stands first.",
  ],
  ["x == 1", "x.eq(1) and x.ne(1) compare the elements."],
  ["x[0]", 'A tensor is indexed with x.at(0) or x.at(0, -1), and cut with x.slice("1:3, ::2").'],
  ["x.astype('float64')", 'Convert with x.to("float64").'],
  ["x.to(jl.float16)", 'A dtype is given by its name: { dtype: "float16" }.'],
  ["x.numpy()", "x.data() is a typed array, x.toArray() nested arrays."],
  [
    "jl.from_numpy([1])",
    'jl.load("x.npy") reads a file of NumPy; jl.tensor([1, 2, 3]) takes arrays and typed arrays.',
  ],
  ["x.max(1).values", "x.max(1, { indices: true }) gives { values, indices }; without it the values alone."],
  ["x.element_size()", "x.dtype.bytes is the size of an element."],
  ["x.is_cuda", "x.device.name is the name of its device."],
  ["x.plot()", 'Plots are functions: import { line } from "jitlab/plot"; line(x).'],
  [
    "x.map((v) => v)",
    "x.toArray() gives nested arrays, whose methods these are; jl.jit((v) => 2 * v)(x) computes each element on the device.",
  ],
  ["x.backward()", "jitlab computes no gradients: leave it out, or use PyTorch or JAX for this part."],
  ["jl.no_grad()", "jitlab computes no gradients: leave it out, or use PyTorch or JAX for this part."],
  [
    "jl.cuda.synchronize()",
    'jl.setDevice("cuda") picks the device, jl.devices() lists them, jl.synchronize() waits.',
  ],
  ["jl.random.normal(0, 1)", "jl.rand, jl.randn, jl.randint and jl.normal make random tensors."],
  [
    "jl.nn.functional.gelu(x)",
    "The functions are jl's own, such as jl.gelu(x) and x.softmax(-1); jitlab has no layers.",
  ],
  [
    "jl.ElementwiseKernel('float x', 'float y', 'y = x')",
    "jl.jit and %%kernel make elementwise functions, jl.reduction and %%reduction reductions, jl.rawKernel and %%cuda any CUDA kernel.",
  ],
  ["x.H", "x.mT.conj() is the conjugate transpose."],
  ["x.sum({ axis: 0 })", "The option is named dim: x.sum({ dim: 0 })."],
  ["x.sum({ keepdims: true })", "The option is named keepdim: x.sum({ dim: 0, keepdim: true })."],
  ["x.std({ ddof: 0 })", "The option is named correction: x.std({ correction: 0 })."],
  ["x.sum(0, true)", "Options have names: { keepdim: true }."],
  ["jl.zeros([2], 'int32')", 'Options have names: { dtype: "int32" }.'],
  ["x.mean(dim=0)", "Options stand in an object: { dim: ... }."],
  ["z = 5", "A variable is declared first: let z = ..."],
  ["Math.exp(x)", "Math is for numbers; a function of tensors is jl.exp(x)."],
  ["Math.atan2(1, x)", "Math is for numbers; a function of tensors is jl.atan2(x)."],
  ["jl.Tensor([1])", "jl.tensor([1, 2, 3]) makes a tensor."],
  ["jl.einsum('ij,jk->ik', [x, y])", "The tensors stand one after the other: f(x, y)."],
  ["x.add(list)", "An array becomes a tensor with jl.tensor([1, 2, 3])."],
  ["jl.rand(3)", "A shape is an array: jl.zeros([2, 3])."],
  ["x.size()", "It is a value, not a function: leave out the parentheses."],
  ["print(x)", "console.log(x) prints; the value of a cell's last line shows itself."],
  [
    "import t from 'torch'",
    'The library is there after import * as jl from "jitlab": jl.zeros([2, 3]), x.add(y).',
  ],
  [
    "const one = 1; one = 2",
    "Declare it anew for another value: const one = ...; with let it can be assigned.",
  ],
])("%s", (cell, advice) => {
  expect(adviceFor(cell).at(-1)).toBe(advice);
});

test("a name that is no dtype is not taken for one", () => {
  expect(adviceFor("jl.bfloat32")).toEqual([]);
});

test("an overloaded function says in one line for each form what does not fit", () => {
  expect(adviceFor("jl.jit((v: number) => console.log(v))")).toEqual([
    "  Argument of type '(v: number) => void' is not assignable to parameter of type 'string'.",
    "  Type 'void' is not assignable to type 'ScriptResult'.",
  ]);
});

test("the code of the advices does what they say", () => {
  const cells = [
    "x.max(1, { indices: true }).indices.shape",
    "x.dtype.bytes + x.device.name",
    'import { line } from "jitlab/plot"; line(x.flatten())',
    "x.toArray().map((row) => row)",
    "jl.jit((v) => 2 * v)(x)",
    "[x.sum({ dim: [0, 1] }), x.sum({ dim: 0, keepdim: true }), x.std({ correction: 0 })]",
    "jl.sub(1, x).add(x.atan2(y)).eq(1)",
    'jl.zeros([2], { dtype: "int32" })',
    "jl.gelu(x).softmax(-1).mT.conj()",
    "[jl.rand([2]), jl.randn([2]), jl.randint(0, 9, [2]), jl.normal(0, 1, [2])]",
    'jl.setDevice("cpu"); jl.devices(); jl.synchronize()',
  ];
  for (const cell of cells) expect(runner.convert(cell).errors, cell).toEqual([]);
});
