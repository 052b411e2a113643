// The way of a kernel that this process has not loaded yet: its key, the store, else the compile service; then the device.
// One process compiles a key while the others wait for it.
import { setImmediate } from "node:timers";
import { sha256 } from "../builtins.js";
import { listingOf } from "../compile/listing.js";
import { type Compiled, compile, compileAside, warm } from "../compile/service.js";
import type { Device, LaunchShape, Program, Target } from "../device/device.js";
import { provideServices } from "../device/helper.js";
import { env } from "../env.js";
import { DeviceError } from "../errors.js";
import { count } from "./counters.js";
import { withStore } from "./place.js";
import { report } from "./report.js";
import { schemaVersion } from "./schema.js";
import type { FetchedText, KernelRecord } from "./store.js";

/** A rendered kernel that is wanted as code. */
export interface KernelRequest {
  readonly source: string;
  readonly symbol: string;
  /** The op's name or the functor's entry function. */
  readonly op: string;
  readonly variant: string;
  readonly dtypes: readonly string[];
  readonly target: Target;
  /** True: the functor opts in to contraction of a*b+c. */
  readonly fma?: boolean;
}

/** Compiled code and where it came from. */
export interface KernelCode {
  readonly key: string;
  readonly binary: Uint8Array;
  /** PTX, or the host's assembly. */
  readonly assembly: string;
  readonly log: string;
  readonly origin: "compiled" | "disk";
  /** What the compile cost, now or when the kernel was stored. */
  readonly compileMs: number;
}

/** A loaded kernel and what each phase cost, in milliseconds; `compileMs` is 0 for a kernel from disk. */
export interface ObtainedKernel {
  readonly program: Program;
  readonly key: string;
  readonly origin: "compiled" | "disk";
  readonly lookupMs: number;
  readonly compileMs: number;
  readonly loadMs: number;
}

/** A request and its key. */
export interface KeyedRequest {
  readonly key: string;
  readonly request: KernelRequest;
}

interface Binary {
  readonly binary: Uint8Array;
  readonly origin: "compiled" | "disk";
  /** Of the compile, whoever paid it. */
  readonly compileMs: number;
  /** What was compiled beside it, where that was now. */
  readonly text?: FetchedText;
}

const noText: FetchedText = { assembly: "", log: "" };

/** Fetches or compiles a kernel and loads it. */
export function obtain(request: KernelRequest, device: Device, shape: LaunchShape): ObtainedKernel {
  const start = performance.now();
  const key = keyOf(request);
  const stored = withStore((store) => store.fetch(key), undefined);
  const lookupMs = performance.now() - start;
  const got: Binary = stored ? { ...stored, origin: "disk" } : compileOnce(key, request);
  const fetched = performance.now();
  const { program, binary } = loadOrReplace(key, request, device, shape, got);
  const loadMs = performance.now() - fetched;
  count(key, binary.origin, binary.compileMs);
  const compileMs = binary.origin === "compiled" ? fetched - start - lookupMs : 0;
  if (env("debug")) {
    const words = [request.op, [...new Set(request.dtypes)].join(","), request.variant, device.name];
    const cost =
      binary.origin === "compiled"
        ? `compiled in ${Math.round(compileMs)} ms`
        : `from disk in ${(fetched - start + loadMs).toFixed(1)} ms`;
    process.stderr.write(`${words.filter((word) => word !== "").join(" ")}: ${cost}\n`);
  }
  return { program, key, origin: binary.origin, lookupMs, compileMs, loadMs };
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
      assembly: assemblyOf(request, text),
      log: text.log,
      origin: "disk",
    };
  }
  if (stored) withStore((store) => store.remove(key), undefined);
  const got = compileOnce(key, request);
  const own = got.text ?? withStore((store) => store.fetchText(key), undefined) ?? noText;
  const { binary, origin, compileMs } = got;
  return { key, binary, origin, compileMs, assembly: assemblyOf(request, own), log: own.log };
}

/** A kernel's assembly: a part of what its compile gave, or made now by the same compiler from the same text. */
function assemblyOf(request: KernelRequest, { assembly }: FetchedText): string {
  const { target, source, op, symbol } = request;
  if (assembly !== "" || target.listingFlag === undefined) return listingOf(symbol, assembly);
  const flags = [...effectiveFlags(request), target.listingFlag];
  return listingOf(symbol, compile(target.compiler, { source, flags, name: op }).assembly);
}

