// A compiler that does what its source says, for tests of the compile service: `sleep 100`, `block 100`, `refuse`, `exit`,
// `exhaust`, `prepared`, `pid 100`.
import { CompileError } from "../../dist/runtime/base/errors.js";

let made = 0;
let cancelled = 0;
let prepared = 0;
const assembly = { prepared: () => `prepared ${prepared}`, pid: () => `${process.pid}` };

export function createCompiler(spec) {
  if (spec.path === "missing") throw new Error("there is no such compiler");
  made++;
  return {
    async prepare() {
      prepared++;
      throw new Error("nobody waits for it");
    },
    async compile({ source, name }, signal) {
      const [word, value] = source.split(" ");
      if (word === "sleep" || word === "pid") await sleep(Number(value), signal);
      if (word === "block") block(Number(value));
      if (word === "refuse")
        throw new CompileError(`Refused ${name}.`, `${name}:1:7: error: no\n`, "Write another.");
      if (word === "exit") process.exit(3);
      if (word === "exhaust") exhaust();
      return {
        binary: new Uint8Array([1, 2, 3]),
        assembly: assembly[word]?.() ?? `made ${made}, cancelled ${cancelled}`,
        log: source,
      };
    },
  };
}

function sleep(ms, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", () => {
      cancelled++;
      clearTimeout(timer);
      fail(new Error("cancelled"));
    });
  });
}

function block(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function exhaust() {
  for (const kept = []; ; ) kept.push(new Array(1e5).fill(kept.length / 3));
}
