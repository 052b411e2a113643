// jl.vmap has the bits of the loop over lanes, for every operation of the table.
import { beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { ops } from "../../dist/runtime/ops/index.js";
import { device, useAnyDevice } from "../support/device.js";
import { bitsOf, looped } from "../support/lanes.js";

beforeAll(useAnyDevice);

type Make = (shape: number[]) => jl.Tensor;
const floats: Make = (shape) => jl.rand(shape, { device }).mul(0.8).add(0.1);
const doubles: Make = (shape) => floats(shape).to("float64");
const ints: Make = (shape) => jl.randint(1, 5, shape, { device }).to("int32");
const bools: Make = (shape) => jl.rand(shape, { device }).gt(0.5);
const kinds: readonly (readonly Make[])[] = [
  [floats, floats, floats],
  // A double without dimensions beside a vector of floats decides no dtype, in a lane too.
  [floats, doubles, floats],
  [bools, floats, floats],
  [ints, ints, ints],
];
// Which dtype a lane has is the same on every device, and where kernels are compiled each kind takes a minute.
const tried = device === "reference" ? kinds : kinds.slice(0, 1);

const functions = jl as unknown as Record<string, (...args: jl.Tensor[]) => jl.Tensor>;

test("every operation of the table", () => {
  jl.manualSeed(1);
  let count = 0;
  for (const [name, { arity }] of Object.entries(ops)) {
    const f = functions[name];
    if (f === undefined) continue;
    for (const makers of tried) {
      for (const lane of [[3], []]) {
        const args = makers.slice(0, arity).map((make, i) => make(i === 1 ? [4] : [4, ...lane]));
        let want: jl.Tensor;
        try {
          want = looped(
            (...all) => f(...all),
            args,
            args.map(() => 0),
          );
        } catch {
          expect(() => jl.vmap((...all: jl.Tensor[]) => f(...all))(...args), name).toThrow(jl.JitlabError);
          continue;
        }
        count++;
        const found = jl.vmap((...all: jl.Tensor[]) => f(...all))(...args);
        expect({ name, ...bitsOf(found) }).toEqual({ name, ...bitsOf(want) });
      }
    }
  }
  expect(count).toBeGreaterThan(200 * tried.length);
});
