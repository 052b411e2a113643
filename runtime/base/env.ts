// The table of environment variables, and the only reader of process.env.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

interface Variable<T> {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly doc: string;
  read(value: string | undefined): T;
}

function variable<T>(record: Variable<T>): Variable<T> {
  return record;
}

/** A variable that a launcher of processes sets. */
function launched(name: string, doc: string): Variable<string | undefined> {
  return { name, type: "count", default: "unset", doc, read: (value) => value || undefined };
}

/** Every environment variable that jitlab reads: name, type, default and meaning. */
export const variables = {
  device: variable({
    name: "JITLAB_DEVICE",
    type: "device name",
    default: "the first of cuda, cpu, wasm, opencl that works",
    doc: "The default device, such as `cpu`, `cuda:1` or `wasm`.",
    read: (value) => value || undefined,
  }),
  memory: variable({
    name: "JITLAB_MEMORY",
    type: "share, or bytes with K, M or G",
    default: "100%",
    doc: "The most memory of each device that this process holds, such as `50%` or `8G`.",
    read: (value) => value || undefined,
  }),
  threads: variable({
    name: "JITLAB_THREADS",
    type: "count",
    default: "as many as the processor runs at once",
    doc: "The threads that kernels, matrix products and factorizations use on the processor, as `jl.setNumThreads`.",
    read: (value) => value || undefined,
  }),
  cacheDir: variable({
    name: "JITLAB_CACHE_DIR",
    type: "path",
    default: "$XDG_CACHE_HOME/jitlab, else ~/.cache/jitlab",
    doc: "The folder of the kernel cache, of the history, of the language service's snapshot and of the library's code under V8 flags, shared by every process of the user.",
    read: (value) => {
      if (value) return resolve(value);
      const base = process.env.XDG_CACHE_HOME;
      return base ? join(base, "jitlab") : join(homedir(), ".cache", "jitlab");
    },
  }),
  stateDir: variable({
    name: "XDG_STATE_HOME",
    type: "path",
    default: "~/.local/state",
    doc: "The user's state folder. The key that seals the kernel cache is the file `jitlab/cache-key` in it.",
    read: (value) => join(value && isAbsolute(value) ? value : join(homedir(), ".local", "state"), "jitlab"),
  }),
  cacheMaxBytes: variable({
    name: "JITLAB_CACHE_MAX_BYTES",
    type: "bytes, or a number with K, M or G",
    default: "1G",
    doc: "The size above which the kernel cache drops the least recently used kernels.",
    read: (value) => value || "1G",
  }),
  remoteCache: variable({
    name: "JITLAB_REMOTE_CACHE",
    type: "address",
    default: "unset",
    doc: "A kernel cache that several machines share: `redis://host:6379/0`, `rediss://user:password@host:6380/0` or `file:///folder`, with the options `?prefix=name`, `ttl=30d` and, for a folder, `max=10G`. Hidden from cells.",
    read: (value) => value || undefined,
  }),
  remoteCacheKey: variable({
    name: "JITLAB_REMOTE_CACHE_KEY",
    type: "text",
    default: "unset",
    doc: "The secret that seals the kernels of the shared cache, at least 16 characters. Hidden from cells.",
    read: (value) => value || undefined,
  }),
  remoteCacheKeyFile: variable({
    name: "JITLAB_REMOTE_CACHE_KEY_FILE",
    type: "path",
    default: "unset",
    doc: "A file with that secret, readable only by its owner and group. Hidden from cells.",
    read: (value) => value || undefined,
  }),
  debug: variable({
    name: "JITLAB_DEBUG",
    type: "0 or 1",
    default: "0",
    doc: "1 prints one line to stderr for each kernel that is compiled, or fetched from disk or from the shared cache.",
    read: (value) => value !== undefined && value !== "" && value !== "0",
  }),
  sync: variable({
    name: "JITLAB_SYNC",
    type: "0 or 1",
    default: "0",
    doc: "1 waits for a GPU after each launch, so that the error of an invalid memory access names its kernel.",
    read: (value) => value !== undefined && value !== "" && value !== "0",
  }),
  verify: variable({
    name: "JITLAB_VERIFY",
    type: "0 or 1",
    default: "0",
    doc: "1 runs each operation of a compiled function also as a separate call, and compares bits; a difference is the error `not-equal`.",
    read: (value) => value !== undefined && value !== "" && value !== "0",
  }),
  poison: variable({
    name: "JITLAB_POISON",
    type: "a number of allocations",
    default: "0",
    doc: "Overwrites memory when it is freed, and looks for unreachable tensors after each so many allocations, so that a use of freed memory shows; for tests.",
    read: (value) => Math.max(0, Math.floor(Number(value)) || 0),
  }),
  cxx: variable({
    name: "CXX",
    type: "path",
    default: "the first of c++, g++, clang++ on the PATH",
    doc: "The host C++ compiler of the cpu device.",
    read: (value) => value || undefined,
  }),
  clang: variable({
    name: "JITLAB_CLANG",
    type: "path",
    default: "the newest clang-NUMBER on the PATH, from 22 on",
    doc: "The clang with the SPIR-V target that compiles the kernels of OpenCL's devices.",
    read: (value) => value || undefined,
  }),
  cudaHome: variable({
    name: "CUDA_HOME",
    type: "path",
    default: "/usr/local/cuda*, the loader's path, Python's nvidia wheels",
    doc: "The CUDA toolkit whose libnvrtc is loaded.",
    read: (value) => value || undefined,
  }),
  mpi: variable({
    name: "JITLAB_MPI",
    type: "path",
    default: "libmpi.so.40 (Open MPI) or libmpich.so.12 (MPICH), where the loader finds them",
    doc: "The MPI library, which collectives of launched processes on a processor use.",
    read: (value) => value || undefined,
  }),
  checkCollectives: variable({
    name: "JITLAB_CHECK_COLLECTIVES",
    type: "0 or 1",
    default: "0",
    doc: "1 compares the functions, shapes and dtypes of all launched processes before each collective; a difference is the error `collective-differs`.",
    read: (value) => value !== undefined && value !== "" && value !== "0",
  }),
  torchRank: launched("RANK", "torchrun: the number of this process among all, for `jl.world`."),
  torchSize: launched("WORLD_SIZE", "torchrun: the number of processes."),
  torchLocal: launched("LOCAL_RANK", "torchrun: the number of this process on its machine."),
  masterAddress: variable({
    name: "MASTER_ADDR",
    type: "address",
    default: "unset",
    doc: "torchrun: the machine of process 0, from which the others get the identifier of NCCL's communicator.",
    read: (value) => value || undefined,
  }),
  masterPort: launched("MASTER_PORT", "torchrun: its own port there; process 0 listens on the next one."),
  jobSecret: variable({
    name: "JITLAB_JOB_SECRET",
    type: "text",
    default: "the user's key in `XDG_STATE_HOME`",
    doc: "What the processes of a job prove to each other when they connect; needed where the machines do not share the user's folders.",
    read: (value) => value || undefined,
  }),
  openMpiRank: launched("OMPI_COMM_WORLD_RANK", "The same of Open MPI's mpirun."),
  openMpiSize: launched("OMPI_COMM_WORLD_SIZE", "The same of Open MPI's mpirun."),
  openMpiLocal: launched("OMPI_COMM_WORLD_LOCAL_RANK", "The same of Open MPI's mpirun."),
  mpichRank: launched("PMI_RANK", "The same of MPICH's mpirun."),
  mpichSize: launched("PMI_SIZE", "The same of MPICH's mpirun."),
  mpichLocal: launched("MPI_LOCALRANKID", "The same of MPICH's mpirun."),
  mpichPipe: variable({
    name: "PMI_FD",
    type: "a descriptor",
    default: "none",
    doc: "MPICH's mpirun sets it; `jitlab run` hands the descriptor on to the process that runs the cells.",
    read: (value) => (/^\d+$/.test(value ?? "") ? Number(value) : undefined),
  }),
  slurmRank: launched("SLURM_PROCID", "The same of Slurm's srun."),
  slurmSize: launched("SLURM_NTASKS", "The same of Slurm's srun."),
  slurmLocal: launched("SLURM_LOCALID", "The same of Slurm's srun."),
  slurmNodes: variable({
    name: "SLURM_STEP_NODELIST",
    type: "list of machines",
    default: "unset",
    doc: "Slurm: the machines of a step; process 0 is on the first.",
    read: (value) => value || undefined,
  }),
  slurmJob: launched("SLURM_JOB_ID", "Slurm: the number of the job, from which its port is made."),
  nccl: variable({
    name: "JITLAB_NCCL",
    type: "path",
    default: "libnccl.so.2 of the toolkit, the loader's path, Python's nvidia wheels",
    doc: "The NCCL library, which collectives between GPUs use.",
    read: (value) => value || undefined,
  }),
  loaderPath: variable({
    name: "LD_LIBRARY_PATH",
    type: "list of folders",
    default: "empty",
    doc: "Where shared libraries are searched before the system's folders.",
    read: (value) => (value ?? "").split(":").filter((entry) => entry !== ""),
  }),
  path: variable({
    name: "PATH",
    type: "list of folders",
    default: "the system's",
    doc: "Where compilers and tools are searched.",
    read: (value) => (value ?? "/usr/local/bin:/usr/bin:/bin").split(":").filter((entry) => entry !== ""),
  }),
  poolThreads: variable({
    name: "UV_THREADPOOL_SIZE",
    type: "count",
    default: "4",
    doc: "The threads of Node's pool, set before Node starts. NVRTC compiles as many kernels at once before it starts processes.",
    read: (value) => Math.max(1, Math.floor(Number(value)) || 4),
  }),
  jupyterDataDir: variable({
    name: "JUPYTER_DATA_DIR",
    type: "path",
    default: "$XDG_DATA_HOME/jupyter, else ~/.local/share/jupyter",
    doc: "Where `jitlab install --user` puts the kernelspec, in its folder `kernels`.",
    read: (value) => value || undefined,
  }),
  jupyterPath: variable({
    name: "JUPYTER_PATH",
    type: "list of folders",
    default: "empty",
    doc: "Where Jupyter searches for kernels first, in each folder's `kernels`; `jitlab doctor` also searches there.",
    read: (value) => (value ?? "").split(":").filter((entry) => entry !== ""),
  }),
  pythonUserBase: variable({
    name: "PYTHONUSERBASE",
    type: "path",
    default: "~/.local",
    doc: "Where Python keeps a user's packages; `jitlab doctor` searches its `share/jupyter/kernels`.",
    read: (value) => value || undefined,
  }),
  xdgDataHome: variable({
    name: "XDG_DATA_HOME",
    type: "path",
    default: "~/.local/share",
    doc: "The user's data folder, for `jitlab install --user`.",
    read: (value) => value || undefined,
  }),
  appData: variable({
    name: "APPDATA",
    type: "path",
    default: "~/AppData/Roaming",
    doc: "The same on Windows.",
    read: (value) => value || undefined,
  }),
  virtualEnv: variable({
    name: "VIRTUAL_ENV",
    type: "path",
    default: "unset",
    doc: "The active Python virtual environment: searched first for NVIDIA's wheels, and the target of `jitlab install --sys-prefix`.",
    read: (value) => value || undefined,
  }),
  condaPrefix: variable({
    name: "CONDA_PREFIX",
    type: "path",
    default: "unset",
    doc: "The active Conda environment, for `jitlab install --sys-prefix`.",
    read: (value) => value || undefined,
  }),
  jupyterPid: variable({
    name: "JPY_PARENT_PID",
    type: "process id",
    default: "unset",
    doc: "Set by a process, such as Jupyter, that starts a kernel which must end with it.",
    read: (value) => (value === undefined ? undefined : Number(value)),
  }),
} as const;

