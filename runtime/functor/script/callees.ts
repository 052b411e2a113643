// Calls of declared and captured functions, of JavaScript's functions, and of the library's operations.
import type { AnyNode, CallExpression } from "acorn";
import { type DrawName, drawCall } from "../draws.js";
import { keyUse, positionName } from "../position.js";
import { builtinCall, isHolder, operationCall } from "./calls.js";
import { Expressions } from "./expressions.js";
import { cellNames } from "./home.js";
import { numberOf } from "./operators.js";
import { type Callee, Scope } from "./scope.js";
import type { FunctionNode, ScriptSource } from "./source.js";
import { blockOf } from "./statements.js";
import { float, position, sameType, type Type } from "./types.js";
import { callOf, pathOf, type Value, type Variable } from "./value.js";

/** Writes calls and the called functions. */
export class Callees extends Expressions {
  /** A captured number, as a parameter of the entry. */
  protected outsideVariable(node: AnyNode, label: string, cell: boolean): Variable | Callee | undefined {
    const outside = this.outerNames.outside(label, cell, this.source);
    if (outside === undefined || outside.kind === "operation") return undefined;
    if (outside.kind === "refused") return this.fail(node, outside.what, outside.help);
    if (outside.kind === "function")
      return this.calleeOf(outside.source.node, label, outside.source, new Scope());
    let variable = this.captures.get(label);
    if (variable === undefined) {
      const type: Type = outside.kind === "bool" ? { kind: "bool" } : float;
      const name = this.names.fresh(label);
      variable = {
        kind: "variable",
        label,
        name,
        type,
        start: type,
        changes: 0,
        owner: this.outer,
        constant: true,
        cell,
      };
      this.captures.set(label, variable);
    }
    return variable;
  }

  protected call(node: CallExpression): Value {
    const args = node.arguments as readonly AnyNode[];
    const spread = args.find((one) => one.type === "SpreadElement");
    if (spread) return this.unsupported(spread);
    const { callee } = node;
    if (callee.type === "ArrowFunctionExpression" || callee.type === "FunctionExpression") {
      // Minified code calls a function where it stands.
      const called = this.calleeOf(callee, "inner", this.source, this.scope);
      this.lines.push(...this.lambda(called));
      return this.calleeCall(called, args, node);
    }
    const path = pathOf(callee as AnyNode);
    if (path === undefined) {
      return this.fail(node.callee, "this call has no translation", "Call a function by its name.");
    }
    const [root = "", ...rest] = path;
    const name = rest.at(-1) ?? root;
    const cell = root === cellNames && rest.length === 1;
    if (rest.length === 0 || cell) return this.namedCall(name, cell, args, node);
    const holder = rest.at(-2) ?? root;
    if (holder === "math") return this.operation(name, args, node);
    if (root === "Math" && name === "random" && rest.length === 1)
      return this.draw("Math.random", "random", args, node);
    if (isHolder(root) && rest.length === 1) return builtinCall(root, name, args, this, node) as Value;
    return this.fail(
      node,
      `${path.join(".")} has no translation`,
      "A functor may call Math, jl.math and functions of numbers.",
    );
  }

  protected namedCall(name: string, cell: boolean, args: readonly AnyNode[], node: CallExpression): Value {
    const found = cell ? undefined : this.scope.find(name);
    const outside = found ? undefined : this.outerNames.outside(name, cell, this.source);
    if (outside?.kind === "operation") return this.operation(outside.name, args, node);
    const callee = found ?? (outside && this.outsideVariable(node, name, cell));
    if (callee?.kind === "function") return this.calleeCall(callee, args, node);
    if (callee) return this.fail(node, `${name} is not a function`, "");
    if (name === "Number" && args.length === 1) return numberOf(this.value(args[0] as AnyNode));
    if (name === "Boolean" && args.length === 1) return this.condition(args[0] as AnyNode);
    return builtinCall("", name, args, this, node) ?? this.unknown(node.callee as AnyNode, name);
  }

