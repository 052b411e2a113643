// Runs programs one by one and together over the libcuda of fake-cuda.c, which writes down the launches; prints what happened as
// JSON.
import { existsSync, readFileSync, rmSync } from "node:fs";
import * as jl from "../../dist/runtime/index.js";
import { callsBefore, choose } from "./queueing.mjs";

const log = process.env.FAKE_CUDA_LOG;

// Blocks of such sizes lie side by side without a gap.
const tensors = { x: jl.full([512, 256], 1), y: jl.full([512, 256], 2), z: jl.full([512, 256], 3) };
const { x, y, z } = tensors;
const wordOf = (pointer) => Buffer.from(BigUint64Array.of(BigInt(pointer)).buffer).toString("hex");

/** Launches with the addresses of known tensors by their names, and others by their order. */
function named(lines, pointers) {
  const names = new Map(Object.entries(pointers).map(([name, pointer]) => [wordOf(pointer), name]));
  return lines.map((line) => {
    const [, kernel, grid, block, shared, bytes] = line.split(" ");
    const words = bytes.match(/.{16}/g).map((word) => {
      const value = Number(Buffer.from(word, "hex").readBigUInt64LE());
      // Counts are smaller, scalars further away.
      const isAddress = value > 2 ** 20 && Math.abs(value - x.storage.pointer) < 2 ** 31;
      if (isAddress && !names.has(word)) names.set(word, `memory ${names.size}`);
      return names.get(word) ?? word;
    });
    return [kernel, grid, block, shared, ...words].join(" ");
  });
}

/** What a call launches: how, and the kernels with their blocks and arguments. */
function launchesOf(call) {
  rmSync(log, { force: true });
  const pointers = {};
  const note = (all, when) => {
    for (const [name, { storage }] of Object.entries(all)) pointers[`${name} ${when}`] = storage.pointer;
  };
  note(tensors, "before");
  const results = [call()].flat().filter((one) => one instanceof jl.Tensor);
  note(tensors, "after");
  note(results, "result");
  jl.synchronize();
  // The memory of the last one is the next one's first.
  for (const one of results.reverse()) if (one !== x && one !== y && one !== z) one.dispose();
  const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  return { how: [...new Set(lines.map((line) => line.split(" ")[0]))].join(), what: named(lines, pointers) };
}

/** Calls of a program one by one and together, in turns, with the same arguments and so on the same memory. */
function compared(body, options, calls, mostChanged) {
  const apart = jl.compile(body, options);
  launchesOf(() => choose(() => apart(...calls[0]), -1));
  const direct = jl.compile(body, options);
  for (let i = 0; i <= callsBefore; i++) launchesOf(() => direct(...calls[0]));
  launchesOf(() => choose(() => apart(...calls[0]), mostChanged));
  const together = jl.compile(body, options);
  for (let i = 0; i <= callsBefore; i++) launchesOf(() => together(...calls[0]));
  return calls.map((args) => {
    const one = launchesOf(() => direct(...args));
    const other = launchesOf(() => together(...args));
    if (process.env.SHOW) console.error(one.what, other.what);
    return {
      kernels: one.what.length,
      isSame: JSON.stringify(one.what) === JSON.stringify(other.what),
      how: [one.how, other.how],
    };
  });
}

const chain = (from, ...steps) => steps.reduce((value, step) => value.add(step), from);
const steps = { backend: "steps" };
const rows = (a) => {
  const centered = a.sub(a.mean());
  return [centered.mul(centered).sum(0), centered.max(1)];
};
const inPlace = (a, by) => {
  a.add_(by);
  a.mul_(by);
  return a.sum();
};

const said = {
  changes: compared(
    chain,
    steps,
    [
      [x, 1, 2, 3],
      [x, 1, 2, 3],
      [x, 1, 5, 3],
      [y, 1, 5, 3],
      [z, 7, 8, 9],
      [z, 7, 8, 9],
      [x, 7, 8, 10],
    ],
    2,
  ),
  rows: compared(rows, {}, [[x], [x], [y], [z], [x]], 100),
  replayed: compared(
    chain,
    { ...steps, replay: true },
    [
      [x, 1, 2, 3],
      [y, 1, 2, 3],
      [z, 1, 2, 3],
    ],
    100,
  ),
  inPlace: compared(
    inPlace,
    steps,
    [
      [x, 2],
      [y, 2],
      [y, 3],
      [x, 3],
    ],
    100,
  ),
};

// What sees single launches gets them, and nobody finds the device behind.
choose(() => jl.compile(chain, steps)(x, 1, 2, 3), 100);
const step = jl.compile(chain, steps);
for (let i = 0; i <= callsBefore; i++) step(x, 1, 2, 3);
const seen = (call) => launchesOf(call).how;
said.usual = seen(() => step(x, 1, 2, 3));
said.recorded = seen(() => jl.record(() => step(x, 1, 2, 3)).value);
said.timed = seen(() => jl.record(() => step(x, 1, 2, 3), { device: true }).value);
said.records = jl.record(() => step(x, 1, 2, 3)).launches.length;
said.tuned = choose(() => step(x, 1, 2, 3), 100).map(({ form, isDefault }) => ({ form, isDefault }));
const before = jl.timings().reduce((sum, { launches }) => sum + launches, 0);
step(x, 1, 2, 3);
said.counted = jl.timings().reduce((sum, { launches }) => sum + launches, 0) - before;
console.log(JSON.stringify(said));
