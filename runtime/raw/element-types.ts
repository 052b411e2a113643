// The C++ types of a raw kernel's parameters: the tensors that a pointer accepts, and the numbers that a scalar accepts.
import type { DTypeName } from "../base/dtype.js";

/** A number passed by value. */
export interface ScalarType {
  readonly bytes: number;
  /** `word` is an integer of unknown sign, declared by a user's type name. */
  readonly kind: "bool" | "float" | "signed" | "unsigned" | "word";
}

interface Row {
  readonly names: string;
  readonly scalar: ScalarType | undefined;
  /** The tensor dtypes that a pointer to it accepts. */
  readonly elements: readonly DTypeName[];
}

const signed = (bytes: number): ScalarType => ({ bytes, kind: "signed" });
const unsigned = (bytes: number): ScalarType => ({ bytes, kind: "unsigned" });

const rows: readonly Row[] = [
  { names: "bool", scalar: { bytes: 1, kind: "bool" }, elements: ["bool"] },
  { names: "char|signed char|int8_t", scalar: signed(1), elements: ["int8"] },
  { names: "unsigned char|uint8_t", scalar: unsigned(1), elements: ["uint8"] },
  { names: "short|int16_t", scalar: signed(2), elements: ["int16"] },
  { names: "unsigned short|uint16_t", scalar: unsigned(2), elements: ["int16", "float16", "bfloat16"] },
  { names: "int|signed|int32_t", scalar: signed(4), elements: ["int32"] },
  { names: "unsigned int|unsigned|uint32_t", scalar: unsigned(4), elements: ["int32"] },
  { names: "long|long long|int64_t|ptrdiff_t", scalar: signed(8), elements: ["int64"] },
  {
    names: "unsigned long|unsigned long long|uint64_t|size_t",
    scalar: unsigned(8),
    elements: ["int64"],
  },
  { names: "float", scalar: { bytes: 4, kind: "float" }, elements: ["float32"] },
  { names: "double", scalar: { bytes: 8, kind: "float" }, elements: ["float64"] },
  { names: "__half|half", scalar: undefined, elements: ["float16"] },
  { names: "__nv_bfloat16|nv_bfloat16", scalar: undefined, elements: ["bfloat16"] },
  { names: "float2", scalar: undefined, elements: ["float32", "complex64"] },
  { names: "double2", scalar: undefined, elements: ["float64", "complex128"] },
];
const byName = new Map(rows.flatMap((row) => row.names.split("|").map((name) => [name, row] as const)));

const vector = /^(char|uchar|short|ushort|int|uint|longlong|ulonglong|float|double)([1-4])$/;
const vectorElements: Readonly<Record<string, string>> = {
  uchar: "unsigned char",
  ushort: "unsigned short",
  uint: "unsigned int",
  longlong: "long long",
  ulonglong: "unsigned long long",
};

/** The words of a type in the table's order, for `int unsigned` and `long int`. */
function spelled(type: string): string {
  const words = type.split(" ");
  if (words.length < 2 || !words.every((word) => /^(?:unsigned|signed|long|short|int|char)$/.test(word)))
    return type;
  const count = (word: string) => words.filter((one) => one === word).length;
  const size = ["short", ...new Array(count("long")).fill("long"), "char"].filter((word) =>
    words.includes(word),
  );
  const base = size.length > 0 ? size.join(" ") : "int";
  if (words.includes("unsigned")) return `unsigned ${base}`;
  return base === "char" && words.includes("signed") ? "signed char" : base;
}

/** The number type of a C++ type; undefined for types outside of the table. */
export function scalarType(type: string): ScalarType | undefined {
  return byName.get(spelled(type))?.scalar;
}

/** The tensor dtypes that a pointer to a C++ type accepts; undefined for an unknown type, which accepts any. */
export function elementTypes(type: string): readonly DTypeName[] | undefined {
  const known = byName.get(spelled(type));
  if (known) return known.elements;
  const [, base = "", lanes] = vector.exec(type) ?? [];
  return lanes === undefined ? undefined : byName.get(vectorElements[base] ?? base)?.elements;
}

/** The required alignment in bytes of a pointer to a vector type; 1 for others, which tensors always satisfy. */
export function alignmentOf(type: string): number {
  const [, base = "", lanes] = vector.exec(type) ?? [];
  const bytes = byName.get(vectorElements[base] ?? base)?.scalar?.bytes ?? 0;
  // A vector of three is aligned as its elements are.
  return lanes === "2" || lanes === "4" ? Math.min(16, Number(lanes) * bytes) : 1;
}
