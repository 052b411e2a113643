// The base of the translator's parts: the lines of the current block, variables and their types, and errors.
import type { AnyNode } from "acorn";
import type { PositionUse } from "../position.js";
import { refusals } from "./refusals.js";
import { type Callee, Names, type Record, Scope } from "./scope.js";
import { type FunctionNode, type ScriptSource, scriptError } from "./source.js";
import type { Frame, StatementVisitor } from "./statement-visitor.js";
import type { EntryParameter, ExpectedResult, OuterNames } from "./translation.js";
import { join, type Precision, sameType, type Type, whole } from "./types.js";
import { floated, type Value, type Variable } from "./value.js";

const mostChanges = 3;

/** The state of a translation; each pass writes the function again with the types known so far. */
export abstract class Writing implements StatementVisitor {
  lines: string[] = [];
  frame: Frame;
  scope: Scope;
  protected source: ScriptSource;
  protected changed = false;
  protected pass = 0;
  protected helpers: string[] = [];
  protected readonly names = new Names();
  protected readonly variables = new Map<AnyNode, Variable>();
  protected readonly callees = new Map<FunctionNode, Callee>();
  protected readonly captures = new Map<string, Variable & { readonly cell: boolean }>();
  protected readonly positions = new Map<string, PositionUse>();
  protected readonly inputs: readonly Variable[];
  protected readonly outer = new Scope();
  protected readonly root: ScriptSource;

  constructor(
    source: ScriptSource,
    readonly entry: string,
    readonly parameters: readonly EntryParameter[],
    readonly precision: Precision,
    readonly outerNames: OuterNames,
    readonly expected: readonly ExpectedResult[] | undefined,
  ) {
    this.source = source;
    this.frame = { owner: source.node, entry: true, results: [], keys: undefined, callee: undefined };
    this.root = source;
    this.scope = this.outer;
    this.inputs = parameters.map(({ label, node, type, record }) =>
      this.make(node, label, type, false, record === undefined ? label : `${record}_${label}`),
    );
  }

  record(node: AnyNode): Record | undefined {
    const found = node.type === "Identifier" ? this.scope.find(node.name) : undefined;
    return found?.kind === "record" ? found : undefined;
  }

  abstract value(node: AnyNode): Value;
  abstract values(nodes: readonly AnyNode[]): Value[];
  abstract number(node: AnyNode): Value;
  abstract condition(node: AnyNode): Value;
  abstract effect(node: AnyNode): void;
  abstract local(node: FunctionNode, label: string): void;

  /** Runs a part of the translation and returns its lines separately. */
  capture<R>(run: () => R): { readonly result: R; readonly lines: string[] } {
    const before = this.lines;
    this.lines = [];
    try {
      const result = run();
      return { result, lines: this.lines };
    } finally {
      this.lines = before;
    }
  }

  protected spill(value: Value): Value {
    if (value.literal !== undefined) return value;
    const name = this.names.fresh("t");
    this.lines.push(`const ${this.precision.ctype(value.type)} ${name} = ${value.text};`);
    return { text: name, type: value.type, atom: true };
  }

  joined(a: Type, b: Type, node: AnyNode): Type {
    const type = join(a, b);
    if (type !== "mixed") return type;
    return this.fail(
      node,
      "the value is a number here and a boolean there",
      "Write condition ? 1 : 0 for a number.",
    );
  }

  declare(node: AnyNode, label: string, constant: boolean): Variable {
    const variable = this.variables.get(node) ?? this.make(node, label, undefined, constant);
    this.scope.add(label, variable);
    return variable;
  }

  protected make(node: AnyNode, label: string, type: Type, constant: boolean, written = label): Variable {
    const name = this.names.fresh(written);
    const variable: Variable = {
      kind: "variable",
      label,
      name,
      type,
      start: type,
      changes: 0,
      owner: this.frame.owner,
      constant,
    };
    this.variables.set(node, variable);
    return variable;
  }

  /** Widens a variable to hold an assigned value's type. */
  absorb(variable: Variable, type: Type, node: AnyNode): void {
    this.widen(variable, type, node);
    const start = join(variable.start, type) as Type;
    if (sameType(start, variable.start)) return;
    variable.start = start;
    this.changed = true;
  }

  /** Widens a variable to hold a type. */
  protected widen(variable: Variable, type: Type, node: AnyNode): void {
    const wanted = join(variable.type, type);
    if (wanted === "mixed") {
      this.fail(node, `${variable.label} holds a number here and a boolean elsewhere`, "Use two variables.");
    }
    if (sameType(wanted as Type, variable.type)) return;
    variable.changes++;
    // An integer that grows at each pass has no bound.
    const runaway = variable.changes > mostChanges && (wanted as Type)?.kind === "int";
    variable.type = runaway
      ? this.precision.integral
        ? { kind: "int", bits: 64 }
        : whole
      : (wanted as Type);
    this.changed = true;
  }

  /** A value converted to a variable's type. */
  stored(value: Value, type: Type): string {
    return value.literal !== undefined && type?.kind === "float" ? floated(value, this).text : value.text;
  }

  protected read(variable: Variable): Value {
    return { text: variable.name, type: variable.type, atom: true };
  }

  protected needNumber(value: Value, node: AnyNode): void {
    if (value.type?.kind !== "bool") return;
    this.fail(node, "a boolean is not a number", "Write condition ? 1 : 0, or Number(condition).");
  }

  protected within<R>(source: ScriptSource, run: () => R): R {
    const before = this.source;
    this.source = source;
    try {
      return run();
    } finally {
      this.source = before;
    }
  }

  fail(node: { readonly start: number }, what: string, help: string): never {
    throw scriptError(this.source, node, what, help);
  }

  unsupported(node: AnyNode): never {
    const [what, help] = refusals[node.type] ?? [
      `${node.type} has no translation`,
      "Write it in a simpler form.",
    ];
    return this.fail(node, what, help);
  }
}
