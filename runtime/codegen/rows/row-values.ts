// The values of a processor's row kernel: where their elements are, in memory as an operand or in the task's cache.
import { accessOf, type RowAccess, type RowSpec, type RowValue } from "./row-spec.js";

/** A value over elements that reductions and later phases need but that is not stored. */
export interface LiveValue {
  readonly name: string;
  readonly ctype: string;
  readonly bytes: number;
}

/** The held values. */
export function liveValues({ body }: RowSpec): LiveValue[] {
  return body.steps.flatMap(({ domain, phase, values }) => {
    const isNeeded = ({ name, last }: RowValue) =>
      last > phase || body.reductions.some(({ value }) => value === name);
    return domain === "points"
      ? values.filter((value) => isNeeded(value) && outputOf(body, value.name) < 0)
      : [];
  });
}

function outputOf({ outputs }: RowSpec["body"], name: string): number {
  return outputs.findIndex(({ value, domain }) => value === name && domain === "points");
}

/** The location of a value's elements: in memory as a result, or in the cache. */
export function baseOf({ body }: RowSpec, name: string): string {
  const output = outputOf(body, name);
  return output < 0 ? `kept_${name}` : `out${output}`;
}

/** Host compilers do not vectorize loops that load a bool; they do vectorize a comparison of a byte with 0. */
export function asByte(place: string, ctype: string): string {
  return ctype === "bool" ? `reinterpret_cast<const uint8&>(${place})` : place;
}

/** The C type of a value over the elements; undefined for other values. */
export function valueType({ body }: RowSpec, name: string): string | undefined {
  const step = body.steps.find(
    ({ domain, values }) => domain === "points" && values.some((one) => one.name === name),
  );
  return step?.values.find((one) => one.name === name)?.ctype;
}

/** The elements that a reduction joins: their location and type, and the operand that they are, with its access. */
export interface JoinedElements {
  readonly base: string;
  readonly ctype: string;
  readonly access: RowAccess;
  readonly input: number | undefined;
}

/** The elements of a value. */
export function elementsOf(spec: RowSpec, name: string): JoinedElements {
  const { body } = spec;
  const made = valueType(spec, name);
  if (made !== undefined) return { base: baseOf(spec, name), ctype: made, access: "dense", input: undefined };
  const input = body.inputs.findIndex((_, i) => `x${i}` === name);
  const access = accessOf(spec, input) as RowAccess;
  const ctype = body.inputs[input]?.dtype.ctype ?? "";
  return { base: access === "row" ? name : `in${input}`, ctype, access, input };
}

/** The type as which elements are joined, and a pointer to them as that type. */
export function pointerTo(first: string, ctype: string): { ctype: string; pointer: string } {
  return ctype === "bool"
    ? { ctype: "uint8", pointer: `reinterpret_cast<const uint8*>(${first})` }
    : { ctype, pointer: first };
}
