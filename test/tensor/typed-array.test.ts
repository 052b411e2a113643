// Memory that tensors and typed arrays share: each sees the other's writes, whichever was first, and outlives the other.
import { constants } from "node:buffer";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { emptyGarbage } from "../support/garbage.js";
import { refusal } from "../support/refusal.js";

const on = { device: "cpu" } as const;

describe("a typed array over a tensor", () => {
  test("reads and writes the tensor's elements", () => {
    const x = jl.arange(6, on).reshape(2, 3);
    const array = x.asTypedArray() as Int32Array;
    expect(array).toBeInstanceOf(Int32Array);
    expect([...array]).toEqual([0, 1, 2, 3, 4, 5]);
    x.mul_(2);
    expect(array[5]).toBe(10);
    array[0] = 7;
    expect(x.toArray()).toEqual([
      [7, 2, 4],
      [6, 8, 10],
    ]);
    expect([...(x.select(0, 1).asTypedArray() as Int32Array)]).toEqual([6, 8, 10]);
    expect(x.asTypedArray().buffer).toBe(array.buffer);
  });
  test("holds every dtype as it is stored", () => {
    for (const [name, dtype] of Object.entries(jl.dtypes)) {
      const x = jl.ones([3], { ...on, dtype: name as jl.DTypeName });
      const array = x.asTypedArray();
      expect(array.constructor).toBe(dtype.array);
      expect(array.byteLength).toBe(3 * dtype.bytes);
    }
    expect([...(jl.tensor([1], { ...on, dtype: "float16" }).asTypedArray() as Uint16Array)]).toEqual([
      0x3c00,
    ]);
    const z = jl.tensor([{ re: 1, im: 2 }], on);
    expect([...(z.asTypedArray() as Float32Array)]).toEqual([1, 2]);
    expect(jl.zeros([0, 3], on).asTypedArray()).toHaveLength(0);
    expect([...(jl.tensor(3, on).asTypedArray() as Float32Array)]).toEqual([3]);
  });
  test("keeps the memory after dispose() and when the tensor is gone", () => {
    let x: jl.Tensor | undefined = jl.full([5000], 7, on);
    const array = x.asTypedArray() as Float32Array;
    x.dispose();
    expect(refusal(() => x?.asTypedArray())).toContain("was disposed");
    x = undefined;
    emptyGarbage();
    for (let i = 0; i < 50; i++) jl.full([5000], i, on);
    expect(array.every((value) => value === 7)).toBe(true);
  });
  test("does not leave the thread", () => {
    const { buffer } = jl.full([5000], 7, on).asTypedArray();
    try {
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    } catch {}
    expect(buffer.byteLength).toBe(20000);
  });
  test("is refused where elements are not dense", () => {
    expect(refusal(() => jl.ones([2, 3], on).T.asTypedArray())).toMatchInlineSnapshot(`
      "not-shareable: asTypedArray: the tensor of shape [3, 2] is not contiguous (strides [1, 3]).
      Use contiguous(), or data() for a copy."
    `);
  });
  // Later versions of Node have buffers of any length.
  test.skipIf(constants.MAX_LENGTH > 2 ** 40)(
    "of memory that is longer than Node's buffers is refused",
    () => {
      const bytes = constants.MAX_LENGTH + 64;
      expect(refusal(() => jl.empty([bytes], { ...on, dtype: "uint8" }).asTypedArray())).toMatch(
        `not-shareable: The tensor's memory has ${bytes} bytes. JavaScript shares ${constants.MAX_LENGTH} at most.`,
      );
    },
  );
});

