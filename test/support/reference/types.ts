// The types of a kernel's text, and how their values are held: numbers as numbers, 64-bit unsigned ones as bigints, a struct as
// an object, a pointer as an array and a place in it.

/** A number, or nothing. */
export type Scalar =
  | "void"
  | "bool"
  | "int8"
  | "uint8"
  | "int16"
  | "uint16"
  | "int32"
  | "uint32"
  | "int64"
  | "uint64"
  | "float16"
  | "bfloat16"
  | "float"
  | "double";

/** A type. Pointers to structs count bytes, others elements. */
export type Type =
  | { readonly k: "scalar"; readonly name: Scalar }
  | { readonly k: "complex"; readonly of: "float" | "double" }
  | { readonly k: "pointer"; readonly to: Type }
  | { readonly k: "array"; readonly of: Type; readonly count: number }
  | StructType;

/** A struct with the places of its fields. */
export interface StructType {
  readonly k: "struct";
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: Type; readonly offset: number }[];
  readonly bytes: number;
  readonly alignment: number;
}

const sizes: Readonly<Record<Scalar, number>> = {
  ...{ void: 1, bool: 1, int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, int64: 8, uint64: 8 },
  ...{ float16: 2, bfloat16: 2, float: 4, double: 8 },
};
const names: Readonly<Record<string, Scalar>> = {
  ...Object.fromEntries(Object.keys(sizes).map((name) => [name, name as Scalar])),
  ...{ int: "int32", unsigned: "uint32", char: "int8", size_t: "uint64" },
  ...{ int8_t: "int8", uint8_t: "uint8", int16_t: "int16", uint16_t: "uint16" },
  ...{ int32_t: "int32", uint32_t: "uint32", int64_t: "int64", uint64_t: "uint64", short: "int16" },
};

/** The type of a name such as `int64`; undefined for others. */
export function scalarNamed(name: string): Type | undefined {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  return found && scalar(found);
}

/** A scalar type. */
export function scalar(name: Scalar): Type {
  return { k: "scalar", name };
}

/** Bytes of a value in memory. */
export function bytesOf(type: Type): number {
  if (type.k === "scalar") return sizes[type.name];
  if (type.k === "complex") return type.of === "float" ? 8 : 16;
  if (type.k === "pointer") return 8;
  return type.k === "array" ? type.count * bytesOf(type.of) : type.bytes;
}

/** The alignment of a type in memory. */
export function alignmentOf(type: Type): number {
  if (type.k === "array") return alignmentOf(type.of);
  if (type.k === "struct") return type.alignment;
  return type.k === "complex" ? bytesOf(type) / 2 : bytesOf(type);
}

/** Equal for equal types. */
export function keyOf(type: Type): string {
  if (type.k === "scalar") return type.name;
  if (type.k === "complex") return `complex<${type.of}>`;
  if (type.k === "pointer") return `${keyOf(type.to)}*`;
  if (type.k === "array") return `${keyOf(type.of)}[${type.count}]`;
  return `${type.name}{${type.fields.map((field) => `${keyOf(field.type)} ${field.name}`)}}`;
}

/** Whether a type is a struct that stays in memory: one with pointers or arrays. */
export function isPlace(type: Type): boolean {
  if (type.k !== "struct") return false;
  return type.fields.some(({ type: own }) => own.k === "pointer" || own.k === "array" || isPlace(own));
}

/** Whether places of a type are counted in bytes. */
export function isInBytes(type: Type): boolean {
  return type.k === "struct" || (type.k === "scalar" && type.name === "void");
}

/** The innermost elements of an array. */
export function elementOf(type: Type): Type {
  return type.k === "array" ? elementOf(type.of) : type;
}

/** How many innermost elements an array has. */
export function countOf(type: Type): number {
  return type.k === "array" ? type.count * countOf(type.of) : 1;
}

/** What one of a type adds to a place: bytes for structs, else elements. */
export function stepOf(type: Type): number {
  const element = elementOf(type);
  return countOf(type) * (isInBytes(element) ? bytesOf(element) : 1);
}

/** The name of the array in which elements of a type are. */
export function viewOf(type: Type): string {
  const element = elementOf(type);
  if (element.k !== "complex" && element.k !== "scalar") return "bytes";
  const name: Scalar = element.k === "complex" ? element.of : element.name;
  const views: Partial<Record<Scalar, string>> = {
    ...{ bool: "u8", int8: "i8", uint8: "u8", int16: "i16", uint16: "u16", int32: "i32", uint32: "u32" },
    ...{ int64: "i64", uint64: "u64", float16: "u16", bfloat16: "u16", float: "f32", double: "f64" },
  };
  return views[name] ?? "bytes";
}

const ranks: readonly Scalar[] = ["int32", "uint32", "int64", "uint64", "float", "double"];

/** The type in which two numbers are added: small integers as int32, else the wider one. */
export function common(a: Type, b: Type): Type {
  if (a.k === "complex" || b.k === "complex") {
    const isDouble = [a, b].some((one) => (one.k === "complex" ? one.of : keyOf(one)) === "double");
    return { k: "complex", of: isDouble ? "double" : "float" };
  }
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  return scalar(ranks[Math.max(rankA, rankB)] as Scalar);
}

function rankOf(type: Type): number {
  if (type.k !== "scalar") throw new Error(`${keyOf(type)} is no number`);
  if (type.name === "float16" || type.name === "bfloat16") return ranks.indexOf("float");
  return Math.max(0, ranks.indexOf(type.name));
}

/** Whether a type is that of a floating number. */
export function isFloating(type: Type): boolean {
  return type.k === "scalar" && ["float", "double", "float16", "bfloat16"].includes(type.name);
}
