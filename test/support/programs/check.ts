// The tests of random programs: each must show the same in every way to run it. FUZZ_SEED says where they begin. A failure shows
// its seed and the smallest program that was found.
import { beforeAll, describe, expect, test } from "vitest";
import { device } from "../device.js";
import type { Largest } from "./leaves.js";
import { programOf, shrunk } from "./program.js";
import { compileAll, difference, listing } from "./ways.js";

/** Programs of one test: as many as are compiled together, on all cores, and few enough to be held in memory. */
const together = 100;

/** Which programs, and where they run. */
export interface Checked {
  readonly count: number;
  readonly largest: Largest;
  /** Whether their kernels are compiled beforehand: one by one that takes most of the time. */
  readonly isCompiled: boolean;
  /** Opens the device. */
  readonly open: () => void;
  /** How many steps the device could not run so far; a program with such a step shows nothing. */
  readonly refused?: () => number;
}

/** Declares the tests of programs. */
export function checkPrograms({ count, largest, isCompiled, open, refused = () => 0 }: Checked): void {
  const first = Number(process.env.FUZZ_SEED ?? 1);
  const parts = Array.from({ length: Math.ceil(count / together) }, (_, part) => {
    const from = first + part * together;
    return { from, to: Math.min(from + together, first + count) - 1 };
  });

  beforeAll(open);

  describe.each(parts)("the random programs of seeds $from to $to", ({ from, to }) => {
    const programs = () => Array.from({ length: to - from + 1 }, (_, i) => programOf(from + i, largest));

    if (isCompiled) beforeAll(() => compileAll(programs()), 600_000);

    test("agree", { timeout: 120_000 + together * 2000 }, async () => {
      for (const program of programs()) {
        const before = refused();
        if ((await difference(program)) === undefined || refused() > before) continue;
        const small = await shrunk(program, async (less) => (await difference(less)) !== undefined);
        const found = await difference(small);
        const text = `seed ${program.seed} on ${device}\n${await listing(small)}`;
        const got = found?.got.split("\n") ?? [];
        const want = found?.want.split("\n") ?? [];
        const at = want.findIndex((line, i) => line !== got[i]);
        expect(got[at], `${found?.way}: ${text}`).toEqual(want[at]);
        throw new Error(`The program does not always fail: ${text}`);
      }
    });
  });
}
