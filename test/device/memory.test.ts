import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { JitlabError } from "../../dist/runtime/base/errors.js";
import type { Device } from "../../dist/runtime/device/device.js";
import { allocate, memoryStats, releaseMemory } from "../../dist/runtime/device/memory.js";
import { openOwners } from "../../dist/runtime/device/owners.js";
import { Block } from "../../dist/runtime/device/pooled-storage.js";
import { classOf, sizeOf } from "../../dist/runtime/device/size-class.js";
import { loadTokens, type Tokens } from "../../dist/runtime/device/tokens/tokens.js";
import { getDevice } from "../../dist/runtime/launch/devices.js";
import { emptyGarbage } from "../support/garbage.js";

// Its devices only count.
process.env.JITLAB_POISON = "0";
let nextId = 100;

/** A device of `total` bytes that only counts: its addresses are never touched. */
function countingDevice(total: number, segmentBytes?: number) {
  let next = 4096;
  const sizes = new Map<number, number>();
  const used = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const asked: number[] = [];
  const device = {
    name: `counting:${nextId}`,
    id: nextId++,
    allocator: {
      ...(segmentBytes === undefined ? {} : { segmentBytes }),
      allocate(bytes: number) {
        asked.push(bytes);
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
  return { device, used, asked };
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

describe("segments", () => {
  test("are shared by blocks of all sizes, and grow with what is held", () => {
    const { device, asked } = countingDevice(2 ** 30, 2 * MiB);
    const held = Array.from({ length: 200 }, (_, i) => allocate(device, 2000 + 1000 * i));
    const ranges = held.map(({ pointer, bytes }) => [pointer, pointer + bytes] as const);
    ranges.sort((a, b) => a[0] - b[0]);
    for (let i = 1; i < ranges.length; i++) expect(ranges[i]![0]).toBeGreaterThanOrEqual(ranges[i - 1]![1]);
    expect(held.every(({ pointer }) => pointer % 64 === 0)).toBe(true);
    expect(asked.length).toBeLessThan(12);
    const more = allocate(device, 100 * MiB);
    const mores = Array.from({ length: 20 }, () => allocate(device, MiB));
    expect(asked.at(-1)).toBeGreaterThan(10 * MiB);
    expect([more, ...mores].every(({ disposed }) => !disposed)).toBe(true);
  });

  test("free blocks of one size are divided for another before the device is asked", () => {
    const { device, asked } = countingDevice(2 ** 30, 2 * MiB);
    const small = Array.from({ length: 64 }, () => allocate(device, MiB));
    const before = asked.length;
    for (const one of small) one.dispose();
    const large = Array.from({ length: 3 }, () => allocate(device, 10 * MiB));
    expect(asked.length - before).toBeLessThanOrEqual(3);
    for (const one of large) one.dispose();
    const again = Array.from({ length: 64 }, () => allocate(device, MiB));
    expect(new Set(again.map(({ pointer }) => pointer)).size).toBe(64);
  });

  test("go back whole, on request and before the device is full", () => {
    const { device, used } = countingDevice(64 * MiB, 2 * MiB);
    const kept = allocate(device, 5000);
    const big = allocate(device, 20 * MiB);
    for (let i = 0; i < 30; i++) allocate(device, MiB).dispose();
    big.dispose();
    expect(memoryStats(device)[0]!.heldBytes).toBe(used());
    releaseMemory();
    expect(used()).toBe(2 * MiB);
    expect(allocate(device, 60 * MiB).bytes).toBe(60 * MiB);
    expect(kept.disposed).toBe(false);
  });

  test("a segment that the device cannot give is replaced by one of just the size", () => {
    const { device } = countingDevice(21 * MiB - 1000, 2 * MiB);
    allocate(device, 12 * MiB);
    const held = [allocate(device, 8 * MiB + 4096)];
    expect(held[0]!.bytes).toBe(8 * MiB + 4096);
  });
});

describe("owners", () => {
  test.each(["minor collections", "full collections"])("%s find exactly the unreachable blocks", (how) => {
    const owners = openOwners(how === "full collections" ? "file:///nowhere/" : undefined);
    const kind = how === "full collections" ? "full" : "minor";
    expect(owners.kind).toBe(kind === "full" ? "WeakRefs" : "tokens");
    expect(owners.reason === "").toBe(kind === "minor");
    const block = () => {
      const made = new Block({ left: () => undefined }, owners.number(), 64);
      owners.watch(made);
      return made;
    };
    const kept = Array.from({ length: 50 }, block);
    for (let i = 0; i < 5000; i++) block();
    const disposed = block();
    owners.forget(disposed.slot);
    const found = () => {
      owners.collect(kind);
      const numbers: number[] = [];
      for (let one = owners.found(); one >= 0; one = owners.found()) {
        expect(owners.found()).toBe(one);
        numbers.push(one);
        owners.retire(one);
      }
      return numbers;
    };
    const dead = found();
    expect(dead.length).toBeGreaterThan(4990);
    expect(new Set(dead).size).toBe(dead.length);
    expect(kept.some(({ slot }) => dead.includes(slot))).toBe(false);
    // A disposed block's number is not reported for the next block, while anything reaches either.
    const later = Array.from({ length: 6000 }, block);
    expect(new Set([...kept, ...later].map(({ slot }) => slot)).size).toBe(6050);
    expect(found().filter((one) => later.some(({ slot }) => slot === one))).toEqual([]);
    expect(disposed.shares + kept.length + later.length).toBe(6050);
  });

  test("each thread, and each copy of the library in one, has its own", async () => {
    const one = loadTokens() as Tokens;
    const other = loadTokens() as Tokens;
    expect(one.Token).not.toBe(other.Token);
    for (let i = 0; i < 100; i++) new one.Token(i);
    emptyGarbage();
    expect(other.dead(new Uint32Array(200))).toBe(0);
    expect(one.dead(new Uint32Array(200))).toBeGreaterThan(90);
    expect(one.dead(new Uint32Array(200))).toBeLessThan(10);
    const url = new URL("../../dist/runtime/index.js", import.meta.url);
    const code = `import(${JSON.stringify(url.href)}).then((jl) => { jl.setDevice("cpu"); const x = jl.ones([1000]);
      for (let i = 0; i < 20000; i++) x.add(1);
      const [stats] = jl.memory.stats(); require("node:worker_threads").parentPort.postMessage([stats.owners, stats.liveBytes < 2 ** 28]); })`;
    const said = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker(code, { eval: true });
            worker.once("message", resolve);
            worker.once("error", reject);
          }),
      ),
    );
    expect(said).toEqual(Array(3).fill(["tokens", true]));
    // Threads that ended reported nothing here.
    expect(one.dead(new Uint32Array(200))).toBeLessThan(10);
  });

  describe("where tokens do not work", () => {
    const name = `${process.platform}-${process.arch}.node`;
    const own = new URL("../../dist/runtime/device/tokens/", import.meta.url);
    const sha = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
    const otherArch = process.arch === "x64" ? "linux-arm64.node" : "linux-x64.node";
    const folders: [string, Record<string, Buffer>, RegExp][] = [
      ["no file", {}, /no such file/],
      ["none for this platform", { "digests.json": Buffer.from("{}") }, /has no tokens for/],
      ["digests that are no JSON", { "digests.json": Buffer.from("{") }, /JSON/],
      ["a missing file", { "digests.json": Buffer.from(JSON.stringify({ [name]: "ab" })) }, /no such file/],
      ["a damaged file", damaged(), /is damaged/],
      ["a file of another architecture", whole(readFileSync(new URL(otherArch, own))), /./],
      ["a file that is no library", whole(Buffer.from("no library")), /./],
    ];
    function whole(bytes: Buffer) {
      return { [name]: bytes, "digests.json": Buffer.from(JSON.stringify({ [name]: sha(bytes) })) };
    }
    function damaged() {
      const bytes = readFileSync(new URL(name, own));
      const files = whole(Buffer.from(bytes));
      files[name]!.writeUInt8(files[name]!.readUInt8(2000) ^ 1, 2000);
      return files;
    }
    test.each(folders)("because of %s, WeakRefs find unreachable blocks", (_what, files, reason) => {
      const folder = mkdtempSync(join(tmpdir(), "jitlab-tokens-"));
      for (const [path, bytes] of Object.entries(files)) writeFileSync(join(folder, path), bytes);
      const owners = openOwners(pathToFileURL(`${folder}/`).href);
      expect(owners.kind).toBe("WeakRefs");
      expect(owners.reason).toMatch(reason);
      expect(owners.reason).not.toContain("\n");
      rmSync(folder, { recursive: true });
    });
  });

  test("the compiled files in the tree are those of the source", () => {
    const folder = new URL("../../runtime/device/tokens/", import.meta.url);
    const digests = JSON.parse(readFileSync(new URL("digests.json", folder), "utf8"));
    const files = Object.entries(digests).map(([file, digest]) => {
      const path = file === "source" ? "tokens.cpp" : file;
      return (
        createHash("sha256")
          .update(readFileSync(new URL(path, folder)))
          .digest("hex") === digest
      );
    });
    // Otherwise run `node scripts/tokens.mjs`.
    expect(files).toEqual([true, true, true]);
  });
});

