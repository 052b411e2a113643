// The line of advice under an error of TypeScript: what users of PyTorch, NumPy and Python write, and what they read then.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CellRunner } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-advice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const runner = new CellRunner(folder, {});

beforeAll(() => {
  const setup = 'import * as jl from "jitlab"; const x = jl.rand([4, 3]), y = x; const list = [1, 2], i = 0;';
  expect(runner.convert(setup).errors).toEqual([]);
  const functor = "%%kernel scale t=1\ntemplate <typename T> T scale(T x, T t) { return x * t; }";
  expect(runner.convert(functor).errors).toEqual([]);
});

/** The lines under the first error's first line. */
function adviceFor(cell: string): string[] {
  const [first] = runner.convert(cell).errors;
  expect(first, cell).toBeDefined();
  return first!.message.split("\n").slice(1);
}

test.each([
  ["x + 1", "Tensors have methods for it: x.add(y)."],
  ["x > 1", "Tensors have methods for it: x.gt(y); for one number x.item() > y."],
  [
    "x * y",
    "Tensors have methods instead of operators: x.mul(2), x.sub(y); jl.sub(1, x) where the number stands first.",
  ],
  ["x == 1", "x.eq(1) and x.ne(1) compare the elements."],
  ["x[0]", 'A tensor is indexed with x.at(0) or x.at(0, -1), and cut with x.slice("1:3, ::2").'],
  [
    "x[0] = 5",
    'Write x.set(0, ...); x.set("1:3, ::2", 0) writes a slice, x.set([mask], y) where a mask is true.',
  ],
  [
    "y[i] += 1",
    'Write y.set(i, ...); x.set("1:3, ::2", 0) writes a slice, x.set([mask], y) where a mask is true.',
  ],
  ["x[x.gt(0)] = 0", "A tensor is written at tensors with x.set([mask], 0) and x.set([indexes], y)."],
  [
    'jl.zeros([2], { dtype: "double" })',
    '"double" is "float64" here. It is one of "bfloat16", "bool", "complex64", "complex128", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64".',
  ],
  [
    'x.scatterReduce(0, jl.zeros([1, 3], { dtype: "int64" }), x, "max")',
    'It is one of "amax", "amin", "mean", "prod", "sum".',
  ],
  ["x.pad([1, 1], { mode: 'mirror' })", 'It is one of "circular", "constant", "reflect", "replicate".'],
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
  ["jl.einsum('ij,jk->ik', [x, y])", "The tensors stand one after the other: jl.einsum('ij,jk->ik', x, y)."],
  ["jl.broadcastTensors([x, y])", "The tensors stand one after the other: jl.broadcastTensors(x, y)."],
  ["jl.stack(x, y)", "They stand in a list: jl.stack([x, y])."],
  ["jl.cat(x, y, 0)", "They stand in a list: jl.cat([x, y], 0)."],
  ["jl.vstack(x, y)", "They stand in a list: jl.vstack([x, y])."],
  ["jl.meshgrid(x.flatten(), y.flatten())", "They stand in a list: jl.meshgrid([x.flatten(), y.flatten()])."],
  ["jl.tensor(1, 2, 3)", "They stand in a list: jl.tensor([1, 2, 3])."],
  ["x.squeeze(0, 1)", "They stand in a list: x.squeeze([0, 1])."],
  ["x.squeeze({ dim: 0 })", "The dimension stands alone, without a name: x.squeeze(0)."],
  ["x.sum(0, 1)", "Several dimensions stand in a list: x.sum([0, 1])."],
  ["x.set(0, 1, 5)", "The indexes stand in a list: x.set([0, 1], 5)."],
  ["x.transpose(1, 0, 2)", "transpose swaps two dimensions; this orders all of them: x.permute(1, 0, 2)."],
  [
    "jl.checkpoint((t: jl.Tensor) => t.sin(), x)",
    "jl.checkpoint((t: jl.Tensor) => t.sin()) is a function: jl.checkpoint((t: jl.Tensor) => t.sin())(x).",
  ],
  ["const g = (t: jl.Tensor) => t.sin(); jl.vmap(g, x)", "jl.vmap(g) is a function: jl.vmap(g)(x)."],
  ["const g = (t: jl.Tensor) => t.sin(); jl.vmap(g, [0])", "Options have names: { inDims: [0] }."],
  [
    "const g = (t: jl.Tensor) => t.sin(); jl.vmap(g, { in_axes: 0 })",
    "The option is named inDims: jl.vmap(f, { inDims: 0 }).",
  ],
  [
    "const g = (t: jl.Tensor) => t.sin(); jl.jit(g)(x)",
    "jl.jit takes a function of numbers, as in jl.jit((v) => 2 * v), or C++; jl.compile(f) compiles a function of tensors.",
  ],
  [
    "jl.scan((a: jl.Tensor, b: jl.Tensor) => a.add(b), x, y)",
    "A step returns a list: the next carry, and a result or nothing, as in [carry, y].",
  ],
  [
    "jl.optim.adam([x], { lr: 0.1 })",
    "jl.optim has adam, adamW, rmsprop and sgd: jl.optim.adam({ lr: 1e-3 }), whose init and step are pure functions.",
  ],
  ["jl.randint(0, 10, 2)", "A shape is an array: jl.zeros([2, 3])."],
  ["jl.linspace(0, 1, { num: 5 })", "The number stands alone: 5 instead of { num: 5 }."],
  ["jl.isclose(x, y, 1e-3)", "Options have names: { rtol: 1e-3 }."],
  ["x.add(y, 2)", "Options have names: { alpha: 2 }."],
  ["x.std(0, false)", "Options have names: { unbiased: false }."],
  ["x & y", "Tensors have methods for it: x.bitwiseAnd(y)."],
  ["x ** 2", "Tensors have methods for it: x.pow(y)."],
  ["x.at[0].set(5)", "x.at(0) is an element or a part; x.set(0, 5), x.add_(y) and others write into x."],
  ['x.dtype === "float32"', 'A dtype has a name: x.dtype.name === "float32".'],
  [
    "jl.cond(true, x, y)",
    "jl.linalg.cond(x) is the condition number of a matrix; mask.where(x, y) chooses by elements; for one value there is x.sum().gt(0).item() ? f(x) : f(y).",
  ],
  ["x.add(list)", "An array becomes a tensor with jl.tensor([1, 2, 3])."],
  ["jl.rand(3)", "A shape is an array: jl.zeros([2, 3])."],
  ["x.size(0)", "x.shape is the shape, x.shape[0] its first extent, x.size the number of elements."],
  ["list.length()", "It is a value, not a function: leave out the parentheses."],
  ["x.float64()", 'Convert with x.to("float64").'],
  ["jl.imshow(x)", 'Pictures are functions: import { image } from "jitlab/plot"; image(x).'],
  ["jl.manual_seed(1)", "jl.manualSeed(1) starts the sequence of random numbers."],
  ["x[x.gt(0)]", "A tensor is indexed by tensors with x.at(mask) and x.at(indexes)."],
  ["x.at([0, 1])", "x.at(0, 1) is the element at [0, 1]; x.at(jl.tensor([0n, 1n])) are the rows 0 and 1."],
  ['x.slice("0:2", "0:2")', 'One text cuts all dimensions: x.slice("0:2, ::2").'],
  ["x.cumsum({ dim: 1 })", "The dimension stands alone: 1 instead of { dim: 1 }."],
  ["x.topk(2, -1, false)", "Options have names: { largest: false }."],
  ["x.add(x.cummax(0))", "It is { values, indices }: pass its .values or its .indices."],
  ["x.argmax().item() + 1", "Elements of int64 are bigints: Number(x.item()) + 1, or x.item() + 1n."],
  ["jl.sqrt(2)", "jl.tensor(2) makes a tensor; Math.sqrt(2) computes with numbers."],
  ["jl.erf(0.3)", "jl.tensor(0.3) makes a tensor."],
  ["scale(x, 0.2)", "Parameters have names: { t: 0.2 }."],
  ["scale(x, { tt: 2 })", "Its parameters: t."],
  ["jl.linspace(0, 1)", "An argument for 'count' was not provided."],
  ["const later = async () => 5; later() + 1", "Did you forget to use 'await'?"],
  ["print(x)", "console.log(x) prints; the value of a cell's last line shows itself."],
  [
    "import t from 'torch'",
    'The library is there after import * as jl from "jitlab": jl.zeros([2, 3]), x.add(y).',
  ],
  ["jl.vmap(x)", "It takes a function, such as (x) => x.sum()."],
  ["jl.grad(x)", "It takes a function, such as (x) => x.sum()."],
  ['jl.save(x, "x.npy")', 'The path comes first: jl.save("x.npy", x).'],
  ["x.shape[-1]", "From the end counts .at(-1)."],
  ["list[-2] + 1", "From the end counts .at(-2)."],
  ["x.data()[-1]", "From the end counts .at(-1)."],
  ["x @ y", "A matrix product is x.matmul(y)."],
  ["console.log(“text”)", 'Quotation marks of code are straight: "text".'],
  [
    "document.title",
    "Cells run in Node, which has no page: %%html shows HTML, and %%javascript runs its body in the browser.",
  ],
  ["test('one', () => {})", 'import { test } from "node:test" has it.'],
  ["with torch.no_grad():", "Leave it out: only functions under jl.grad are differentiated."],
  ['with torch.autocast("cuda"):', 'jl.autocast("bfloat16", f) is f with mixed precision.'],
  ["with open(name) as file:", "What a block opens is closed in finally: try { ... } finally { ... }."],
  [
    "const one = 1; one = 2",
    "Declare it anew for another value: const one = ...; with let it can be assigned.",
  ],
])("%s", (cell, advice) => {
  expect(adviceFor(cell).at(-1)).toBe(advice);
});

