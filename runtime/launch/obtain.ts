// Obtains a kernel: looks it up, else compiles it, then loads it. One process compiles a key while the others wait for it.
import { setImmediate } from "node:timers";
import { sha256 } from "../base/builtins.js";
import { env } from "../base/env.js";
import { DeviceError } from "../base/errors.js";
import { pause } from "../base/pause.js";
import { count, type KernelOrigin } from "../cache/counters.js";
import { withStore } from "../cache/current-store.js";
import { self } from "../cache/lease-owner.js";
import { report } from "../cache/report.js";
import { schemaVersion } from "../cache/schema.js";
import type { FetchedText, KernelRecord, StoredModule } from "../cache/store.js";
import { DamageError } from "../cache/trouble.js";
import { listingOf } from "../compiler/listing.js";
import {
  type Compiled,
  compile,
  type Obtained,
  obtainAside,
  obtain as obtainCode,
  share,
  warm,
} from "../compiler/service.js";
import type { CompileRequest, Device, Helper, Target } from "../device/device.js";
import type { LoadedCode } from "../device/loaded-code.js";
import { retryAfterFreeing } from "../device/retry.js";
import type { StepPlaces } from "../functor/functor.js";

/** A rendered kernel, to be compiled. */
export interface KernelRequest {
  readonly source: string;
  /** The name of its function in the code, or an expression that the compiler resolves to it. */
  readonly symbol: string;
  /** True if `symbol` is an expression. */
  readonly named?: boolean;
  /** The op's name or the functor's entry function. */
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly target: Target;
  /** True if the functor opts in to contraction of a*b+c. */
  readonly fma?: boolean;
  /** Extra flags; each replaces the target's flag for the same option. */
  readonly flags?: readonly string[];
  /** True if slow optimizations gain nothing; decided by the text alone. */
  readonly quick?: boolean;
  /** The user's text of the kernel, for the message when the device stops it. */
  readonly userText?: string | undefined;
  /** Where the operations of a composed kernel were called. */
  readonly places?: StepPlaces | undefined;
  /** The same of what follows a reduction. */
  readonly placesAfter?: StepPlaces | undefined;
}

/** Compiled code and where it came from. */
export interface KernelCode {
  readonly key: string;
  /** The name of its function in the code. */
  readonly symbol: string;
  readonly binary: Uint8Array;
  /** PTX, or the host's assembly. */
  readonly assembly: string;
  readonly log: string;
  readonly origin: KernelOrigin;
  /** The duration of the compile, now or when the kernel was stored. */
  readonly compileMs: number;
}

/**
 * A loaded kernel and the duration of each phase, in milliseconds; `compileMs` is 0 for a kernel that was not compiled here.
 */
export interface ObtainedKernel {
  readonly code: LoadedCode;
  readonly key: string;
  readonly origin: KernelOrigin;
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
  /** Its assembly, read from disk on request. */
  readonly assembly: () => string;
}

/** A request and its key. */
export interface KeyedRequest {
  readonly key: string;
  readonly request: KernelRequest;
}

interface Binary {
  readonly binary: Uint8Array;
  /** The name of the function in the code. */
  readonly symbol: string;
  readonly origin: KernelOrigin;
  /** The duration of the compile, in whichever process. */
  readonly compileMs: number;
  /** Assembly and log, if they came with it. */
  readonly text?: FetchedText;
}

const origins = { disk: "from disk", remote: "from the shared cache" } as const;
const noText: FetchedText = { assembly: "", log: "" };

/** Fetches or compiles a kernel and loads it. */
export function obtain(request: KernelRequest, device: Device, key = keyOf(request)): ObtainedKernel {
  const start = performance.now();
  const stored = withStore((store) => store.fetch(key), undefined);
  const looked = performance.now();
  const got: Binary = stored ? { ...stored, origin: "disk" } : compileOnce(key, request);
  const fetched = performance.now();
  const { code, binary } = loadOrReplace(key, request, device, got);
  const loadMs = performance.now() - fetched;
  count(key, binary.origin, binary.compileMs);
  const compileMs = binary.origin === "compiled" ? fetched - looked : 0;
  const lookupMs = fetched - start - compileMs;
  if (env("debug")) {
    const words = [request.op, [...new Set(request.dtypes)].join(","), request.variant, device.name];
    const cost =
      binary.origin === "compiled"
        ? `compiled in ${Math.round(compileMs)} ms`
        : `${origins[binary.origin]} in ${(fetched - start + loadMs).toFixed(1)} ms`;
    process.stderr.write(`${words.filter((word) => word !== "").join(" ")}: ${cost}\n`);
  }
  const assembly = () => assemblyOf(request, binary.symbol, binary.text ?? storedText(key));
  return { code, key, origin: binary.origin, lookupMs, compileMs, loadMs, assembly };
}

