// A process that opens a cache, as a first call does, and fetches one kernel; it prints what each step took in milliseconds.
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
