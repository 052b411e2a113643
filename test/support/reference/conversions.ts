// JavaScript for values of the types of a kernel's text: conversions, arithmetic, and loads and stores.
import { Unsupported } from "./parser.js";
import {
  bytesOf,
  common,
  isFloating,
  isInBytes,
  keyOf,
  type Scalar,
  scalar,
  type Type,
  viewOf,
} from "./types.js";

const small: Readonly<Partial<Record<Scalar, (js: string) => string>>> = {
  int8: (js) => `(${js} << 24 >> 24)`,
  uint8: (js) => `(${js} & 255)`,
  int16: (js) => `(${js} << 16 >> 16)`,
  uint16: (js) => `(${js} & 65535)`,
  int32: (js) => `(${js} | 0)`,
  uint32: (js) => `(${js} >>> 0)`,
};

/** The JavaScript of a value in another type. */
export function converted(js: string, from: Type, to: Type): string {
  if (keyOf(from) === keyOf(to)) return js;
  if (to.k === "complex") {
    const part = scalar(to.of);
    if (from.k !== "complex") return `{ re: ${converted(js, from, part)}, im: 0 }`;
    return to.of === "double" ? js : `rounded(${js})`;
  }
  if (from.k === "complex") {
    if (to.k === "scalar" && to.name === "bool") return `isNonzero(${js})`;
    return converted(`${js}.re`, scalar(from.of), to);
  }
  if (from.k !== "scalar" || to.k !== "scalar")
    throw new Unsupported(`a conversion of ${keyOf(from)} to ${keyOf(to)}`);
  return fromScalar(js, from.name, to.name);
}

function fromScalar(js: string, from: Scalar, to: Scalar): string {
  if (to === "void") return js;
  if (from === "bool") return fromScalar(`(${js} ? 1 : 0)`, "int32", to);
  const isFloat = isFloating(scalar(from));
  if (to === "bool") return from === "uint64" ? `(${js} !== 0n)` : `(${js} !== 0)`;
  if (isFloating(scalar(to))) {
    const number = from === "uint64" ? `Number(${js})` : from === "int64" ? `(${js} + 0)` : js;
    if (to === "double") return number;
    if (to === "float") return from === "float16" || from === "bfloat16" ? number : `fround(${number})`;
    if (from === to) return number;
    const single = from === "float" ? number : `fround(${number})`;
    return to === "float16" ? `halves[toHalfBits(${single})]` : `fromBfloatBits(toBfloatBits(${single}))`;
  }
  if (to === "uint64") {
    if (isFloat) return `saturatedBig(${js})`;
    return /^\d+$/.test(js) ? `${js}n` : `BigInt.asUintN(64, BigInt(${js}))`;
  }
  if (isFloat) return `saturated(${js}, "${to}")`;
  if (to === "int64") return from === "uint64" ? `fromBig(BigInt.asIntN(64, ${js}))` : js;
  if (from === "uint64") return (small[to] as (js: string) => string)(`Number(${js} & 0xffffffffn)`);
  return isWithin(from, to) ? js : (small[to] as (js: string) => string)(js);
}

function isWithin(from: Scalar, to: Scalar): boolean {
  const order: Readonly<Record<string, readonly Scalar[]>> = {
    int8: ["int16", "int32"],
    uint8: ["int16", "uint16", "int32", "uint32"],
    int16: ["int32"],
    uint16: ["int32", "uint32"],
  };
  return order[from]?.includes(to) === true;
}

/** A value whose type is written: a sum of integers of 64 bits may have left their range. */
export function narrowed(js: string, from: Type, to: Type): string {
  const value = converted(js, from, to);
  const isSum = keyOf(from) === "int64" && keyOf(to) === "int64" && !/^[\w.$]+$/.test(js);
  return isSum ? `whole(${value})` : value;
}

/** A value as a condition. */
export function condition(js: string, type: Type): string {
  return converted(js, type, scalar("bool"));
}

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);

