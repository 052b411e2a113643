// Every op line of the golden file through the bare functors: PyTorch's result dtypes, refusals, special values and, within
// tolerance, numbers. test/conformance runs the same lines through real tensors.
import { beforeAll, describe, expect, test } from "vitest";
import type { DTypeName } from "../../runtime/base/dtype.js";
import { extensions } from "../data/deviations.js";
import { compiler, dtypes, ops, planOf, prepare, run } from "../support/functor-harness.js";
import { argumentsOf, camel, commonOf, differences, labelOf, lines } from "../support/golden.js";

const named = [...new Set(lines.map((line) => line.op))];

describe.skipIf(!compiler)("golden values (needs a C++ compiler)", () => {
  beforeAll(prepare, 600_000);

  test.each(named)("%s", (name) => {
    const key = camel(name);
    const op = ops[key];
    expect(op, `no record for ${key}`).toBeDefined();
    if (!op) return;
    const failures: string[] = [];
    for (const line of lines.filter((l) => l.op === name)) {
      const common = commonOf(line);
      const plan = planOf(op, common);
      const label = labelOf(line);
      if (line.error !== undefined) {
        if (!("refuse" in plan) && !extensions(key, line.dtypes))
          failures.push(`${label} must refuse: ${line.error}`);
        continue;
      }
      if ("refuse" in plan) {
        failures.push(`${label} refuses: ${plan.refuse}`);
        continue;
      }
      const out = dtypes[line.out as DTypeName];
      if (plan.out.name !== out.name) {
        failures.push(`${label} gives ${plan.out.name}, not ${out.name}`);
        continue;
      }
      failures.push(...differences(line, run(key, common, argumentsOf(line, plan.compute))));
    }
    expect(failures.slice(0, 12).join("\n")).toBe("");
  });
});
