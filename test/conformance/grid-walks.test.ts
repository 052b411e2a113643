// The walks of a GPU's blocks, run by host threads: they give the bits of a processor's walks, and a stable order.
import { describe, expect, test } from "vitest";
import { compose } from "../../dist/runtime/codegen/composition/composer.js";
import { passedWords } from "../../dist/runtime/codegen/scans/scan-block.js";
import {
  scanGroup,
  scanPart,
  scanRun,
  scanThreads,
  threadsFor,
} from "../../dist/runtime/codegen/scans/scan-form.js";
import { groupsWalk, scanWalk } from "../../dist/runtime/codegen/scans/scan-kernel.js";
import { cudaDialect } from "../../dist/runtime/device/dialect.js";
import { functorOfOp } from "../../dist/runtime/functor/functor.js";
import { type Scan, type ScanPlan, scans } from "../../dist/runtime/functor/scan.js";
import * as jl from "../../dist/runtime/index.js";
import { ops } from "../../dist/runtime/ops/index.js";
import { tallyWalk } from "../../dist/runtime/tensor/counting/tally.js";
import { gatherBy } from "../../dist/runtime/tensor/indexing/gather-walk.js";
import { segmentsOf } from "../../dist/runtime/tensor/indexing/scatter-sorted.js";
import { selectTile, selectWalks } from "../../dist/runtime/tensor/ordering/select-kernel.js";
import { blockSort, gridSort } from "../../dist/runtime/tensor/ordering/sort-blocks.js";
import { sortDigit } from "../../dist/runtime/tensor/ordering/sort-kernel.js";
import { rollBy } from "../../dist/runtime/tensor/rearrange.js";
import { blockCounting, listed } from "../../dist/runtime/tensor/statistics/mask-places.js";
import { compiler, dtypes } from "../support/functor-harness.js";
import { hostWalk } from "../support/grid-host.js";
import { randomSource } from "../support/random.js";

const { float32, int64, int32, uint8, uint32, uint64 } = dtypes;

