// The shared cache's address and secret, from the environment.
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { env } from "../../base/env.js";
import { JitlabError } from "../../base/errors.js";
import { bytesOf, millisecondsOf } from "../../base/units.js";
import { report } from "../report.js";

/** The shared cache of a group. Plain data, for a worker thread. */
export interface RemoteSettings {
  /** With user and password; never shown. */
  readonly url: string;
  /** The folder of a `file:` address. */
  readonly folder: string | undefined;
  /** The address in messages. */
  readonly address: string;
  /** The group's secret. */
  readonly secret: Uint8Array;
  /** The prefix of keys on a server. */
  readonly prefix: string;
  /** How long an unused kernel is kept. */
  readonly ttlMs: number;
  /** The size above which kernels are removed from a folder. */
  readonly maxBytes: number;
}

const leastSecret = 16;
const exampleHelp = "Such as redis://host:6379/0, rediss://host:6380/0 or file:///shared/kernels.";
const secretHelp =
  "Make one with `openssl rand -hex 32`; set JITLAB_REMOTE_CACHE_KEY to it, or JITLAB_REMOTE_CACHE_KEY_FILE to its file.";

let known: { readonly settings: RemoteSettings | undefined } | undefined;

/** The shared cache of this process; undefined if unset, or if invalid, which is reported. Fixed at the first use. */
export function remoteSettings(): RemoteSettings | undefined {
  known ??= { settings: readOrReport() };
  return known.settings;
}

function readOrReport(): RemoteSettings | undefined {
  try {
    return readRemoteSettings();
  } catch (error) {
    if (!(error instanceof JitlabError)) throw error;
    report("remote", `The shared cache is not used. ${error.message.replace("\n", " ")}`);
    return undefined;
  }
}

/** The shared cache that the environment names; throws if it is invalid or has no secret. */
export function readRemoteSettings(): RemoteSettings | undefined {
  const text = env("remoteCache");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["redis:", "rediss:", "file:"].includes(url.protocol)) {
    // Not the text, which may contain a password.
    throw wrong("is not the address of a Redis server or a folder", exampleHelp);
  }
  const options = optionsOf(url.searchParams);
  url.search = "";
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  const folder = url.protocol === "file:" ? folderOf(url) : undefined;
  return { url: url.href, folder, address: folder ?? shown.href, secret: secretOf(), ...options };
}

function optionsOf(given: URLSearchParams): Pick<RemoteSettings, "prefix" | "ttlMs" | "maxBytes"> {
  const options = { prefix: "jitlab", ttl: "30d", max: "10G", ...Object.fromEntries(given) };
  const unknown = [...given.keys()].find((name) => !["prefix", "ttl", "max"].includes(name));
  if (unknown !== undefined) throw wrong(`has the option ${unknown}`, "Its options are prefix, ttl and max.");
  const ttlMs = millisecondsOf(options.ttl);
  if (!ttlMs) throw wrong(`has the option ttl=${options.ttl}`, "It must look like 12h or 30d.");
  const maxBytes = bytesOf(options.max);
  if (maxBytes === undefined) throw wrong(`has the option max=${options.max}`, "It must look like 10G.");
  if (!/^[\w.-]+$/.test(options.prefix)) {
    throw wrong(`has the option prefix=${options.prefix}`, "Use letters, digits, dots and dashes.");
  }
  return { prefix: options.prefix, ttlMs, maxBytes };
}

function folderOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw wrong("names a host", "A folder has three slashes: file:///shared/kernels.");
  }
}

function secretOf(): Uint8Array {
  const file = env("remoteCacheKeyFile");
  const text = file === undefined ? env("remoteCacheKey") : secretIn(file);
  if (text === undefined) throw wrong("needs a secret that its group shares", secretHelp);
  const secret = Buffer.from(text.trim());
  if (secret.length >= leastSecret) return secret;
  throw wrong(`needs a secret of at least ${leastSecret} characters, and has ${secret.length}`, secretHelp);
}

function secretIn(file: string): string {
  try {
    const mode = statSync(file).mode & 0o777;
    if ((mode & 0o027) !== 0) {
      throw new JitlabError(
        "remote-cache",
        `JITLAB_REMOTE_CACHE_KEY_FILE is ${file}, whose mode is ${mode.toString(8)}: others could read or change it.`,
        `chmod 640 ${file}, or less.`,
      );
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof JitlabError) throw error;
    throw new JitlabError(
      "remote-cache",
      `JITLAB_REMOTE_CACHE_KEY_FILE is ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      secretHelp,
    );
  }
}

function wrong(what: string, help: string): JitlabError {
  return new JitlabError("remote-cache", `JITLAB_REMOTE_CACHE ${what}.`, help);
}
