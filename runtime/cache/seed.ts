// Seed files: a cache as one file, so that an image or a classroom starts warm. A seed is a gzip file of JSON lines: one
// that says what it is, one for each module with its kernels, and one with the checksum of all lines before it.
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { compression, randomBytes, startSha256 } from "../base/builtins.js";
import { JitlabError } from "../base/errors.js";
import { withStore } from "./current-store.js";
import { schemaVersion } from "./schema.js";
import { checkedModule, textOfModule } from "./seed-check.js";
import type { StoredModule } from "./store.js";

const format = "jitlab kernels";
// The maximum unpacked size; above the default limit of a cache.
const largest = 2 ** 32 - 2;

/** The result of an export. */
export interface CacheExport {
  readonly path: string;
  readonly kernels: number;
  readonly bytes: number;
}

/** The result of an import. */
export interface CacheImport {
  readonly path: string;
  /** Kernels that were added. */
  readonly added: number;
  /** Kernels that were already stored. */
  readonly present: number;
}

/** Who compiled kernels of a seed, according to the seed. */
export interface SeedMaker {
  readonly host: string;
  readonly kernels: number;
  /** When the last of them was compiled, in milliseconds since the epoch. */
  readonly lastAt: number;
}

/** Writes every intact kernel of the cache to a file; an existing one is replaced. */
export function exportCache(path: string): CacheExport {
  const partial = `${path}.${randomBytes(8).toString("hex")}.part`;
  const digest = startSha256();
  let bytes = 0;
  let kernels = 0;
  let file: number | undefined;
  try {
    const opened = openSync(partial, "w", 0o644);
    file = opened;
    const write = (line: object) => {
      const text = `${JSON.stringify(line)}\n`;
      digest.update(text);
      const packed = compression().gzipSync(text);
      for (let done = 0; done < packed.length; ) done += writeSync(opened, packed, done);
      bytes += packed.length;
    };
    write({ format, version: schemaVersion });
    // Collected first, because writing to the store would change the rows being read.
    for (const stored of withStore((store) => [...store.modules()], [])) {
      write({ ...textOfModule(stored), binary: Buffer.from(stored.module.binary).toString("base64") });
      kernels += stored.kernels.length;
    }
    write({ sha256: digest.copy().digest("hex") });
    closeSync(opened);
    file = undefined;
    renameSync(partial, path);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(partial, { force: true });
    throw unwritable(path, error);
  }
  return { path, kernels, bytes };
}

/**
 * Adds the kernels of a seed file; if anything in it is invalid, throws and adds nothing. They are native code, which runs
 * with this user's rights: import only seeds from trusted people.
 */
export function importCache(path: string): CacheImport {
  return addKernels(path, readSeed(path));
}

/** Adds the result of {@link readSeed}. */
export function addKernels(path: string, modules: readonly StoredModule[]): CacheImport {
  let added = 0;
  let present = 0;
  for (const { module, kernels } of modules) {
    const fresh = kernels.filter(({ key }) => !withStore((store) => store.has(key), true));
    present += kernels.length - fresh.length;
    if (fresh.length === 0) continue;
    added += fresh.length;
    withStore((store) => store.put(module, fresh), undefined);
  }
  return { path, added, present };
}

/** Who compiled kernels, the busiest first. */
export function makersOf(modules: readonly StoredModule[]): SeedMaker[] {
  const makers = new Map<string, SeedMaker>();
  for (const { module, kernels } of modules) {
    const { host = "", createdAt = 0 } = module.made ?? {};
    const known = makers.get(host) ?? { host, kernels: 0, lastAt: 0 };
    const lastAt = Math.max(known.lastAt, createdAt);
    makers.set(host, { host, kernels: known.kernels + kernels.length, lastAt });
  }
  return [...makers.values()].sort((one, other) => other.kernels - one.kernels);
}

/** Reads a seed file; throws if any of its bytes changed. */
export function readSeed(path: string): StoredModule[] {
  const lines = linesOf(path);
  const head = parsed(lines[0]);
  if (head?.format !== format) throw refused(path, "it is not an export of a kernel cache");
  if (head.version !== schemaVersion) {
    throw refused(
      path,
      `it has format ${String(head.version)}, and this jitlab reads ${schemaVersion}`,
      "Export it again with this version of jitlab.",
    );
  }
  const digest = startSha256();
  for (const line of lines.slice(0, -1)) digest.update(`${line}\n`);
  if (parsed(lines.at(-1))?.sha256 !== digest.digest("hex")) {
    throw refused(path, "it is damaged: its checksum is wrong or its end is missing");
  }
  return lines.slice(1, -1).map((line) => told(path, () => moduleOf(parsed(line))));
}

function linesOf(path: string): string[] {
  let packed: Buffer;
  try {
    packed = readFileSync(path);
  } catch (error) {
    throw new JitlabError("unreadable-seed", `${path} cannot be read: ${messageOf(error)}.`);
  }
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) throw refused(path, "it is not an export of a kernel cache");
  let text: Buffer;
  try {
    text = compression().gunzipSync(packed, { maxOutputLength: largest });
  } catch (error) {
    throw refused(path, `it is damaged (${messageOf(error)})`);
  }
  const lines: string[] = [];
  for (let from = 0, to = text.indexOf(10); to >= 0; from = to + 1, to = text.indexOf(10, from)) {
    lines.push(text.toString("utf8", from, to));
  }
  return lines;
}

function moduleOf(text: Readonly<Record<string, unknown>> | undefined): StoredModule {
  if (typeof text?.binary !== "string") throw new Error("the binary of a kernel in it is invalid");
  const { binary, ...rest } = text;
  return checkedModule(rest, Buffer.from(binary as string, "base64"));
}

/** Reads a part of a seed; its error, whose message is a clause, says of which file it is. */
function told<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refused(path, messageOf(error));
  }
}

function parsed(line: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line ?? "") as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function refused(
  path: string,
  why: string,
  help = "Export it again with `jitlab cache export FILE`.",
): JitlabError {
  return new JitlabError("bad-seed", `${path} is not imported: ${why}.`, help);
}

function unwritable(path: string, error: unknown): JitlabError {
  if (error instanceof JitlabError) return error;
  return new JitlabError(
    "unwritable-seed",
    `The kernel cache cannot be exported to ${path}: ${messageOf(error)}.`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
