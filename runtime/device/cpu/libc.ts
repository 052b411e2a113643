// The C library's functions that the cpu device needs: memory, and shared objects opened from memory.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "../../base/builtins.js";
import { DeviceError } from "../../base/errors.js";
import { ffi } from "../ffi.js";

/** The C functions by name, as declared in the comments of the table below. */
export interface LibC {
  /** `void *aligned_alloc(size_t alignment, size_t size);` */
  aligned_alloc(alignment: number, size: number): number;
  /** `void free(void *ptr);` */
  free(pointer: number): void;
  /** `int madvise(void *addr, size_t length, int advice);` */
  madvise(address: number, length: number, advice: number): number;
  /** `void *memset(void *s, int c, size_t n);` */
  memset(pointer: number, byte: number, length: number): number;
  /** `void *memmove(void *dest, const void *src, size_t n);` between two addresses. */
  memmove(to: number, from: number, length: number): number;
  /** `memmove` from a typed array. */
  write(to: number, from: Uint8Array, length: number): number;
  /** `memmove` into a typed array. */
  read(to: Uint8Array, from: number, length: number): number;
  /** `memmove` of zero bytes, for the address of a typed array. */
  addressOf(to: ArrayBufferView, from: ArrayBufferView, length: 0): number;
  /** `int memfd_create(const char *name, unsigned int flags);` */
  memfd_create(name: string, flags: number): number;
  /** `ssize_t write(int fd, const void *buf, size_t count);` */
  writeTo(descriptor: number, bytes: Uint8Array, count: number): number;
  /** `int close(int fd);` */
  close(descriptor: number): number;
  /** `void *dlopen(const char *filename, int flags);` */
  dlopen(path: string, flags: number): number;
  /** `void *dlsym(void *handle, const char *symbol);` */
  dlsym(handle: number, symbol: string): number;
  /** `int dlclose(void *handle);` */
  dlclose(handle: number): number;
  /** `char *dlerror(void);` */
  dlerror(): string | null;
}

// Addresses are uintptr_t, because koffi passes plain numbers fastest.
const table: readonly (readonly [keyof LibC, string, string, readonly string[]])[] = [
  ["aligned_alloc", "aligned_alloc", "uintptr_t", ["size_t", "size_t"]],
  ["free", "free", "void", ["uintptr_t"]],
  ["madvise", "madvise", "int", ["uintptr_t", "size_t", "int"]],
  ["memset", "memset", "uintptr_t", ["uintptr_t", "int", "size_t"]],
  ["memmove", "memmove", "uintptr_t", ["uintptr_t", "uintptr_t", "size_t"]],
  ["write", "memmove", "uintptr_t", ["uintptr_t", "const void *", "size_t"]],
  ["read", "memmove", "uintptr_t", ["void *", "uintptr_t", "size_t"]],
  ["addressOf", "memmove", "uintptr_t", ["const void *", "const void *", "size_t"]],
  ["memfd_create", "memfd_create", "int", ["str", "unsigned int"]],
  ["writeTo", "write", "intptr_t", ["int", "const void *", "size_t"]],
  ["close", "close", "int", ["int"]],
  ["dlopen", "dlopen", "uintptr_t", ["str", "int"]],
  ["dlsym", "dlsym", "uintptr_t", ["uintptr_t", "str"]],
  ["dlclose", "dlclose", "int", ["uintptr_t"]],
  ["dlerror", "dlerror", "str", []],
];

let loaded: LibC | undefined;

/** The C library, opened at first use. */
export function libc(): LibC {
  if (loaded) return loaded;
  const library = ffi().load(null);
  // glibc before 2.34 has dlopen in a separate library, which Node has opened.
  loaded = Object.fromEntries(
    table.map(([name, symbol, result, parameters]) => [name, library.func(symbol, result, [...parameters])]),
  ) as unknown as LibC;
  return loaded;
}

const RTLD_NOW = 2;
const MFD_CLOEXEC = 1;

/** An opened shared object. */
export interface SharedObject {
  /** The address of a function; throws DeviceError if it does not exist. */
  address(symbol: string): number;
  close(): void;
}

/** Opens a shared object's bytes without leaving a file. */
export function openShared(binary: Uint8Array): SharedObject {
  const c = libc();
  const handle = openDescriptor(c, binary) ?? openFile(c, binary);
  return {
    address: (symbol) => {
      const address = c.dlsym(handle, symbol);
      if (address !== 0) return address;
      throw new DeviceError("code-refused", `The compiled code has no function ${symbol}.`);
    },
    close: () => {
      c.dlclose(handle);
    },
  };
}

/** Undefined if the system has no in-memory files. */
function openDescriptor(c: LibC, binary: Uint8Array): number | undefined {
  const descriptor = c.memfd_create("jitlab-kernel", MFD_CLOEXEC);
  if (descriptor < 0) {
    if (isExhausted(ffi().errno())) throw exhausted("no file in memory can be made");
    return undefined;
  }
  try {
    for (let done = 0; done < binary.length; ) {
      const count = c.writeTo(descriptor, binary.subarray(done), binary.length - done);
      if (count <= 0) throw exhausted(`${done} of ${binary.length} bytes could be written`);
      done += count;
    }
    // dlopen returns the known object for a known path, and descriptor numbers are reused. A random number, written as
    // slashes and dots that the file system skips, makes each path unique. A counter would be per thread and per copy of the
    // library, but the list of paths is per process.
    const random = [...randomBytes(16)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    return open(c, `/proc/self/fd${random.replaceAll("0", "/").replaceAll("1", "/.")}/${descriptor}`);
  } finally {
    // Not with Node's close, which warns in worker threads about descriptors that it did not open.
    c.close(descriptor);
  }
}

function openFile(c: LibC, binary: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-"));
  try {
    const path = join(folder, `${randomBytes(16).toString("hex")}.so`);
    writeFileSync(path, binary, { mode: 0o700 });
    return open(c, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Messages of glibc's and musl's dynamic linkers, because their cleanup resets errno: code that they can read but not map is
// not damaged.
const noRoom =
  /failed to map|error mapping|cannot (allocate|map|create|change memory)|out of memory|too many open files/i;

function open(c: LibC, path: string): number {
  const handle = c.dlopen(path, RTLD_NOW);
  if (handle !== 0) return handle;
  const reason = (c.dlerror() ?? "no reason given").replace(`${path}: `, "");
  if (noRoom.test(reason)) throw exhausted(reason);
  throw new DeviceError("code-refused", `The system did not open the compiled code: ${reason}.`);
}

/** The address of a function of a library that is loaded. */
export function addressOfSymbol(path: string, symbol: string): number {
  return libc().dlsym(libc().dlopen(path, RTLD_NOW), symbol);
}

function isExhausted(errno: number): boolean {
  const { EAGAIN, EMFILE, ENFILE, ENOMEM } = ffi().os.errno;
  return [EAGAIN, EMFILE, ENFILE, ENOMEM].includes(errno);
}

function exhausted(reason: string): DeviceError {
  return new DeviceError(
    "out-of-memory",
    `The system has no room to open compiled code: ${reason}.`,
    "Use fewer different kernels in one process, or raise its limits: memory maps (`sysctl vm.max_map_count`), address space (`ulimit -v`), open files (`ulimit -n`).",
  );
}