test.each([
  ["jl.maximum([x, y])", "The tensors stand one after the other: jl.maximum(x, y)."],
  ["x.transpose()", "x.T reverses the dimensions of a matrix, x.mT those of each matrix of a batch."],
])("%s, before TypeScript's line on the missing argument", (cell, advice) => {
  expect(adviceFor(cell)[0]).toBe(advice);
});

test.each(["({ [-1]: 2 })[-1]", "list[i - 1]", "list.at(-1)", "new Map([[-1, 2]]).get(-1)"])(
  "none for %s",
  (cell) => {
    expect(runner.convert(cell).errors).toEqual([]);
  },
);

test("a name of a cell that did not run, or whose variables are lost, names the cell", () => {
  const service = new CellRunner(folder, {}).service;
  const message = (code: string, cell: string) =>
    service.convert(code, cell).errors.map((one) => one.message);
  expect(message("const n = 3; unknown(n)", "In[1]")).toHaveLength(1);
  expect(message("n + n", "In[2]")).toEqual(["Cannot find name 'n'.\nIn[1] declares it, but did not run."]);
  expect(message("const m = ;", "In[3]")).toHaveLength(1);
  expect(message("m", "In[4]")).toEqual(["Cannot find name 'm'.\nIn[3] declares it, but did not run."]);
  expect(message("const n = 3", "In[5]")).toEqual([]);
  expect(message("n + 1", "In[6]")).toEqual([]);
  service.reset();
  expect(message("n", "In[7]")).toEqual(["Cannot find name 'n'.\nIn[5] declared it: run that cell again."]);
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
    "x.unfold(0, 3, 1).unfold(1, 3, 1).mul(jl.ones([3, 3])).sum([-2, -1])",
    'x.quantile(0.05).item() + x.size * x.dtype.bytes; x.slice("None, :")',
    "[x.at(x.gt(0)), x.at(jl.tensor([0n, 1n])), x.unsqueeze(-1).eq(jl.arange(3)), jl.randperm(4)]",
    "Number(x.argmax().item()) + 1; x.argmax().item() + 1n",
    'import { image } from "jitlab/plot"; image(x)',
  ];
  for (const cell of cells) expect(runner.convert(cell).errors, cell).toEqual([]);
});

