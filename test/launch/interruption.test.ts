// Code of the library that an interrupt ends: what it had opened is closed, and what it had begun to change is whole.
import { describe, expect, it } from "vitest";
import { currentStore, withStore } from "../../dist/runtime/cache/current-store.js";
import { DiskStore } from "../../dist/runtime/cache/disk.js";
import { allocate, releaseMemory } from "../../dist/runtime/device/memory.js";
import * as jl from "../../dist/runtime/index.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { isRecording } from "../../dist/runtime/launch/launch-recorder.js";
import { ended, spin } from "../support/ended.js";

describe("after code was ended inside of", () => {
  const total = jl.ones([1000]);
  jl.record(() => [total.mul(2), total.neg(), total.abs(), total.add(1), total.sum().item()]); // their kernels are loaded

  it.each<[string, () => unknown]>([
    ["a graph's recording", () => jl.graph(() => [total.mul(2), spin()])],
    ["a compiled function", () => jl.compile(() => [total.mul(2), spin()])()],
    ["an eager part of one", () => jl.compile(() => jl.eager(() => [total.mul(2), spin()]))()],
    ["an explained function", () => jl.explain(jl.compile(() => [total.add_(1), spin()]))],
    ["a recording", () => jl.record(() => [total.mul(2), spin()])],
    ["a graph in a recording", () => jl.record(() => jl.graph(() => [total.mul(2), spin()]))],
  ])("%s, operations run at once and unrecorded", (_what, run) => {
    ended(run);
    expect(isRecording()).toBe(false);
    const { launches } = jl.record(() => [total.neg(), total.abs()]);
    expect(launches.map(({ op }) => op)).toEqual(["neg", "abs"]);
    expect(
      jl
        .graph(() => total.add(1))()
        .sum()
        .item(),
    ).toBe(2000);
  });

  it("code behind an await, no recording is open that waits for it", () => {
    void jl.record(() => new Promise(() => undefined));
    ended(spin);
    expect(isRecording()).toBe(false);
  });
});

it("the kernel cache is not locked or moved aside after code was ended in the middle of a change", () => {
  const module = {
    binary: Buffer.of(1),
    assembly: "",
    log: "",
    kind: "cpu",
    arch: "",
    compiler: "",
  } as const;
  const store = (...kernels: object[]) =>
    withStore((one) => one.put({ ...module, flags: [], compileMs: 1 }, kernels as never), undefined);
  const kernel = { symbol: "s", op: "ended", variant: "", dtypes: [], source: "", compileMs: 1 };
  const stored = () =>
    withStore((one) => one.list(), []).flatMap(({ op, key }) => (op === "ended" ? [key] : []));
  store({ ...kernel, key: "before" });
  const endless = {
    get key() {
      return spin();
    },
  };
  ended(() => store({ ...kernel, key: "unfinished" }, endless));
  const other = new DiskStore(currentStore().path, 2 ** 30);
  other.open();
  expect(other.claim("ended by nobody")).toBe("ours");
  other.close();
  store({ ...kernel, key: "after" });
  expect(stored().sort()).toEqual(["after", "before"]);
  expect(withStore((one) => one.clear({ op: "ended" }), 0)).toBe(2);
});

it("memory that was returned to the device is not used again, if returning ends in the middle", () => {
  const { allocator } = getDevice() as { allocator: { free(pointer: number): void } };
  const { free } = allocator;
  const bytes = 2 ** 26;
  const storages = [1, 2, 3].map(() => allocate(getDevice(), bytes));
  const pointers = storages.map(({ pointer }) => pointer);
  for (const storage of storages) storage.dispose();
  let returned = 0;
  allocator.free = (pointer) => {
    if (!pointers.includes(pointer)) return free(pointer);
    returned = pointer;
    throw new Error("ended");
  };
  expect(releaseMemory).toThrow("ended");
  allocator.free = free;
  const later = [1, 2, 3].map(() => allocate(getDevice(), bytes).pointer);
  expect(later).not.toContain(returned);
});
