// The text of kernels for which nothing was tuned, as a file of checksums: what may be tuned changes none of them. The texts
// are those of a processor and of a GPU, from the arguments on; headers and functors have tests of their own.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cudaTarget } from "../dist/runtime/device/cuda/nvrtc.js";
import * as jl from "../dist/runtime/index.js";
import { defaultDevice } from "../dist/runtime/launch/devices.js";
import type { KernelRequest } from "../dist/runtime/launch/obtain.js";
import { compiler } from "./support/functor-harness.js";
import { requestsOf } from "./support/gpu-text.js";
import { rowPrograms } from "./support/row-programs.js";

const table = join(import.meta.dirname, "__snapshots__", "default-kernels.txt");

/** What is checked: calls of each kind of map, and of rows. */
function calls(): Record<string, () => unknown> {
  const make = (dtype: jl.DTypeName) => jl.zeros([64, 96], { dtype });
  const maps = ["float32", "float16", "float64"].flatMap((dtype): [string, () => unknown][] => {
    const x = make(dtype as jl.DTypeName);
    return [
      [`add ${dtype}`, () => x.add(x)],
      [`sin ${dtype}`, () => x.sin()],
      [`digamma ${dtype}`, () => x.digamma()],
      [`pairs ${dtype}`, () => x.slice(":, ::2").add(x.slice(":, 1::2"))],
      [`row ${dtype}`, () => x.mul(x.select(0, 0))],
      [`turned ${dtype}`, () => x.narrow(1, 0, 64).add(x.narrow(1, 0, 64).T)],
      [`late ${dtype}`, () => x.flatten().narrow(0, 1, 1000).exp()],
    ];
  });
  const args = [make("float32"), jl.zeros([96]), jl.zeros([96])] as const;
  const rows = Object.entries(rowPrograms).map(([name, body]): [string, () => unknown] => [
    `rows ${name}`,
    () => jl.compile(body)(...args),
  ]);
  return Object.fromEntries([...maps, ...rows]);
}

function checksums(requests: readonly KernelRequest[]): string {
  return requests
    .map(({ source }) => {
      const from = source.search(/^struct (alignas\(8\) )?Arguments/m);
      const text = `${source.slice(0, source.indexOf("\n"))}\n${source.slice(from)}`;
      return createHash("sha256").update(text).digest("hex").slice(0, 12);
    })
    .join(" ");
}

test.skipIf(!compiler)(
  "kernels without a choice have the text that they always had (needs a C++ compiler)",
  async () => {
    jl.setDevice("cpu");
    const targets = { cpu: defaultDevice().target, gpu: cudaTarget("sm_90") };
    const lines = Object.entries(calls()).flatMap(([name, call]) =>
      Object.entries(targets).map(
        ([kind, target]) => `${kind} ${name}: ${checksums(requestsOf(target, call))}`,
      ),
    );
    expect(lines.length).toBeGreaterThan(50);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(table);
  },
);
