// The floating-point operations of a kernel for each byte of memory that it touches, read from its machine code. As in the
// roofline model (Williams, Waterman, Patterson 2009) and in Nsight Compute, an addition or multiplication is one operation, a
// fused multiply-add two; conversions, comparisons and table look-ups are none.

/** The precision of most operations. */
export type Precision = "float16" | "float32" | "float64";

/** What a kernel computes for each byte. */
export interface Arithmetic {
  /** Floating-point operations for each byte read or written; 0 if it has none. */
  readonly perByte: number;
  readonly precision: Precision;
  /** True if it has calls, or loops without memory: `perByte` counts one round of each. */
  readonly isLeast: boolean;
  /** True if branches may leave out operations: `perByte` counts all. */
  readonly isMost: boolean;
}

/** What one line of a listing does. */
interface Step {
  readonly operations?: number;
  readonly precision?: Precision;
  readonly bytes?: number;
  /** The place in memory, where a compiler may read it again instead of keeping it: that counts once. */
  readonly place?: string;
  /** The label that it is. */
  readonly label?: string;
  /** The label that it jumps to. */
  readonly to?: string;
  readonly calls?: boolean;
}

/** The arithmetic of a kernel's machine code; undefined for a machine that is not known, or without accesses to memory. */
export function arithmeticOf(lines: readonly string[], arch: string): Arithmetic | undefined {
  const read = readers.find(({ archs }) => archs.test(arch))?.read;
  if (read === undefined) return undefined;
  const steps = lines.map(read);
  const loops = loopsOf(steps);
  const streaming = loops.filter((loop) => sum(loop, "bytes") > 0);
  // Straight code around loops over memory is what begins and ends them.
  const counted =
    streaming.length > 0 ? steps.filter((step) => loops.some((loop) => loop.includes(step))) : steps;
  const bytes = bytesOf(counted);
  if (bytes === 0) return undefined;
  const silent = loops.filter((loop) => sum(loop, "bytes") === 0 && sum(loop, "operations") > 0);
  const isInner = (loop: readonly Step[]) =>
    streaming.length === 0 || streaming.some((outer) => loop.every((step) => outer.includes(step)));
  return {
    perByte: sum(counted, "operations") / bytes,
    precision: mostUsed(counted),
    isLeast: silent.some(isInner) || counted.some(({ calls }) => calls),
    isMost: skippedBy(steps, counted).some((code) => sum(code, "bytes") === 0 && sum(code, "operations") > 0),
  };
}

function sum(steps: readonly Step[], what: "operations" | "bytes"): number {
  return steps.reduce((total, step) => total + (step[what] ?? 0), 0);
}

/** The bytes of each place once between two labels. */
function bytesOf(steps: readonly Step[]): number {
  const seen = new Set<string>();
  return steps.reduce((total, { label, place, bytes = 0 }) => {
    if (label !== undefined) seen.clear();
    if (place === undefined) return total + bytes;
    if (seen.has(place)) return total;
    seen.add(place);
    return total + bytes;
  }, 0);
}

/** The code between each jump and a later label. What reads or writes memory too is another way through the kernel. */
function skippedBy(steps: readonly Step[], counted: readonly Step[]): Step[][] {
  const labels = labelsOf(steps);
  return steps.flatMap((step, i) => {
    const end = step.to === undefined ? undefined : labels.get(step.to);
    return end !== undefined && end > i && counted.includes(step) ? [steps.slice(i, end)] : [];
  });
}

const labelsOf = (steps: readonly Step[]) =>
  new Map(steps.flatMap(({ label }, i) => (label === undefined ? [] : [[label, i] as const])));

/** The code between each label and a later jump to it. */
function loopsOf(steps: readonly Step[]): Step[][] {
  const labels = labelsOf(steps);
  return steps.flatMap(({ to }, i) => {
    const begin = to === undefined ? undefined : labels.get(to);
    return begin !== undefined && begin < i ? [steps.slice(begin, i + 1)] : [];
  });
}

function mostUsed(steps: readonly Step[]): Precision {
  const counts = { float32: 0, float64: 0, float16: 0 };
  for (const { precision, operations = 0 } of steps) if (precision) counts[precision] += operations;
  const [[most]] = Object.entries(counts).sort(([, a], [, b]) => b - a) as [[Precision, number]];
  return most;
}

const readers: readonly { readonly archs: RegExp; readonly read: (line: string) => Step }[] = [
  { archs: /^(?:sm|compute)_/, read: readSass },
  { archs: /x86|amd64|x64/, read: readX86 },
  { archs: /wasm/, read: readWasm },
];

const kindsOfSass: Readonly<Record<string, Precision>> = { F: "float32", D: "float64", H: "float16" };

