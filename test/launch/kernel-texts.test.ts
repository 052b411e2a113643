// The kernels that calls need and the launches that they make, as a file with two numbers and checksums for each target and call: of the
// texts with names, flags and divisions, and of the launches with grids and argument blocks. A changed line names its call. Files of
// codegen/headers/ and ops/functors/ only count as files. KERNEL_TEXTS names a folder for the texts: compare two with `diff -r`.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { replaceDevice } from "../../dist/runtime/launch/devices.js";
import type { KernelRequest } from "../../dist/runtime/launch/obtain.js";
import { DryDevice, dryTargets } from "../support/dry-device.js";
import { requestsOf } from "../support/gpu-text.js";
import { kernelSubjects } from "../support/kernel-subjects.js";
import { useOwnCache } from "../support/own-cache.js";

// A kernel that an earlier run has stored is compiled with no others, which shows in the texts.
useOwnCache();

// With it small tensors have blocks of their own: garbage collection decides where in a shared one they lie.
process.env.JITLAB_POISON = "1000000000";
const table = join(import.meta.dirname, "..", "__snapshots__", "kernel-texts.txt");
const library = join(import.meta.dirname, "..", "..", "dist", "runtime");
const folder = process.env.KERNEL_TEXTS;

/** The files that texts include whole, by their first lines. */
const files = new Map<string, string[]>();
for (const part of ["codegen/headers", "ops/functors"]) {
  for (const entry of readdirSync(join(library, part), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8").trimEnd();
    const first = text.slice(0, text.indexOf("\n"));
    files.set(first, [...(files.get(first) ?? []), text]);
  }
}

/** A kernel's text with a mark for each file in it. */
function shortened(source: string): string {
  const lines: string[] = [];
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf("\n", at);
    const line = source.slice(at, end < 0 ? source.length : end);
    const file = files.get(line)?.find((text) => source.startsWith(text, at));
    lines.push(file ? "(a file)" : line);
    at += (file ?? line).length + 1;
  }
  return lines.join("\n");
}

const kept = new Map<string, string>();

function checksum(text: string): string {
  let sum = kept.get(text);
  if (sum === undefined) {
    sum = createHash("sha256").update(text).digest("hex").slice(0, 12);
    kept.set(text, sum);
  }
  return sum;
}

const names = new Map<string, string>();
const texts = new Map<string, string>();

/** The name of a text, which is kept. */
function named(source: string): string {
  const known = names.get(source);
  if (known !== undefined) return known;
  const text = shortened(source);
  const name = checksum(text);
  names.set(source, name);
  texts.set(name, text);
  return name;
}

function requestLine(request: KernelRequest): string {
  const { source, symbol, named: isExpression, op, variant, dtypes, fma, quick, flags } = request;
  const { division, argumentBytes } = request as { division?: object; argumentBytes?: unknown };
  const facts = { symbol, isExpression, op, variant, dtypes, fma, quick, flags, division, argumentBytes };
  return `${named(source)} ${JSON.stringify(facts)}`;
}

/** What a device loads as a line: its text's name and how it is compiled. */
function codeLine(code: string): string {
  const { source, flags, expression, quick } = JSON.parse(code);
  return `${named(source)} ${flags} ${expression ?? ""}${quick ? "quick" : ""}`;
}

/** What a call launches. Without elements some draws are refused: then its code is the last line. */
function launchesOf(device: DryDevice, call: () => unknown): readonly string[] {
  device.launches = [];
  try {
    call();
  } catch (error) {
    if (!(error instanceof jl.JitlabError)) throw error;
    device.launches.push(error.code);
  }
  return device.launches;
}

test("kernels and launches are those of the file; `npx vitest run test/launch/kernel-texts.test.ts -u` records a change that is meant", async () => {
  const rows: string[] = [];
  for (const [i, [kind, target]] of Object.entries(dryTargets).entries()) {
    const device = new DryDevice(50 + i, target, codeLine);
    replaceDevice(device);
    jl.setDevice(device.name);
    for (const [name, call] of kernelSubjects()) {
      jl.manualSeed(1);
      const requested = requestsOf(target, call).map(requestLine);
      jl.manualSeed(1);
      const launched = launchesOf(device, call);
      const lines = [requested, launched];
      const sums = lines.map((part) => `${part.length} ${checksum(part.join("\n"))}`);
      rows.push(`${kind} ${name}: ${sums.join(", ")}\n`);
      if (folder) write(`${kind} ${name}`, lines.flat().join("\n"));
    }
  }
  if (folder) for (const [name, text] of texts) write(`texts/${name}`, text);
  expect(texts.size).toBeGreaterThan(1500);
  await expect(rows.join("")).toMatchFileSnapshot(table);
}, 300_000);

function write(name: string, text: string): void {
  const path = join(folder as string, name.replaceAll(" ", "-"));
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${text}\n`);
}
