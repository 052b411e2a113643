// Random programs on the reference device, which needs no compiler: planning, views, writes, memory, donation, replay and
// arguments. FUZZ_PROGRAMS says how many; `npm run test:programs` runs 20000.
import { afterAll } from "vitest";
import { checkPrograms } from "../support/programs/check.js";
import { unsupported, useReference } from "../support/reference/device.js";

const count = Number(process.env.FUZZ_PROGRAMS ?? 100);
const refused = () => [...unsupported.values()].reduce((sum, times) => sum + times, 0);

checkPrograms({ count, largest: "parts", isCompiled: false, open: useReference, refused });

afterAll(() => {
  if (unsupported.size === 0) return;
  const lines = [...unsupported].map(([reason, times]) => `${times} times: ${reason}`);
  console.log(`Programs were left out:\n${lines.join("\n")}`);
});
