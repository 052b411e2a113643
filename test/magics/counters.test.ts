// The counters of Nsight Compute: pages that it printed for saxpy of two million elements on an H100, and calls without any.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shareOf, waitsOf } from "../../dist/magics/child/counters.js";
import { countersOf, type LaunchCounters } from "../../dist/magics/child/ncu-report.js";
import { createMagicRuntime } from "../../dist/magics/index.js";
import { findCompiler } from "../../dist/runtime/device/cpu/toolchain.js";
import * as jl from "../../dist/runtime/index.js";
import { FakeHost } from "../support/magic-host.js";

const page = (name: string) => readFileSync(new URL(`../data/ncu/${name}.csv`, import.meta.url), "utf8");
const [launch] = countersOf(page("source"), page("raw")) as [LaunchCounters];

test("the report's shares of the peak, time, bytes and instructions", () => {
  const { instructions, ...rest } = launch;
  expect(rest).toEqual({
    memory: 36.89577,
    arithmetic: 4.926265,
    us: 6.496,
    bytesRead: 8_003_584,
    bytesWritten: 0,
  });
  expect(instructions).toHaveLength(88);
  expect(instructions[0]).toEqual({ opcode: "LDC", samples: 12, stall: "no_inst", sectors: 0, ideal: 0 });
  expect(instructions.reduce((sum, { samples }) => sum + samples, 0)).toBe(487);
  const loads = instructions.filter(({ opcode }) => opcode === "LDG.E.128");
  expect(loads.length).toBeGreaterThan(0);
  for (const { sectors, ideal } of loads) expect(sectors).toBe(ideal);
});

test("messages between the tables, and launches without instructions", () => {
  const text = `==PROF== Connected\n${page("raw")}\n`;
  expect(countersOf("", text)).toEqual([{ ...launch, instructions: [] }]);
  expect(countersOf("", "")).toEqual([]);
});

test("the samples of a source's lines, with those of the functions that they call", () => {
  const instruction = (opcode: string, samples: number, stall: string, sectors = 0) => ({
    ...{ opcode, samples, stall, sectors, ideal: 4 * Math.sign(sectors) },
  });
  const counted = {
    ...launch,
    instructions: [
      instruction("LDG.E", 60, "long_sb", 32),
      instruction("FMUL", 30, "wait"),
      instruction("EXIT", 10, "drain"),
    ],
  };
  const listing = {
    lines: [
      "/*0000*/       LDG.E R1, [R2] ;",
      ".L_x_0:",
      "/*0010*/  @!P0 FMUL R1, R1, R1 ;",
      "/*0020*/       EXIT ;",
    ],
    from: [[7], [], [3, 7], [9]],
  };
  const waits = waitsOf(listing, counted);
  if (waits === undefined) throw new Error("The instructions are the same.");
  expect(waits.ofLine(1)).toBeUndefined();
  expect(waits.ofLine(0)).toEqual({
    percent: 60,
    note: "mostly for global or local memory; 8.0 times the sectors of dense accesses",
  });
  expect(shareOf(waits, [7], false)?.percent).toBe(60);
  expect(shareOf(waits, [7], true)?.percent).toBe(90);
  expect(shareOf(waits, [3], true)).toEqual({
    percent: 30,
    note: "mostly for the result of the instruction before",
  });
  expect(shareOf(waits, [1], true)).toBeUndefined();
  // Of another compile.
  expect(
    waitsOf({ ...listing, lines: listing.lines.map((line) => line.replace("FMUL", "FADD")) }, counted),
  ).toBeUndefined();
  expect(waitsOf({ lines: listing.lines.slice(1), from: listing.from.slice(1) }, counted)).toBeUndefined();
});

test.skipIf(findCompiler().path === "")(
  "a call on the processor: why there are no counters, and the figure",
  async () => {
    jl.setDevice("cpu");
    const host = new FakeHost();
    const magic = createMagicRuntime(host);
    const x = jl.ones([4]);
    let calls = 0;
    await magic.inspectCounters({}, () => {
      calls++;
      return x.add(1);
    });
    expect(calls).toBe(1);
    const text = host.text();
    expect(text).toContain("no counters: the call's launches are not on a GPU");
    expect(text).toMatch(/^add {2}float32/);
    await expect(magic.inspectCounters({}, () => 1)).rejects.toThrow(
      "%inspect: the call launched no kernel.",
    );
    await expect(
      magic.inspectCounters({}, () => {
        throw new Error("mine");
      }),
    ).rejects.toThrow("mine");
  },
);
