// Trees in files: all kinds of leaves there and back, files that are damaged or of another structure, and a run that goes on in another process.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-trees-"));
const path = join(folder, "x.safetensors");
beforeAll(useAnyDevice);
afterAll(() => rmSync(folder, { recursive: true }));

const back = (tree: unknown) => {
  jl.saveTree(path, tree);
  return jl.loadTree(path);
};

test("every kind of leaf", () => {
  const leaves = [
    1.5,
    -0,
    1e300,
    Number.NaN,
    -Infinity,
    7n,
    -(2n ** 70n),
    "t\ud800\u0000é",
    "",
    true,
    false,
    null,
  ];
  const tree = { leaves, nothing: undefined, none: [], empty: {}, __proto__own: 1, "a.b": { "": 3 } };
  const found = back(tree);
  expect(found).toEqual(tree);
  expect(Object.is(found.leaves[1], -0)).toBe(true);
  expect("nothing" in found).toBe(true);
  expect(back(5)).toBe(5);
  expect(back(undefined)).toBe(undefined);
  const odd = JSON.parse('{"__proto__": {"x": 1}, "2": 0, "1": 0}');
  expect(Object.getOwnPropertyNames(back(odd)).sort()).toEqual(["1", "2", "__proto__"]);
});

test("tensors of every dtype, also views, and names that collide", () => {
  const tensors = Object.keys(jl.dtypes).map((dtype) => jl.arange(6).reshape(2, 3).to(dtype).T);
  const tree = { tensors, none: jl.zeros([0, 3]), "a.b": jl.ones([1]), a: { b: jl.zeros([1]) } };
  const found = back({ ...tree, __metadata__: jl.full([1], 7), tensor: jl.tensor(2) });
  for (const [i, one] of tensors.entries()) {
    expect(found.tensors[i].dtype.name).toBe(one.dtype.name);
    expect(found.tensors[i].toArray()).toEqual(one.toArray());
  }
  expect([found["a.b"].item(), found.a.b.item(), found.__metadata__.item(), found.tensor.item()]).toEqual([
    1, 0, 7, 2,
  ]);
  expect(back(jl.tensor(3)).item()).toBe(3);
  expect(Object.keys(jl.loadSafetensors(path))).toEqual(["tensor"]);
});

test("a tensor and a generator at two places are one", () => {
  const [w, generator] = [jl.ones([2]), jl.generator(-5)];
  const found = back({ w, tied: [w], generator, also: generator });
  expect(found.tied[0]).toBe(found.w);
  expect(found.also).toBe(found.generator);
});

test("a generator goes on where it was", () => {
  const generator = jl.generator(2n ** 63n - 1n);
  jl.rand([3], { generator });
  const state = generator.state();
  const found = back(generator);
  const expected = jl.rand([3], { generator });
  expect(jl.rand([3], { generator: found }).equal(expected)).toBe(true);
  expect(jl.rand([3], { generator: jl.generator(state) }).equal(expected)).toBe(true);
  expect(state).toEqual({ seed: 2n ** 63n - 1n, stream: 1 });
  for (const wrong of [
    {},
    { seed: 1, stream: 0 },
    { seed: 1n, stream: -1 },
    { seed: 2n ** 64n, stream: 0 },
    null,
  ])
    expect(refusal(() => jl.generator(wrong as never))).toContain("bad-seed");
});

test("like names the first difference", () => {
  const tree = {
    w: [jl.ones([2, 3]), jl.ones([3])],
    epoch: 5,
    name: "run",
    most: undefined,
    draw: jl.generator(1),
  };
  jl.saveTree(path, tree);
  const differs = (change: object) => refusal(() => jl.loadTree(path, { like: { ...tree, ...change } }));
  const found: number = jl.loadTree(path, {
    like: { ...tree, epoch: 0, name: "other", draw: jl.generator(2) },
  }).epoch;
  expect(found).toBe(5);
  expect(differs({ w: [jl.ones([2, 4]), jl.ones([3])] })).toMatch(
    /^tree-mismatch: .*float32 tensor of shape \[2, 3\] at w\.0, and like .*\[2, 4\]/,
  );
  expect(differs({ w: [jl.ones([2, 3], { dtype: "float64" }), jl.ones([3])] })).toContain(
    "at w.0, and like a float64",
  );
  expect(differs({ w: [jl.ones([2, 3])] })).toContain(
    "a float32 tensor of shape [3] at w.1, and like nothing",
  );
  expect(differs({ w: tree.w[0] })).toContain("a list of 2 at w, and like a float32 tensor");
  expect(differs({ epoch: 5n })).toContain("a number at epoch, and like a bigint");
  expect(differs({ most: jl.ones([1]) })).toContain("nothing at most");
  expect(differs({ draw: 3 })).toContain("a generator at draw, and like a number");
  expect(differs({ more: [1] })).toContain("nothing at more, and like a list of 1");
  expect(differs({ toString: 1 })).toContain("nothing at toString");
  const { name: _, ...less } = tree;
  expect(refusal(() => jl.loadTree(path, { like: less }))).toContain("a string at name, and like nothing");
  expect(refusal(() => jl.loadTree(path, { like: undefined }))).toContain("an object, and like nothing");
});

