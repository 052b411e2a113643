// .npy files between jitlab and NumPy, both ways, and the errors of damaged ones.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { randomSource } from "../support/random.js";
import { refusal } from "../support/refusal.js";

beforeAll(useAnyDevice);

const folder = mkdtempSync(join(tmpdir(), "jitlab-npy-"));
const candidates = [
  process.env.JITLAB_TEST_PYTHON ?? "",
  resolve("build/venv/bin/python"),
  "python3",
  "/usr/bin/python3",
];
const python = candidates.find((path) => path && spawnSync(path, ["-c", "import numpy"]).status === 0);
if (!python) console.warn("SKIPPED: no Python with NumPy; name one in JITLAB_TEST_PYTHON");

function numpy(code: string): string {
  const { stdout, stderr, status } = spawnSync(python ?? "", ["-c", `import numpy as np\n${code}`], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout.trim();
}

const names = (Object.keys(jl.dtypes) as jl.DTypeName[]).filter((name) => name !== "bfloat16");

describe("round trips", () => {
  test.each(names)("%s", (dtype) => {
    const path = join(folder, `${dtype}.npy`);
    for (const x of [
      jl.tensor(
        [
          [0, 1, 2],
          [3, 4, 5],
        ],
        { dtype },
      ),
      jl.tensor(1, { dtype }),
      jl.zeros([0, 3], { dtype }),
    ]) {
      jl.save(path, x);
      const back = jl.load(path);
      expect(back.dtype.name).toBe(dtype);
      expect(back.shape).toEqual(x.shape);
      expect(back.toArray()).toEqual(x.toArray());
    }
    const turned = jl.tensor(
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
      { dtype },
    ).T;
    jl.save(path, turned);
    expect(jl.load(path).toArray()).toEqual(turned.toArray());
  });
});

describe.skipIf(!python)("with NumPy (needs Python with NumPy)", () => {
  test.each(names)("%s", (dtype) => {
    const x = jl.tensor(
      [
        [0, 1, 2],
        [3, 4, 100],
      ],
      { dtype },
    );
    jl.save(join(folder, "ours.npy"), x);
    expect(numpy("a = np.load('ours.npy'); print(a.dtype, a.shape, a.astype('complex128').sum().real)")).toBe(
      `${dtype} (2, 3) ${dtype === "bool" ? "5.0" : "110.0"}`,
    );
    numpy(`
a = np.array([[0, 1, 2], [3, 4, 100]]).astype('${dtype}')
np.save('plain.npy', a); np.save('fortran.npy', np.asfortranarray(a)); np.save('big.npy', a.astype(a.dtype.newbyteorder('>')))
for v in (1, 2, 3): np.lib.format.write_array(open(f'v{v}.npy', 'wb'), a, version=(v, 0))`);
    for (const name of ["plain", "fortran", "big", "v1", "v2", "v3"]) {
      const back = jl.load(join(folder, `${name}.npy`));
      expect(back.dtype.name, name).toBe(dtype);
      expect(back.toArray(), name).toEqual(x.toArray());
    }
  });
  test("dtypes that are not ours are named", () => {
    numpy(
      "np.save('u.npy', np.zeros(2, 'datetime64[s]')); np.save('s.npy', np.array(['a'])); np.save('r.npy', np.zeros(2, [('x', 'f4')]))",
    );
    for (const name of ["u", "s", "r"])
      expect(() => jl.load(join(folder, `${name}.npy`))).toThrow(/not a supported dtype/);
  });
});

describe("archives", () => {
  const tensors = () => ({
    weights: jl.arange(6).reshape(2, 3),
    "layer.0/bias": jl.tensor([1n, -2n]),
    __proto__x: jl.zeros([0, 3], { dtype: "complex128" }),
    scalar: jl.tensor(true),
  });
  test("hold named tensors", () => {
    const path = join(folder, "ours.npz");
    jl.saveNpz(path, tensors());
    const back = jl.loadNpz(path);
    expect(Object.keys(back)).toEqual(Object.keys(tensors()));
    for (const [name, x] of Object.entries(tensors())) {
      expect(back[name]!.dtype.name).toBe(x.dtype.name);
      expect(back[name]!.shape).toEqual(x.shape);
      expect(back[name]!.toArray()).toEqual(x.toArray());
    }
    jl.saveNpz(path, {});
    expect(jl.loadNpz(path)).toEqual({});
  });
  test.skipIf(!python)("are read and written by NumPy (needs Python with NumPy)", () => {
    jl.saveNpz(join(folder, "ours.npz"), tensors());
    expect(
      numpy(
        "a = np.load('ours.npz')\nfor k in a: print(k, a[k].dtype, a[k].shape, a[k].sum())\nimport zipfile; print(zipfile.ZipFile('ours.npz').testzip())",
      ),
    ).toBe(
      "weights int32 (2, 3) 15\nlayer.0/bias int64 (2,) -1\n__proto__x complex128 (0, 3) 0j\nscalar bool () 1\nNone",
    );
    numpy(`
a = {'x': np.arange(6.).reshape(2, 3), 'y': np.asfortranarray(np.arange(6).reshape(2, 3)), 'z': np.zeros((0, 2), '>f4')}
np.savez('stored.npz', **a); np.savez_compressed('packed.npz', **a)`);
    for (const name of ["stored.npz", "packed.npz"]) {
      const { x, y, z } = jl.loadNpz(join(folder, name));
      expect(x?.dtype.name).toBe("float64");
      expect(x?.toArray()).toEqual([
        [0, 1, 2],
        [3, 4, 5],
      ]);
      expect(y?.toArray()).toEqual([
        [0n, 1n, 2n],
        [3n, 4n, 5n],
      ]);
      expect(z?.shape).toEqual([0, 2]);
    }
  });
  test("that are damaged, or no archives, are named", () => {
    const path = join(folder, "bad.npz");
    const told = (run: () => unknown) => refusal(run).replaceAll(folder, "FOLDER");
    jl.saveNpz(path, { x: jl.arange(100) });
    const good = readFileSync(path);
    expect(told(() => jl.load(path))).toContain(
      "load: FOLDER/bad.npz is a .npz archive.\nUse jl.loadNpz(path).",
    );
    writeFileSync(path, good.subarray(0, good.length - 30));
    expect(told(() => jl.loadNpz(path))).toContain(
      "bad.npz is not a readable .npz file: its end is missing.",
    );
    writeFileSync(path, Buffer.from(good.toString("latin1").replace("shape", "shade"), "latin1"));
    expect(told(() => jl.loadNpz(path))).toContain("bad.npz, x.npy is not a readable .npy file");
    writeFileSync(path, "garbage");
    expect(told(() => jl.loadNpz(path))).toContain("does not begin as a zip archive does");
    expect(told(() => jl.loadNpz(join(folder, "absent.npz")))).toContain("cannot be read: ENOENT");
    expect(told(() => jl.save(join(folder, "no/such/x.npy"), jl.ones([1])))).toContain(
      "cannot be written: ENOENT",
    );
    expect(told(() => jl.saveNpz(path, { x: 3 as never }))).toContain("x: 3 is not a tensor");
  });
});

describe("an archive that is not what it says", () => {
  const path = join(folder, "odd.npz");
  const localHeader = (name: string, archive: Buffer) => archive.indexOf(name) - 30;
  const centralHeader = (name: string, archive: Buffer) => archive.lastIndexOf(name) - 46;
  const refusalOf = (archive: Buffer): string => {
    writeFileSync(path, archive);
    return refusal(() => jl.loadNpz(path));
  };
  /** The archive of x and y, changed. */
  function changed(change: (archive: Buffer) => void): Buffer {
    jl.saveNpz(path, { x: jl.tensor([1.75, 2.5]), y: jl.ones([100]) });
    const archive = readFileSync(path);
    change(archive);
    return archive;
  }
  /** An archive of one member x.npy, compressed, with a header that says this. */
  function packed(
    bytes: Buffer,
    header: (archive: Buffer, central: number) => void = () => undefined,
  ): Buffer {
    jl.saveNpz(path, { x: jl.zeros([0]) });
    const plain = readFileSync(path);
    const data = deflateRawSync(bytes);
    const central = Buffer.from(plain.subarray(centralHeader("x.npy", plain), plain.length - 22));
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(crc32(bytes), 16);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(bytes.length, 24);
    header(central, 0);
    const local = plain.subarray(0, 30 + "x.npy".length);
    const end = Buffer.from(plain.subarray(plain.length - 22));
    end.writeUInt32LE(local.length + data.length, 16);
    return Buffer.concat([local, data, central, end]);
  }
  function npyOf(x: jl.Tensor): Buffer {
    jl.save(`${path}.npy`, x);
    return readFileSync(`${path}.npy`);
  }

  test("is refused where one byte of it was flipped", () => {
    const archive = changed((bytes) => {
      const at = bytes.indexOf(Buffer.from(new Float32Array([2.5]).buffer)) + 2;
      bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    });
    expect(refusalOf(archive)).toContain("the checksum of its member x.npy is wrong");
  });

  test.each([
    ["declares what it does not hold", 2 ** 31, /claims 2147483648 bytes, but only \d+ are stored/],
    ["declares less than it holds", 300, /requires 528 bytes, but it has 300/],
  ])("is refused where a compressed member %s", (_, size, why) => {
    const archive = packed(npyOf(jl.ones([100])), (bytes, central) =>
      bytes.writeUInt32LE(size, central + 24),
    );
    expect(refusalOf(archive)).toMatch(why);
  });

  test("is refused where a compressed member holds more or less than it declares", () => {
    const whole = npyOf(jl.rand([100_000]));
    const size = (bytes: Buffer, central: number) => bytes.writeUInt32LE(whole.length, central + 24);
    expect(refusalOf(packed(Buffer.concat([whole, Buffer.alloc(9)]), size))).toContain(
      "has more than 400128 bytes",
    );
    expect(refusalOf(packed(whole.subarray(0, -9), size))).toContain("has 400119 bytes instead of 400128");
  });

  test("is refused, unpacked only at its beginning, where its header asks for other than its bytes", () => {
    const bomb = Buffer.alloc(2 ** 27);
    npyOf(jl.ones([10])).copy(bomb);
    expect(refusalOf(packed(bomb))).toContain("its header requires 168 bytes, but it has 134217728");
  });

  test("is refused where members are encrypted, overlap, hide or have one name", () => {
    const flags = (bytes: Buffer) => bytes.writeUInt16LE(1, centralHeader("x.npy", bytes) + 8);
    expect(refusalOf(changed(flags))).toContain("its member x.npy is encrypted");
    const grow = (bytes: Buffer) => {
      for (const field of [20, 24]) bytes.writeUInt32LE(300, centralHeader("x.npy", bytes) + field);
    };
    expect(refusalOf(changed(grow))).toContain("its member x.npy overlaps another");
    const same = (bytes: Buffer) => {
      bytes.write("x", centralHeader("y.npy", bytes) + 46);
      bytes.write("x", localHeader("y.npy", bytes) + 30);
    };
    expect(refusalOf(changed(same))).toContain("two of its members have the same name");
    const moved = (bytes: Buffer) => bytes.writeUInt32LE(7, centralHeader("y.npy", bytes) + 42);
    expect(refusalOf(changed(moved))).toContain("its member y.npy is not at the recorded offset");
    const odd = (bytes: Buffer) => bytes.writeUInt16LE(12, centralHeader("y.npy", bytes) + 10);
    expect(refusalOf(changed(odd))).toContain("unknown method 12");
  });

  test("is refused and not written where a tensor would be named __proto__", () => {
    jl.saveNpz(path, { __proto_x: jl.ones([1]) });
    const text = readFileSync(path, "latin1");
    const archive = Buffer.from(text.replaceAll("__proto_x", "__proto__"), "latin1");
    expect(refusalOf(archive)).toContain("no tensor may be named __proto__");
    const named = { ["__proto__"]: jl.ones([1]) };
    expect(() => jl.saveNpz(path, named)).toThrow(/no tensor may be named __proto__/);
  });

  test("never gives anything but its tensors or an error of ours, however it is damaged", () => {
    const good = changed(() => undefined);
    const before = JSON.stringify([[1.75, 2.5], new Array(100).fill(1)]);
    const random = randomSource(20261122);
    let refused = 0;
    for (let round = 0; round < 500; round++) {
      const bytes = Buffer.from(good);
      const at = random.below(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      writeFileSync(path, round % 5 === 0 ? bytes.subarray(0, at) : bytes);
      try {
        const { x, y, ...others } = jl.loadNpz(path);
        expect(JSON.stringify([x?.toArray(), y?.toArray()])).toBe(before);
        expect(others).toEqual({});
      } catch (error) {
        expect(error).toBeInstanceOf(jl.JitlabError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(250);
  });
});

test("a bool is true for any byte but 0", () => {
  const path = join(folder, "bools.npy");
  jl.save(path, jl.tensor([false, true, true, true]));
  const bytes = readFileSync(path);
  bytes.set([0, 1, 2, 255], bytes.length - 4);
  writeFileSync(path, bytes);
  const mask = jl.load(path);
  expect(mask.sum().item()).toBe(3n);
  expect(mask.nonzero().toArray()).toEqual([[1n], [2n], [3n]]);
  expect(jl.tensor([5, 6, 7, 8]).maskedSelect(mask).toArray()).toEqual([6, 7, 8]);
});

describe("bad files", () => {
  test("are named with what is wrong", () => {
    const path = join(folder, "bad.npy");
    jl.save(path, jl.arange(100));
    const good = readFileSync(path);
    const told = (bytes: Uint8Array | string): string => {
      writeFileSync(path, bytes);
      return refusal(() => jl.load(path)).replaceAll(folder, "FOLDER");
    };
    expect(told("")).toContain("FOLDER/bad.npy is not a readable .npy file: it does not begin");
    expect(told("garbage that is long enough")).toContain("does not begin");
    expect(told(good.subarray(0, 40))).toContain("ends within its header");
    expect(told(good.subarray(0, 200))).toContain("it ends after 72 of 400 bytes of elements");
    expect(told(Buffer.concat([good.subarray(0, 6), Buffer.from([9]), good.subarray(7)]))).toContain(
      "version 9",
    );
    expect(told(Buffer.from(good.toString("latin1").replace("shape", "shade"), "latin1"))).toContain(
      "its header is",
    );
    expect(told(Buffer.from(good.toString("latin1").replace("(100,)", "(9e9,)"), "latin1"))).toContain(
      "its header is",
    );
  });
  test("bfloat16 is refused with the way out", () => {
    expect(() => jl.save(join(folder, "b.npy"), jl.ones([2], { dtype: "bfloat16" }))).toThrow(
      /x\.to\("float32"\)/,
    );
  });
});