/** The JavaScript and the type of `a op b`. */
export function binary(
  op: string,
  a: string,
  typeA: Type,
  b: string,
  typeB: Type,
): { js: string; type: Type } {
  const bool = scalar("bool");
  if (op === "&&" || op === "||")
    return { js: `(${condition(a, typeA)} ${op} ${condition(b, typeB)})`, type: bool };
  if (op === "<<" || op === ">>") return shifted(op, a, common(typeA, scalar("int32")), typeA, b, typeB);
  const type = common(typeA, typeB);
  const [x, y] = [converted(a, typeA, type), converted(b, typeB, type)];
  if (type.k === "complex") return ofComplex(op, x, y, type);
  const [inside, extent] = [x, y].map((js) => /^BigInt\.asUintN\(64, BigInt\((.*)\)\)$/.exec(js)?.[1]);
  // The test of an index, without integers of 64 bits where both numbers are positive.
  if (op === "<" && inside !== undefined && extent !== undefined)
    return { js: `isBelow(${inside}, ${extent})`, type: bool };
  if (comparisons.has(op)) return { js: `(${x} ${{ "==": "===", "!=": "!==" }[op] ?? op} ${y})`, type: bool };
  return { js: arithmetic(op, x, y, (type as { name: Scalar }).name), type };
}

function arithmetic(op: string, x: string, y: string, name: Scalar): string {
  const plain = `${x} ${op} ${y}`;
  switch (name) {
    case "int32":
    case "uint32": {
      const wrap = name === "int32" ? "| 0" : ">>> 0";
      return op === "*" ? `(Math.imul(${x}, ${y}) ${wrap})` : `((${plain}) ${wrap})`;
    }
    case "int64":
      if (op === "/") return `Math.trunc(${plain})`;
      return "&|^".includes(op) ? `bits64(${x}, ${y}, "${op}")` : `(${plain})`;
    case "uint64":
      return "+-*".includes(op) ? `BigInt.asUintN(64, ${plain})` : `(${plain})`;
    case "float":
      return `fround(${plain})`;
    case "double":
      return `(${plain})`;
    default:
      throw new Unsupported(`${name} ${op}`);
  }
}

function shifted(op: string, a: string, type: Type, typeA: Type, b: string, typeB: Type) {
  const x = converted(a, typeA, type);
  const places = converted(b, typeB, scalar("int32"));
  const name = (type as { name: Scalar }).name;
  const js =
    name === "uint64"
      ? op === "<<"
        ? `BigInt.asUintN(64, ${x} << BigInt(${places}))`
        : `(${x} >> BigInt(${places}))`
      : name === "int64"
        ? op === "<<"
          ? `(${x} * 2 ** (${places}))`
          : `Math.floor(${x} / 2 ** (${places}))`
        : name === "uint32"
          ? op === "<<"
            ? `((${x} << ${places}) >>> 0)`
            : `(${x} >>> ${places})`
          : `(${x} ${op} ${places})`;
  return { js, type };
}

function ofComplex(op: string, x: string, y: string, type: Type & { k: "complex" }) {
  const names: Readonly<Record<string, string>> = {
    "+": "sum",
    "-": "difference",
    "*": "product",
    "/": "quotient",
  };
  const name = names[op];
  const round = type.of === "float" ? "fround" : "same";
  if (name) return { js: `complex_${name}(${x}, ${y}, ${round})`, type };
  if (op === "==" || op === "!=")
    return { js: `(${op === "!=" ? "!" : ""}areEqual(${x}, ${y}))`, type: scalar("bool") };
  throw new Unsupported(`complex ${op}`);
}

/** The JavaScript and the type of `op x`. */
export function unary(op: string, x: string, given: Type): { js: string; type: Type } {
  if (op === "!") return { js: `(!${condition(x, given)})`, type: scalar("bool") };
  if (given.k === "complex") {
    if (op === "-") return { js: `complex_negative(${x})`, type: given };
    throw new Unsupported(`complex ${op}`);
  }
  const type = common(given, scalar("int32"));
  const js = converted(x, given, type);
  const name = (type as { name: Scalar }).name;
  if (op === "+") return { js, type };
  if (op === "~") {
    if (name === "uint64") return { js: `BigInt.asUintN(64, ~${js})`, type };
    return {
      js: name === "int64" ? `(-1 - ${js})` : name === "uint32" ? `(~${js} >>> 0)` : `(~${js})`,
      type,
    };
  }
  if (isFloating(type)) return { js: `(-${js})`, type };
  if (name === "uint64") return { js: `BigInt.asUintN(64, -${js})`, type };
  return {
    js: name === "int64" ? `(0 - ${js})` : name === "int32" ? `(-${js} | 0)` : `(-${js} >>> 0)`,
    type,
  };
}

