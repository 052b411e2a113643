// The C library's functions that the cpu device needs: memory, and shared objects opened from memory.
import { closeSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeviceError } from "../../errors.js";
import { ffi } from "../ffi.js";

/** The C functions by name, as the comments of the table below declare them. */
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
  /** `memmove` of nothing, for the address of a typed array. */
  addressOf(to: ArrayBufferView, from: ArrayBufferView, length: 0): number;
  /** `int memfd_create(const char *name, unsigned int flags);` */
  memfd_create(name: string, flags: number): number;
  /** `void *dlopen(const char *filename, int flags);` */
  dlopen(path: string, flags: number): number;
  /** `void *dlsym(void *handle, const char *symbol);` */
  dlsym(handle: number, symbol: string): number;
  /** `int dlclose(void *handle);` */
  dlclose(handle: number): number;
  /** `char *dlerror(void);` */
  dlerror(): string | null;
}

// Addresses are uintptr_t, because plain numbers pass quickest through koffi.
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
  // glibc before 2.34 keeps dlopen in a library of its own, which Node itself has opened.
  loaded = Object.fromEntries(
    table.map(([name, symbol, result, parameters]) => [name, library.func(symbol, result, [...parameters])]),
  ) as unknown as LibC;
  return loaded;
}

const RTLD_NOW = 2;
const MFD_CLOEXEC = 1;

/** An opened shared object. */
export interface SharedObject {
  /** The address of a function; throws DeviceError where there is none of this name. */
  address(symbol: string): number;
  close(): void;
}

let opened = 0;

/** Opens a shared object's bytes; nothing of it stays in the file system. */
export function openShared(binary: Uint8Array): SharedObject {
  const c = libc();
  const descriptor = c.memfd_create("jitlab-kernel", MFD_CLOEXEC);
  const handle = descriptor >= 0 ? openDescriptor(c, descriptor, binary) : openFile(c, binary);
  if (handle === 0) {
    throw new DeviceError(
      "code-refused",
      `The system did not open the compiled code: ${c.dlerror() ?? "no reason given"}.`,
    );
  }
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

function openDescriptor(c: LibC, descriptor: number, binary: Uint8Array): number {
  try {
    writeFileSync(descriptor, binary);
    // dlopen takes a path that it has seen before for the object it knows, and descriptors' numbers come again. A
    // running number, written with slashes and dots that the file system skips, makes each path new.
    const unique = (++opened).toString(2).replaceAll("0", "/").replaceAll("1", "/.");
    return c.dlopen(`/proc/self/fd${unique}/${descriptor}`, RTLD_NOW);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(c: LibC, binary: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), "jitlab-"));
  try {
    const path = join(folder, "kernel.so");
    writeFileSync(path, binary, { mode: 0o700 });
    return c.dlopen(path, RTLD_NOW);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
