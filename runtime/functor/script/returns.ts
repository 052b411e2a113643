// Returns in C++: of one value, of several as an object or an array, and of a reduction's accumulator.
import type { AnyNode } from "acorn";
import type { Record } from "./scope.js";
import type { StatementVisitor } from "./statement-visitor.js";
import type { Type } from "./types.js";
import { outputName, type Value, type Variable } from "./value.js";

/** Writes the return of a value, or of an object or array of values. */
export function returned(value: AnyNode, node: AnyNode, visitor: StatementVisitor): void {
  const { frame } = visitor;
  if (
    value.type === "ConditionalExpression" &&
    [value.consequent, value.alternate].some((one) => isList(one, visitor))
  ) {
    const condition = visitor.condition(value.test);
    const yes = visitor.capture(() => returned(value.consequent, node, visitor)).lines;
    const no = visitor.capture(() => returned(value.alternate, node, visitor)).lines;
    visitor.lines.push(`if (${condition.text}) {`, ...indented(yes), "} else {", ...indented(no), "}");
    return;
  }
  if (value.type === "SequenceExpression") {
    for (const one of value.expressions.slice(0, -1)) visitor.effect(one);
    returned(value.expressions.at(-1) as AnyNode, node, visitor);
    return;
  }
  if (!isList(value, visitor) || !frame.entry) {
    const result = visitor.value(value);
    if (frame.keys !== undefined || frame.results.length > 1) {
      visitor.fail(node, "one value is returned here and several elsewhere", "Return as many on every path.");
    }
    frame.results = [visitor.joined(frame.results[0], result.type, value)];
    visitor.lines.push(
      `return ${frame.entry ? resultText(result, frame.results[0], value, visitor, 0) : visitor.stored(result, frame.results[0])};`,
    );
    return;
  }
  const record = visitor.record(value);
  const { keys, nodes } = record ? fieldsOf(value, record) : ordered(value, listOf(value, visitor), visitor);
  const known = frame.results.length > 0;
  if (known && (frame.results.length !== nodes.length || `${frame.keys}` !== `${keys}`)) {
    visitor.fail(
      node,
      "other results are returned here than elsewhere",
      "Return the same ones on every path, in one order.",
    );
  }
  if (nodes.length === 0) visitor.fail(value, "nothing is returned", "Return a number.");
  const values = record ? [...record.fields.values()].map(read) : visitor.values(nodes);
  frame.keys = keys;
  frame.results = values.map((one, i) => visitor.joined(frame.results[i], one.type, nodes[i] as AnyNode));
  const texts = values.map((one, i) => resultText(one, frame.results[i], nodes[i] as AnyNode, visitor, i));
  if (texts.length === 1) visitor.lines.push(`return ${texts[0]};`);
  else visitor.lines.push(...texts.map((text, i) => `${outputName(i)} = ${text};`), "return;");
}

/** Lines one level further in. */
export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function isList(node: AnyNode, visitor: StatementVisitor): boolean {
  if (node.type === "ConditionalExpression")
    return [node.consequent, node.alternate].some((one) => isList(one, visitor));
  return (
    node.type === "ObjectExpression" || node.type === "ArrayExpression" || visitor.record(node) !== undefined
  );
}

interface List {
  readonly keys: readonly string[] | undefined;
  readonly nodes: readonly AnyNode[];
}

/** The fields of an accumulator that is returned unchanged. */
function fieldsOf(node: AnyNode, { fields }: Record): List {
  return { keys: [...fields.keys()], nodes: Array.from(fields, () => node) };
}

function read({ name, type }: Variable): Value {
  return { text: name, type, atom: true };
}

/** The returned fields, in the order of the accumulator's. */
function ordered(node: AnyNode, list: List, visitor: StatementVisitor): List {
  const names = visitor.expected?.map(({ name }) => name);
  if (names === undefined) return list;
  const { keys = [], nodes } = list;
  if (keys.length !== names.length || !names.every((name) => keys.includes(name))) {
    visitor.fail(
      node,
      `${keys.join(", ") || "a list"} is returned`,
      `Return the identity's fields: ${names.join(", ")}.`,
    );
  }
  return { keys: names, nodes: names.map((name) => nodes[keys.indexOf(name)] as AnyNode) };
}

function listOf(node: AnyNode, visitor: StatementVisitor): { keys: string[] | undefined; nodes: AnyNode[] } {
  if (node.type === "ArrayExpression") {
    const nodes = node.elements.map((one) =>
      one && one.type !== "SpreadElement" ? one : visitor.unsupported(one ?? node),
    );
    return { keys: undefined, nodes };
  }
  const keys: string[] = [];
  const nodes: AnyNode[] = [];
  for (const property of node.type === "ObjectExpression" ? node.properties : []) {
    if (property.type !== "Property" || property.computed || property.kind !== "init")
      return visitor.unsupported(property);
    const { key } = property;
    keys.push(key.type === "Identifier" ? key.name : `${(key as { value?: unknown }).value}`);
    nodes.push(property.value);
  }
  return { keys, nodes };
}

/** A result in the stored type; a number with a fraction is not silently rounded to an integer. */
function resultText(
  value: Value,
  type: Type,
  node: AnyNode,
  visitor: StatementVisitor,
  place: number,
): string {
  const { precision, expected } = visitor;
  const kind = expected?.[place]?.kind;
  if (kind !== undefined && value.type !== undefined && (kind === "bool") !== (type?.kind === "bool")) {
    const [found, wanted] = kind === "bool" ? ["a number", "a boolean"] : ["a boolean", "a number"];
    visitor.fail(
      node,
      `the identity has ${wanted} here, but ${found} is returned`,
      "Return the identity's type.",
    );
  }
  const carries = kind === "integer";
  if (!(precision.integral || carries) || type?.kind === "bool" || value.type === undefined)
    return visitor.stored(value, type);
  const element = carries ? "int64" : precision.element;
  if (value.type.kind === "int")
    return element === "bool" ? `(${value.text}) != 0` : `${element}(${value.text})`;
  if (value.type.kind === "float" && value.type.whole) return `cast<${element}>(${value.text})`;
  return carries
    ? visitor.fail(
        node,
        "the result has a fraction, but the identity has an integer here (a bigint)",
        "Round it with Math.round, Math.floor or Math.trunc, or use a number in the identity.",
      )
    : visitor.fail(
        node,
        `the result has a fraction, but the tensors hold integers (${element})`,
        'Round it with Math.round, Math.floor or Math.trunc, or pass { returns: "float" }.',
      );
}