/** Fetches or compiles a kernel without loading it; needs no device. */
export function fetchCode(request: KernelRequest): KernelCode {
  const key = keyOf(request);
  const stored = withStore((store) => store.fetch(key), undefined);
  const text = stored && withStore((store) => store.fetchText(key), undefined);
  if (stored && text) {
    return {
      key,
      ...stored,
      assembly: assemblyOf(request, stored.symbol, text),
      log: text.log,
      origin: "disk",
    };
  }
  if (stored) withStore((store) => store.remove(key), undefined);
  const got = compileOnce(key, request);
  const own = got.text ?? storedText(key);
  const { binary, symbol, origin, compileMs } = got;
  const assembly = assemblyOf(request, symbol, own);
  return { key, symbol, binary, origin, compileMs, assembly, log: own.log };
}

function storedText(key: string): FetchedText {
  return withStore((store) => store.fetchText(key), undefined) ?? noText;
}

/** A kernel's assembly: from its compile, or compiled now from the same text. */
function assemblyOf(request: KernelRequest, symbol: string, { assembly }: FetchedText): string {
  const { target } = request;
  if (assembly !== "" || target.listingFlag === undefined) return listingOf(symbol, assembly);
  const asked = compileRequestOf(request);
  const flags = [...asked.flags, target.listingFlag];
  return listingOf(symbol, compile(target.compiler, { ...asked, flags }).assembly);
}

/** True if {@link obtain} would find a kernel stored. */
export function isCached(request: KernelRequest): boolean {
  // Outside of withStore: a missing compiler must not count as damage to the cache.
  const key = keyOf(request);
  return withStore((store) => store.has(key), false);
}

/** The key of a kernel: everything that decides its code. */
export function keyOf(request: KernelRequest): string {
  const { target } = request;
  const parts = [
    String(schemaVersion),
    target.arch,
    target.compiler.name,
    target.compiler.identity,
    effectiveFlags(request).join(" "),
    request.symbol,
    request.source,
  ];
  return sha256(parts.join("\0"));
}

/** The compiler flags of a request. */
export function effectiveFlags({ target, fma, flags: own = [] }: KernelRequest): readonly string[] {
  const { off, on } = target.contraction;
  const flags = fma === true ? target.flags.map((flag) => (flag === off ? on : flag)) : target.flags;
  if (own.length === 0) return flags;
  const optionOf = (flag: string) => /^-+([^=]*)/.exec(flag)?.[1] ?? flag;
  const replaced = new Set(own.map(optionOf));
  return [...flags.filter((flag) => !replaced.has(optionOf(flag))), ...own];
}

/** The compiler's options for a request. */
export function compileRequestOf(request: KernelRequest): CompileRequest {
  const { source, op, symbol, named, quick } = request;
  const expression = named ? symbol : undefined;
  return { source, flags: effectiveFlags(request), name: op, expression, quick };
}

/** Waits until another process has stored a kernel; compiles it if that process does not. */
export function awaitStored(key: string, request: KernelRequest): KernelOrigin {
  return compileOnce(key, request).origin;
}

// After this long a wait for another process is reported.
const silentMs = 2000;

/**
 * Compiles a key, or waits for the process that does; its result counts as from disk. Asks the shared cache, unless
 * disabled.
 */
function compileOnce(key: string, request: KernelRequest, make = fetchOrCompile): Binary {
  const from = performance.now();
  for (let pauseMs = 1; ; pauseMs = Math.min(20, pauseMs * 1.5)) {
    const claim = withStore((store) => store.claim(key), "ours");
    if (claim === "ours") break;
    if (claim === "stored") {
      const stored = withStore((store) => store.fetch(key), undefined);
      if (stored) return { ...stored, origin: "disk" };
      discard(key);
    } else if (performance.now() - from > silentMs) {
      const { host, pid } = claim;
      report(
        `waiting ${key}`,
        `Waiting for process ${pid} on ${host}, which compiles ${request.op} (${request.variant}).`,
      );
    }
    pause(pauseMs);
  }
  // When an interrupted cell ends the wait for the compiler, only this still runs.
  const release = () => withStore((store) => store.release(key), undefined);
  const whenInterrupted = setImmediate(release);
  try {
    return make(key, request);
  } catch (error) {
    release();
    throw error;
  } finally {
    clearImmediate(whenInterrupted);
  }
}

