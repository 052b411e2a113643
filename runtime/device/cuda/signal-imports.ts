// NVRTC's first compile sets handlers of SIGINT and SIGTERM for the whole process, and puts the earlier ones back without their
// flags: Node's own then raises its signal for ever. So a loaded NVRTC's imports of the functions that do this are pointed to
// one that does nothing. Saving and restoring the handlers would not do: a signal may arrive while NVRTC's are set, and Node
// and other threads' compiles change them meanwhile.
import { libc } from "../cpu/libc.js";
import { ffi } from "../ffi.js";

const names = ["signal", "sigaction"];
/** Ignores its arguments and returns 0: for the one "the handler was the default", for the other success. */
const harmless = "sched_yield";

// dlfcn.h of glibc and musl.
const RTLD_DEFAULT = 0;
const RTLD_NOW = 2;
const RTLD_NOLOAD = 4;
const RTLD_DI_LINKMAP = 2;

// sys/mman.h
const PROT_READ = 1;
const PROT_WRITE = 2;

// elf.h
const tag = {
  PLTRELSZ: 2,
  STRTAB: 5,
  SYMTAB: 6,
  RELA: 7,
  RELASZ: 8,
  STRSZ: 10,
  JMPREL: 23,
  RELACOUNT: 0x6ffffff9,
} as const;
const dynamicBytes = 16; // of Elf64_Dyn
const relocationBytes = 24; // of Elf64_Rela
const symbolBytes = 24; // of Elf64_Sym

/** Keeps a loaded library from changing signal handlers. */
export function withholdSignals(path: string): void {
  if (process.platform !== "linux") return;
  const { dlopen, dlsym, write } = libc();
  const c = ffi().load(null);
  const dlinfo = c.func("dlinfo", "int", ["uintptr_t", "int", "_Out_ uintptr_t *"]);
  const mprotect = c.func("mprotect", "int", ["uintptr_t", "size_t", "int"]);
  const pageBytes = Number(c.func("getpagesize", "int", [])());
  const handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  const linkMap: [number] = [0];
  if (handle === 0 || dlinfo(handle, RTLD_DI_LINKMAP, linkMap) !== 0) return;
  const replacement = Buffer.alloc(8);
  replacement.writeBigUInt64LE(BigInt(dlsym(RTLD_DEFAULT, harmless)));
  for (const { name, slot } of importedFunctions(linkMap[0])) {
    if (!names.includes(name) || number(read(slot, 8), 0) !== dlsym(RTLD_DEFAULT, name)) continue;
    // The loader may have made the page read-only.
    if (mprotect(slot - (slot % pageBytes), pageBytes, PROT_READ | PROT_WRITE) !== 0) continue;
    write(slot, replacement, replacement.length);
  }
}

/** The names of a library's imports, and where the loader wrote their addresses. */
function importedFunctions(linkMap: number): readonly { name: string; slot: number }[] {
  // struct link_map { ElfW(Addr) l_addr; char *l_name; ElfW(Dyn) *l_ld; ... }
  const head = read(linkMap, 24);
  const base = number(head, 0);
  const dynamic = dynamicSection(number(head, 16));
  const value = (key: number): number => dynamic.get(key) ?? 0;
  // glibc has added the base to addresses, musl has not.
  const address = (key: number): number => (value(key) < base ? base + value(key) : value(key));
  const texts = read(address(tag.STRTAB), value(tag.STRSZ));
  // Relocations without a symbol, most of them, come first.
  const nameless = value(tag.RELACOUNT) * relocationBytes;
  const relocations = Buffer.concat([
    read(address(tag.JMPREL), value(tag.PLTRELSZ)),
    read(address(tag.RELA) + nameless, value(tag.RELASZ) - nameless),
  ]);
  // Elf64_Rela: r_offset, r_info with the symbol's index in its upper half, r_addend.
  const imports = Array.from({ length: relocations.length / relocationBytes }, (_, i) => ({
    symbol: relocations.readUInt32LE(i * relocationBytes + 12) * symbolBytes,
    slot: base + number(relocations, i * relocationBytes),
  }));
  const last = imports.reduce((most, { symbol }) => Math.max(most, symbol), 0);
  const symbols = read(address(tag.SYMTAB), last + symbolBytes);
  return imports.map(({ symbol, slot }) => {
    const text = symbols.readUInt32LE(symbol);
    return { name: texts.toString("latin1", text, texts.indexOf(0, text)), slot };
  });
}

function dynamicSection(address: number): ReadonlyMap<number, number> {
  const entries = new Map<number, number>();
  for (let at = address; ; at += dynamicBytes) {
    const entry = read(at, dynamicBytes);
    if (number(entry, 0) === 0) return entries;
    entries.set(number(entry, 0), number(entry, 8));
  }
}

function number(from: Buffer, at: number): number {
  return Number(from.readBigUInt64LE(at));
}

function read(address: number, bytes: number): Buffer {
  const into = Buffer.alloc(bytes);
  libc().read(into, address, bytes);
  return into;
}