describe.skipIf(!compiler)("blocks of threads (needs a C++ compiler)", () => {
  test("cumsum between maps", () => {
    const length = 2 * scanPart + 777;
    const { below } = randomSource(3);
    const data = Float32Array.from({ length }, () => below(8000) / 1000 - 4);
    const step = {
      functor: functorOfOp("neg", ops.neg),
      compute: float32,
      inputs: [{ kind: "input", index: 0 } as const],
      parameters: [],
      stored: [float32],
      place: "",
    };
    const maps = { inputs: [float32], scalars: 0, steps: [step], outputs: [{ step: 0, output: 0 }] };
    const functor = compose(maps, true);
    const plan = scans.cumsum.plan(float32) as ScanPlan;
    const form = { first: true, totals: false, carried: true, threads: scanThreads };
    const each = [0, 1].map((index) => ({ kind: "input", index }) as const);
    const last = { ...step, functor: functorOfOp("mul", ops.mul), inputs: each };
    const follows = { ...maps, inputs: [float32, float32], steps: [last] };
    const after = { functor: compose(follows, true), keeps: [true] };
    const [out, product] = [new Float32Array(length), new Float32Array(length)];
    const factors = data.map((x) => x * x);
    const operands = [
      { dtype: float32, data: out, stride: scanPart },
      { dtype: float32, data: product, stride: scanPart },
      { dtype: int64, data: new BigInt64Array(passedWords(plan, 3)), stride: 0 },
      { dtype: float32, data, stride: scanPart },
      { dtype: float32, data: factors, stride: scanPart },
      { dtype: int64, data: new BigInt64Array(3), stride: 1 },
    ];
    const walk = scanWalk(scans.cumsum, plan, float32, form, {
      before: functor,
      after,
      dialect: cudaDialect,
    });
    const run = hostWalk(
      walk,
      operands.map(({ dtype }) => dtype),
    );
    run(operands, [length, 1, 1, 1, 3], 3);
    jl.setDevice("cpu");
    const sums = jl.tensor(data).neg().cumsum(0);
    expect(out).toEqual(sums.data());
    expect(product).toEqual(sums.mul(jl.tensor(factors)).data());
  }, 60_000);
  test.each(["cumsum", "cummax", "logcumsumexp"] as const)(
    "%s",
    (name) => {
      const scan: Scan = scans[name];
      // Parts of several runs and of two groups: a block waits for parts, for runs and for groups. A busy machine switches for
      // long between the threads of all blocks.
      const length = 274 * scanPart + 777;
      const parts = Math.ceil(length / scanPart);
      const { below } = randomSource(7);
      const gap = name === "cummax" ? Number.NaN : 0;
      const data = Float32Array.from({ length }, (_, i) => (i % 1000 === 999 ? gap : below(8000) / 1000 - 4));
      const plan = scan.plan(float32);
      if ("refuse" in plan) throw new Error(plan.refuse);
      const form = { first: true, totals: false, carried: true, threads: scanThreads };
      const outs = plan.results.map((dtype) => ({ dtype, data: new dtype.array(length), stride: scanPart }));
      const words = new BigInt64Array(passedWords(plan, parts));
      const operands = [
        ...outs,
        { dtype: int64, data: words, stride: 0 },
        { dtype: float32, data, stride: scanPart },
        { dtype: int64, data: new BigInt64Array(parts), stride: 1 },
      ];
      const run = hostWalk(
        scanWalk(scan, plan, float32, form),
        operands.map(({ dtype }) => dtype),
      );
      run(operands, [length, 1, 1, parts], parts);
      jl.setDevice("cpu");
      const x = jl.tensor(data);
      const want = name === "cummax" ? Object.values(x.cummax(0)) : [x[name](0)];
      for (const [i, out] of outs.entries()) {
        expect(Buffer.from(out.data.buffer).equals(Buffer.from((want[i] as jl.Tensor).data().buffer))).toBe(
          true,
        );
      }
    },
    600_000,
  );

  describe("rows of a thread each", () => {
    const rows = 5;
    const plan = scans.cumsum.plan(float32) as ScanPlan;
    const form = { first: true, totals: false, carried: false, threads: 0 };
    const numbers = (length: number) =>
      Float32Array.from({ length }, (_, i) => Math.fround(Math.sin(i + 1) * 3));
    const walks = new Map<string, ReturnType<typeof hostWalk>>();
    const known = (key: string, make: () => ReturnType<typeof hostWalk>) => {
      const walk = walks.get(key) ?? make();
      walks.set(key, walk);
      return walk;
    };

    test.each([
      [64, 1, 0],
      [64, -1, 0],
      [64, 1, 1],
      [64, -1, 1],
      [60, 1, 0],
      [7, -1, 0],
      [255, 1, 0],
      [48, 2, 0],
    ])("of %i elements at a step of %i, %i beside a word's start", (length, step, shift) => {
      const wide = length * Math.abs(step);
      const data = numbers(rows * wide + shift + 4);
      const out = new Float32Array(data.length);
      const first = shift + (step < 0 ? wide - 1 : 0);
      const run = known("plain", () =>
        hostWalk(scanWalk(scans.cumsum, plan, float32, form, { dialect: cudaDialect }), [float32, float32]),
      );
      const operand = (data: Float32Array) => ({ dtype: float32, data: data.subarray(first), stride: wide });
      run([operand(out), operand(data)], [length, step, step], rows);
      jl.setDevice("cpu");
      const seen = (all: Float32Array, r: number) =>
        Float32Array.from({ length }, (_, k) => all[first + r * wide + k * step] as number);
      for (let r = 0; r < rows; r++) {
        const want = jl.tensor(seen(data, r)).cumsum(0).data();
        expect(seen(out, r)).toEqual(want);
      }
      // What lies beside the rows is as it was.
      expect(out.subarray(0, Math.min(shift, 1)).every((x) => x === 0)).toBe(true);
      expect(out.subarray(shift + rows * wide).every((x) => x === 0)).toBe(true);
    });

    test("between maps, of which one operand is the same for a row", () => {
      const length = 80;
      const step = (name: "mul", inputs: readonly [number, number]) => ({
        functor: functorOfOp(name, ops[name]),
        compute: float32,
        inputs: inputs.map((index) => ({ kind: "input", index }) as const),
        parameters: [],
        stored: [float32],
        place: "",
      });
      const product = compose(
        {
          inputs: [float32, float32],
          scalars: 0,
          steps: [step("mul", [0, 1])],
          outputs: [{ step: 0, output: 0 }],
        },
        true,
      );
      const [data, factors, out] = [numbers(rows * length), numbers(rows), new Float32Array(rows * length)];
      const walk = scanWalk(scans.cumsum, plan, float32, form, { before: product, dialect: cudaDialect });
      hostWalk(walk, [float32, float32, float32])(
        [
          { dtype: float32, data: out, stride: length },
          { dtype: float32, data, stride: length },
          { dtype: float32, data: factors, stride: 1 },
        ],
        [length, 1, 0, 1],
        rows,
      );
      jl.setDevice("cpu");
      const want = jl.tensor(data).reshape(rows, length).mul(jl.tensor(factors).unsqueeze(1)).cumsum(1);
      expect(out).toEqual(want.flatten().data());
    });
  });

  test.each(["cumsum", "cummax"] as const)("%s by groups, for rows that lie side by side", (name) => {
    const scan: Scan = scans[name];
    const length = 2 * scanPart + 777;
    const [parts, groups] = [3, Math.ceil(length / scanGroup)];
    const { below } = randomSource(19);
    const data = Float32Array.from({ length }, () => below(8000) / 1000 - 4);
    const plan = scan.plan(float32) as ScanPlan;
    const bytes = plan.accumulatorBytes;
    const memory = (count: number, stride: number) => ({
      dtype: uint8,
      data: new Uint8Array(count * bytes),
      stride,
    });
    const form = { first: true, carried: false, threads: 0, grouped: true };
    const row = { dtype: float32, data, stride: scanGroup };
    const part = { dtype: int64, data: new BigInt64Array(groups), stride: 1 };
    const [totals, joined, carry] = [memory(groups, bytes), memory(parts, bytes), memory(parts, bytes)];
    hostWalk(scanWalk(scan, plan, float32, { ...form, totals: true }), [uint8, float32, int64])(
      [totals, row, part],
      [length, 1, bytes],
      groups,
    );
    hostWalk(groupsWalk(scan, plan, float32), [uint8, uint8, int64])(
      [joined, { ...totals, stride: scanRun * bytes }, part],
      [groups, 1],
      parts,
    );
    const few = { first: false, totals: false, carried: false, threads: 0 };
    hostWalk(scanWalk(scan, plan, float32, few), [uint8, uint8])(
      [
        { ...carry, stride: 0 },
        { ...joined, stride: 0 },
      ],
      [parts, bytes, bytes],
      1,
    );
    const outs = plan.results.map((dtype) => ({ dtype, data: new dtype.array(length), stride: scanGroup }));
    const operands = [...outs, row, part, { ...carry, stride: 0 }, { ...totals, stride: 0 }];
    const walk = scanWalk(scan, plan, float32, { ...form, totals: false, carried: true });
    hostWalk(
      walk,
      operands.map(({ dtype }) => dtype),
    )(operands, [length, 1, 1, 1], groups);
    jl.setDevice("cpu");
    const x = jl.tensor(data);
    const want = name === "cummax" ? Object.values(x.cummax(0)) : [x[name](0)];
    for (const [i, out] of outs.entries()) expect(out.data).toEqual((want[i] as jl.Tensor).data());
  });

  test("a shift of rows and columns", () => {
    const [rows, columns] = [30, 70];
    const data = Int32Array.from({ length: rows * columns }, (_, i) => i);
    const out = { dtype: int32, data: new Int32Array(rows * columns), stride: 1 };
    const numbers = [rows, 1, 7, columns, rows, 69];
    hostWalk(rollBy(2), [int32, int32])([out, { dtype: int32, data, stride: 0 }], numbers, data.length);
    jl.setDevice("cpu");
    const shifted = jl.tensor(data).view(columns, rows).T.roll([7, 69], [0, 1]);
    expect(out.data).toEqual(shifted.data());
  });

  test("a long row of accumulators, whose segments are joined", () => {
    const length = 20 * scanPart + 5;
    const { below } = randomSource(13);
    const { plan } = segmentsOf("sum", float32);
    const pairs = new DataView(new ArrayBuffer(8 * length));
    const wanted = new DataView(new ArrayBuffer(8 * length));
    for (let i = 0, target = 0, sum = 0; i < length; i++) {
      if (below(3000) === 0) [target, sum] = [target + 1, 0];
      const value = below(9);
      sum += value;
      for (const [view, number] of [
        [pairs, value],
        [wanted, sum],
      ] as const) {
        view.setFloat32(8 * i, number, true);
        view.setUint32(8 * i + 4, target, true);
      }
    }
    const parts = Math.ceil(length / scanPart);
    const form = { first: false, totals: false, carried: true, threads: scanThreads };
    const memory = (view: DataView) => ({
      dtype: uint8,
      data: new Uint8Array(view.buffer),
      stride: 8 * scanPart,
    });
    const out = { ...memory(pairs), data: new Uint8Array(8 * length) };
    const words = { dtype: int64, data: new BigInt64Array(passedWords(plan, parts)), stride: 0 };
    const operands = [out, words, memory(pairs), { ...words, data: new BigInt64Array(parts), stride: 1 }];
    const walk = scanWalk({ name: "scatter_sum", plan: () => plan }, plan, float32, form);
    hostWalk(walk, [uint8, int64, uint8, int64])(operands, [length, 8, 8, parts], parts);
    expect(Buffer.from(out.data).equals(Buffer.from(wanted.buffer))).toBe(true);
  });

  test.each([300, 1000, 1024, 2048, 4000])(
    "rows of %i elements, by as many threads as they need",
    (length) => {
      const rows = 3;
      const { below } = randomSource(11);
      const data = Float32Array.from({ length: rows * length }, () => below(8000) / 1000 - 4);
      const plan = scans.cumsum.plan(float32);
      const threads = threadsFor(length);
      expect(threads * scanRun).toBeGreaterThanOrEqual(length);
      const form = { first: true, totals: false, carried: false, threads };
      const out = { dtype: float32, data: new Float32Array(rows * length), stride: length };
      const walk = scanWalk(scans.cumsum, plan, float32, form);
      hostWalk(walk, [float32, float32])([out, { ...out, data }], [length, 1, 1], rows);
      jl.setDevice("cpu");
      expect(out.data).toEqual(jl.tensor(data).view(rows, length).cumsum(1).view(-1).data());
    },
  );

  test.each([
    ["uint32", uint32, 9000],
    ["uint64", uint64, 5000],
  ] as const)(
    "a stable sort by digits of %s",
    (_, type, length) => {
      const { below } = randomSource(3);
      const wide = type === uint64;
      const values = Array.from({ length }, () => below(700) * (wide ? 2 ** 33 : 2 ** 15) + 5);
      const { tile: size, count, move } = gridSort(type);
      const tiles = Math.ceil(length / size);
      const make = () => ({
        key: { dtype: type, data: new type.array(length), stride: size },
        place: { dtype: int32, data: new Int32Array(length), stride: size },
      });
      let [from, to] = [make(), make()];
      values.forEach((value, i) => {
        from.key.data[i] = (wide ? BigInt(value) : value) as never;
      });
      const tile = {
        dtype: int64,
        data: BigInt64Array.from({ length: tiles }, (_, i) => BigInt(i)),
        stride: 1,
      };
      const counting = hostWalk(count, [type, int32, int64]);
      const first = hostWalk(move.own, [type, int32, type, int64, int64]);
      const moving = hostWalk(move.places, [type, int32, type, int32, int64, int64]);
      for (let shift = 0; shift < (wide ? 48 : 32); shift += sortDigit) {
        const counts = { dtype: int32, data: new Int32Array(256 * tiles), stride: 1 };
        counting([from.key, counts, tile], [length, tiles, shift], tiles);
        let sum = 0n;
        const sums = {
          dtype: int64,
          data: BigInt64Array.from(counts.data, (n) => {
            sum += BigInt(n);
            return sum;
          }),
          stride: 0,
        };
        const places = shift === 0 ? [] : [from.place];
        (shift === 0 ? first : moving)(
          [{ ...to.key, stride: 0 }, { ...to.place, stride: 0 }, from.key, ...places, tile, sums],
          [length, tiles, shift],
          tiles,
        );
        [from, to] = [to, from];
      }
      // Keys alone, by one digit.
      const bare = hostWalk(move.alone, [type, type, int64, int64]);
      const counts = { dtype: int32, data: new Int32Array(256 * tiles), stride: 1 };
      counting([from.key, counts, tile], [length, tiles, 16], tiles);
      let all = 0n;
      const sums = {
        dtype: int64,
        data: BigInt64Array.from(counts.data, (n) => (all += BigInt(n))),
        stride: 0,
      };
      const moved = { ...to.key, data: new type.array(length), stride: 0 };
      bare([moved, from.key, tile, sums], [length, tiles, 16], tiles);
      const digit = (key: number | bigint) => Number((BigInt(key) >> 16n) & 255n);
      expect([...moved.data]).toEqual([...from.key.data].sort((a, b) => digit(a) - digit(b)));
      const order = values.map((value, i) => [value, i] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      expect([...from.place.data]).toEqual(order.map(([, i]) => i));
      expect(Array.from(from.key.data, Number)).toEqual(order.map(([value]) => value));
    },
    120_000,
  );

  test.each([
    ["float32", float32, 700],
    ["float32", float32, 4096],
    ["int64", int64, 1500],
    ["float64", dtypes.float64, 60],
  ] as const)(
    "a row of %s sorted by one block",
    (_, type, length) => {
      const { below } = randomSource(5);
      const isWhole = type === int64;
      const values = Array.from({ length: 2 * length }, (_, i) =>
        !isWhole && i % 97 === 5 ? Number.NaN : below(600) - 300,
      );
      for (const descending of [0, 1]) {
        const make = (dtype: typeof float32 | typeof int64) => ({
          dtype,
          data: new dtype.array(2 * length),
          stride: length,
        });
        const [value, index, row] = [make(type), make(int64), make(type)];
        values.forEach((x, i) => {
          row.data[i] = (isWhole ? BigInt(x) : x) as never;
        });
        hostWalk(blockSort(type, length), [type, int64, type])(
          [value, index, row],
          [length, 1, descending],
          2,
        );
        const before = (a: number, b: number) =>
          Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : Number.isNaN(b) ? -1 : a - b;
        const order = [0, length].flatMap((start) =>
          Array.from({ length }, (_, i) => i).sort((a, b) => {
            const way = before(values[start + a] as number, values[start + b] as number);
            return (descending ? -way : way) || a - b;
          }),
        );
        expect(Array.from(index.data, Number)).toEqual(order);
        expect(Array.from(value.data, Number)).toEqual(
          order.map((place, i) => values[(i < length ? 0 : length) + place]),
        );
      }
    },
    120_000,
  );

  test("four positions of a thread through the stages of a gather", () => {
    const { below } = randomSource(17);
    const [length, extent] = [2500, 700];
    const source = {
      dtype: float32,
      data: Float32Array.from({ length: extent }, () => below(1000)),
      stride: 0,
    };
    const run = hostWalk(gatherBy(1), [float32, int32, float32, int64]);
    for (const outside of [false, true]) {
      const names = Array.from({ length }, () => below(extent) - (below(2) ? extent : 0));
      if (outside) names[1234] = extent;
      const index = { dtype: int64, data: BigInt64Array.from(names, BigInt), stride: 1 };
      const out = { dtype: float32, data: new Float32Array(length), stride: 1 };
      const mark = { dtype: int32, data: new Int32Array(1), stride: 0 };
      run([out, mark, source, index], [1, extent, 1], length);
      expect(mark.data[0]).toBe(outside ? 1 : 0);
      const wanted = names.map((name) =>
        name === extent ? 0 : source.data[name < 0 ? name + extent : name],
      );
      expect([...out.data]).toEqual(wanted);
    }
  });

  test("the places of true elements, and counts of whole numbers and of ranges", () => {
    const { below } = randomSource(9);
    const [length, chunk] = [9000, 4096];
    const mask = {
      dtype: dtypes.bool,
      data: Uint8Array.from({ length }, () => Number(below(3) === 0)),
      stride: 0,
    };
    const chunks = Math.ceil(length / chunk);
    const counts = { dtype: int64, data: new BigInt64Array(chunks), stride: 1 };
    hostWalk(blockCounting, [int64, dtypes.bool])([counts, mask], [chunk, length], chunks);
    const want = [...mask.data].flatMap((holds, i) => (holds ? [i] : []));
    expect(counts.data.reduce((sum, n) => sum + n)).toBe(BigInt(want.length));
    let sum = 0n;
    const stops = { ...counts, data: counts.data.map((n) => (sum += n)) };
    const places = { dtype: int64, data: new BigInt64Array(want.length), stride: 0 };
    hostWalk(listed.places.block, [int64, int64, int64, dtypes.bool])(
      [places, stops, counts, mask],
      [chunk, length],
      chunks,
    );
    expect(Array.from(places.data, Number)).toEqual(want);
    const source = { dtype: float32, data: Float32Array.from({ length }, (_, i) => i / 8), stride: 0 };
    const picked = { dtype: float32, data: new Float32Array(want.length), stride: 0 };
    hostWalk(listed.elements.block, [float32, int64, int64, dtypes.bool, float32])(
      [picked, stops, counts, mask, source],
      [chunk, length],
      chunks,
    );
    expect([...picked.data]).toEqual(want.map((place) => place / 8));

    const part = { dtype: int64, data: BigInt64Array.of(0n, 1n), stride: 1 };
    const bins = { dtype: int64, data: new BigInt64Array(2 * 10), stride: 10 };
    const whole = { dtype: int32, data: Int32Array.from({ length }, () => below(11) - 1), stride: 0 };
    hostWalk(tallyWalk("whole", true), [int64, int64, int32])([bins, part, whole], [10, 5000, length, 0], 2);
    const tally = (values: readonly number[]) =>
      Array.from({ length: 10 }, (_, b) => values.filter((value) => value === b).length);
    expect(Array.from(bins.data, Number)).toEqual([
      ...tally([...whole.data.subarray(0, 5000)]),
      ...tally([...whole.data.subarray(5000)]),
    ]);
    const reals = {
      dtype: float32,
      data: Float32Array.from(whole.data, (n) => (n < 0 ? Number.NaN : n + 0.5)),
      stride: 0,
    };
    const range = { dtype: float32, data: Float32Array.of(0, 10, 10), stride: 0 };
    const again = { ...bins, data: new BigInt64Array(2 * 10) };
    hostWalk(tallyWalk("range", true), [int64, int64, float32, float32])(
      [again, part, reals, range],
      [10, 5000, length],
      2,
    );
    expect(again.data).toEqual(bins.data);
  }, 60_000);

  test("the places of the least keys of a row, by blocks as by a processor", () => {
    const { below } = randomSource(21);
    const [length, wanted] = [20_000, 500];
    const tiles = Math.ceil(length / selectTile);
    const row = { dtype: float32, data: Float32Array.from({ length }, () => below(900) - 450), stride: 0 };
    const tile = {
      dtype: int64,
      data: BigInt64Array.from({ length: tiles }, (_, i) => BigInt(i)),
      stride: 1,
    };
    const threshold = { dtype: uint64, data: new BigUint64Array(1), stride: 0 };
    const rank = { dtype: int64, data: BigInt64Array.of(BigInt(wanted)), stride: 0 };
    const { digits, below: counting, list } = selectWalks(float32, true);
    const count = hostWalk(digits, [int32, float32, int64, uint64]);
    for (const shift of [24, 16, 8, 0]) {
      const counts = { dtype: int32, data: new Int32Array(256 * tiles), stride: 256 };
      count([counts, row, tile, threshold], [length, 1, 0, shift], tiles);
      let digit = 0;
      const all = (d: number) => BigInt(counts.data[d]! + counts.data[256 + d]!);
      while (rank.data[0]! > all(digit)) rank.data[0]! -= all(digit++);
      threshold.data[0]! |= BigInt(digit) << BigInt(shift);
    }
    const found = { dtype: int32, data: new Int32Array(2 * tiles), stride: 1 };
    hostWalk(counting, [int32, float32, int64, uint64])(
      [found, row, tile, threshold],
      [length, 1, 0, tiles],
      tiles,
    );
    let sum = 0n;
    const stops = {
      dtype: int64,
      data: BigInt64Array.from(found.data, (n, i) => (sum = (i === tiles ? 0n : sum) + BigInt(n))),
      stride: 1,
    };
    const places = { dtype: int64, data: new BigInt64Array(wanted), stride: 0 };
    hostWalk(list, [int64, float32, int64, uint64, int64, int32, int64])(
      [places, row, tile, threshold, rank, found, stops],
      [length, 1, 0, tiles, wanted],
      tiles,
    );
    const order = [...row.data.keys()].sort((a, b) => row.data[a]! - row.data[b]! || a - b).slice(0, wanted);
    const byPlace = (a: number, b: number) => a - b;
    expect(Array.from(places.data, Number).sort(byPlace)).toEqual(order.sort(byPlace));
  }, 60_000);
});
