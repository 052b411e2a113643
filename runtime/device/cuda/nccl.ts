// libnccl: collectives between GPUs, on their default streams, opened at the first one. Prototypes: nccl.h. One thread queues the
// calls of all members in this process as a group, because each waits for the others.
import { type DTypeName, dtypes } from "../../base/dtype.js";
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { atInterruption } from "../../base/interruption.js";
import { addressIn, argumentBlock } from "../argument-blocks.js";
import type { CollectiveForm, CollectiveOp } from "../collectives.js";
import type { Device } from "../device.js";
import { ffi } from "../ffi.js";
import type { LoadedCode } from "../loaded-code.js";
import { forgetCurrent } from "./current-context.js";
import { CudaDevice } from "./device.js";
import { findNccl } from "./library-search.js";

const at = "uintptr_t";

// nccl.h; a ncclResult_t comes back, and comments name what a prototype does not say.
const prototypes = {
  ncclGetVersion: ["_Out_ int *"],
  // communicators, count, ordinals of the devices
  ncclCommInitAll: [at, "int", at],
  ncclGetUniqueId: [at],
  ncclCommAbort: [at],
  ncclCommFinalize: [at],
  ncclCommDestroy: [at],
  ncclCommGetAsyncError: [at, "_Out_ int *"],
  ncclGroupStart: [],
  ncclGroupEnd: [],
  // sent, received, count, type, operation, communicator, stream
  ncclAllReduce: [at, at, "size_t", "int", "int", at, at],
  // sent, received, count of the received, type, operation, communicator, stream
  ncclReduceScatter: [at, at, "size_t", "int", "int", at, at],
  // sent, received, count of the sent, type, communicator, stream
  ncclAllGather: [at, at, "size_t", "int", at, at],
  // sent, received, count, type, root, communicator, stream
  ncclBroadcast: [at, at, "size_t", "int", "int", at, at],
} as const;

type Name = keyof typeof prototypes;
type Argument = number | [number] | { readonly bytes: Uint8Array };
type Call = (...args: readonly Argument[]) => number;

const types: Readonly<Partial<Record<DTypeName, number>>> = {
  ...{ int8: 0, uint8: 1, bool: 1, int32: 2, uint32: 3, int64: 4, uint64: 5 },
  ...{ float16: 6, float32: 7, float64: 8, bfloat16: 9, complex64: 7, complex128: 8 },
};
const operations: Readonly<Record<CollectiveOp, number>> = { sum: 0, prod: 1, max: 2, min: 3, mean: 4 };
const routines = {
  "all-reduce": "ncclAllReduce",
  "reduce-scatter": "ncclReduceScatter",
  "all-gather": "ncclAllGather",
  broadcast: "ncclBroadcast",
} as const;
const bytes = 1;
const defaultStream = 0;
const major = 2;
const inProgress = 7;
/** Bytes of an identifier, by which the members of a communicator find each other. */
export const identifierBytes = 128;

const help =
  "NCCL_DEBUG=WARN in the environment makes NCCL print the reason. The next collective starts anew.";

/** An opened NCCL. */
export class Nccl {
  readonly version: string;
  readonly #calls: Readonly<Record<Name | "ncclCommInitRankConfig", Call>>;
  readonly #lastError: (communicator: number) => string;

  constructor(path: string) {
    try {
      const library = ffi().load(path);
      const identifier = ffi().struct({ bytes: ffi().array("uint8_t", identifierBytes) });
      const all = {
        ...prototypes,
        // communicator, count of the members, identifier, number of this one, configuration
        ncclCommInitRankConfig: [at, "int", identifier, "int", at],
      };
      this.#calls = Object.fromEntries(
        Object.entries(all).map(([name, parameters]) => [name, library.func(name, "int", [...parameters])]),
      ) as unknown as Record<keyof typeof all, Call>;
      this.#lastError = library.func("ncclGetLastError", "str", [at]);
    } catch (error) {
      throw damaged(`cannot be loaded from ${path} (${error instanceof Error ? error.message : error})`);
    }
    const code: [number] = [0];
    this.call("ncclGetVersion", code);
    // 2.9 and later count by 10000.
    const unit = code[0] >= 10_000 ? 10_000 : 1000;
    this.version = `${Math.floor(code[0] / unit)}.${Math.floor((code[0] % unit) / 100)}.${code[0] % 100}`;
    if (Math.floor(code[0] / unit) !== major)
      throw damaged(`at ${path} has the version ${this.version}; jitlab calls version ${major}`);
  }

  /** Calls a function; some of its work may be done later. */
  call(name: Name | "ncclCommInitRankConfig", ...args: readonly Argument[]): void {
    const status = this.#calls[name](...args);
    // It makes other contexts current.
    forgetCurrent();
    if (status !== 0 && status !== inProgress) throw this.failure(name, status);
  }

  /** The error of a function. */
  failure(name: string, status: number): DeviceError {
    return new DeviceError(
      "collective-failed",
      `NCCL ${this.version ?? ""} failed in ${name} with status ${status}: ${this.#lastError(0) || "no reason given"}.`,
      help,
    );
  }

  /** True when a communicator has done what it was called for; throws what went wrong in it. */
  isReady(communicator: number): boolean {
    const state: [number] = [0];
    this.call("ncclCommGetAsyncError", communicator, state);
    if (state[0] !== 0 && state[0] !== inProgress) throw this.failure("a communicator", state[0]);
    return state[0] === 0;
  }

  /** A new identifier. */
  identifier(): Uint8Array {
    const block = argumentBlock(identifierBytes);
    try {
      this.call("ncclGetUniqueId", block.address);
      return block.bytes.slice(0, identifierBytes);
    } finally {
      block.release();
    }
  }
}

