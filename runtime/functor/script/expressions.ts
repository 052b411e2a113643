// Expressions and assignments. Side effects of an expression are written before it, in JavaScript's order.
import type {
  AnyNode,
  AssignmentExpression,
  CallExpression,
  Identifier,
  MemberExpression,
  UpdateExpression,
} from "acorn";
import { didYouMean } from "../../base/errors.js";
import { constantOf, isHolder } from "./calls.js";
import { cellNames } from "./home.js";
import { binary, literalValue, unary } from "./operators.js";
import type { Callee, Record } from "./scope.js";
import { counter, int32, type Type } from "./types.js";
import { callOf, floated, operand, pathOf, ranks, type Value, type Variable } from "./value.js";
import { Writing } from "./writing.js";

/** Writes expressions. */
export abstract class Expressions extends Writing {
  protected abstract call(node: CallExpression): Value;
  /** The binding of a captured name. */
  protected abstract outsideVariable(
    node: AnyNode,
    label: string,
    cell: boolean,
  ): Variable | Callee | undefined;

  value(node: AnyNode): Value {
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "number") return literalValue(node.value, this);
        if (typeof node.value === "boolean")
          return { text: `${node.value}`, type: { kind: "bool" }, atom: true };
        return this.fail(
          node,
          `${node.raw ?? "this"} is not a number`,
          "A functor computes with numbers and booleans.",
        );
      case "Identifier":
        return this.identifier(node);
      case "UnaryExpression":
        return unary(node.operator, node.argument, this);
      case "BinaryExpression": {
        if (node.left.type === "PrivateIdentifier") return this.unsupported(node);
        const equality = /^[!=]==?$/.test(node.operator);
        const [a, b] = this.values([node.left, node.right]) as [Value, Value];
        if (!equality)
          for (const [value, part] of [
            [a, node.left],
            [b, node.right],
          ] as const)
            this.needNumber(value, part);
        return binary(node.operator, a, b, this, node);
      }
      case "LogicalExpression":
        return this.logical(node.operator, node.left, node.right, node);
      case "ConditionalExpression":
        return this.conditional(node.test, node.consequent, node.alternate, node);
      case "AssignmentExpression":
        return this.assign(node);
      case "UpdateExpression":
        return this.update(node, true);
      case "SequenceExpression": {
        const last = node.expressions.at(-1) as AnyNode;
        for (const one of node.expressions.slice(0, -1)) this.effect(one);
        return this.value(last);
      }
      case "CallExpression":
        return this.call(node);
      case "MemberExpression":
        return this.member(node);
      default:
        return this.unsupported(node);
    }
  }

  values(nodes: readonly AnyNode[]): Value[] {
    const values: Value[] = [];
    for (const node of nodes) {
      const { result, lines } = this.capture(() => this.value(node));
      if (lines.length > 0) {
        for (const [i, value] of values.entries()) values[i] = this.spill(value);
        this.lines.push(...lines);
      }
      values.push(result);
    }
    return values;
  }

  number(node: AnyNode): Value {
    const value = this.value(node);
    this.needNumber(value, node);
    return value;
  }

  condition(node: AnyNode): Value {
    const value = this.value(node);
    if (value.type === undefined || value.type.kind === "bool") return value;
    if (value.literal !== undefined && (value.literal === 0 || value.literal === 1)) {
      return { text: `${value.literal === 1}`, type: { kind: "bool" }, atom: true };
    }
    return this.fail(node, "a number is not a condition", "Compare it, for example x !== 0.");
  }

  protected logical(operator: string, left: AnyNode, right: AnyNode, node: AnyNode): Value {
    if (operator === "??") return this.fail(node, "?? has no meaning on numbers", "Numbers are never null.");
    const a = this.condition(left);
    const { result: b, lines } = this.capture(() => this.condition(right));
    const symbol = operator === "&&" ? "&&" : "||";
    if (lines.length === 0) {
      return {
        text: `${operand(a, ranks.comparison)} ${symbol} ${operand(b, ranks.comparison)}`,
        type: { kind: "bool" },
        atom: false,
      };
    }
    const name = this.names.fresh("t");
    this.lines.push(
      `bool ${name} = ${a.text};`,
      `if (${symbol === "&&" ? "" : "!"}${name}) {`,
      ...[...lines, `${name} = ${b.text};`].map((line) => `  ${line}`),
      "}",
    );
    return { text: name, type: { kind: "bool" }, atom: true };
  }

  protected conditional(test: AnyNode, yes: AnyNode, no: AnyNode, node: AnyNode): Value {
    const condition = this.condition(test);
    const a = this.capture(() => this.value(yes));
    const b = this.capture(() => this.value(no));
    const type = this.joined(a.result.type, b.result.type, node);
    const [first, second] = [a.result, b.result].map((value) => this.fitted(value, type)) as [string, string];
    if (a.lines.length + b.lines.length === 0) {
      return { text: `${operand(condition, ranks.comparison)} ? ${first} : ${second}`, type, atom: false };
    }
    const name = this.names.fresh("t");
    this.lines.push(
      `${this.precision.ctype(type)} ${name};`,
      `if (${condition.text}) {`,
      ...[...a.lines, `${name} = ${first};`].map((line) => `  ${line}`),
      "} else {",
      ...[...b.lines, `${name} = ${second};`].map((line) => `  ${line}`),
      "}",
    );
    return { text: name, type, atom: true };
  }

  /** A value as an operand, converted to the expected type. */
  fitted(value: Value, type: Type): string {
    if (type?.kind === "float" && value.type?.kind === "int") {
      const { text, atom } =
        value.literal === undefined ? callOf(this.precision.float, [value.text], type) : floated(value, this);
      return atom ? text : `(${text})`;
    }
    return operand(value, ranks.comparison);
  }

  protected identifier(node: Identifier): Value {
    const found = this.scope.find(node.name) ?? this.outsideVariable(node, node.name, false);
    if (found?.kind === "variable") return { text: found.name, type: found.type, atom: true };
    if (found?.kind === "record") {
      const [first] = found.fields.keys();
      return this.fail(
        node,
        `${node.name} is an accumulator`,
        `Name one of its fields, such as ${node.name}.${first}, or return all of it.`,
      );
    }
    if (found) return this.fail(node, `${node.name} is a function`, `Call it: ${node.name}(...).`);
    if (node.name === "Infinity") return literalValue(Number.POSITIVE_INFINITY, this);
    if (node.name === "NaN") return literalValue(Number.NaN, this);
    if (node.name === "undefined")
      return this.fail(node, "undefined is not a number", "Write NaN, or another number.");
    if (node.name === "arguments") {
      return this.fail(node, "arguments has no translation", "Name the parameters.");
    }
    return this.unknown(node, node.name);
  }

  unknown(node: AnyNode, name: string): never {
    const known = isHolder(name) ? `Write ${name}.name.` : "";
    return this.fail(
      node,
      `${name} is declared outside of the function`,
      known ||
        `Pass its value: jl.jit(fn, { use: { ${name} } }). ${didYouMean(
          name,
          this.parameters.map(({ label }) => label),
        )}`.trim(),
    );
  }

  protected member(node: MemberExpression): Value {
    const path = pathOf(node);
    let { object } = node as { object: AnyNode };
    while (object.type === "MemberExpression") object = object.object as AnyNode;
    if (object.type === "ThisExpression") return this.unsupported(object);
    if (object.type === "Identifier" && object.name === "arguments") return this.identifier(object);
    if (path) {
      const [root, ...rest] = path;
      const [key] = rest;
      const record = this.scope.find(root as string);
      if (record?.kind === "record" && rest.length === 1 && key !== undefined)
        return this.field(node, record, key);
      if (root === cellNames && rest.length === 1 && key !== undefined) {
        const found = this.outsideVariable(node, key, true);
        if (found?.kind === "variable") return { text: found.name, type: found.type, atom: true };
        return this.unknown(node, key);
      }
      const value = rest.length === 1 && key !== undefined ? constantOf(root as string, key) : undefined;
      if (value !== undefined && !this.scope.find(root as string)) return literalValue(value, this);
    }
    return this.fail(
      node,
      "properties and elements have no translation",
      "A functor computes with numbers: pass each one as an argument, or as a captured variable.",
    );
  }

  protected field(node: AnyNode, { label, fields }: Record, key: string): Value {
    const found = fields.get(key);
    if (found) return this.read(found);
    const names = [...fields.keys()];
    return this.fail(
      node,
      `${label} has no field ${key}`,
      `${didYouMean(key, names)} Its fields are ${names.join(", ")}.`.trim(),
    );
  }

  protected target(node: AnyNode): Variable {
    if (node.type !== "Identifier")
      return this.fail(node, "only variables can be assigned", "Name the variable.");
    const found = this.scope.find(node.name);
    if (found?.kind !== "variable") return this.unknown(node, node.name);
    if (found.constant) this.fail(node, `${node.name} is a constant`, "Declare it with let.");
    if (found.owner !== this.frame.owner) {
      this.fail(
        node,
        `${node.name} belongs to the function around this one`,
        "Return the value, and assign it there.",
      );
    }
    return found;
  }

  assign(node: AssignmentExpression): Value {
    const variable = this.target(node.left);
    const operator = node.operator.slice(0, -1);
    if (operator === "&&" || operator === "||" || operator === "??") return this.unsupported(node);
    if (this.counts(variable, operator, node.right)) {
      this.step(variable, operator as "+" | "-", (node.right as { value: number }).value, node);
      return this.read(variable);
    }
    let value: Value;
    if (operator === "") value = this.value(node.right);
    else {
      const [old, right] = this.values([node.left, node.right]) as [Value, Value];
      this.needNumber(old, node.left);
      this.needNumber(right, node.right);
      value = binary(operator as never, old, right, this, node);
    }
    this.absorb(variable, value.type, node);
    this.lines.push(`${variable.name} = ${this.stored(value, variable.type)};`);
    return this.read(variable);
  }

  update(node: UpdateExpression, used: boolean): Value {
    const variable = this.target(node.argument);
    this.needNumber(this.read(variable), node.argument);
    const before = used && !node.prefix ? this.spill(this.read(variable)) : undefined;
    this.step(variable, node.operator === "++" ? "+" : "-", 1, node);
    return before ?? this.read(variable);
  }

  /** True for `i += 2`, a step of a counter. */
  protected counts({ type }: Variable, operator: string, right: AnyNode): boolean {
    if (operator !== "+" && operator !== "-") return false;
    if (type?.kind === "float" || type?.kind === "bool") return false;
    return (
      right.type === "Literal" &&
      typeof right.value === "number" &&
      Math.abs(right.value) < 2 ** 16 &&
      Number.isInteger(right.value)
    );
  }

  /** Steps a counter, which stays an integer that no loop overflows: 2^29 steps are none that a functor takes. */
  protected step(variable: Variable, operator: "+" | "-", by: number, node: AnyNode): void {
    const { type, start, name } = variable;
    const bits = start?.kind === "int" ? start.bits : 2;
    if (type?.kind !== "float" && bits > counter.bits) {
      const value = binary(operator, this.read(variable), literalValue(by, this), this, node);
      this.absorb(variable, value.type, node);
      this.lines.push(`${name} = ${this.stored(value, variable.type)};`);
      return;
    }
    if (type?.kind !== "float") this.widen(variable, bits < 32 && Math.abs(by) <= 2 ? int32 : counter, node);
    this.lines.push(`${name} ${operator}= ${by};`);
  }

  /** An expression whose value is not used. */
  effect(node: AnyNode): void {
    if (node.type === "UpdateExpression") this.update(node, false);
    else if (node.type === "SequenceExpression") for (const one of node.expressions) this.effect(one);
    else this.value(node);
  }
}
