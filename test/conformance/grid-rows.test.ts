// The row kernels of a GPU by threads of the host: rows that fill all words of their threads have a form without tests of
// their end, with the bits of the form that has them, and rows that several blocks share have the bits of reductions and maps.
import koffi from "koffi";
import { beforeAll, describe, expect, test } from "vitest";
import { renderRows } from "../../dist/runtime/codegen/row-kernel.js";
import { meetingWords } from "../../dist/runtime/codegen/row-meeting.js";
import { type RowShare, type RowSpec, rowArguments, rowPart } from "../../dist/runtime/codegen/row-spec.js";
import { allocate } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { rowSpecOf } from "../../dist/runtime/launch/row-launch.js";
import { type RowCall, type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { elementBits } from "../support/element-bits.js";
import { compiler } from "../support/functor-harness.js";
import { hostGrid, hostKernel } from "../support/grid-host.js";
import { rowPrograms } from "../support/row-programs.js";
import { sumInOrder } from "../support/sum-in-order.js";

beforeAll(() => jl.setDevice("cpu"));

/** Runs a function as if the processor were a GPU, with its row kernels by `rows`. */
function onGrid<R>(rows: (call: RowCall) => void, run: () => R, blocksTogether = 1): R {
  const device = getDevice("cpu");
  const { target } = device;
  Object.assign(device, { target: { ...target, dialect: hostGrid, blocksTogether } });
  sendTo({ rows, storage: allocate } as unknown as Sink);
  try {
    return run();
  } finally {
    sendTo(undefined);
    Object.assign(device, { target });
  }
}

/** Launches a kernel, so many times in a row. */
function launch(spec: RowSpec, { geometry, outputs, inputs, scalars }: RowCall, times = 1): void {
  const { source, symbol, division } = renderRows(spec);
  const layout = rowArguments(spec);
  const block = new BigInt64Array(Math.ceil(layout.bytes / 8));
  block.set([...outputs, ...inputs].map(({ pointer }) => BigInt(pointer)));
  layout.scalars.forEach(({ dtype, offset }, i) => {
    if (dtype.name === "int64") block[offset / 8] = BigInt(scalars[i] as number);
    else new Float32Array(block.buffer, offset, 1)[0] = Number(scalars[i]);
  });
  const { rows, length, steps, sizes, strides } = geometry;
  const sized = sizes.flatMap((size, d) => [size, ...strides.map((operand) => operand[d] as number)]);
  block.set([rows, length, ...steps, ...sized].map(BigInt), layout.counts / 8);
  const share = spec.share as RowShare;
  const parts = share.blocks > 1 ? Math.ceil(length / rowPart(share)) : 1;
  const met = new BigInt64Array(Math.max(64, rows * meetingWords(spec.body, parts)));
  if (layout.meeting) block[layout.meeting.offset / 8] = BigInt(koffi.address(met));
  const run = hostKernel(source, symbol, parts);
  for (let i = 0; i < times; i++) {
    run(block, Math.ceil((rows * parts * share.threads) / division.threads), division.threads);
    // The next launch finds it as this one did.
    expect(met.every((word) => word === 0n)).toBe(true);
  }
}

/** A matrix, aligned or not, and two rows. */
function operands(rows: number, length: number, late: number): [jl.Tensor, jl.Tensor, jl.Tensor] {
  const row = () => jl.randn([length + late]).narrow(0, late, length);
  return [
    jl
      .randn([rows * length + late])
      .narrow(0, late, rows * length)
      .reshape(rows, length),
    row(),
    row(),
  ];
}

describe.skipIf(!compiler)("full rows of a GPU on the host (needs a C++ compiler)", () => {
  test.each(Object.keys(rowPrograms))("%s", { timeout: 120_000 }, (name) => {
    for (const [rows, length, late] of [
      [11, 1024, 0],
      [3, 1024, 1],
      [2, 8192, 0],
    ] as const) {
      const args = operands(rows, length, late);
      const results = [true, false].map((isFull) => {
        const f = jl.compile(rowPrograms[name] as (...values: jl.Tensor[]) => jl.Tensor | jl.Tensor[]);
        const made = onGrid(
          (call) => {
            const spec = rowSpecOf(call, getDevice("cpu").target);
            expect(spec.share?.isFull).toBe(true);
            launch({ ...spec, share: { ...(spec.share as RowShare), isFull } }, call);
          },
          () => f(...args),
        );
        return [made].flat().map((one) => elementBits(one).join(" "));
      });
      expect(results[0], `${rows} rows of ${length}, ${late} late`).toEqual(results[1]);
      expect(new Set((results[0] as string[])[0]?.split(" ")).size).toBeGreaterThan(1);
    }
  });

  test.each(Object.keys(rowPrograms))("%s by several blocks", { timeout: 300_000 }, (name) => {
    const f = rowPrograms[name] as (...values: jl.Tensor[]) => jl.Tensor | jl.Tensor[];
    for (const [rows, length, late] of [
      [3, 16_384, 0],
      [2, 16_387, 1],
    ] as const) {
      const args = operands(rows, length, late);
      let kernels = 0;
      const made = onGrid(
        (call) => {
          kernels++;
          const spec = rowSpecOf(call, getDevice("cpu").target);
          expect(spec.share?.blocks).toBe(16);
          launch(spec, call, 2);
        },
        () => jl.compile(f)(...args),
        4,
      );
      expect(kernels).toBe(1);
      [made].flat().forEach((one, i) => {
        const own = [f(...args)].flat()[i] as jl.Tensor;
        const error = one.to("float64").sub(own.to("float64")).abs().max().item() as number;
        expect(error, `${rows} rows of ${length}, ${late} late`).toBeLessThan(1e-4);
      });
    }
  });

  test("chosen rows in words, and single elements where rows do not lie so", { timeout: 120_000 }, () => {
    const index = jl.tensor([4, 0, 3, 4, 2], { dtype: "int64" });
    const body = (x: jl.Tensor, gain: jl.Tensor, bias: jl.Tensor) =>
      (rowPrograms.layernorm as (...values: jl.Tensor[]) => jl.Tensor)(x.indexSelect(0, index), gain, bias);
    for (const [length, late, isWord] of [
      [1024, 0, true],
      [1024, 1, false],
      [40, 0, true],
      [37, 0, false],
    ] as const) {
      const args = operands(5, length, late);
      const accesses: string[] = [];
      const made = onGrid(
        (call) => {
          const spec = rowSpecOf(call, getDevice("cpu").target);
          const source = call.body.inputs.findIndex(({ choice }) => choice !== undefined);
          accesses.push(spec.access[call.outputs.length + source] as string);
          launch(spec, call);
        },
        () => jl.compile(body)(...args),
      );
      expect(accesses).toEqual([isWord ? "packed" : "dense"]);
      const error = made
        .sub(body(...args))
        .abs()
        .max()
        .item() as number;
      expect(error, `rows of ${length}, ${late} late`).toBeLessThan(1e-5);
    }
  });

  test("a chosen row out of bounds", { timeout: 120_000 }, () => {
    const [x, gain, bias] = operands(5, 1024, 0);
    const index = jl.tensor([1, 5], { dtype: "int64" });
    const body = (x: jl.Tensor, gain: jl.Tensor, bias: jl.Tensor) =>
      (rowPrograms.layernorm as (...values: jl.Tensor[]) => jl.Tensor)(x.indexSelect(0, index), gain, bias);
    const run = () => {
      const made = onGrid(
        (call) => launch(rowSpecOf(call, getDevice("cpu").target), call),
        () => jl.compile(body)(x, gain, bias),
      );
      return made.toArray();
    };
    expect(run).toThrow(/5/);
  });

  test("sums of rows by many blocks in the order of parts", { timeout: 300_000 }, () => {
    const length = 18 * 8192 + 5;
    const x = jl.randn([1, length]);
    const f = jl.compile((x: jl.Tensor) => x.sub(x.sum(-1, { keepdim: true }).mul(1e-6)));
    const made = onGrid(
      (call) => launch(rowSpecOf(call, getDevice("cpu").target), call),
      () => f(x),
      128,
    );
    const sum = sumInOrder((x.toArray() as number[][])[0] as number[], "row", true);
    expect(elementBits(made)).toEqual(elementBits(x.sub(Math.fround(sum * Math.fround(1e-6)))));
  });
});