/** Deletes a kernel that is listed but cannot be read, or the whole database if the row cannot be deleted. */
function discard(key: string): void {
  withStore((store) => store.remove(key), undefined);
  withStore((store) => {
    if (store.has(key) && !store.fetch(key))
      throw new DamageError(`the kernel ${key} is listed but cannot be read`);
  }, undefined);
}

function fetchOrCompile(key: string, request: KernelRequest): Binary {
  return kept(key, request, obtainCode(request.target.compiler, compileRequestOf(request), key));
}

function compileHere(key: string, request: KernelRequest): Binary {
  return kept(key, request, compile(request.target.compiler, compileRequestOf(request)));
}

/** Fetches or compiles a kernel, and stores it, without waiting for it. */
export function obtainLater(request: KernelRequest): void {
  const key = keyOf(request);
  obtainAside(request.target.compiler, compileRequestOf(request), key, (got) => void kept(key, request, got));
}

/** Stores a key's kernel. */
function kept(key: string, request: KernelRequest, got: Obtained): Binary {
  if ("found" in got) {
    const { module, kernels } = got.found;
    keepFound(got.found);
    const { symbol, compileMs } = kernels.find((kernel) => kernel.key === key) ?? { ...request, ...module };
    return { binary: module.binary, symbol, origin: "remote", compileMs, text: module };
  }
  keep([{ key, request }], got);
  const { binary, assembly, log, ms, symbol = request.symbol } = got;
  return { binary, symbol, origin: "compiled", compileMs: ms, text: { assembly, log } };
}

/** Stores a module of the shared cache. */
export function keepFound({ module, kernels }: StoredModule): void {
  withStore((store) => store.put(module, kernels), undefined);
}

/** Stores the output of one compiler run, here and in the shared cache: kernels of one target with the same flags. */
export function keep(kernels: readonly KeyedRequest[], compiled: Compiled): void {
  const { binary, assembly, log, ms } = compiled;
  const [first] = kernels;
  if (!first) return;
  const { target } = first.request;
  const compileMs = ms / kernels.length;
  const records = kernels.map(({ key, request }): KernelRecord => {
    const { op, variant, dtypes, source } = request;
    const symbol = compiled.symbol ?? request.symbol;
    return { key, symbol, op, variant, dtypes, source, compileMs };
  });
  const module = {
    binary,
    assembly,
    log,
    kind: target.kind,
    arch: target.arch,
    compiler: target.compiler.identity,
    flags: effectiveFlags(first.request),
    compileMs: ms,
    made: { createdAt: Date.now(), host: self().host, pid: self().pid },
  };
  withStore((store) => store.put(module, records), undefined);
  share({ module, kernels: records });
}

/** Loads code. If the device refuses code from disk, deletes it and compiles again. */
function loadOrReplace(
  key: string,
  request: KernelRequest,
  device: Device,
  binary: Binary,
): { code: LoadedCode; binary: Binary } {
  const { userText } = request;
  const load = ({ binary: code, symbol }: Binary) =>
    retryAfterFreeing(device, () => device.load(code, symbol, userText));
  try {
    return { code: load(binary), binary };
  } catch (error) {
    if (binary.origin === "compiled" || !(error instanceof DeviceError) || error.code !== "code-refused")
      throw error;
    report(
      `refused ${key}`,
      `The device ${device.name} refused the cached kernel ${request.op} (${request.variant}): ${error.what} It is compiled again.`,
    );
    withStore((store) => store.remove(key), undefined);
    const again = compileOnce(key, request, compileHere);
    return { code: load(again), binary: again };
  }
}

/** Returns the compiled code of a device's helper. */
export function buildHelper({ name, symbol, source }: Helper, target: Target): Uint8Array {
  return fetchCode({ source, symbol, op: name, variant: "helper", dtypes: [], target }).binary;
}

/**
 * Starts a target's compiler without waiting, unless the cache has kernels of its architecture: then it probably has the
 * next one.
 */
export function prepareCompiler({ arch, compiler }: Target): void {
  // Keys include the compiler's content: hashing it here saves the first call that time.
  if (!withStore((store) => store.knows(arch), false)) warm(compiler);
}
