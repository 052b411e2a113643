// Damages a database again and again and uses it. Its argument is JSON: { folder, rounds, seed }; it prints what went wrong.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DiskStore } from "../../dist/runtime/cache/disk.js";

const { folder, rounds, seed } = JSON.parse(process.argv[2]);

let state = seed;
function random(limit) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}

const keys = Array.from({ length: 12 }, (_, i) => createHash("sha256").update(`key ${i}`).digest("hex"));
const contentOf = (key) => Buffer.from(key.repeat(10 + (parseInt(key.slice(0, 2), 16) % 100)));
const moduleOf = (key) => ({
  binary: contentOf(key),
  assembly: `assembly of ${key}\n`.repeat(20),
  log: "",
  kind: "cpu",
  arch: "test",
  compiler: "test",
  flags: [],
  compileMs: 5,
});
const kernelOf = (key) => ({
  key,
  symbol: "f",
  op: "op",
  variant: "contiguous",
  dtypes: ["float32"],
  source: `// ${key}\n`.repeat(5),
  compileMs: 5,
});

const pristine = join(folder, "pristine");
mkdirSync(pristine, { recursive: true, mode: 0o700 });
const first = new DiskStore(pristine, 2 ** 30);
first.open();
for (const key of keys) first.put(moduleOf(key), [kernelOf(key)]);
first.close();
// A connection closes for good when its statements are collected; until then the bytes may lie in the write-ahead log.
const Database = createRequire(import.meta.url)("libsql");
new Database(join(pristine, "kernels.sqlite")).prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
const bytes = readFileSync(join(pristine, "kernels.sqlite"));

const wrong = [];
let hits = 0;
let misses = 0;
for (let round = 0; round < rounds; round++) {
  const place = join(folder, String(round));
  mkdirSync(place, { mode: 0o700 });
  const damaged = Buffer.from(bytes);
  const at = random(damaged.length);
  const cut = round % 10 === 9;
  if (round % 10 === 8) for (let i = 0; i < 300; i++) damaged[(at + i) % damaged.length] = random(256);
  else if (!cut) damaged[at] ^= 1 << random(8);
  writeFileSync(join(place, "kernels.sqlite"), cut ? damaged.subarray(0, at) : damaged);
  process.env.JITLAB_CACHE_DIR = place;
  // Another instance of the bundle that holds the cache, so that it opens the database anew.
  const { withStore } = await import(`../../dist/runtime/base.js?round=${round}`);
  for (const key of keys) {
    const fetched = withStore((store) => store.fetch(key), undefined);
    if (!fetched) misses++;
    else if (contentOf(key).equals(fetched.binary)) hits++;
    else wrong.push(`round ${round}: another kernel came for ${key}`);
    const text = withStore((store) => store.fetchText(key), undefined);
    if (text && text.assembly !== moduleOf(key).assembly)
      wrong.push(`round ${round}: another assembly for ${key}`);
    if (fetched) continue;
    const claim = withStore((store) => store.claim(key), "ours");
    if (typeof claim === "object") wrong.push(`round ${round}: ${key} is locked`);
    withStore((store) => store.put(moduleOf(key), [kernelOf(key)]), undefined);
    const again = withStore((store) => store.fetch(key), undefined);
    if (!again || !contentOf(key).equals(again.binary))
      wrong.push(`round ${round}: ${key} did not come back`);
  }
  withStore((store) => store.list(), undefined);
  withStore((store) => store.verify(), undefined);
  process.removeAllListeners("exit");
  rmSync(place, { recursive: true });
}
console.log(JSON.stringify({ wrong, hits, misses, size: bytes.length }));
