// Large products of bfloat16 in a process with the environment that its parent chose: one line, JSON, of whether each is right.
// Whole numbers have exact sums, so a product is rounded once, in whatever order it was added.
import * as jl from "../../dist/runtime/index.js";

jl.setDevice(process.argv[2]);
const [batch, rows, inner, columns] = [2, 130, 161, 143];
const whole = (...shape) => jl.randint(-4, 5, shape).to("bfloat16");
const lefts = [
  whole(batch, rows, inner),
  whole(batch, inner, rows).mT,
  whole(batch, rows, 2 * inner).slice(":, :, ::2"),
];
const rights = [
  whole(batch, inner, columns),
  whole(batch, columns, inner).mT,
  whole(batch, inner, 2 * columns).slice(":, :, ::2"),
];
const isRight = lefts.flatMap((left) =>
  rights.map((right) => {
    const exact = left.to("float64").matmul(right.to("float64")).to("bfloat16");
    return left.matmul(right).equal(exact);
  }),
);
process.stdout.write(`${JSON.stringify(isRight)}\n`);
