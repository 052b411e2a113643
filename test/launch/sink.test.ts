// The sink: the operations that it receives, and tensors whose memory is computed when it is read.
import { runInThisContext } from "node:vm";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { allocate, pendingStorage } from "../../dist/runtime/device/memory.js";
import type { PooledStorage } from "../../dist/runtime/device/pooled-storage.js";
import * as jl from "../../dist/runtime/index.js";
import { perform } from "../../dist/runtime/launch/perform.js";
import { atOnce, type Sink, sendTo } from "../../dist/runtime/launch/sink.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);
afterEach(() => void sendTo(undefined));

/** A sink that notes what it is given and lets it run. */
function noting(): { readonly sink: Sink; readonly notes: string[] } {
  const notes: string[] = [];
  const sink: Sink = {
    name: "notes",
    outer: undefined,
    take(operation, make) {
      const { kind, name } = operation;
      const geometry = kind === "reduce" ? ` ${operation.call.gone} to [${operation.call.shape}]` : "";
      notes.push(`${kind} ${name}${geometry}`);
      return atOnce(() => perform(operation, make));
    },
    storage(device, bytes) {
      notes.push(`${bytes} bytes`);
      return allocate(device, bytes);
    },
  };
  return { sink, notes };
}

describe("a sink", () => {
  it("is given maps, reductions, creation, random numbers and writes", () => {
    const x = jl.tensor([1, 2, 3, 4]).reshape(2, 2);
    const { sink, notes } = noting();
    sendTo(sink);
    const y = x.add(1).sum({ dim: 1, keepdim: true });
    jl.rand([2]);
    jl.zeros([3]);
    x.at(0).copy_(jl.arange(2));
    x.clone();
    sendTo(undefined);
    expect(notes).toEqual([
      "map add",
      "reduce sum false,true to [2,1]",
      ...["8 bytes", "map rand"],
      ...["12 bytes", "map copy"],
      ...["8 bytes", "map arange", "map copy"],
      ...["16 bytes", "map copy"],
    ]);
    expect(y.toArray()).toEqual([[5], [9]]);
    expect(x.toArray()).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  it("may return tensors that are computed when somebody looks", () => {
    const computed: string[] = [];
    const sink: Sink = {
      name: "late",
      outer: undefined,
      take(operation, make) {
        const [like] = operation.inputs as jl.Tensor[];
        if (!like) throw new Error("no operand");
        const storage = pendingStorage(like.device, like.size * 4, () => {
          computed.push(operation.name);
          const [result] = atOnce(() => perform(operation, make));
          storage.take(result?.storage as PooledStorage);
        });
        return [make(like.shape, like.strides, like.dtype, like.device, storage)];
      },
      storage: allocate,
    };
    const x = jl.tensor([1, 2, 3]);
    sendTo(sink);
    const y = x.add(1);
    const z = y.mul(y);
    sendTo(undefined);
    expect([computed, y.storage.pending, z.storage.pending]).toEqual([[], true, true]);
    expect(z.toArray()).toEqual([4, 9, 16]);
    expect(computed).toEqual(["mul", "add"]);
    expect(y.storage.pending).toBe(false);
    expect(y.toArray()).toEqual([2, 3, 4]);
  });
});

describe("a storage", () => {
  const filled = (values: number[]) => jl.tensor(values);
  const storageOf = (x: jl.Tensor) => x.storage as PooledStorage;

  it("takes other memory while a share keeps the old one", () => {
    const x = filled([1, 2]);
    const old = new jl.Tensor(storageOf(x).share(), 0, x.shape, x.strides, x.dtype);
    const fresh = filled([3, 4]);
    storageOf(x).take(storageOf(fresh));
    expect([x.toArray(), old.toArray()]).toEqual([
      [3, 4],
      [1, 2],
    ]);
    expect(() => fresh.toArray()).toThrow(/was disposed/);
    x.dispose();
    expect(old.toArray()).toEqual([1, 2]);
  });

  it("gives memory back with its last owner", () => {
    const live = () =>
      jl.memory.stats().find(({ device }) => device === x.device.name)?.liveBytes ?? Number.NaN;
    const x = jl.zeros([2 ** 18]);
    const before = live();
    const share = storageOf(x).share();
    x.dispose();
    expect(live()).toBe(before);
    share.dispose();
    expect(live()).toBeLessThan(before);
  });

  it("becomes pending, and stays so when computing fails", () => {
    const x = filled([1, 2]);
    let fails = true;
    storageOf(x).defer(() => {
      if (fails) throw new Error("failed");
      storageOf(x).take(storageOf(filled([5, 6])));
    });
    expect(() => x.toArray()).toThrow("failed");
    expect(x.storage.pending).toBe(true);
    fails = false;
    expect(x.toArray()).toEqual([5, 6]);
  });

  it("is pending or has memory after an interrupt at any moment", () => {
    const x = filled([1, 2]);
    const take = (storage: PooledStorage) => storage.take(allocate(x.device, storage.bytes));
    const change = () => {
      storageOf(x).defer(take);
      take(storageOf(x));
    };
    (globalThis as { changeStorage?: () => void }).changeStorage = change;
    for (let round = 0; round < 200; round++) {
      expect(() => runInThisContext("for (;;) changeStorage()", { timeout: 1 })).toThrow("timed out");
      x.fill_(round);
      const memory = allocate(x.device, x.storage.bytes);
      memory.take(storageOf(x).share());
      expect(storageOf(x).share().pointer).toBe(x.storage.pointer);
      expect(new jl.Tensor(memory, 0, x.shape, x.strides, x.dtype).toArray()).toEqual([round, round]);
    }
  });

  it("is not computed once it is disposed of", () => {
    const { device } = filled([1]);
    const storage = pendingStorage(device, 8, () => {
      throw new Error("computed");
    });
    storage.dispose();
    expect([storage.pending, storage.disposed]).toEqual([false, true]);
    const memory = allocate(device, 8);
    storage.take(memory);
    expect(memory.disposed).toBe(true);
  });

  it("says that it is not computed where nobody did", () => {
    const storage = pendingStorage(filled([1]).device, 8, () => {});
    expect(() => storage.pointer).toThrow(/was not computed/);
  });

  it("is pinned while a graph holds its address", () => {
    const x = filled([1]);
    const step = jl.graph(() => x.add_(1));
    expect(x.storage.pinned).toBe(true);
    step.dispose();
    expect([x.storage.pinned, x.storage.shared]).toEqual([false, false]);
  });
});
