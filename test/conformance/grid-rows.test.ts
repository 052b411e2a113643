// The row kernels of a GPU by threads of the host: rows that fill all words of their threads have a form without tests of
// their end, with the bits of the form that has them.
import { beforeAll, describe, expect, test } from "vitest";
import { renderRows } from "../../dist/runtime/codegen/row-kernel.js";
import { type RowShare, type RowSpec, rowArguments } from "../../dist/runtime/codegen/row-spec.js";
import { allocate } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { rowSpecOf } from "../../dist/runtime/launch/row-launch.js";
import { type RowCall, type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { elementBits } from "../support/element-bits.js";
import { compiler } from "../support/functor-harness.js";
import { hostGrid, hostKernel } from "../support/grid-host.js";
import { rowPrograms } from "../support/row-programs.js";

beforeAll(() => jl.setDevice("cpu"));

/** Runs a function as if the processor were a GPU, with its row kernels by `rows`. */
function onGrid<R>(rows: (call: RowCall) => void, run: () => R): R {
  const device = getDevice("cpu");
  const { target } = device;
  Object.assign(device, { target: { ...target, dialect: hostGrid } });
  sendTo({ rows, storage: allocate } as unknown as Sink);
  try {
    return run();
  } finally {
    sendTo(undefined);
    Object.assign(device, { target });
  }
}

function launch(spec: RowSpec, { geometry, outputs, inputs, scalars }: RowCall): void {
  const { source, symbol, division } = renderRows(spec);
  const layout = rowArguments(spec);
  const block = new BigInt64Array(Math.ceil(layout.bytes / 8));
  block.set([...outputs, ...inputs].map(({ pointer }) => BigInt(pointer)));
  layout.scalars.forEach(({ offset }, i) => {
    new Float32Array(block.buffer, offset, 1)[0] = Number(scalars[i]);
  });
  const { rows, length, steps, sizes, strides } = geometry;
  const sized = sizes.flatMap((size, d) => [size, ...strides.map((operand) => operand[d] as number)]);
  block.set([rows, length, ...steps, ...sized].map(BigInt), layout.counts / 8);
  const { threads } = spec.share as RowShare;
  hostKernel(source, symbol)(block, Math.ceil((rows * threads) / division.threads), division.threads);
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
});
