// The parameters of a function that are accumulators of a reduction: one value each, or the fields of an object.
import type { AnyNode } from "acorn";
import { didYouMean } from "../../base/errors.js";
import type { Accumulator, Field } from "../accumulator.js";
import { type ScriptSource, scriptError } from "./source.js";
import type { EntryParameter, ExpectedResult } from "./translation.js";
import { bool, carried, type Precision, type Type } from "./types.js";

/** The required return value of a function that returns an accumulator. */
export function expectedOf({ fields }: Accumulator): ExpectedResult[] {
  return fields.map(({ name, type }) => {
    return { name, kind: type === "T" ? "number" : type.kind === "bool" ? "bool" : "integer" };
  });
}

/** The entry's parameters for one accumulator, in the order of its fields. */
export function accumulatorParameters(
  source: ScriptSource,
  node: AnyNode,
  { fields, named }: Accumulator,
  precision: Precision,
): EntryParameter[] {
  const typeOf = ({ type }: Field): Type =>
    type === "T" ? precision.input : type.kind === "bool" ? bool : carried;
  if (node.type === "Identifier") {
    if (!named) return fields.map((field) => ({ label: node.name, node, type: typeOf(field) }));
    return fields.map((field) => ({ label: field.name, node, type: typeOf(field), record: node.name }));
  }
  if (!named || node.type !== "ObjectPattern") {
    throw scriptError(
      source,
      node,
      "this parameter is not an accumulator",
      named ? "Name it, as in (a, b), or its fields." : "Name it, as in (a, b).",
    );
  }
  const locals = localsOf(source, node.properties, fields);
  // A field that the pattern omits is still passed, under a name that cannot be written.
  return fields.map((field) => {
    const place = locals.get(field.name) ?? { label: field.name, node, record: `${node.start}` };
    return { ...place, type: typeOf(field) };
  });
}

/** A pattern's names for fields. */
function localsOf(
  source: ScriptSource,
  properties: readonly AnyNode[],
  fields: readonly Field[],
): Map<string, Pick<EntryParameter, "label" | "node">> {
  const names = fields.map(({ name }) => name);
  const locals = new Map<string, Pick<EntryParameter, "label" | "node">>();
  for (const property of properties) {
    const { key, value } = property as { key?: AnyNode; value?: AnyNode };
    if (property.type !== "Property" || key?.type !== "Identifier" || value?.type !== "Identifier") {
      throw scriptError(source, property, "this pattern has no translation", "Write only field names.");
    }
    if (!names.includes(key.name)) {
      throw scriptError(
        source,
        property,
        `the accumulator has no field ${key.name}`,
        `${didYouMean(key.name, names)} Its fields are ${names.join(", ")}.`.trim(),
      );
    }
    locals.set(key.name, { label: value.name, node: value });
  }
  return locals;
}
