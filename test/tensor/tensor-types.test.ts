// The types of tensors: common lines compile and run, invalid lines do not compile, and their errors are short.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { CellRunner, described } from "../support/cell-runner.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-tensor-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const notebook = new CellRunner(folder);
const setup = `import * as jl from "jitlab";
jl.setDevice("cpu");
const x = jl.tensor([[3, 1, 2], [6, 5, 4]]);
const y = jl.ones([2, 3], { dtype: "float64" });
const n = jl.tensor([3, 1, 2], { dtype: "int32" });
const big = jl.tensor([1n, 2n, 3n]);
const mask = x.gt(2);
const z = jl.tensor([{ re: 3, im: 4 }]);
const unknown: jl.Tensor = x;
const twice = jl.jit("template <typename T> T twice(T v) { return v + v; }");
let total = 0;
let state = jl.zeros([3]);`;

// A line, and what it gives.
const everyday: readonly (readonly [string, unknown])[] = [
  ["x.mean().item() * 2", 7],
  ["x.sum().item() > 0 ? 'positive' : 'not'", "positive"],
  ["if (x.sum().item() > 0) total = 1; total;", undefined],
  ["x.flatten().at(x.argmax().item()).item() + 1", 7],
  ["x.data()[0] + 1", 4],
  ["for (const row of x.toArray()) total += row[0]; total;", undefined],
  ["JSON.stringify(x)", "[[3,1,2],[6,5,4]]"],
  ["big.sum().item() * 2n", 12n],
  ["n.sum().item() + 1n", 7n],
  ["Number(n.sum().item()) / 3", 2],
  ["mask.all().item() ? 1 : 0", 0],
  ["mask.sum().item() === 4n", true],
  ["!mask.any().item()", false],
  ["z.item().re + z.item().im", 7],
  ["z.abs().item() / 5", 1],
  ["unknown.mean().item() * 2", 7],
  ["unknown.data()[0] * 2", 6],
  ["unknown.sum().item() > 0", true],
  ["Math.sqrt(x.square().sum().item()) > 9", true],
  ["x.max().item() - x.min().item()", 5],
  ["x.max(0).toArray().map((v) => v * 2)", [12, 10, 8]],
  ["Math.max(...x.flatten().toArray())", 6],
  ["x.at(0, 1).item() + x.at(1, -1).item()", 5],
  ["x.at(0).data().reduce((a, b) => a + b, 0)", 6],
  ["x.select(0, 1).mean().item().toFixed(1)", "5.0"],
  ["x.T.reshape(-1).slice('::2').sum().item() + 0", 6],
  ["x.add(1).mul(2).sub(x).mean().item() + 0", 5.5],
  ["x.add(y).sum().item() * 1", 27],
  ["x.mul(n).sum().item() * 1", 45],
  ["n.add(1).sum().item()", 9n],
  ["n.mul(0.5).sum().item() * 2", 6],
  ["n.div(2).sum().item() * 2", 6],
  ["n.div(2, { roundingMode: 'floor' }).sum().item()", 2n],
  ["n.to('float32').mean().item() * 3", 6],
  ["x.to('int64').at(0, 0).item() + 1n", 4n],
  ["x.to('cpu').sum().item() / 7", 3],
  ["n.sqrt().sum().item() > 4", true],
  ["n.sin().square().add(n.cos().square()).mean().item().toFixed(3)", "1.000"],
  ["jl.sin(x).abs().max().item() <= 1", true],
  ["jl.add(1, x).sum().item() - 6", 21],
  ["jl.sub(x, y).mean().item() * 2", 5],
  ["jl.maximum(x, 3).min().item() + 0", 3],
  ["jl.sum(x, 0).data()[0] / 9", 1],
  ["x.clamp({ min: 2 }).sum().item() * 1", 22],
  ["x.clamp({ max: 2 }).sum().item() * 1", 11],
  ["jl.clamp(x, { min: 2, max: 5 }).sum().item() * 1", 21],
  ["jl.clip(x, { min: y.mul(2), max: null }).sum().item() * 1", 22],
  ["x.clone().clamp_({ min: 2, max: 5 }).sum().item() * 1", 21],
  ["x.var({ unbiased: false }).item().toFixed(4)", "2.9167"],
  ["x.std(0, { unbiased: true }).sum().item().toFixed(4)", "6.3640"],
  ["jl.mean(x, { dim: 1, keepdim: true }).shape.length", 2],
  ["x.sum({ dtype: 'float64' }).data() instanceof Float64Array", true],
  ["x.argmax(1).toArray()", [0n, 0n]],
  ["jl.where(mask, x, 0).sum().item() * 1", 18],
  ["mask.logicalNot().sum().item() + 2n", 4n],
  ["jl.cat([x, x]).sum().item() * 1", 42],
  ["jl.zerosLike(n).add(1).sum().item()", 3n],
  ["jl.full([2], 1.5).sum().item() + 1", 4],
  ["jl.eye(3).sum().item() - 3", 0],
  ["jl.arange(4).sum().item()", 6n],
  ["jl.linspace(0, 1, 5).data()[4] + 1", 2],
  ["jl.rand([4]).lt(1).all().item()", true],
  ["jl.tensor([true, false]).any().item() || false", true],
  ["jl.tensor(new Float64Array([1, 2])).mean().item() * 2", 3],
  ["jl.tensor([[1n], [2n]]).prod().item() * 4n", 8n],
  ["jl.tensor(x.toArray()).sum().item() * 1", 21],
  ["twice(x).sum().item() * 1", 42],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of a cell
  ["jl.fuse`${x} * 2`.sum().item() * 1", 42],
  ["state = state.add(1); state.sum().item() * 1", 3],
  ["state = state.to('float64').mul(2); state.dtype.name", "float64"],
  ["state = n; state.sum().item()", 6n],
  ["for (const row of x) total += row.sum().item(); total;", undefined],
  ["const f = (t: jl.Tensor) => t.mul(2).sum().item() / 2; f(x) + f(y)", 27],
  ["const l = (t: jl.Tensor<'float32'>): number => t.sum().item(); l(x)", 21],
  ["x.add_(0).mul_(1).sum().item() * 1", 21],
  ["[...x.shape, x.ndim].map((v) => v + 1)", [3, 4, 3]],
  ["const [a, b] = x.toArray(); a[0] + b[0]", 9],
];