describe("JITLAB_MEMORY", () => {
  const within = (value: string, action: () => void) => {
    process.env.JITLAB_MEMORY = value;
    try {
      action();
    } finally {
      delete process.env.JITLAB_MEMORY;
    }
  };

  test.each([
    ["25%", 16],
    ["12.5 %", 8],
    ["10M", 10],
    ["1 GiB", 64],
    ["100%", 64],
  ])("%s limits what is held", (value, mebibytes) => {
    within(value, () => {
      const { device, used } = countingDevice(64 * MiB, 2 * MiB);
      expect(memoryStats(device)[0]!.limitBytes).toBe(mebibytes * MiB);
      for (let i = 0; i < 200; i++) allocate(device, MiB);
      expect(used()).toBeLessThanOrEqual(mebibytes * MiB);
      const held: unknown[] = [];
      const fill = () => {
        for (let i = 0; i < 100; i++) held.push(allocate(device, MiB));
      };
      const reason = /has no memory for 1\.0 MiB: .* are in use/;
      const limited = /JITLAB_MEMORY allows this process [0-9.]+ MiB\./;
      expect(fill).toThrow(mebibytes < 64 ? limited : reason);
      expect(held.length).toBeGreaterThanOrEqual(mebibytes - 2);
      expect(used()).toBeLessThanOrEqual(mebibytes * MiB);
      held.length = 0;
      expect(allocate(device, 4 * MiB).bytes).toBe(4 * MiB);
    });
  });

  test.each(["0", "0%", "200 %", "8 apples", "-1G", "%", "half", "NaN%"])("%j is refused", (value) => {
    within(value, () => {
      const { device } = countingDevice(64 * MiB);
      expect(() => allocate(device, 100)).toThrow(
        `JITLAB_MEMORY is ${JSON.stringify(value)}, which is neither a size such as 8G nor a share such as 50%.`,
      );
    });
    const { device } = countingDevice(64 * MiB);
    expect(allocate(device, 100).bytes).toBe(100);
  });

  test("a device that another process has filled says so", () => {
    const { device } = countingDevice(8 * MiB, 2 * MiB);
    Object.assign(device, { memory: () => ({ free: 1 * MiB, total: 80 * MiB }) });
    const held = [allocate(device, 4 * MiB)];
    expect(() => allocate(device, 5 * MiB)).toThrow(
      /1\.0 MiB of 80\.0 MiB are free\. Other processes use 75\.0 MiB\./,
    );
    expect(held[0]!.disposed).toBe(false);
  });
});