/** True where {@link obtain} would find a kernel stored. */
export function isCached(request: KernelRequest): boolean {
  // Outside the store's care: a missing compiler is no damage to the cache.
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
export function effectiveFlags({ target, fma }: KernelRequest): readonly string[] {
  const { off, on } = target.contraction;
  return fma === true ? target.flags.map((flag) => (flag === off ? on : flag)) : target.flags;
}

/** Waits until a kernel that another process compiles is there, and compiles it where that one does not. */
export function awaitStored(key: string, request: KernelRequest): "compiled" | "disk" {
  return compileOnce(key, request).origin;
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Compiles a key, or waits for the process that does; what that one stored counts as from disk. */
function compileOnce(key: string, request: KernelRequest): Binary {
  for (let pauseMs = 1; ; pauseMs = Math.min(20, pauseMs * 1.5)) {
    const claim = withStore((store) => store.claim(key), "ours");
    if (claim === "ours") break;
    if (claim === "stored") {
      const stored = withStore((store) => store.fetch(key), undefined);
      if (stored) return { ...stored, origin: "disk" };
      discard(key);
    }
    Atomics.wait(sleeper, 0, 0, pauseMs);
  }
  // Where the wait for the compiler is ended from outside (an interrupted cell), nothing below runs but this.
  const release = () => withStore((store) => store.release(key), undefined);
  const whenInterrupted = setImmediate(release);
  try {
    return compileNow(key, request);
  } catch (error) {
    release();
    throw error;
  } finally {
    clearImmediate(whenInterrupted);
  }
}

/** Gets rid of a kernel that is listed but cannot be read; where its row cannot be deleted, of the whole database. */
function discard(key: string): void {
  withStore((store) => store.remove(key), undefined);
  withStore((store) => {
    if (store.has(key) && !store.fetch(key))
      throw new Error(`the kernel ${key} is listed but cannot be read`);
  }, undefined);
}

function compileNow(key: string, request: KernelRequest): Binary {
  const { target, source, op } = request;
  const compiled = compile(target.compiler, { source, flags: effectiveFlags(request), name: op });
  keep([{ key, request }], compiled);
  const { binary, assembly, log, ms } = compiled;
  return { binary, origin: "compiled", compileMs: ms, text: { assembly, log } };
}

/** Compiles and stores a kernel without waiting for it. */
export function compileLater(request: KernelRequest): void {
  const key = keyOf(request);
  const { target, source, op } = request;
  compileAside(target.compiler, { source, flags: effectiveFlags(request), name: op }, (compiled) =>
    keep([{ key, request }], compiled),
  );
}

/** Stores what one run of a compiler gave for some kernels of one target and one set of flags. */
export function keep(kernels: readonly KeyedRequest[], { binary, assembly, log, ms }: Compiled): void {
  const [first] = kernels;
  if (!first) return;
  const { target } = first.request;
  const compileMs = ms / kernels.length;
  const records = kernels.map(({ key, request }): KernelRecord => {
    const { symbol, op, variant, dtypes, source } = request;
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
  };
  withStore((store) => store.put(module, records), undefined);
}

/** Loads code; code from disk that the device refuses is forgotten and compiled again. */
function loadOrReplace(
  key: string,
  request: KernelRequest,
  device: Device,
  shape: LaunchShape,
  binary: Binary,
): { program: Program; binary: Binary } {
  try {
    return { program: device.load(binary.binary, request.symbol, shape), binary };
  } catch (error) {
    if (binary.origin === "compiled" || !(error instanceof DeviceError) || error.code !== "code-refused")
      throw error;
    report(
      `refused ${key}`,
      `The device ${device.name} refused the cached kernel ${request.op} (${request.variant}): ${error.what} It is compiled again.`,
    );
    withStore((store) => store.remove(key), undefined);
    const again = compileOnce(key, request);
    return { program: device.load(again.binary, request.symbol, shape), binary: again };
  }
}

provideServices({
  build: ({ name, symbol, source }, target) =>
    fetchCode({ source, symbol, op: name, variant: "helper", dtypes: [], target }).binary,
  // Keys name the compiler, so it is looked for before the first call pays for that. A cache with kernels of this
  // architecture is likely to have the next one, and then it need not start.
  prepare: (target) => {
    const { compiler } = target;
    if (!withStore((store) => store.knows(target.arch), false)) warm(compiler);
  },
});