function damaged(problem: string): DeviceError {
  return new DeviceError(
    "library-damaged",
    `NCCL ${problem}.`,
    "Install it with `pip install nvidia-nccl-cu13`, and unset JITLAB_NCCL or set it to the path of libnccl.so.2.",
  );
}

let found: { readonly chosen: string | undefined; readonly library: Nccl | undefined } | undefined;

/** NCCL, opened at the first call; undefined if it is not installed. Every collective asks, and a search reads folders. */
export function nccl(): Nccl | undefined {
  const chosen = env("nccl");
  if (found === undefined || found.chosen !== chosen) {
    const path = findNccl()?.path;
    found = { chosen, library: path === undefined ? undefined : new Nccl(path) };
  }
  return found.library;
}

/** The version of the installed NCCL; undefined if there is none. */
export function ncclVersion(): string | undefined {
  return nccl()?.version;
}

/** What the members of a communicator in this process are connected by, and what is done after each of their calls. */
export interface Connection {
  /** How many members are in this process. */
  readonly count: number;
  /** Connects them and returns their communicators. */
  connect(): readonly number[];
  /** Queues a collective by a function. */
  around?(queue: () => void): void;
  /** Ends what they wait for. */
  abort(members: readonly number[]): void;
}

/** GPUs of this process that exchange elements, among themselves or with those of others. */
export class Communicator {
  /** The members' communicators; empty before the first collective, and after an abort. */
  #members: readonly number[] = [];

  constructor(
    readonly name: string,
    private readonly library: Nccl,
    private readonly connection: Connection,
  ) {}

  /**
   * The code of a collective. Its arguments are the addresses of what each member gives, of what each gets, and the count: of
   * elements that one member gives, or of a reduce-scatter gets.
   */
  code(form: CollectiveForm): LoadedCode {
    const { kind, op, dtype, root } = form;
    const { count } = this.connection;
    const moves = kind === "broadcast" || kind === "all-gather";
    const type = moves ? bytes : (types[dtype] as number);
    const { bytes: size, kind: category } = dtypes[dtype];
    const units = moves ? size : category === "complex" ? 2 : 1;
    const joining = [operations[op]];
    const further = { "all-reduce": joining, "reduce-scatter": joining, "all-gather": [], broadcast: [root] };
    const queue = (from: number, to: number, units: number, member: number) =>
      this.library.call(routines[kind], from, to, units, type, ...further[kind], member, defaultStream);
    return {
      spansDevices: true,
      launch: ({ u32 }) => {
        const elements = addressIn(u32, 4 * count);
        const all = () =>
          this.#group((member, i) =>
            queue(addressIn(u32, 2 * i), addressIn(u32, 2 * (count + i)), elements * units, member),
          );
        if (this.connection.around) this.connection.around(all);
        else all();
      },
      unload: () => {},
    };
  }

  /** Queues a call of each member. */
  #group(queue: (member: number, i: number) => void): void {
    if (this.#members.length === 0) this.#members = this.connection.connect();
    this.library.call("ncclGroupStart");
    grouping = this;
    try {
      for (const [i, member] of this.#members.entries()) queue(member, i);
      this.library.call("ncclGroupEnd");
      grouping = undefined;
    } catch (error) {
      this.abort();
      throw error;
    }
  }

  /** Ends what the members wait for; the next collective connects them again. */
  abort(): void {
    const members = this.#members;
    this.#members = [];
    const isOpen = grouping === this;
    grouping = undefined;
    if (isOpen) attempt(() => this.library.call("ncclGroupEnd"));
    this.connection.abort(members);
  }
}

/** Calls what may fail after a failure that is reported already. */
export function attempt(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
  }
}

// The members whose calls are being queued: an interrupt leaves some without the others'.
let grouping: Communicator | undefined;
atInterruption(() => grouping?.abort());

const communicators = new Map<string, Communicator>();

/** The communicator of different devices; undefined unless all are GPUs and NCCL is installed. */
export function communicatorOf(devices: readonly Device[]): Communicator | undefined {
  if (!devices.every((device) => device instanceof CudaDevice)) return undefined;
  const library = nccl();
  if (library === undefined) return undefined;
  const ordinals = devices.map(({ index }) => index);
  const name = `NCCL ${library.version} ${ordinals}`;
  const known =
    communicators.get(name) ??
    new Communicator(name, library, {
      count: ordinals.length,
      connect: () => connectedAll(library, ordinals),
      abort: (members) => {
        for (const member of members) attempt(() => library.call("ncclCommAbort", member));
      },
    });
  communicators.set(name, known);
  return known;
}

function connectedAll(library: Nccl, ordinals: readonly number[]): readonly number[] {
  const count = ordinals.length;
  const block = argumentBlock(16 * count);
  block.i32.set(ordinals, 2 * count);
  try {
    library.call("ncclCommInitAll", block.address, count, block.address + 8 * count);
    return ordinals.map((_, i) => addressIn(block.u32, 2 * i));
  } finally {
    block.release();
  }
}
