// The statements of one function in JavaScript.
import { allocated, fieldPlace, plus, stored, zeroOf } from "./conversions.js";
import { Expressions } from "./expressions.js";
import { type Arguments, declaredType, typeOf } from "./names.js";
import { Unsupported } from "./parser.js";
import type { Declared, Expr, FunctionNode, Space, Statement } from "./syntax.js";
import type { Parameter, Program } from "./translator.js";
import { countOf, elementOf, isPlace, keyOf, scalar, stepOf, type Type } from "./types.js";

/** Thrown where a variable must be in memory, because its reference is passed on: the function is translated again. */
export class Retry extends Error {}

/** A variable. */
export type Local =
  | { readonly k: "value"; readonly type: Type; readonly js: string; readonly id: string }
  | { readonly k: "place"; readonly type: Type; readonly array: string; readonly at: string }
  | { readonly k: "pointer"; readonly type: Type; readonly array: string; readonly at: string };

/** The body of a function, for the types that its template's parameters stand for. */
export class FunctionBody extends Expressions {
  readonly result: Type;
  /** Variables in memory, by where they are declared. */
  readonly boxed = new Set<string>();
  #scopes: Map<string, Local>[] = [];
  #temporaries: string[] = [];
  #declared = 0;

  constructor(
    program: Program,
    readonly node: FunctionNode | undefined,
    given: Arguments,
    readonly parameters: readonly Parameter[],
    space: Space | undefined = node?.space,
  ) {
    super(program, space as Space, given);
    this.result = node ? typeOf(node.result, node.space, given) : scalar("void");
  }

  /** The list of parameters. */
  head(): string {
    this.#scopes = [new Map()];
    this.#temporaries = [];
    this.#declared = 0;
    return this.parameters
      .map(({ name, type, isPlace }, i) => {
        const own = `${name || "unnamed"}_${i}`;
        const scope = this.#scopes[0] as Map<string, Local>;
        if (!isPlace) {
          scope.set(name, { k: "value", type, js: own, id: own });
          return own;
        }
        const [array, at] = [`${own}_array`, `${own}_at`];
        // A parameter that is an array is a pointer to its first element.
        const pointer: Type = type.k === "array" ? { k: "pointer", to: type.of } : type;
        const isPointer = pointer.k === "pointer";
        scope.set(name, { k: isPointer ? "pointer" : "place", type: pointer, array, at });
        return `${array}, ${at}`;
      })
      .join(", ");
  }

