// The text of launch.h: a replay as tables in C.
import type { DType } from "../base/dtype.js";
import type { CapturedLaunch } from "../launch/capture.js";
import type { Replay, Step } from "./replay.js";

/** A compiled kernel in a folder. */
export interface ExportedKernel {
  /** Its file without the ending. */
  readonly file: string;
  /** The name of its function in the code. */
  readonly symbol: string;
}

/** What a step of a replay needs beside it: the file of its contents, and the kernel of its launch. */
export interface Names {
  readonly fileOf: (step: Step) => string | undefined;
  readonly kernelOf: (launch: number) => number;
  readonly dtypeOf: (name: string) => DType;
}

/** The text of launch.h. */
export function launchText(
  replay: Replay,
  launches: readonly CapturedLaunch[],
  kernels: readonly ExportedKernel[],
  ending: string,
  names: Names,
): string {
  const tables: string[] = [];
  const steps = replay.steps.map((step, i) => stepText(step, i, launches, names, tables));
  return `// Written by jitlab: the launches, what they read, and what they wrote. main.c goes through the steps in order.
#pragma once
#include "steps.h"

static const struct Buffer buffers[] = {
${replay.buffers.map(({ bytes, late }) => `    {${bytes}, ${late}},`).join("\n")}
};

static const struct Kernel kernels[] = {
${kernels.map(({ file, symbol }) => `    {"${file}.${ending}", "${symbol}"},`).join("\n")}
};

${tables.join("\n")}
static const struct Step steps[] = {
${steps.map((text) => `    {${text}},`).join("\n")}
};
`;
}

function stepText(
  step: Step,
  index: number,
  launches: readonly CapturedLaunch[],
  names: Names,
  tables: string[],
): string {
  const file = names.fileOf(step);
  const stored = file === undefined ? "" : `, .file = "${file}"`;
  switch (step.kind) {
    case "launch":
      return launched(step, index, launches[step.launch] as CapturedLaunch, names, tables);
    case "constant":
      return `.kind = CONSTANT, .kernel = ${names.kernelOf(step.launch)}, .name = ${quoted(step.name)}, .bytes = ${step.contents.length}${stored}`;
    default: {
      const { place, part } = step;
      const { op = "" } = "launch" in step ? (launches[step.launch] ?? {}) : {};
      const of = op === "" ? "" : `, .name = ${quoted(op)}`;
      const random = step.kind === "random" ? randomText(names.dtypeOf(part.dtype)) : "";
      return `.kind = ${step.kind.toUpperCase()}, .buffer = ${place.buffer}, .offset = ${place.offset}, .bytes = ${part.bytes}${stored}${of}${random}`;
    }
  }
}

function launched(
  { launch, pointers }: Step & { readonly kind: "launch" },
  index: number,
  { op, config, block }: CapturedLaunch,
  { kernelOf }: Names,
  tables: string[],
): string {
  const { grid, block: threads, sharedBytes, cooperative = false } = config;
  const rows = Array.from({ length: Math.ceil(block.length / 16) }, (_, row) =>
    [...block.subarray(16 * row, 16 * row + 16)].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`),
  );
  tables.push(`static const unsigned char arguments${index}[] = {
${rows.map((row) => `    ${row.join(", ")},`).join("\n")}
};
static const struct Pointer pointers${index}[] = {
${pointers.map(({ at, buffer, offset }) => `    {${at}, ${buffer}, ${offset}},`).join("\n") || "    {0},"}
};
`);
  return [
    `.kind = LAUNCH, .name = ${quoted(op)}, .kernel = ${kernelOf(launch)}`,
    `.grid = {${grid}}, .block = {${threads}}, .shared = ${sharedBytes}, .cooperative = ${+cooperative}`,
    `.arguments = arguments${index}, .bytes = ${block.length}, .pointers = pointers${index}, .pointerCount = ${pointers.length}`,
  ].join(",\n     ");
}

/** The bits of a float's fraction, and of its 1. */
const fractions: Readonly<Record<string, readonly [fraction: number, one: bigint]>> = {
  float16: [10, 15n],
  bfloat16: [7, 127n],
  float32: [23, 127n],
  complex64: [23, 127n],
  float64: [52, 1023n],
  complex128: [52, 1023n],
};

function randomText({ name, kind, bytes }: DType): string {
  const [fraction, exponent] = fractions[name] ?? [0, 0n];
  const width = kind === "complex" ? bytes / 2 : bytes;
  const one = exponent << BigInt(fraction);
  return `, .width = ${width}, .fraction = ${fraction}, .one = 0x${one.toString(16)}`;
}

/** A string of C. */
function quoted(text: string): string {
  return `"${text.replace(/[^\x20-\x7e]|["\\?]/g, (char) => (/["\\?]/.test(char) ? `\\${char}` : "_"))}"`;
}