test("what is not a tree is refused, and leaves an earlier file as it was", () => {
  jl.saveTree(path, { x: 1 });
  const loop: Record<string, unknown> = {};
  Object.assign(loop, { self: [loop] });
  const deep = Array.from({ length: 1200 }).reduce((inside: unknown) => [inside], 0);
  for (const [tree, message] of [
    [{ a: [() => 1] }, /at a\.0 cannot be saved/],
    [{ a: new Map() }, /at a cannot be saved/],
    [{ a: new Float32Array(2) }, /at a cannot be saved/],
    [Symbol("s"), /cannot be saved/],
    [loop, /contains itself/],
    [deep, /more than 1000 levels/],
  ] as const)
    expect(refusal(() => jl.saveTree(path, tree))).toMatch(message);
  expect(jl.loadTree(path)).toEqual({ x: 1 });
  expect(refusal(() => jl.saveTree(5 as never, {}))).toContain("bad-argument");
  expect(refusal(() => jl.saveTree(join(folder, "none", "x"), {}))).toContain("cannot be written");
  mkdirSync(join(folder, "is-folder"));
  expect(refusal(() => jl.saveTree(join(folder, "is-folder"), {}))).toContain("cannot be written");
  expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("only a relative path is said to be relative", () => {
  expect(refusal(() => jl.loadTree("none/x"))).toContain(`is relative to ${process.cwd()}`);
  expect(refusal(() => jl.loadTree(join(folder, "none", "x")))).not.toContain("relative");
});

test("a link stays one", () => {
  const link = join(folder, "latest");
  jl.saveTree(path, 1);
  symlinkSync(path, link);
  jl.saveTree(link, 2);
  expect(jl.loadTree(path)).toBe(2);
});

test("a file that is cut off at any place, or damaged", () => {
  jl.saveTree(path, { w: jl.arange(4), more: [1, jl.ones([3])] });
  const bytes = readFileSync(path);
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(path, bytes.subarray(0, length));
    expect(
      refusal(() => jl.loadTree(path)),
      `${length} bytes`,
    ).toMatch(/^safetensors-damaged: loadTree/);
  }
  expect(refusal(() => jl.loadTree(join(folder, "none")))).toContain("cannot be read");
});

const withTree = (tree: unknown) =>
  jl.saveSafetensors(
    path,
    { w: jl.ones([2]) },
    { metadata: { "jitlab.tree": typeof tree === "string" ? tree : JSON.stringify(tree) } },
  );

test("a tree of a newer format, another file, or a text that is no tree", () => {
  withTree({ version: 2, tree: {} });
  expect(refusal(() => jl.loadTree(path))).toMatch(/^tree-version: .*Update jitlab/s);
  jl.saveSafetensors(path, { w: jl.ones([2]) });
  expect(refusal(() => jl.loadTree(path))).toMatch(/^tree-missing: .*jl\.loadSafetensors/s);
  const nested = `${'{"list":['.repeat(5000)}1${"]}".repeat(5000)}`;
  const texts = [
    "{",
    "3",
    "null",
    `{"version":1,"tree":${nested}}`,
    { version: 0, tree: 1 },
    { version: 1 },
    { version: 1, tree: {} },
    { version: 1, tree: [] },
    { version: 1, tree: { tensor: "v" } },
    { version: 1, tree: { tensor: "w", dtype: "complex128" } },
    { version: 1, tree: { list: 5 } },
    { version: 1, tree: { object: [3] } },
    { version: 1, tree: { bigint: "x" } },
    { version: 1, tree: { generator: [0, "1", -1] } },
    { version: 1, tree: { what: 1 } },
  ];
  for (const text of texts) {
    withTree(text);
    expect(
      refusal(() => jl.loadTree(path)),
      JSON.stringify(text).slice(0, 80),
    ).toMatch(/^safetensors-damaged/);
  }
});

test("a resumed run of adam with dropout has the bits of the uninterrupted one", () => {
  const script = join(import.meta.dirname, "..", "support", "training-process.mjs");
  const run = (from: string, to: string, steps: number) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [script, join(folder, from), join(folder, to), `${steps}`],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    expect(status).toBe(0);
  };
  run("none", "whole", 50);
  run("none", "half", 23);
  run("half", "resumed", 27);
  const whole = jl.loadTree(join(folder, "whole"));
  expect(whole.losses.length).toBe(50);
  expect(whole.generator.state().stream).toBe(50);
  const resumed = jl.loadTree(join(folder, "resumed"), { like: whole });
  expect(resumed.losses).toEqual(whole.losses);
  expect(readFileSync(join(folder, "resumed")).equals(readFileSync(join(folder, "whole")))).toBe(true);
}, 120_000);
