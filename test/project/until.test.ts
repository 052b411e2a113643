// The tests' wait for a condition.
import { expect, it } from "vitest";
import { until } from "../support/kernel.js";

it("a wait for what never happens ends with the condition's text, before the test's time-out", async () => {
  const seen: string[] = [];
  await expect(until(() => seen.includes("welcome"))).rejects.toThrow(
    /^This condition never held: \(\) => seen\.includes\("welcome"\)$/,
  );
  await expect(until(() => new Promise(() => {}))).rejects.toThrow("new Promise");
}, 2000);

it("a wait ends when its condition holds", async () => {
  let turns = 0;
  await until(async () => ++turns === 3);
  expect(turns).toBe(3);
});
