// A kernel compiled with line information: its source, PTX and machine code, line by line. The information changes neither of
// the two. Nothing of it is stored: the cache keeps the kernels that run.
import { DeviceError } from "../base/errors.js";
import { type LinkedListing, linkedAssembly, linkedPtx, linkedSass } from "../compiler/line-links.js";
import { disassemblyOf, listingOf } from "../compiler/listing.js";
import { compile } from "../compiler/service.js";
import { compileRequestOf, type KernelRequest } from "../launch/obtain.js";

export type { LinkedListing };

/** The lines of a function that a user wrote, or of an operation, in a kernel's source. */
export interface FunctorLines {
  readonly name: string;
  readonly first: number;
  readonly last: number;
}

/** A kernel's forms, with what each line was made of. */
export interface LinkedKernel {
  /** The lines of the source. */
  readonly source: readonly string[];
  /** The functions of users in it. */
  readonly functors: readonly FunctorLines[];
  /** PTX, or the host's assembly. */
  readonly assembly: LinkedListing;
  /** SASS; undefined on devices whose assembly is all there is, and without a disassembler. */
  readonly machine: LinkedListing | undefined;
  /** Why there is no machine code, with the remedy. */
  readonly missing: string;
}

/** Compiles a kernel with line information. */
export function linkedKernel(request: KernelRequest): LinkedKernel {
  const { target, op } = request;
  // Lines count from the beginning, and those of users' functors too.
  const source = request.source.replace(/^#line .*$/gm, "");
  const asked = compileRequestOf({ ...request, source });
  const flags = [
    ...asked.flags,
    ...(target.lineFlags ?? []),
    ...(target.listingFlag ? [target.listingFlag] : []),
  ];
  const { binary, assembly, symbol = request.symbol } = compile(target.compiler, { ...asked, flags });
  const own = listingOf(symbol, assembly);
  const base = { source: source.split("\n"), functors: functorsOf(request.source) };
  if (target.disassemble === undefined)
    return { ...base, assembly: linkedAssembly(own), machine: undefined, missing: "" };
  const listing = linkedPtx(own);
  try {
    const text = disassemblyOf(symbol, target.disassemble(binary, true));
    return { ...base, assembly: listing, machine: linkedSass(text, `${op}.cu`), missing: "" };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return { ...base, assembly: listing, machine: undefined, missing: `${error.what} ${error.help}` };
  }
}

/** The parts that begin with a `#line` that names a user's function. */
function functorsOf(source: string): FunctorLines[] {
  const found: FunctorLines[] = [];
  let open: { name: string; first: number } | undefined;
  const lines = source.split("\n");
  lines.forEach((line, i) => {
    const directive = /^#line \d+ "([^"]*)"/.exec(line);
    if (!directive) return;
    if (open && i > open.first - 1) found.push({ ...open, last: i });
    open = directive[1] === "kernel" ? undefined : { name: directive[1] as string, first: i + 2 };
  });
  if (open) found.push({ ...(open as { name: string; first: number }), last: lines.length });
  return found;
}