  /** A function that the entry may call. */
  protected calleeOf(node: FunctionNode, label: string, source: ScriptSource, scope: Scope): Callee {
    let callee = this.callees.get(node);
    if (callee === undefined) {
      const name = this.names.fresh(label);
      const outer = this.frame;
      this.frame = { ...outer, owner: node };
      const parameters = node.params.map((parameter): Variable => {
        if (parameter.type === "Identifier") return this.make(parameter, parameter.name, undefined, false);
        return this.within(source, () => this.unsupported(parameter));
      });
      this.frame = outer;
      callee = {
        kind: "function",
        label,
        name,
        source,
        node,
        parameters,
        scope,
        result: undefined,
        active: false,
        pass: 0,
      };
      this.callees.set(node, callee);
    }
    return callee;
  }

  /** Declares a function inside of another one: a C++ lambda that captures its scope. */
  local(node: FunctionNode, label: string): void {
    const callee = this.calleeOf(node, label, this.source, this.scope);
    this.scope.add(label, callee);
    this.lines.push(...this.lambda(callee));
  }

  protected lambda(callee: Callee): string[] {
    const { precision } = this;
    const [outerFrame, outerScope] = [this.frame, this.scope];
    callee.active = true;
    callee.pass = this.pass;
    this.frame = { owner: callee.node, entry: false, results: [], keys: undefined, callee };
    this.scope = new Scope(callee.source === this.source ? this.scope : undefined);
    for (const parameter of callee.parameters) this.scope.add(parameter.label, parameter);
    const { lines } = this.within(callee.source, () => this.capture(() => blockOf(callee.node, this)));
    const [type] = this.frame.results;
    if (!sameType(type, callee.result)) {
      callee.result = type;
      this.changed = true;
    }
    this.frame = outerFrame;
    this.scope = outerScope;
    callee.active = false;
    const list = callee.parameters.map(({ name, type }) => `${precision.ctype(type)} ${name}`).join(", ");
    const body = lines.map((line) => `  ${line}`);
    return [`auto ${callee.name} = [&](${list}) -> ${precision.ctype(callee.result)} {`, ...body, "};"];
  }

  protected calleeCall(callee: Callee, args: readonly AnyNode[], node: CallExpression): Value {
    if (callee.active) {
      this.fail(node, `${callee.label} calls itself`, "A functor has no recursion: write a loop.");
    }
    if (args.length !== callee.parameters.length) {
      this.fail(node, `${callee.label} takes ${callee.parameters.length} arguments, not ${args.length}`, "");
    }
    const values = this.values(args);
    for (const [i, value] of values.entries()) {
      const parameter = callee.parameters[i] as Variable;
      this.absorb(parameter, value.type, args[i] as AnyNode);
    }
    // A captured function is written before the entry's lines, once in each pass.
    if (callee.source !== this.root && callee.pass !== this.pass) {
      const lines = this.lambda(callee);
      this.helpers.push(...lines);
    }
    const list = values.map((value, i) => this.stored(value, callee.parameters[i]?.type));
    const call = callOf(callee.name, list, callee.result);
    // It may draw, and draws have an order.
    return this.draws() ? this.spill(call) : call;
  }

  /** A call of a function of jl.math. */
  protected operation(name: string, args: readonly AnyNode[], node: AnyNode): Value {
    if (name === "index" || name === "extent") return this.position(name, args, node);
    if (name === "normal") return this.draw("jl.math.normal", "normal", args, node);
    return operationCall(name, args, this, node);
  }

  protected draws(): boolean {
    return this.positions.has(positionName(keyUse));
  }

  /** A random number, written before the expression: C++ leaves the order of two in one open. */
  protected draw(label: string, name: DrawName, args: readonly AnyNode[], node: AnyNode): Value {
    if (args.length > 0) return this.fail(node, `${label} takes 0 arguments, not ${args.length}`, "");
    if (!this.draws()) {
      this.positions.set(positionName(keyUse), keyUse);
      this.changed = true;
    }
    return this.spill({ text: drawCall(name), type: float, atom: true });
  }

  protected position(kind: "index" | "extent", args: readonly AnyNode[], node: AnyNode): Value {
    const [dim] = args.map((one) => this.value(one).literal);
    if (args.length !== 1 || dim === undefined || !Number.isInteger(dim)) {
      return this.fail(
        node,
        `${kind} takes one whole number, the dimension`,
        `Write for example jl.math.${kind}(0).`,
      );
    }
    const use = { kind, dim } as const;
    this.positions.set(positionName(use), use);
    return { text: positionName(use), type: position, atom: true };
  }
}
