// Random programs give the same bits undeferred, deferred operation by operation, and fused. FUZZ_PROGRAMS says how many,
// FUZZ_SEED where they begin; `npm run test:programs` runs 10000. A failure shows its seed and the smallest program that was
// found.
import { beforeAll, describe, expect, test } from "vitest";
import { useDevice } from "./support/device.js";
import {
  agrees,
  compileAll,
  listing,
  outcomeOf,
  programOf,
  repeatedOutcome,
  shrunk,
} from "./support/program-fuzz.js";
import { randomSource } from "./support/random.js";

const count = Number(process.env.FUZZ_PROGRAMS ?? 200);
const first = Number(process.env.FUZZ_SEED ?? 1);
/** Programs whose kernels are compiled together: on all cores, and few enough to be held in memory. */
const together = 100;

beforeAll(useDevice);

/** The seeds of the programs that are compiled together. */
const parts = Array.from({ length: Math.ceil(count / together) }, (_, part) => {
  const from = first + part * together;
  return { from, to: Math.min(from + together, first + count) - 1 };
});

describe.each(parts)("the random programs of seeds $from to $to", ({ from, to }) => {
  const programs = Array.from({ length: to - from + 1 }, (_, i) => programOf(randomSource(from + i)));

  // Compiled beforehand: one by one the kernels take most of the time.
  beforeAll(() => compileAll(programs), 600_000);

  test("return the same when they are replayed", { timeout: 60_000 + together * 1000 }, () => {
    // Each runs twelve times here: every fourth of them.
    for (const program of programs.filter((_, i) => i % 4 === 0)) {
      const want = repeatedOutcome(program, { backend: "eager" });
      expect(repeatedOutcome(program, { replay: true }), `seed ${program.seed}\n${listing(program)}`).toEqual(
        want,
      );
    }
  });

  test("agree", { timeout: 60_000 + together * 1000 }, () => {
    for (const program of programs) {
      if (agrees(program)) continue;
      const small = shrunk(program);
      const what = `seed ${program.seed}\n${listing(small)}`;
      const want = outcomeOf(small, "eager");
      expect(outcomeOf(small, "steps"), `${what}\nsteps`).toEqual(want);
      expect(outcomeOf(small, "fused"), `${what}\nfused`).toEqual(want);
      throw new Error(`The program of seed ${program.seed} does not always fail:\n${listing(small)}`);
    }
  });
});