test("two types of one name are told apart by their cells", () => {
  const own = new CellRunner(folder, {});
  expect(
    own.convert("class A { x = 1 } const a = new A(); interface B { p: number } const b: B = { p: 1 };")
      .errors,
  ).toEqual([]);
  expect(own.convert("class A { y = 2 } interface B { q: number }").errors).toEqual([]);
  const message = (cell: string) => own.convert(cell).errors[0]?.message ?? "";
  const said = (name: string, last: string) =>
    `In[1] declared one ${name}, and ${last} another: ${name} now means that of ${last}. Make the values of the earlier one again.`;
  expect(message("const c: B = b;")).toContain(
    `is missing in type 'B' but required in type 'B'.\n${said("B", "In[2]")}`,
  );
  expect(message("((v: A) => v)(a)")).toContain(said("A", "In[2]"));
  expect(message("const list: A[] = [a];")).toContain(said("A", "In[2]"));
  expect(message("interface B { r: number }\nconst c: B = b;")).toContain(
    "this cell another: B now means that of this cell.",
  );
  // One type of the name, or another mistake.
  expect(
    own.convert("class Once<T> { constructor(readonly of: T) {} } const once = new Once(1);").errors,
  ).toEqual([]);
  expect(message("const other: Once<string> = once;")).not.toContain("declared");
  expect(message("const number: number = a;")).not.toContain("declared");
});
