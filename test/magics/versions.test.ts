// The versions of functors, and the changes between texts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lineChanges } from "../../dist/magics/child/line-changes.js";
import { createMagicRuntime } from "../../dist/magics/index.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost } from "../support/magic-host.js";

describe("changes", () => {
  test("lines around a change, and what is left out", () => {
    const before = "a b c d e f g h i j k".split(" ");
    const after = "a b c d e F g h i j k l".split(" ");
    expect(lineChanges(before, after)).toEqual({
      lines: [" ...", " c", " d", " e", "-f", "+F", " g", " h", " i", " j", " k", "+l"],
      added: 2,
      removed: 1,
    });
    expect(lineChanges(["a"], ["a"])).toEqual({ lines: [" ..."], added: 0, removed: 0 });
    expect(lineChanges([], ["a"])).toEqual({ lines: ["+a"], added: 1, removed: 0 });
  });

  test("the changes make one text of the other, and are as few as possible", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 });
    const common = (x: readonly string[], y: readonly string[]): number => {
      const [[head, ...rest], [other, ...others]] = [x, y] as [string[], string[]];
      if (head === undefined || other === undefined) return 0;
      return head === other ? 1 + common(rest, others) : Math.max(common(rest, y), common(x, others));
    };
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines, added, removed } = lineChanges(before, after);
        expect(before.length - removed).toBe(common(before, after));
        expect(after.length - added).toBe(common(before, after));
        if (lines.includes(" ...")) return;
        const side = (sign: string) =>
          lines.filter((line) => " " === line[0] || line[0] === sign).map((line) => line.slice(1));
        expect(side("-")).toEqual(before);
        expect(side("+")).toEqual(after);
      }),
    );
  });
});

describe.skipIf(findCompiler().path === "")("versions", () => {
  jl.setDevice("cpu");
  const host = new FakeHost();
  const magic = createMagicRuntime(host);
  const define = (body: string) => {
    const fn = magic.kernel<[unknown], object, [unknown]>(
      `template <typename T>\nT own(T x) {\n  ${body}\n}`,
      {},
    );
    host.locals.own = fn;
    return fn;
  };
  const x = jl.tensor([1, 2, 3]).to("float32");

  test("each other text is a version; a call compares times and results with the newest", () => {
    define("return x * x;");
    define("return x * x;");
    define("T y = x;\n  return y * x;");
    const newest = define("return x * x + x;");
    magic.versions("own");
    expect(host.text().replace(/\b\d+ +\d+\b|–/g, "N")).toMatch(
      /^own: 3 versions\n[\s\S]*own@1[\s\S]*own@2 .*\+2 −1[\s\S]*own@3 .*\+1 −2/,
    );
    magic.versions("own", newest, (own) => own(x as never));
    const lines = host.text().split("\n");
    expect(lines.filter((line) => /own@[12] .* 3 differ, by up to [\d.e+]+ ULP$/.test(line))).toHaveLength(2);
    expect(lines.find((line) => line.includes("own@3"))).toMatch(/ the newest$/);
  });

  test("equal bits, and a version that fails", () => {
    define("return x + x;");
    const newest = define("return T(2) * x;");
    magic.versions("own", newest, (own) => own(x as never));
    const ownLine = (name: string) =>
      host
        .text()
        .split("\n")
        .find((line) => line.includes(name));
    expect(ownLine("own@4")).toMatch(/ equal bits$/);
    magic.versions("own", newest, (own) => {
      if (own !== newest) throw new Error("Not so.");
      return own(x as never);
    });
    expect(ownLine("own@4")).toMatch(/ Not so\. +–$/);
  });

  test("%diff of versions, of their machine code, of dtypes and layouts", () => {
    magic.diff({ words: ["own@1", "own@2"], sass: false });
    expect(host.text()).toBe(`own@1 → own@2  +2 −1 lines
1    template <typename T>
2    T own(T x) {
3   -  return x * x;
4   +  T y = x;
5   +  return y * x;
6    }`);
    magic.diff({ words: ["own@1", "own@2"], sass: true });
    expect(host.text()).toBe("own@1 and own@2 have the same machine code.");
    magic.diff({ words: ["own@1", "own@3"], sass: true });
    expect(host.text()).toMatch(/^own@1 → own@3 {2}\+\d+ −\d+ lines {2}\d+ → \d+ instructions/);
    magic.diff({ words: ["own", "float32", "float64"], sass: false });
    expect(host.text()).toMatch(/^own float32 → own float64 /);
    magic.diff({ words: ["own", "contiguous", "strided2"], sass: false });
    expect(host.text()).toMatch(/^own contiguous → own strided2 /);
  });

  test("names and versions that do not exist", () => {
    expect(() => magic.versions("other")).toThrow(
      'no cell with %%kernel, %%cuda or %%reduction defined "other". Some defined own.',
    );
    expect(() => magic.diff({ words: ["own@1", "own@99"], sass: false })).toThrow("own@1, own@2, own@3");
    expect(() => magic.diff({ words: ["own", "own@1"], sass: false })).toThrow(
      '"own" is not a version such as f@2',
    );
    expect(() => magic.diff({ words: ["own", "float32", "float65"], sass: false })).toThrow("float65");
  });
});