describe("compile and run", () => {
  test.each(everyday)("%s", async (line, expected) => {
    if (notebook.count === 0) await notebook.run(setup);
    expect(await notebook.run(line)).toEqual(expected);
  });
  test("are at least sixty", () => expect(everyday.length).toBeGreaterThanOrEqual(60));
});

const wrong: readonly (readonly [string, string])[] = [
  ["x.mean().item().foo", "TS2339 Property 'foo' does not exist on type 'number'."],
  ["big.sum().item() * 2", "TS2365 Operator '*' cannot be applied to types 'bigint' and 'number'."],
  ["mask.all().item() * 2", "TS2362"],
  ["const i: number = x.argmax().item()", "TS2322 Type 'bigint' is not assignable to type 'number'."],
  ["const d: jl.Tensor<'int32'> = x", "TS2322"],
  ["let m = x; m = x.gt(0)", "let x: jl.Tensor"],
  ["x + y", "x.add(y)"],
  ["x * 2", "x.mul(2)"],
  ["x[0]", "x.at(0)"],
  ["x.add([1, 2])", "jl.tensor([1, 2, 3])"],
  ["x.add('a')", "TS2345 Argument of type '\"a\"' is not assignable to parameter of type 'Operand'."],
  ["x.gdc(n)", "TS2339 Property 'gdc' does not exist on type 'Tensor<\"float32\">'."],
  ["jl.tensor('abc')", "TS2345"],
  ["jl.tensor({})", "TS2345"],
  ["jl.tensor(new Map())", "TS2345"],
  ["jl.tensor([1, 'a'])", "TS2322 Type 'string' is not assignable to type 'TensorData'."],
  [
    "jl.zeros('3')",
    "TS2345 Argument of type 'string' is not assignable to parameter of type 'readonly number[]'.",
  ],
  ["jl.zeros(3)", "jl.zeros([2, 3])"],
  ["jl.zeros([3], 'int32')", '{ dtype: "int32" }'],
  ["jl.zeros([3], { dtype: 'int33' })", "Did you mean '\"int32\"'?"],
  ["jl.zeros([3], { dtyp: 'int32' })", "Did you mean to write 'dtype'?"],
  ["x.sum({ axis: 0 })", "'axis' does not exist in type"],
  ["x.data().foo", "TS2339"],
  ["x.reshape('2, 3')", "TS2345"],
  ["x.clamp({ mn: 2 })", "'mn' does not exist in type"],
  ["x.clamp_({ min: 2, out: x })", "'out' does not exist in type"],
  ["jl.sum(5)", "TS2345 Argument of type 'number' is not assignable to parameter of type 'Tensor'."],
  ["jl.cat(x, x)", "TS2345"],
];

describe("do not compile", () => {
  test.each(wrong)("%s", async (line, part) => {
    if (notebook.count === 0) await notebook.run(setup);
    const [message = "", ...others] = notebook.convert(line).errors.map(described);
    expect(message).toContain(part);
    expect(others).toEqual([]);
    expect(message.split("\n").length).toBeLessThanOrEqual(2);
  });
});
