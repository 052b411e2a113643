// Exported launches: a folder is made, run, and its program finds equal bits.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import * as jl from "../../dist/runtime/index.js";

const found = findCompiler().path !== "" && spawnSync("make", ["--version"]).status === 0;
if (!found) console.warn("SKIPPED: exported launches need make and a C++ compiler");

const root = mkdtempSync(join(tmpdir(), "jitlab-export-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => join(root, `launch-${++folders}`);

function make(folder: string, target = "run"): string {
  const { status, stdout, stderr } = spawnSync("make", ["-s", "-C", folder, target], { encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

function run(folder: string, ...words: string[]): { said: string; status: number | null } {
  const { status, stdout, stderr } = spawnSync("./run", words, { cwd: folder, encoding: "utf8" });
  return { said: `${stdout}${stderr}`.trim(), status };
}

beforeAll(() => {
  if (found) jl.setDevice("cpu");
});

const saxpy = jl.jit("template <typename T> T saxpy(T x, T y, T alpha) { return alpha * x + y; }", {
  params: { alpha: 2 },
});
const step = jl.compile((x: jl.Tensor) =>
  x
    .sin()
    .mul(2)
    .sub(x.mean(1, { keepdim: true }))
    .softmax(1),
);

const matrix = () => jl.arange(1, 1201).reshape(30, 40).to("float32").div(7);
const kinds: Record<string, [call: (x: any) => unknown, input?: () => jl.Tensor]> = {
  "a map": [(x) => x.add(1)],
  "a map of a view": [(x) => x.T.add(x.reshape(40, 30)).mul(x.select(0, 3).narrow(0, 0, 30))],
  "a functor with a parameter": [(x) => saxpy(x, x, { alpha: 0.1 })],
  "a write in place": [(x) => x.narrow(1, 3, 5).mul_(3)],
  "a reduction": [(x) => x.sum(), () => jl.arange(100_000).to("float64").sin()],
  "a compiled function": [(x) => step(x)],
  "a scan": [(x) => x.cumsum(1)],
  "a sort": [(x) => x.sort(1)],
  "a read by indexes": [(x) => x.indexSelect(0, jl.tensor([3, 1, 2]))],
  "a Fourier transform of half precision results": [(x) => jl.fft.fft(x).abs().to("bfloat16")],
};

describe.skipIf(!found)("a folder stands alone", () => {
  test.each(Object.entries(kinds))("%s: equal bits", (_, [call, input = matrix]) => {
    const folder = newFolder();
    const made = jl.exportLaunch(call, [input()], { folder });
    expect(made.launches).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(["Makefile", "README", "device.c", "expected", "launch.h", "main.c"]),
    );
    expect(make(folder)).toBe("");
    expect(run(folder)).toMatchObject({
      said: expect.stringMatching(
        made.launches === 1
          ? /^equal bits, [\d.]+ us$/
          : new RegExp(`^equal bits, ${made.launches} launches, [\\d.]+ us$`),
      ),
      status: 0,
    });
  });

  test("an edited kernel is compiled again, and different bits are found", () => {
    const folder = newFolder();
    jl.exportLaunch((x: jl.Tensor) => saxpy(x, x), [jl.arange(5).to("float32")], {
      folder,
      title: "saxpy(x, x)",
    });
    const source = join(folder, "kernel-1-saxpy.cpp");
    const text = readFileSync(source, "utf8");
    expect(text).toContain("return alpha * x + y;");
    writeFileSync(source, text.replace("return alpha * x + y;", "return alpha * x - y;"));
    expect(make(folder)).toBe("");
    expect(run(folder, "--once")).toEqual({
      said: "expected/2.npy: 7 of 20 bytes differ, the first one at 6: 80 instead of 40 (saxpy)",
      status: 1,
    });
    expect(readFileSync(join(folder, "README"), "utf8").split("\n")).toHaveLength(4);
    expect(readFileSync(join(folder, "README"), "utf8")).toContain(
      "One launch of saxpy(x, x), exported by jitlab",
    );
    expect(jl.load(join(folder, "inputs/1.npy")).tolist()).toEqual([0, 1, 2, 3, 4]);
  });

  test("random inputs: nothing is compared, small inputs are as recorded", () => {
    const folder = newFolder();
    const made = jl.exportLaunch(
      (x: jl.Tensor, y: jl.Tensor) => x.mul(y),
      [jl.ones([300_000]), jl.ones([1])],
      {
        folder,
        inputs: "random",
      },
    );
    expect(made.bytes).toBeLessThan(2 ** 20);
    expect(readdirSync(join(folder, "inputs"))).toHaveLength(1);
    expect(existsSync(join(folder, "expected"))).toBe(false);
    expect(make(folder)).toBe("");
    expect(run(folder)).toMatchObject({
      said: expect.stringMatching(/^random inputs, [\d.]+ us$/),
      status: 0,
    });
  });

  test("an input that was pending is computed by a launch of its own, also where that has the same kernel", () => {
    const folder = newFolder();
    const w = jl.arange(4).to("float32").reshape(2, 2);
    let order = w;
    jl.compile((x: jl.Tensor) => {
      order = x.sort(1).values;
      return x.mul(2);
    })(w.neg().add(4));
    jl.exportLaunch((x: jl.Tensor) => x.sort(1, { descending: true }).values, [order], { folder });
    expect(make(folder)).toBe("");
    expect(run(folder, "--once")).toMatchObject({ status: 0 });
    expect(order.toArray()).toEqual([
      [3, 4],
      [1, 2],
    ]);
  });

  test("one launch of several: what the others computed is an input", () => {
    const folder = newFolder();
    const call = (x: jl.Tensor) => x.add(1).mul(3).sub(x);
    expect(jl.exportLaunch(call, [jl.arange(9)], { folder, launches: [2] })).toMatchObject({
      launches: 1,
      kernels: 1,
    });
    expect(jl.load(join(folder, "inputs/1.npy")).tolist()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(make(folder)).toBe("");
    expect(run(folder, "--once").said).toBe("equal bits");
  });
});

describe.skipIf(!found)("what is refused", () => {
  const refused = (call: () => unknown): { code: string; message: string } => {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(jl.JitlabError);
      return error as jl.JitlabError;
    }
    throw new Error("It was not refused.");
  };
  const to = (more: object = {}) => ({ folder: newFolder(), ...more });

  test("a call without launches, with hundreds of them, and of a number that does not exist", () => {
    expect(refused(() => jl.exportLaunch(() => 1, [], to())).message).toBe(
      "exportLaunch: the function launched no kernel.\nExport a call that computes with tensors.",
    );
    const many = (x: jl.Tensor) => {
      for (let i = 0; i < 101; i++) x.add(i);
      return x.mul(2);
    };
    expect(refused(() => jl.exportLaunch(many, [jl.ones([4])], to())).message).toBe(
      `exportLaunch: the function makes 102 launches.
Choose some with { launches: [1, 2] }:
  add float32, float32 scalar on cpu: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ...
  mul float32, float32 scalar on cpu: 102`,
    );
    expect(refused(() => jl.exportLaunch(many, [jl.ones([4])], to({ launches: [103] }))).code).toBe(
      "export-launches",
    );
    const options = to({ launches: [1, 102] });
    expect(jl.exportLaunch(many, [jl.ones([4])], options)).toMatchObject({ launches: 2, kernels: 2 });
  });

  test("a folder with something in it, and one that cannot be made", () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, "mine"), "");
    const call = () => jl.ones([3]).add(1);
    expect(refused(() => jl.exportLaunch(call, [], { folder })).code).toBe("folder-exists");
    expect(readdirSync(folder)).toEqual(["mine"]);
    expect(refused(() => jl.exportLaunch(call, [], { folder: join(folder, "mine") })).code).toBe(
      "folder-exists",
    );
    const below = join(folder, "mine", "deep");
    expect(refused(() => jl.exportLaunch(call, [], { folder: below })).code).toBe("folder-unwritable");
  });

  test("more bytes than allowed: nothing is written", () => {
    const options = to({ mostBytes: 1000 });
    const error = refused(() => jl.exportLaunch((x: jl.Tensor) => x.add(1), [jl.ones([4000])], options));
    expect(error.message).toBe(
      'exportLaunch: the launches read and write 46.9 KiB, more than 1000 bytes.\nPass { mostBytes: Infinity } to write all, or { inputs: "random" } to leave large inputs out.',
    );
    expect(existsSync(options.folder)).toBe(false);
  });

  test("arguments of other types, asynchronous functions, another export inside, a graph", () => {
    const call = (x: jl.Tensor) => x.add(1);
    const x = jl.ones([3]);
    expect(refused(() => jl.exportLaunch(1 as any, [], to())).code).toBe("bad-argument");
    expect(refused(() => jl.exportLaunch(call, x as any, to())).code).toBe("bad-argument");
    expect(refused(() => jl.exportLaunch(call, [x], {} as any)).code).toBe("bad-argument");
    expect(refused(() => jl.exportLaunch(call, [x], to({ inputs: "none" as any }))).code).toBe(
      "bad-argument",
    );
    expect(refused(() => jl.exportLaunch(call, [x], to({ launch: 1 } as any))).code).toBe("unknown-option");
    expect(refused(() => jl.exportLaunch(async () => x.add(1), [], to())).code).toBe("export-async");
    expect(refused(() => jl.exportLaunch(() => jl.exportLaunch(call, [x], to()), [], to())).code).toBe(
      "export-busy",
    );
    expect(refused(() => jl.graph(() => jl.exportLaunch(call, [x], to()))).code).toBe("export-busy");
    // Afterwards launches are as before.
    expect(call(x).tolist()).toEqual([2, 2, 2]);
  });

  test("a call that throws: its error, and no folder", () => {
    const options = to();
    expect(() =>
      jl.exportLaunch(
        () => {
          throw new Error("mine");
        },
        [],
        options,
      ),
    ).toThrow("mine");
    expect(existsSync(options.folder)).toBe(false);
  });
});
