// Files of safetensors: every dtype there and back, bytes as the format's description has them, and damaged files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-safetensors-"));
const path = join(folder, "x.safetensors");
beforeAll(useAnyDevice);
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of some bytes. */
function written(bytes: Uint8Array): string {
  writeFileSync(path, bytes);
  return path;
}

/** A file of a header and elements. */
function file(header: unknown, data: Uint8Array = new Uint8Array(0)): string {
  const text = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  writeFileSync(path, Buffer.concat([length, text, data]));
  return path;
}

describe("safetensors", () => {
  test("every dtype of the format, layouts and sizes", () => {
    const named = Object.keys(jl.dtypes).filter((name) => name !== "complex128") as jl.DTypeName[];
    const tensors: Record<string, jl.Tensor> = Object.fromEntries(
      named.map((dtype) => [dtype, jl.arange(6).reshape(2, 3).to(dtype)]),
    );
    Object.assign(tensors, {
      turned: jl.arange(6).reshape(2, 3).T,
      scalar: jl.tensor(2.5),
      none: jl.zeros([0, 3]),
      "a b/ü": jl.tensor([1, 2]).slice("::-1"),
    });
    jl.saveSafetensors(path, tensors, { metadata: { format: "pt" } });
    const back = jl.loadSafetensors(path);
    expect(Object.keys(back).sort()).toEqual(Object.keys(tensors).sort());
    for (const [name, tensor] of Object.entries(tensors)) {
      expect(back[name]?.dtype.name, name).toBe(tensor.dtype.name);
      expect(back[name]?.shape, name).toEqual(tensor.shape);
      expect(back[name]?.toArray(), name).toEqual(tensor.toArray());
    }
    const bytes = readFileSync(path);
    const length = Number(bytes.readBigUInt64LE());
    expect(length % 8).toBe(0);
    expect(JSON.parse(bytes.toString("utf8", 8, 8 + length)).__metadata__).toEqual({ format: "pt" });
  });
  test("the bytes of the format", () => {
    const header = {
      w: { dtype: "F32", shape: [2], data_offsets: [2, 10] },
      b: { dtype: "U8", shape: [2, 1], data_offsets: [0, 2] },
    };
    file(header, new Uint8Array([7, 9, 0, 0, 128, 63, 0, 0, 0, 192]));
    const { w, b } = jl.loadSafetensors(path);
    expect(w?.toArray()).toEqual([1, -2]);
    expect(b?.toArray()).toEqual([[7], [9]]);
    jl.saveSafetensors(path, { one: jl.tensor([1], { dtype: "int16" }) });
    const text = '{"one":{"dtype":"I16","shape":[1],"data_offsets":[0,2]}} ';
    const padded = text.trimEnd().padEnd(Math.ceil(text.trimEnd().length / 8) * 8);
    expect(readFileSync(path).subarray(8)).toEqual(Buffer.concat([Buffer.from(padded), Buffer.from([1, 0])]));
  });
  const entry = (offsets: number[], shape: unknown = [2], dtype = "U8") => ({
    x: { dtype, shape, data_offsets: offsets },
  });
  const two = new Uint8Array(2);
  test.each<[string, () => string, RegExp]>([
    ["too short", () => written(Buffer.from("abc")), /3 bytes/],
    ["a header beyond the file", () => written(Buffer.alloc(20, 255)), /its header 18446744073709552000/],
    ["no JSON", () => file("{oh"), /not JSON/],
    ["a list", () => file("[1, 2]"), /not an object/],
    ["a wrong size", () => file(entry([0, 2], [3]), two), /2 bytes, and its shape 3/],
    ["beyond the end", () => file(entry([0, 4], [4]), two), /2 bytes of elements, and its tensors 4/],
    ["a gap", () => file(entry([1, 2], [1]), two), /byte 1 of the elements, not at 0/],
    ["negative offsets", () => file(entry([-2, 0]), two), /its header says of x/],
    ["a fraction as an extent", () => file(entry([0, 2], [1.5]), two), /its header says of x/],
    [
      "a shape nested deep",
      () => file(`{"x":{"dtype":"U8","shape":[${"[".repeat(1e5)}${"]".repeat(1e5)}]}}`),
      /its header says of x: dtype "U8", shape \[\[an array of 1]]/,
    ],
    [
      "an entry nested deep",
      () => file(`{"x":${"[".repeat(1e5)}${"]".repeat(1e5)}}`),
      /its header says of x: dtype undefined/,
    ],
    ["no shape", () => file({ x: { dtype: "U8" } }), /its header says of x/],
    [
      "a dtype that is not ours",
      () => file(entry([0, 2], [2], "F8_E4M3"), two),
      /F8_E4M3, which is not a supported dtype/,
    ],
    [
      "a name that objects take",
      () => file('{"__proto__":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'),
      /__proto__/,
    ],
    ["no file", () => join(folder, "none"), /cannot be read/],
  ])("%s is refused", (_, make, message) => {
    expect(() => jl.loadSafetensors(make())).toThrow(message);
  });
  test("a bool is true for any byte but 0", () => {
    const bools = { dtype: "BOOL", shape: [4], data_offsets: [0, 4] };
    const { x } = jl.loadSafetensors(file({ x: bools }, new Uint8Array([0, 1, 2, 255])));
    expect([x?.toArray(), x?.sum().item()]).toEqual([[false, true, true, true], 3n]);
  });

  test("what the format has not is refused", () => {
    const z = jl.zeros([1], { dtype: "complex128" });
    expect(() => jl.saveSafetensors(path, { z })).toThrow("complex128, which the format does not have");
    expect(() => jl.saveSafetensors(path, { __metadata__: jl.ones([1]) })).toThrow("no tensor may be named");
    expect(() => jl.saveSafetensors(path, { x: 3 as never })).toThrow("3, not a tensor");
  });
});
