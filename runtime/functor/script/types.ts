// The types of a translated function's values. Numbers are floats of the kernel's precision, or integers whose width is
// tracked: a sum or product that could overflow is a float, as in JavaScript.
import { type DType, dtypes } from "../../base/dtype.js";

/** A boolean. */
export interface BoolType {
  readonly kind: "bool";
}
/** An integer of that many bits including the sign; a `wide` one is always stored in 64 bits. */
export interface IntType {
  readonly kind: "int";
  readonly bits: number;
  readonly wide?: boolean | undefined;
}
/** A float; `whole` if it was rounded. */
export interface FloatType {
  readonly kind: "float";
  readonly whole?: boolean | undefined;
}
/** The type of a value; undefined while unknown. */
export type Type = BoolType | IntType | FloatType | undefined;

/** The types of literals and results. */
export const bool: BoolType = { kind: "bool" };
export const float: FloatType = { kind: "float" };
export const whole: FloatType = { kind: "float", whole: true };
export const int32: IntType = { kind: "int", bits: 32 };
/** A position or an extent: the product of two is an exact integer. */
export const position: IntType = { kind: "int", bits: 26, wide: true };

/** A variable that counts from an integer of 32 bits, or by more than 2. */
export const counter: IntType = { kind: "int", bits: 48, wide: true };

/** A 64-bit integer of an accumulator: sums of two are exact. */
export const carried: IntType = { kind: "int", bits: 48, wide: true };

/** A kernel's compute types for translated functions. */
export class Precision {
  /** True if the tensors hold integers: then integers wrap at 64 bits, as in the tensors' arithmetic. */
  readonly integral: boolean;
  /** The C++ type of the tensors' elements. */
  readonly element: string;
  /** The C++ type of numbers with a fraction. */
  readonly float: string;

  constructor(compute: DType) {
    const { kind, ctype } = dtypes[compute.compute];
    this.integral = kind !== "float";
    this.element = ctype;
    this.float = this.integral ? "double" : ctype;
    this.#input =
      kind === "float"
        ? float
        : {
            kind: "int",
            bits:
              kind === "bool"
                ? 2
                : Math.min(64, 8 * dtypes[compute.compute].bytes + (kind === "unsigned" ? 1 : 0)),
          };
  }

  readonly #input: Type;

  /** The type of an input. */
  get input(): Type {
    return this.#input;
  }

  /** An integer of that many bits; a float beyond JavaScript's exact integers. */
  int(bits: number, wide = false): IntType | FloatType {
    if (bits > 53 && !this.integral) return whole;
    return { kind: "int", bits: Math.min(bits, 64), ...(wide && { wide }) };
  }

  /** The C++ type of a value. */
  ctype(type: Type): string {
    if (type === undefined) return "int32";
    if (type.kind === "bool") return "bool";
    if (type.kind === "float") return this.float;
    return isWide(type) ? "int64" : "int32";
  }
}

/** True for an integer that is stored in 64 bits. */
export function isWide(type: IntType): boolean {
  return type.wide === true || type.bits > 32;
}

/** The common type of both; `undefined` for a boolean and a number. */
export function join(a: Type, b: Type): Type | "mixed" {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.kind === "bool" || b.kind === "bool") return a.kind === b.kind ? a : "mixed";
  if (a.kind === "int" && b.kind === "int") {
    const wide = isWide(a) || isWide(b);
    return { kind: "int", bits: Math.max(a.bits, b.bits), ...(wide && { wide }) };
  }
  const both = [a, b].every((one) => one.kind === "int" || one.whole === true);
  return both ? whole : float;
}

/** True for equal types. */
export function sameType(a: Type, b: Type): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "int" && b.kind === "int") return a.bits === b.bits && isWide(a) === isWide(b);
  if (a.kind === "float" && b.kind === "float") return a.whole === b.whole;
  return a.kind === b.kind;
}

/** The bits of a whole number, including the sign. */
export function bitsOf(value: number): number {
  return Math.abs(value) < 1 ? 2 : Math.floor(Math.log2(Math.abs(value))) + 2;
}
