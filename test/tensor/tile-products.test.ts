// Large products of bfloat16, which a processor with tile registers multiplies by them.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { device } from "../support/device.js";

const script = fileURLToPath(new URL("../support/large-halves.mjs", import.meta.url));
const areRight = (more: Readonly<Record<string, string>> = {}) =>
  JSON.parse(
    execFileSync(process.execPath, [script, device], { env: { ...process.env, ...more }, encoding: "utf8" }),
  );

test("factors of every layout", () => {
  expect(areRight()).toEqual(new Array(9).fill(true));
});

test.skipIf(device !== "cpu")("a compiler without tile registers computes the same", () => {
  expect(areRight({ CXX: "c++ -U__AMX_BF16__" })).toEqual(new Array(9).fill(true));
});
