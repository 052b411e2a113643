// A process that opens a cache like a first call, fetches one kernel, and prints the milliseconds of each step.
import { createRequire } from "node:module";
import { DiskStore } from "../runtime/cache/disk.js";

const [folder = "", key = ""] = process.argv.slice(2);
const began = performance.now();
createRequire(import.meta.url)("libsql");
const loaded = performance.now();
const store = new DiskStore(folder, Number.POSITIVE_INFINITY);
store.open();
const opened = performance.now();
if (!store.fetch(key)) throw new Error(`${key} is not there`);
const fetched = performance.now();
console.log(JSON.stringify({ library: loaded - began, open: opened - loaded, fetch: fetched - opened }));
