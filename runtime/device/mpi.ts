// MPI through koffi, for processes that a launcher started: it moves bytes between their memory. Open MPI's handles are addresses
// of its variables, MPICH's are numbers; the calls do not block, so that an interrupt or a timeout ends a wait.
import { env, setForLibrary } from "../base/env.js";
import { DeviceError } from "../base/errors.js";
import { atInterruption } from "../base/interruption.js";
import { argumentBlock } from "./argument-blocks.js";
import { awaitOthers, checkNotLost, type Job } from "./collectives.js";
import { ffi } from "./ffi.js";

type Call = (...args: readonly (number | [number])[]) => number;
type Library = ReturnType<ReturnType<typeof ffi>["load"]>;

/** What differs between implementations. */
interface Abi {
  /** The C type of handles. */
  readonly handle: "uintptr_t" | "int";
  readonly world: number;
  readonly bytes: number;
  /** Elements of eight bytes. */
  readonly words: number;
  readonly errorsReturn: number;
  readonly statusIgnore: number;
}

const mpich: Abi = {
  ...{ handle: "int", world: 0x44000000, bytes: 0x4c00010d, words: 0x4c00080b },
  ...{ errorsReturn: 0x54000001, statusIgnore: 1 },
};

function openMpi(library: Library): Abi {
  const at = (name: string) => Number(library.symbol(name));
  return {
    ...{ handle: "uintptr_t", world: at("ompi_mpi_comm_world"), bytes: at("ompi_mpi_byte") },
    ...{ words: at("ompi_mpi_double"), errorsReturn: at("ompi_mpi_errors_return"), statusIgnore: 0 },
  };
}

// Those of the launcher come first.
const openMpiFiles = ["libmpi.so.40", "libmpi.so"];
const mpichFiles = ["libmpich.so.12", "libmpi.so.12"];
const funneled = 1;
const mostUnits = 2 ** 31 - 1;

/** An exchange: which elements, in bytes of each process's part, between memory that is kept while it runs. */
export interface Exchange {
  readonly kind: "all-gather" | "all-to-all" | "broadcast";
  /** The function that errors name. */
  readonly what: string;
  readonly to: number;
  readonly from: number;
  readonly bytes: number;
  readonly root: number;
  readonly timeoutMs: number;
  readonly owners: readonly unknown[];
}

/** An initialized MPI. */
class Mpi {
  readonly #abi: Abi;
  readonly #calls: Readonly<Record<Exchange["kind"] | "test" | "finalize" | "abort", Call>>;
  readonly #block = argumentBlock(16);
  /** The exchange that is waited for. */
  #open: Exchange | undefined;
  /** The first exchange that was given up: MPI may write into its memory at any time. */
  #lost: Exchange | undefined;

  constructor(
    library: Library,
    readonly path: string,
    readonly job: Job,
  ) {
    const isOpenMpi = hasSymbol(library, "ompi_mpi_comm_world");
    this.#abi = isOpenMpi ? openMpi(library) : mpich;
    const { handle, world, errorsReturn } = this.#abi;
    const call = (name: string, parameters: readonly string[]): Call =>
      library.func(name, "int", [...parameters]);
    const at = "uintptr_t";
    // sent, count, type, received, count, type, communicator, request
    const exchange = [at, "int", handle, at, "int", handle, handle, at];
    this.#calls = {
      "all-gather": call("MPI_Iallgather", exchange),
      "all-to-all": call("MPI_Ialltoall", exchange),
      // memory, count, type, root, communicator, request
      broadcast: call("MPI_Ibcast", [at, "int", handle, "int", handle, at]),
      test: call("MPI_Test", [at, at, at]),
      finalize: call("MPI_Finalize", []),
      abort: call("MPI_Abort", [handle, "int"]),
    };
    const answer: [number] = [0];
    call("MPI_Initialized", ["_Out_ int *"])(answer);
    if (answer[0] === 0)
      check(
        "MPI_Init_thread",
        call("MPI_Init_thread", [at, at, "int", "_Out_ int *"])(0, 0, funneled, answer),
      );
    check("MPI_Comm_size", call("MPI_Comm_size", [handle, "_Out_ int *"])(world, answer));
    if (answer[0] !== job.size)
      throw new DeviceError(
        "no-library",
        `MPI at ${path} sees ${answer[0]} processes, but the launcher started ${job.size}.`,
        "Set JITLAB_MPI to the path of the launcher's own libmpi, or start the job with mpirun.",
      );
    call("MPI_Comm_set_errhandler", [handle, handle])(world, errorsReturn);
    atInterruption(() => this.#giveUp());
    // After a failure the others may wait for this process: its job ends.
    process.on("exit", (code) => {
      if (code === 0 && !this.#lost) this.#calls.finalize();
      else this.#calls.abort(world, code || 1);
    });
  }

  /** Moves bytes; each process calls it. */
  run(exchange: Exchange): void {
    const { kind, what, to, from, bytes, root, timeoutMs } = exchange;
    checkNotLost(what, this.job, this.#lost?.what);
    const { world, words, bytes: single, statusIgnore } = this.#abi;
    const [units, type] = bytes % 8 === 0 ? [bytes / 8, words] : [bytes, single];
    if (units > mostUnits)
      throw new DeviceError(
        "too-large",
        `${what}: a part of ${bytes} bytes is too large for MPI.`,
        "Divide the tensor.",
      );
    const { address, i32 } = this.#block;
    const request = address;
    this.#open = exchange;
    const begin = this.#calls[kind];
    const status =
      kind === "broadcast"
        ? begin(to, units, type, root, world, request)
        : begin(from, units, type, to, units, type, world, request);
    check(what, status);
    try {
      awaitOthers(what, this.job, timeoutMs, () => {
        check(what, this.#calls.test(request, address + 8, statusIgnore));
        return i32[2] !== 0;
      });
    } catch (error) {
      this.#giveUp();
      throw error;
    }
    this.#open = undefined;
  }

  #giveUp(): void {
    this.#lost ??= this.#open;
    this.#open = undefined;
  }
}

function check(call: string, status: number): void {
  if (status === 0) return;
  throw new DeviceError(
    "collective-failed",
    `${call}: MPI failed with status ${status}.`,
    "Another process may have ended. Start the job again.",
  );
}

function hasSymbol(library: Library, name: string): boolean {
  try {
    library.symbol(name);
    return true;
  } catch {
    return false;
  }
}

let opened: Mpi | undefined;

/** MPI, initialized at the first call. */
export function mpi(job: Job): Mpi {
  opened ??= open(job);
  return opened;
}

function open(job: Job): Mpi {
  const chosen = env("mpi");
  // MPICH's transport would take the signals that V8 and the cpu device handle: a trap of WebAssembly would end the process.
  setForLibrary("UCX_ERROR_SIGNALS", "");
  const reasons: string[] = [];
  const isMpich = job.launcher === "MPICH";
  const files = isMpich ? [...mpichFiles, ...openMpiFiles] : [...openMpiFiles, ...mpichFiles];
  for (const path of chosen === undefined ? files : [chosen]) {
    try {
      return new Mpi(ffi().load(path, { global: true }), path, job);
    } catch (error) {
      if (error instanceof DeviceError) throw error;
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new DeviceError(
    "no-library",
    `MPI was not found (${reasons.join("; ")}).`,
    "Install it (Debian, Ubuntu: `apt-get install openmpi-bin`), or set JITLAB_MPI to the path of libmpi.",
  );
}