/** Zero, or a struct of zeros. */
export function zeroOf(type: Type): string {
  if (type.k === "scalar") return type.name === "bool" ? "false" : type.name === "uint64" ? "0n" : "0";
  if (type.k === "complex") return "{ re: 0, im: 0 }";
  if (type.k === "struct") return `{ ${type.fields.map((f) => `${f.name}: ${zeroOf(f.type)}`).join(", ")} }`;
  throw new Unsupported(`the zero of ${keyOf(type)}`);
}

/** Adds to a place. */
export function plus(at: string, more: string): string {
  if (more === "0") return at;
  if (at === "0") return more;
  if (/^\d+$/.test(at) && /^\d+$/.test(more)) return String(Number(at) + Number(more));
  return `(${at} + ${more})`;
}

/** A multiple of a place. */
export function times(at: string, by: number): string {
  if (by === 1 || at === "0") return at;
  return /^\d+$/.test(at) ? String(Number(at) * by) : `(${at} * ${by})`;
}

function over(at: string, by: number): string {
  if (by === 1) return at;
  return /^\d+$/.test(at) ? String(Number(at) / by) : `(${at} / ${by})`;
}

/** The value at a place of an array; of a struct, a copy. */
export function loaded(type: Type, array: string, at: string): string {
  if (type.k === "complex")
    return `{ re: ${array}[${times(at, 2)}], im: ${array}[${plus(times(at, 2), "1")}] }`;
  if (type.k === "struct")
    return `{ ${type.fields.map((f) => `${f.name}: ${loadedField(f.type, array, plus(at, String(f.offset)))}`).join(", ")} }`;
  if (type.k !== "scalar") throw new Unsupported(`a load of ${keyOf(type)}`);
  const element = `${array}[${at}]`;
  if (type.name === "bool") return `(${element} !== 0)`;
  if (type.name === "int64") return `integer(${element})`;
  if (type.name === "float16") return `halves[${element}]`;
  return type.name === "bfloat16" ? `fromBfloatBits(${element})` : element;
}

/** A field of a struct in memory as an element of an array: the array and the place there. */
export function fieldPlace(type: Type, bytes: string, at: string): { array: string; at: string } {
  const view = viewOf(type);
  if (view === "bytes") return { array: bytes, at };
  const unit = bytesOf(type.k === "array" ? scalarUnder(type) : type);
  return { array: `${bytes}.${view}`, at: over(at, unit) };
}

function scalarUnder(type: Type): Type {
  return type.k === "array" ? scalarUnder(type.of) : type;
}

function loadedField(type: Type, bytes: string, at: string): string {
  const place = fieldPlace(type, bytes, at);
  return loaded(type, place.array, place.at);
}

/** The expression that stores a value, already of the type, and has it as its own value. */
export function stored(type: Type, array: string, at: string, js: string): string {
  if (type.k === "complex") return `storeComplex(${array}, ${times(at, 2)}, ${js})`;
  if (type.k === "struct") {
    const fields = type.fields.map((f) => {
      const place = fieldPlace(f.type, array, plus("at", String(f.offset)));
      return stored(f.type, place.array, place.at, `value.${f.name}`);
    });
    return `((value, at) => (${[...fields, "value"].join(", ")}))(${js}, ${at})`;
  }
  if (type.k !== "scalar") throw new Unsupported(`a store of ${keyOf(type)}`);
  const element = `${array}[${at}]`;
  if (type.name === "bool") return `((${element} = ${js} ? 1 : 0) !== 0)`;
  if (type.name === "int64") return `storeInteger(${array}, ${at}, ${js})`;
  if (type.name === "float16") return `halves[${element} = toHalfBits(${js})]`;
  if (type.name === "bfloat16") return `fromBfloatBits(${element} = toBfloatBits(${js}))`;
  return `(${element} = ${js})`;
}

/** New memory for a number of elements. */
export function allocated(type: Type, count: number): string {
  if (type.k === "pointer") return `new Array(${count})`;
  if (isInBytes(type)) return `new Bytes(${count * bytesOf(type)})`;
  if (type.k === "complex")
    return `new ${type.of === "float" ? "Float32Array" : "Float64Array"}(${2 * count})`;
  const arrays: Readonly<Record<string, string>> = {
    ...{ u8: "Uint8Array", i8: "Int8Array", u16: "Uint16Array", i16: "Int16Array", u32: "Uint32Array" },
    ...{
      i32: "Int32Array",
      i64: "Float64Array",
      u64: "BigUint64Array",
      f32: "Float32Array",
      f64: "Float64Array",
    },
  };
  return `new ${arrays[viewOf(type)]}(${count})`;
}
