// The kernels of a device of OpenCL as texts: all threads of a block reach each exchange and barrier together, because where only
// some do, a driver for processors computes something else or hangs; and no word of CUDA is left that the prelude does not define.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { replaceDevice } from "../../dist/runtime/launch/devices.js";
import { DryDevice, dryTargets } from "../support/dry-device.js";
import { kernelSubjects } from "../support/kernel-subjects.js";

process.env.JITLAB_POISON = "0";

const together = /\b(?:__shfl\w*|__ballot_sync|__syncwarp|__syncthreads|from_thread|from_first)\s*\(/;
// What differs between threads of a block.
const varies = /\b(?:thread|threadIdx|lane|active)\b/;

/** The conditions that differ between threads and have an exchange or a barrier in their statement. */
function divergent(text: string): string[] {
  const code = text.replace(/\/\/.*/g, "");
  return [...code.matchAll(/\b(?:if|while) \(/g)].flatMap(({ index, 0: word }) => {
    const [condition, rest] = enclosed(code, index + word.length - 1, "(", ")");
    const own = /^\s*\{/.test(code.slice(rest))
      ? enclosed(code, code.indexOf("{", rest), "{", "}")[0]
      : code.slice(rest, code.indexOf(";", rest) + 1);
    return varies.test(condition) && together.test(own) ? [`${condition} ${own.slice(0, 200)}`] : [];
  });
}

function enclosed(code: string, at: number, open: string, close: string): [inside: string, behind: number] {
  let depth = 0;
  for (let i = at; i < code.length; i++) {
    if (code[i] === open) depth++;
    else if (code[i] === close && --depth === 0) return [code.slice(at, i + 1), i + 1];
  }
  throw new Error(`No ${close} in ${code.slice(at, at + 80)}`);
}

/** The text of every kernel that the subjects launch on a device of OpenCL. */
function texts(): string[] {
  const found = new Set<string>();
  const device = new DryDevice(58, dryTargets.opencl, (code) => {
    found.add((JSON.parse(code) as { source: string }).source);
    return "";
  });
  replaceDevice(device);
  jl.setDevice(device.name);
  for (const [, call] of kernelSubjects()) {
    try {
      call();
    } catch (error) {
      if (!(error instanceof jl.JitlabError)) throw error;
    }
  }
  return [...found];
}

const prelude = readFileSync(
  new URL("../../dist/runtime/codegen/headers/opencl.h", import.meta.url),
  "utf8",
).trimEnd();

test("threads of a block exchange and wait together, and no block waits for another one", () => {
  const all = texts();
  expect(all.length).toBeGreaterThan(200);
  const own = all.map((text) => {
    expect(text).toContain(prelude);
    return text.replace(prelude, "");
  });
  expect(own.flatMap(divergent)).toEqual([]);
  expect(own.filter((text) => /\btake\(|\bpass\(/.test(text))).toEqual([]);
  // A warp is a subgroup of 32.
  expect(own.filter((text) => together.test(text) && !/JITLAB_KERNEL\(\d+\)/.test(text))).toEqual([]);
});

test("a text knows where threads part", () => {
  expect(divergent("if (thread < 32) { a(); __syncwarp(); }")).toHaveLength(1);
  expect(divergent("if (lane == 0) x = from_thread(x, 1, 32);")).toHaveLength(1);
  expect(divergent("if (count > 3) { __syncthreads(); } if (thread == 0) y = 1; __syncthreads();")).toEqual(
    [],
  );
});
