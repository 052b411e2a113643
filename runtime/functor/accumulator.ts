// The accumulator of a user's reduction: one value, or several by name, with the types of its identity.
import { type DType, dtypes } from "../base/dtype.js";
import { isArray, JitlabError, show } from "../base/errors.js";
import type { ArgumentType } from "./functor.js";
import { isScalar } from "./operand.js";

/** The value of a field: a number of the kernel's precision, a boolean, or an integer of 64 bits. */
export type FieldValue = number | boolean | bigint;

/** One value of an accumulator. */
export interface Field {
  /** Its name in the identity; empty for an accumulator that is one value. */
  readonly name: string;
  readonly type: ArgumentType;
  /** Its value for no elements. */
  readonly identity: FieldValue;
}

/** An accumulator: its fields; a single field without a name is the accumulator itself. */
export interface Accumulator {
  readonly fields: readonly Field[];
  readonly named: boolean;
}

const mostFields = 16;

/** The accumulator of an identity; throws `bad-reduction`. */
export function accumulatorOf(name: string, identity: unknown): Accumulator {
  if (isFieldValue(identity)) {
    return { fields: [{ name: "", type: typeOf(identity), identity }], named: false };
  }
  const entries =
    typeof identity === "object" && identity !== null && !isArray(identity) && !isScalar(identity)
      ? Object.entries(identity)
      : [];
  const fields = entries.map(([key, value]): Field => {
    if (!isFieldValue(value) || !/^[A-Za-z_]\w*$/.test(key)) throw badIdentity(name, identity);
    return { name: key, type: typeOf(value), identity: value };
  });
  if (fields.length === 0 || fields.length > mostFields) throw badIdentity(name, identity);
  return { fields, named: true };
}

function isFieldValue(value: unknown): value is FieldValue {
  return ["number", "boolean", "bigint"].includes(typeof value);
}

function typeOf(value: FieldValue): ArgumentType {
  if (typeof value === "boolean") return dtypes.bool;
  return typeof value === "bigint" ? dtypes.int64 : "T";
}

/** The dtype of a field. */
export function fieldDType(type: ArgumentType, compute: DType): DType {
  return type === "T" ? compute : type;
}

function badIdentity(name: string, identity: unknown): JitlabError {
  return new JitlabError(
    "bad-reduction",
    `${name}: the identity is ${show(identity)}.`,
    `Pass the result for no elements: a number, a boolean, a bigint for a 64-bit integer, or up to ${mostFields} of them by name, such as { count: 0n, mean: 0 }.`,
  );
}
