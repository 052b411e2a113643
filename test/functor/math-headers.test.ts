// A kernel's text includes the host dialects' math functions only if it names one of them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cppDialect, wasmDialect } from "../../dist/runtime/device/dialect.js";
import * as jl from "../../dist/runtime/index.js";

const read = (file: string) =>
  readFileSync(new URL(`../../dist/runtime/codegen/headers/${file}.h`, import.meta.url), "utf8");

// What a header offers: functions outside of the namespace that holds its own steps, and names brought out of that one.
function offered(text: string): string[] {
  const open = text.replace(
    /namespace (elementary|wide|circular|angles|power|cube_root|inverse_hyperbolic) \{[\s\S]*\} {2}\/\/ namespace \1/,
    "",
  );
  const patterns = [
    /JITLAB_(?:WIDE|MATH\d|EACH)\((\w+)\)/g,
    /^(?:template <[^>]*> )?inline \w+(?: \w+)? (\w+)\(/gm,
    /using \w+::(\w+)/g,
  ];
  const names = patterns.flatMap((pattern) => [...open.matchAll(pattern)].map(([, name = ""]) => name));
  return [...new Set(names)].filter((name) => name !== "NAME" && !/_fma$/.test(name));
}

test.each(
  [cppDialect, wasmDialect].flatMap((dialect) =>
    dialect.named.map((header) => [dialect.title, header] as const),
  ),
)("%s: $file is looked for under each name that it offers", (_, { file, functions }) => {
  expect(offered(read(file)).filter((name) => !functions.includes(name))).toEqual([]);
});

const sourceOf = (text: string, dtype: jl.DTypeName, device: string) =>
  jl.explain(jl.jit(text), { device, dtypes: [dtype] })[0]?.source ?? "";

test.each(["cpu", "wasm"])("on %s a text brings what it calls, and no more", (device) => {
  const twice = sourceOf("template <typename T> T twice(T x) { return x + x; }", "float32", device);
  const root = sourceOf("template <typename T> T root(T x) { return sqrt(x); }", "float32", device);
  const wave = sourceOf("template <typename T> T wave(T x) { return x * sin(x); }", "float32", device);
  const lines = [twice, root, wave].map((text) => text.split("\n").length);
  expect(lines).toEqual([...lines].sort((a, b) => a - b));
  expect(twice).not.toMatch(/sqrt|sin/);
  expect(root).toMatch(/JITLAB_MATH1\(sqrt\)/);
  expect(jl.explain(jl.add, { device: "cuda", arch: "sm_90" })[0]?.source).not.toMatch(/JITLAB_MATH1/);
});
