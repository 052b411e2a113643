// The functions that kernels call without defining them: C's, those of the library's headers, and the library's operations, for
// which their records' references stand.
import { ops } from "../../../dist/runtime/ops/index.js";
import { converted } from "./conversions.js";
import { common, isFloating, keyOf, scalar, type Type } from "./types.js";

interface Value {
  readonly js: string;
  readonly type: Type;
}

type Reference = (...args: any[]) => unknown;

interface OpRecord {
  readonly arity: number;
  readonly reference: Reference;
  readonly needs?: readonly string[];
  readonly needsFor?: object;
  readonly operands?: readonly string[];
}

const records = ops as unknown as Readonly<Record<string, OpRecord>>;

/**
 * The record of an operation whose text calls helpers; others are translated, and so are those of a degree, to which their
 * references count.
 */
export function operationNamed(entry: string): OpRecord | undefined {
  const name = /^op_(\w+)$/.exec(entry)?.[1] ?? "";
  const record = Object.hasOwn(records, name) ? records[name] : undefined;
  const counts = record?.operands?.includes("int32") === true;
  return record && !counts && (record.needs ?? record.needsFor) ? record : undefined;
}

/** The references of operations, by name. */
export const references: Readonly<Record<string, Reference>> = Object.fromEntries(
  Object.entries(records).map(([name, { reference }]) => [name, reference]),
);

/** Whether an operation of this name takes so many arguments. */
export function isOperation(name: string, count: number): boolean {
  return Object.hasOwn(records, name) && records[name]?.arity === count;
}

/** The call of a reference, with its arguments and its result as it takes and gives them. */
export function referenceCall(entry: string, args: readonly Value[], result: Type): string {
  return fromReference(
    `references.${entry.replace(/^op_/, "")}(${args.map(toReference).join(", ")})`,
    result,
  );
}

function toReference({ js, type }: Value): string {
  const isInteger =
    type.k === "scalar" && !isFloating(type) && type.name !== "bool" && type.name !== "uint64";
  return isInteger ? `BigInt(${js})` : js;
}

function fromReference(js: string, type: Type): string {
  if (type.k === "complex") return `asComplex(${js}, ${type.of === "float" ? "fround" : "same"})`;
  const { name } = type as { name: string };
  if (name === "bool") return `Boolean(${js})`;
  if (isFloating(type)) return converted(`Number(${js})`, scalar("double"), type);
  return `asInteger(${js}, "${name}")`;
}

const asMath: Readonly<Record<string, string>> = {
  ...{ fabs: "Math.abs", floor: "Math.floor", ceil: "Math.ceil", trunc: "Math.trunc", sqrt: "Math.sqrt" },
  ...{ sin: "Math.sin", cos: "Math.cos", tan: "Math.tan", asin: "Math.asin", acos: "Math.acos" },
  ...{ atan: "Math.atan", sinh: "Math.sinh", cosh: "Math.cosh", tanh: "Math.tanh", asinh: "Math.asinh" },
  ...{ acosh: "Math.acosh", atanh: "Math.atanh", exp: "Math.exp", expm1: "Math.expm1", log: "Math.log" },
  ...{ log2: "Math.log2", log10: "Math.log10", log1p: "Math.log1p", cbrt: "Math.cbrt", pow: "power" },
  ...{ atan2: "Math.atan2", hypot: "Math.hypot", rint: "nearestEven", round: "awayFromZero" },
  ...{ fmod: "remainder", fma: "multipliedAndAdded", fmin: "smaller", fmax: "larger", exp2: "powerOfTwo" },
  ...{ copysign: "withSign", rough_reciprocal: "reciprocal", ldexp: "scaledByPower" },
  ...{ nearbyint: "nearestEven", rsqrt: "reciprocalRoot", __builtin_rint: "nearestEven" },
};
const asks: Readonly<Record<string, string>> = {
  isnan: "Number.isNaN",
  isfinite: "Number.isFinite",
  isinf: "isInfinite",
  signbit: "isNegative",
};

/** The call of a function that no text defines; undefined if it is not known. */
export function knownCall(name: string, args: readonly Value[]): Value | undefined {
  const [first, second] = args;
  if (first === undefined) return undefined;
  const brief = /^(?:short|small)_(sin|cos|tan|fmod)$/.exec(name)?.[1];
  if (brief) return knownCall(brief, args);
  const all = args.map(({ type }) => type).reduce(common);
  if (all.k === "complex") return undefined;
  const list = (type: Type) => args.map((one) => converted(one.js, one.type, type)).join(", ");
  if (name === "apart" || name === "noted") return first;
  if (Object.hasOwn(asMath, name)) {
    const type = isFloating(all) ? all : scalar("double");
    return { js: converted(`${asMath[name]}(${list(scalar("double"))})`, scalar("double"), type), type };
  }
  if (Object.hasOwn(asks, name)) {
    return { js: `${asks[name]}(${list(scalar("double"))})`, type: scalar("bool") };
  }
  if (name === "abs" && !second) {
    if (isFloating(all)) return { js: `Math.abs(${list(all)})`, type: all };
    return { js: converted(`Math.abs(${list(all)})`, scalar("int64"), all), type: all };
  }
  if ((name === "min" || name === "max") && second) {
    const [x, y] = args.map((one) => converted(one.js, one.type, all)) as [string, string];
    return { js: name === "min" ? `(${y} < ${x} ? ${y} : ${x})` : `(${x} < ${y} ? ${y} : ${x})`, type: all };
  }
  if (name === "bits_of" || name === "float_of") return bits(name, first);
  if (name === "trailing_zeros") return { js: `trailingZeros(${first.js})`, type: scalar("int32") };
  return undefined;
}

function bits(name: string, { js, type }: Value): Value {
  const isWide = name === "bits_of" ? keyOf(type) === "double" : ["uint64", "int64"].includes(keyOf(type));
  const [word, float] = isWide ? ["u64", "f64"] : ["u32", "f32"];
  const integer = scalar(isWide ? "uint64" : "uint32");
  if (name === "bits_of") return { js: `bitsAs(${js}, "${float}", "${word}")`, type: integer };
  return {
    js: `bitsAs(${converted(js, type, integer)}, "${word}", "${float}")`,
    type: scalar(isWide ? "double" : "float"),
  };
}