describe("a tensor over a typed array", () => {
  test("reads and writes the array's elements", () => {
    const array = Float32Array.from([1, 2, 3, 4, 5, 6]);
    const x = jl.fromTypedArray(array, { shape: [2, 3] });
    expect(x.device.name).toBe("cpu");
    expect(x.add(1).toArray()).toEqual([
      [2, 3, 4],
      [5, 6, 7],
    ]);
    x.T.mul_(10);
    expect([...array]).toEqual([10, 20, 30, 40, 50, 60]);
    array[0] = -1;
    expect(x.at(0, 0).item()).toBe(-1);
    expect(x.asTypedArray().buffer).toBe(array.buffer);
    jl.add(x, x, { out: x });
    expect(array[5]).toBe(120);
  });
  test("of any size and offset", () => {
    const array = Float64Array.from({ length: 1000 }, (_, i) => i);
    for (const [start, end] of [
      [0, 1],
      [1, 2],
      [3, 1000],
      [0, 0],
    ] as const) {
      const part = array.subarray(start, end);
      expect(jl.fromTypedArray(part).mul(2).toArray()).toEqual([...part].map((value) => value * 2));
    }
    const small = Int8Array.of(1, 2, 3);
    const x = jl.fromTypedArray(small);
    emptyGarbage();
    small[1] = 9;
    expect(x.toArray()).toEqual([1, 9, 3]);
  });
  test("sees bytes as any dtype, and words as those of their size", () => {
    const bytes = Buffer.alloc(16);
    bytes.writeFloatLE(1.5, 4);
    expect(jl.fromTypedArray(bytes, { dtype: "float32" }).toArray()).toEqual([0, 1.5, 0, 0]);
    expect(jl.fromTypedArray(Uint16Array.of(0x3c00), { dtype: "float16" }).toArray()).toEqual([1]);
    expect(jl.fromTypedArray(Uint16Array.of(0x3f80), { dtype: "bfloat16" }).toArray()).toEqual([1]);
    expect(jl.fromTypedArray(Float32Array.of(1, 2), { dtype: "complex64" }).toArray()).toEqual([
      { re: 1, im: 2 },
    ]);
    expect(
      jl
        .fromTypedArray(Uint8Array.of(0, 1, 1), { dtype: "bool" })
        .logicalNot()
        .toArray(),
    ).toEqual([true, false, false]);
    expect(jl.fromTypedArray(BigInt64Array.of(-5n)).add(1).toArray()).toEqual([-4n]);
  });
  test("shares a SharedArrayBuffer", () => {
    const shared = new SharedArrayBuffer(4 * 3000);
    const array = new Int32Array(shared, 4000);
    const x = jl.fromTypedArray(array);
    x.fill_(5);
    expect(Atomics.add(array, 0, 1)).toBe(5);
    expect(x.at(0).item()).toBe(6);
    expect(new Int32Array(shared)[999]).toBe(0);
  });
  test("keeps the array's memory", () => {
    const x = (() => jl.fromTypedArray(new Float32Array(100_000).fill(3)))();
    emptyGarbage();
    Array.from({ length: 20 }, () => new Float32Array(100_000).fill(9));
    expect(jl.min(x).item()).toBe(3);
    expect(jl.max(x).item()).toBe(3);
  });
  test("counts as disposed when the buffer was transferred or a WebAssembly memory grew", () => {
    const array = new Float32Array(1000);
    const x = jl.fromTypedArray(array);
    const view = x.narrow(0, 10, 5);
    structuredClone(array.buffer, { transfer: [array.buffer] });
    for (const use of [
      () => x.add(1),
      () => view.fill_(3),
      () => x.toArray(),
      () => jl.sin(jl.ones([5], on), { out: view }),
    ])
      expect(refusal(use)).toContain("was disposed");
    const memory = new (globalThis as any).WebAssembly.Memory({ initial: 1 });
    const y = jl.fromTypedArray(new Float32Array(memory.buffer));
    expect(y.add(1).at(0).item()).toBe(1);
    memory.grow(1);
    expect(refusal(() => y.add(1))).toContain("was disposed");
    const z = jl.fromTypedArray(new Float32Array(4));
    z.dispose();
    expect(refusal(() => z.add(1))).toContain("was disposed");
  });
  test("overlapping arrays are recognised", () => {
    const array = new Float32Array(10);
    const x = jl.fromTypedArray(array.subarray(0, 8));
    const y = jl.fromTypedArray(array.subarray(1, 9));
    expect(refusal(() => jl.neg(x, { out: y }))).toContain("overlaps an input");
  });
  test("complex numbers half an element apart overlap", () => {
    const numbers = () => Float32Array.from({ length: 4097 }, (_, i) => i);
    const pair = (array: Float32Array) =>
      [array.subarray(0, 4096), array.subarray(1)].map((part) =>
        jl.fromTypedArray(part, { dtype: "complex64" }),
      ) as [jl.Tensor, jl.Tensor];
    const [x, y] = pair(numbers());
    expect(refusal(() => jl.conj(x, { out: y }))).toContain("overlaps an input");
    const array = numbers();
    const [source, target] = pair(array);
    target.copy_(source);
    expect([...array]).toEqual([0, ...numbers().subarray(0, 4096)]);
    // Every second real part, and every second imaginary part.
    const parts = numbers();
    const real = jl.fromTypedArray(parts.subarray(0, 4096)).slice("::2");
    const imaginary = jl.fromTypedArray(parts.subarray(1)).slice("::2");
    jl.neg(real, { out: imaginary });
    expect([...parts.subarray(0, 4)]).toEqual([0, -0, 2, -2]);
  });
  test("writes by index read the elements from before", () => {
    const I = jl.arange(8, { dtype: "int64", ...on });
    const writes: Record<string, (y: jl.Tensor, x: jl.Tensor) => unknown> = {
      set: (y, x) => y.set(I, x),
      indexPut_: (y, x) => y.indexPut_([I], x),
      indexCopy_: (y, x) => y.indexCopy_(0, I, x),
      indexAdd_: (y, x) => y.indexAdd_(0, I, x),
      scatterReduce_: (y, x) => y.scatterReduce_(0, I, x, "prod"),
    };
    for (const [name, write] of Object.entries(writes)) {
      const array = Float32Array.from({ length: 9 }, (_, i) => i);
      const [x, y] = [array.subarray(0, 8), array.subarray(1)].map((part) => jl.fromTypedArray(part)) as [
        jl.Tensor,
        jl.Tensor,
      ];
      const [from, to] = [x.clone(), y.clone()];
      write(y, x);
      write(to, from);
      expect([...array], name).toEqual([0, ...to.data()]);
    }
  });
  test("is refused where the memory is not one of elements", () => {
    const refusals: (() => unknown)[] = [
      () => jl.fromTypedArray([1, 2] as never),
      () => jl.fromTypedArray(null as never),
      () => jl.fromTypedArray(new DataView(new ArrayBuffer(4)) as never),
      () => jl.fromTypedArray(new (class Own extends Float32Array {})(2)),
      () => jl.fromTypedArray(new Float32Array(2), { dtype: "int32" }),
      () => jl.fromTypedArray(new Float32Array(3), { dtype: "complex64" }),
      () => jl.fromTypedArray(new Uint8Array(7), { dtype: "float32" }),
      () => jl.fromTypedArray(new Uint8Array(new ArrayBuffer(9), 1), { dtype: "float32" }),
      () => jl.fromTypedArray(new Uint8Array([0, 1, 2]), { dtype: "bool" }),
      () => jl.fromTypedArray(new Float32Array(6), { shape: [4] }),
      () => jl.fromTypedArray(new Float32Array(6), { shape: [-6] }),
      () => jl.fromTypedArray(new Float32Array(6), { dtype: "float31" as never }),
      () => jl.fromTypedArray(new Float32Array(new (ArrayBuffer as any)(8, { maxByteLength: 16 }))),
      () => jl.graph(() => jl.fromTypedArray(new Float32Array(2)).add_(1)),
    ];
    expect(refusals.map(refusal).join("\n\n")).toMatchSnapshot();
  });
});

test("the page about sharing runs and prints what it says", () => {
  const page = readFileSync(new URL("../../docs/sharing.md", import.meta.url), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const said = [...code.matchAll(/console\.log.*\/\/ (.*)/g)].map((match) => match[1]);
  const printed: string[] = [];
  new Function("jl", "console", code.replace(/^import.*$/m, ""))(jl, {
    log: (value: unknown) => printed.push(inspect(value)),
  });
  expect(printed).toEqual(said);
  expect(said.length).toBeGreaterThan(1);
});
