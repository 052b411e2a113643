// Random programs give the same bits undeferred, deferred operation by operation, and fused. FUZZ_PROGRAMS says how many,
// FUZZ_SEED where they begin; a failure shows the smallest program that was found.
import { beforeAll, expect, test } from "vitest";
import { useDevice } from "./support/device.js";
import { agrees, compileAll, listing, outcomeOf, programOf, shrunk } from "./support/program-fuzz.js";
import { randomSource } from "./support/random.js";

const count = Number(process.env.FUZZ_PROGRAMS ?? 200);
const first = Number(process.env.FUZZ_SEED ?? 1);

beforeAll(useDevice);

// Compiled together beforehand, on all cores: one by one the kernels take most of the time.
beforeAll(
  () => compileAll(Array.from({ length: count }, (_, i) => programOf(randomSource(first + i)))),
  600_000,
);

test(`${count} random programs from seed ${first} on`, { timeout: 60_000 + count * 1000 }, () => {
  for (let seed = first; seed < first + count; seed++) {
    const program = programOf(randomSource(seed));
    if (agrees(program)) continue;
    const small = shrunk(program);
    const what = `seed ${seed}\n${listing(small)}`;
    const want = outcomeOf(small, "eager");
    expect(outcomeOf(small, "steps"), `${what}\nsteps`).toEqual(want);
    expect(outcomeOf(small, "fused"), `${what}\nfused`).toEqual(want);
    throw new Error(`The program of seed ${seed} does not always fail:\n${listing(small)}`);
  }
});
