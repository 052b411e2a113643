// Runs notebooks of cells by tslab's own converter and executor, in a process of its own, since they change globals.
// Reads `{ name: cells }` from stdin and prints for each notebook the cells' values and the codes of their errors.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inspect } from "node:util";
import { createConverter } from "tslab/dist/converter.js";
import { createExecutor } from "tslab/dist/executor.js";

// It fails where two files change at once: nothing that it reads changes here.
const { sys } = createRequire(import.meta.resolve("tslab"))("@tslab/typescript-for-tslab");
const unwatched = () => ({ close: () => undefined });
Object.assign(sys, { watchFile: unwatched, watchDirectory: unwatched });

const converter = createConverter();
const outcomes = {};
for (const [name, cells] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  let shown;
  let errors = [];
  const node = {
    ...converter,
    convert: (before, code) => {
      const converted = converter.convert(before, code);
      errors = converted.diagnostics.map((one) => one.code);
      return converted;
    },
  };
  const log = (value) => {
    shown = value;
  };
  const silent = { ...console, log, error: () => undefined };
  const executor = createExecutor(process.cwd(), { node, browser: node, close: () => undefined }, silent);
  outcomes[name] = [];
  for (const cell of cells) {
    shown = undefined;
    await executor.execute(cell);
    outcomes[name].push({ value: inspect(shown), errors });
  }
}
converter.close();
console.log(JSON.stringify(outcomes));