/** A line as nvdisasm prints it: an instruction after its address, or a label. */
function readSass(line: string): Step {
  const label = /^(\.L\w*):/.exec(line)?.[1];
  if (label !== undefined) return { label };
  const [, code = "", operands = ""] = /^\/\*\w+\*\/\s+(?:@!?\w+\s+)?([\w.]+)\s*(.*)/.exec(line) ?? [];
  const [name = "", ...suffixes] = code.split(".");
  if (name === "BRA") return { to: /\.L\w*/.exec(operands)?.[0] ?? "" };
  const [, kind = "", work = "", pair = ""] = /^([FDH])(ADD|MUL|FMA)(2?)$/.exec(name) ?? [];
  // Additions to -0 convert, copy or negate; a multiplication of zeros sets a constant.
  if (work !== "" && !/-?RZ\b.*-?RZ\b/.test(operands) && !suffixes.includes("F32"))
    return {
      operations: (work === "FMA" ? 2 : 1) * (pair === "" ? 1 : 2),
      precision: kindsOfSass[kind] ?? "float32",
    };
  if (/^(?:LDG|STG|LD|ST|LDGSTS|ATOMG|RED|REDG)$/.test(name)) return { bytes: sassBytes(suffixes) };
  return {};
}

function sassBytes(suffixes: readonly string[]): number {
  if (suffixes.includes("128")) return 16;
  if (suffixes.includes("64")) return 8;
  if (suffixes.some((suffix) => /^[US]8$/.test(suffix))) return 1;
  return suffixes.some((suffix) => /^[US]16$/.test(suffix)) ? 2 : 4;
}

const registerBytes: Readonly<Record<string, number>> = { x: 16, y: 32, z: 64 };
const suffixBytes: Readonly<Record<string, number>> = { b: 1, w: 2, l: 4, q: 8, s: 4, d: 8 };

/** A line of assembly for x86-64 in AT&T's syntax. */
function readX86(line: string): Step {
  const label = /^\s*(\.L\w+):/.exec(line)?.[1];
  if (label !== undefined) return { label };
  const [, name = "", operands = ""] = /^\s+([a-z]\w*)\s*(.*)/.exec(line) ?? [];
  if (/^call/.test(name)) return { calls: true };
  if (/^j/.test(name)) return { to: /\.L\w+/.exec(operands)?.[0] ?? "" };
  const width = Math.max(
    0,
    ...[...operands.matchAll(/%([xyz])mm\d/g)].map(([, kind = ""]) => registerBytes[kind] ?? 0),
  );
  const [, work = "", packed = "", kind = ""] =
    /^v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)\d*)([ps])([sd])$/.exec(name) ?? [];
  const size = kind === "d" ? 8 : 4;
  const lanes = packed === "p" ? width / size : 1;
  const operations = work === "" ? 0 : (work.startsWith("f") ? 2 : 1) * lanes;
  // The stack and constants are no data; what lies below %rbp is the stack's where that is its frame.
  const place = /-?\w*\((?!%rsp|%rip)[^)]*\)/.exec(operands)?.[0];
  const isData = place !== undefined && !/^-\d+\(%rbp\)$/.test(place) && !/^(?:lea|prefetch|nop)/.test(name);
  const isStore = isData && operands.endsWith(place);
  return {
    ...(operations > 0 && {
      operations,
      precision: kind === "d" ? ("float64" as const) : ("float32" as const),
    }),
    ...(isData && { bytes: x86Bytes(name, width), place: `${isStore ? "to" : "from"} ${place}` }),
  };
}

/** The bytes of an instruction's operand in memory. */
function x86Bytes(name: string, width: number): number {
  const scalar = /^v?(?:\w*s(s|d)|broadcasts(s|d)|movd|movq)$/.exec(name);
  if (/^v?(?:mov[dq]$)/.test(name)) return name.endsWith("q") ? 8 : 4;
  if (scalar) return (scalar[1] ?? scalar[2]) === "d" ? 8 : 4;
  const widened = /^v?pmov[sz]x(bw|bd|bq|wd|wq|dq)$/.exec(name)?.[1];
  if (widened !== undefined)
    return (
      (width * (suffixBytes[widened[0] as string] ?? 1)) / ({ w: 2, d: 4, q: 8 }[widened[1] as string] ?? 1)
    );
  if (/^vcvt(?:ph2ps|ps2pd|dq2pd)/.test(name)) return width / 2;
  if (/^v?p?broadcast([bwdq])$/.test(name)) return { b: 1, w: 2, d: 4, q: 8 }[name.at(-1) as "b"] ?? 4;
  if (width > 0) return width;
  const extended = /^mov[sz]([bw])/.exec(name)?.[1];
  return suffixBytes[extended ?? name.at(-1) ?? ""] ?? 8;
}

/** A line of WebAssembly's assembly text, whose comments number the loops. */
function readWasm(line: string): Step {
  const label = /^\s+loop\b.*#.*\b(label\d+)/.exec(line)?.[1];
  if (label !== undefined) return { label };
  const to = /^\s+br\w*\b.*\bup to (label\d+)/.exec(line)?.[1];
  if (to !== undefined) return { to };
  const name = /^\s+([a-z][\w.]*)/.exec(line)?.[1] ?? "";
  if (/^call/.test(name)) return { calls: true };
  const [, bits = "", lanes = "1", work = ""] =
    /^f(32|64)(?:x(\d))?\.(add|sub|mul|div|sqrt|relaxed_n?madd)$/.exec(name) ?? [];
  if (work !== "")
    return {
      operations: (work.startsWith("relaxed") ? 2 : 1) * Number(lanes),
      precision: bits === "64" ? "float64" : "float32",
    };
  const [, type = "", part] = /^(v128|[if]32|[if]64)\.(?:load|store)(8|16|32|64)?/.exec(name) ?? [];
  if (type === "") return {};
  return { bytes: Number(part ?? type.slice(1)) / 8 };
}