const withheld = new Map<string, string>();

/** Removes variables from the process's environment: from then on only this table returns their values. */
export function withhold(...keys: readonly (keyof typeof variables)[]): void {
  for (const { name } of keys.map((key) => variables[key])) {
    const value = process.env[name];
    if (value !== undefined) withheld.set(name, value);
    delete process.env[name];
  }
}

/** The value of one variable now, converted as its record says. */
export function env<K extends keyof typeof variables>(key: K): ReturnType<(typeof variables)[K]["read"]> {
  const record = variables[key];
  return record.read(withheld.get(record.name) ?? process.env[record.name]) as ReturnType<
    (typeof variables)[K]["read"]
  >;
}

/**
 * The variable whose value marks the programs that a notebook's cells start, so that they end with the kernel. The library's
 * own, which {@link environmentWith} is for, end by themselves and then clean up.
 */
export const cellMark = "JITLAB_CELLS";

/** Settings of the C library for a child program, behind those of the user. */
export function tunables(setting: string): string {
  return [process.env.GLIBC_TUNABLES, setting].filter((one) => one).join(":");
}

/** The environment for a child program: ours, with some variables changed. */
export function environmentWith(
  changes: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  return { ...process.env, [cellMark]: undefined, ...changes };
}

/** The variables whose names match, as `NAME=value`, sorted: those that other libraries read. */
export function variablesLike(names: RegExp): string[] {
  const found = Object.entries(process.env).filter(([name]) => names.test(name));
  return found.map(([name, value]) => `${name}=${value}`).sort();
}

/** Sets a variable that another library reads when it is loaded, unless the user has set it. */
export function setForLibrary(name: string, value: string): void {
  process.env[name] ??= value;
}