  text(): string {
    const lines: string[] = [];
    for (const { name, type, isPlace } of this.parameters) {
      const local = this.#scopes[0]?.get(name);
      if (isPlace || local?.k !== "value" || !this.boxed.has(local.id)) continue;
      const array = this.program.fresh(name);
      lines.push(`const ${array} = ${allocated(type, 1)};`, `${stored(type, array, "0", local.js)};`);
      this.#scopes[0]?.set(name, { k: "place", type, array, at: "0" });
    }
    lines.push(...this.#statements(this.node?.body() ?? []));
    const temporaries = this.#temporaries.length > 0 ? [`let ${this.#temporaries.join(", ")};`] : [];
    return [...temporaries, ...lines].join("\n");
  }

  override local(name: string): Local | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const found = this.#scopes[i]?.get(name);
      if (found) return found;
    }
    return undefined;
  }

  override temporary(): string {
    const name = this.program.fresh("t");
    this.#temporaries.push(name);
    return name;
  }

  override box(id: string): never {
    this.boxed.add(id);
    throw new Retry();
  }

  #statements(body: readonly Statement[]): string[] {
    this.#scopes.push(new Map());
    const lines = body.flatMap((one) => this.#statement(one));
    this.#scopes.pop();
    return lines;
  }

  #statement(statement: Statement): string[] {
    switch (statement.k) {
      case "block":
        return ["{", ...this.#statements(statement.body), "}"];
      case "declare":
        return statement.vars.flatMap((one) => this.#declare(one));
      case "do":
        return statement.exprs.map((one) => `${this.effect(one)};`);
      case "if": {
        const known = this.number(statement.when);
        if (known !== undefined && statement.when.k !== "number") {
          const taken = known ? statement.then : statement.otherwise;
          return taken ? ["{", ...this.#statements([taken]), "}"] : [];
        }
        const otherwise = statement.otherwise
          ? ["else {", ...this.#statements([statement.otherwise]), "}"]
          : [];
        return [
          `if (${this.condition(statement.when)}) {`,
          ...this.#statements([statement.then]),
          "}",
          ...otherwise,
        ];
      }
      case "for": {
        this.#scopes.push(new Map());
        const init = statement.init ? this.#statement(statement.init) : [];
        const when = statement.when ? this.condition(statement.when) : "";
        const next = statement.next.map((one) => this.effect(one)).join(", ");
        const lines = [
          "{",
          ...init,
          `for (; ${when}; ${next}) {`,
          ...this.#statements([statement.body]),
          "}",
          "}",
        ];
        this.#scopes.pop();
        return lines;
      }
      case "while": {
        const body = this.#statements([statement.body]);
        const when = this.condition(statement.when);
        return statement.isDo ? ["do {", ...body, `} while (${when});`] : [`while (${when}) {`, ...body, "}"];
      }
      case "return":
        return [statement.value ? `return ${this.valueAs(statement.value, this.result)};` : "return;"];
      default:
        return [`${statement.k};`];
    }
  }

  #declare(declared: Declared): string[] {
    const { name, init } = declared;
    const scope = this.#scopes.at(-1) as Map<string, Local>;
    const id = `${name}:${this.#declared++}`;
    const own = this.program.fresh(name);
    if (declared.type.name === "auto") return this.#inferred(declared, own, id, scope);
    const type = declaredType(this.#withCount(declared), this.space, this.given);
    if (type.k === "pointer") {
      const local = { k: "pointer" as const, type, array: `${own}_array`, at: `${own}_at` };
      const from = init ? this.pointer(this.value(init)) : { array: "undefined", at: "0" };
      scope.set(name, local);
      return [`let ${local.array} = ${from.array}, ${local.at} = ${from.at};`];
    }
    const mayStay = declared.type.isReference || (isPlace(type) && init !== undefined);
    if (mayStay && init) {
      const value = this.value(init);
      if (value.place) {
        const local = { k: "place" as const, type, array: `${own}_array`, at: `${own}_at` };
        scope.set(name, local);
        return [`const ${local.array} = ${value.place.array}, ${local.at} = ${value.place.at};`];
      }
    }
    if (type.k === "array" || isPlace(type)) return this.#memory(own, type, name, init, scope);
    const value = init ? this.valueAs(init, type) : zeroOf(type);
    if (this.boxed.has(id)) {
      scope.set(name, { k: "place", type, array: own, at: "0" });
      return [`const ${own} = ${allocated(type, 1)};`, `${stored(type, own, "0", value)};`];
    }
    scope.set(name, { k: "value", type, js: own, id });
    return [`let ${own} = ${value};`];
  }

  #inferred({ name, init }: Declared, own: string, id: string, scope: Map<string, Local>): string[] {
    if (!init) throw new Unsupported("auto without a value");
    const value = this.value(init);
    if (value.type.k === "pointer") {
      const from = this.pointer(value);
      scope.set(name, { k: "pointer", type: value.type, array: `${own}_array`, at: `${own}_at` });
      return [`let ${own}_array = ${from.array}, ${own}_at = ${from.at};`];
    }
    scope.set(name, { k: "value", type: value.type, js: own, id });
    return [`let ${own} = ${this.js(value)};`];
  }

  /** An array of as many elements as its list has. */
  #withCount(declared: Declared): Declared {
    const [dim] = declared.dims;
    if (dim?.k !== "number" || dim.text !== "0" || declared.init?.k !== "list") return declared;
    return { ...declared, dims: [{ k: "number", text: String(declared.init.args.length) }] };
  }

  #memory(
    own: string,
    type: Type,
    name: string,
    init: Expr | undefined,
    scope: Map<string, Local>,
  ): string[] {
    const element = elementOf(type);
    scope.set(name, { k: "place", type, array: own, at: "0" });
    const lines = [`const ${own} = ${allocated(element, countOf(type))};`];
    if (init?.k === "list") lines.push(...this.#filled(type, own, "0", init.args));
    else if (init) throw new Unsupported(`the first value of ${keyOf(type)}`);
    return lines;
  }

  #filled(type: Type, array: string, at: string, values: readonly Expr[]): string[] {
    if (type.k === "array") {
      return values.flatMap((value, i) => {
        const place = plus(at, String(i * stepOf(type.of)));
        if (type.of.k === "array" && value.k === "list")
          return this.#filled(type.of, array, place, value.args);
        return [`${stored(type.of, array, place, this.valueAs(value, type.of))};`];
      });
    }
    if (type.k !== "struct") throw new Unsupported(`a list for ${keyOf(type)}`);
    return values.flatMap((value, i) => {
      const field = type.fields[i];
      if (!field) throw new Unsupported(`a list for ${keyOf(type)}`);
      const place = fieldPlace(field.type, array, plus(at, String(field.offset)));
      if (field.type.k === "array" && value.k === "list")
        return this.#filled(field.type, place.array, place.at, value.args);
      return [`${stored(field.type, place.array, place.at, this.valueAs(value, field.type))};`];
    });
  }
}
