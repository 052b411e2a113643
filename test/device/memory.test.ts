import { describe, expect, test } from "vitest";
import { JitlabError } from "../../dist/runtime/base/errors.js";
import type { Device } from "../../dist/runtime/device/device.js";
import { allocate, memoryStats, releaseMemory } from "../../dist/runtime/device/memory.js";
import { classOf, sizeOf } from "../../dist/runtime/device/size-class.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";

let nextId = 100;

/** A device of `total` bytes that only counts: its addresses are never touched. */
function countingDevice(total: number) {
  let next = 4096;
  const sizes = new Map<number, number>();
  const used = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const device = {
    name: `counting:${nextId}`,
    id: nextId++,
    allocator: {
      allocate(bytes: number) {
        if (used() + bytes > total) throw new JitlabError("out-of-memory", "full");
        const pointer = next;
        next += bytes;
        sizes.set(pointer, bytes);
        return pointer;
      },
      free(pointer: number) {
        if (!sizes.delete(pointer)) throw new Error(`freed twice: ${pointer}`);
      },
    },
    hostView: () => undefined,
    memory: () => ({ free: total - used(), total }),
  } as unknown as Device;
  return { device, used };
}

const MiB = 2 ** 20;

describe("size classes", () => {
  test("hold what was asked for, waste an eighth at most, and grow with the size", () => {
    let last = -1;
    for (const bytes of [
      0,
      1,
      64,
      65,
      1000,
      1024,
      1025,
      1152,
      1153,
      4096,
      2 ** 20 + 1,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 31 + 1,
      3e9,
      2 ** 40 + 5,
      2 ** 50,
    ]) {
      const sizeClass = classOf(bytes);
      const size = sizeOf(sizeClass);
      expect(size).toBeGreaterThanOrEqual(bytes);
      expect(size).toBeLessThanOrEqual(Math.max(64, bytes + 64, bytes * 1.125));
      expect(classOf(size)).toBe(sizeClass);
      expect(sizeClass).toBeGreaterThanOrEqual(last);
      last = sizeClass;
    }
  });
});

describe("memory", () => {
  test("live owners never share memory; disposed memory is used again", () => {
    const { device } = countingDevice(64 * MiB);
    const sizes = [0, 1, 64, 100, 1024, 1025, 5000, 70_000, 64, 64, 1_000_000];
    const owners = sizes.map((size) => allocate(device, size));
    const ranges = owners
      .map((o) => [o.pointer, o.pointer + Math.max(1, o.bytes)] as const)
      .sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThanOrEqual(ranges[i - 1]![1]);
    expect(owners.every((o) => o.pointer % 64 === 0)).toBe(true);
    const last = owners.at(-1)!;
    last.dispose();
    last.dispose();
    expect(last.disposed).toBe(true);
    expect(allocate(device, 1_000_000).pointer).toBe(last.pointer);
    expect(memoryStats(device)[0]!.deviceAllocations).toBeLessThan(sizes.length);
  });

  test("memory of unreachable owners comes back inside one synchronous loop", () => {
    const { device } = countingDevice(64 * MiB);
    let last = 0;
    for (let i = 0; i < 640; i++) last = allocate(device, 10 * MiB).pointer;
    expect(last).toBeGreaterThan(0);
    const stats = memoryStats(device)[0]!;
    expect(stats.allocations).toBe(640);
    expect(stats.reclaimed).toBeGreaterThan(600);
  });

  test("small owners that nobody disposes of come back too, and a reachable one keeps its memory", () => {
    const { device, used } = countingDevice(4 * MiB);
    const kept = allocate(device, 16);
    const seen = new Set<number>();
    for (let i = 0; i < 400_000; i++) seen.add(allocate(device, 16).pointer);
    expect(seen.has(kept.pointer)).toBe(false);
    expect(used()).toBeLessThanOrEqual(4 * MiB);
    expect(kept.disposed).toBe(false);
  });

  test("a device that is full says what was asked for and what there is; the next allocation works", () => {
    const { device } = countingDevice(64 * MiB);
    const held = [allocate(device, 40 * MiB)];
    expect(() => allocate(device, 30 * MiB)).toThrow(
      /no memory for 30\.0 MiB: 40\.0 MiB are in use in 1 blocks, 24\.0 MiB of 64\.0 MiB are free\./,
    );
    held.push(allocate(device, 20 * MiB));
    held.length = 0;
    // Free blocks of other sizes are given back before a request fails.
    expect(allocate(device, 60 * MiB).bytes).toBe(60 * MiB);
  });

  test("sizes that are no sizes are refused", () => {
    const { device } = countingDevice(MiB);
    for (const bytes of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(() => allocate(device, bytes)).toThrow(/cannot be allocated/);
  });

  test("memory that the host still sees is not handed out again", () => {
    const cpu = getDevice("cpu");
    const owner = allocate(cpu, 40_000);
    const { pointer } = owner;
    const values = new Float32Array(owner.hostView()!.buffer);
    values.fill(7);
    owner.dispose();
    const others = Array.from({ length: 50 }, () => allocate(cpu, 40_000));
    expect(others.some((other) => other.pointer === pointer)).toBe(false);
    expect(values[9999]).toBe(7);
  });

  test("everything free goes back to the device on request", () => {
    const { device, used } = countingDevice(64 * MiB);
    const keep = allocate(device, 5 * MiB);
    for (let i = 0; i < 5; i++) allocate(device, 2 * MiB);
    releaseMemory();
    expect(used()).toBe(5 * MiB);
    expect(keep.disposed).toBe(false);
  });
});
