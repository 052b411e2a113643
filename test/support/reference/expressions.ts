// The expressions of a function in JavaScript.
import {
  binary,
  condition,
  converted,
  fieldPlace,
  loaded,
  narrowed,
  plus,
  stored,
  times,
  unary,
  zeroOf,
} from "./conversions.js";
import { specialized } from "./declarations.js";
import type { Local } from "./function-body.js";
import { isOperation, knownCall, operationNamed, referenceCall } from "./functions.js";
import {
  type Arguments,
  constantNamed,
  deduced,
  functionsNamed,
  numberOf,
  typeNamed,
  typeOf,
} from "./names.js";
import { Unsupported } from "./parser.js";
import type { Declared, Expr, FunctionNode, Space, TypeNode } from "./syntax.js";
import type { Program } from "./translator.js";
import {
  bytesOf,
  common,
  elementOf,
  isInBytes,
  isPlace,
  keyOf,
  type StructType,
  scalar,
  stepOf,
  type Type,
  viewOf,
} from "./types.js";

/** An array and a place in it, as JavaScript. */
export interface Place {
  readonly array: string;
  readonly at: string;
}

/** An expression's value. */
export interface Value {
  readonly type: Type;
  /** The value. */
  readonly js?: string;
  /** What may be assigned to. */
  readonly target?: string;
  /** Where it is in memory. */
  readonly place?: Place;
  /** Where it points to, for a pointer; `isVariable` says that both may be assigned to. */
  readonly pointer?: Place & { readonly isVariable?: boolean };
  /** The variable that it is. */
  readonly id?: string;
}

// Whether ordinary arguments may be computed in another way: the reference has one way only.
const asksForPlain = /^(is_plain\d*|is_plain_element|when_stage\d+|is_(small|short)_\w+|is_ordinary)$/;

const computesPlain = /^plain(\d+|_element|_stage\d+)?$/;

/** Translates expressions where a function stands. */
export abstract class Expressions {
  constructor(
    readonly program: Program,
    readonly space: Space,
    readonly given: Arguments,
  ) {}

  abstract local(name: string): Local | undefined;
  abstract temporary(): string;
  /** Puts a variable into memory. */
  abstract box(id: string): never;

  number(expr: Expr): number | undefined {
    return numberOf(expr, this.space, this.given);
  }

  /** The JavaScript of a value. */
  js(value: Value): string {
    if (value.js !== undefined) return value.js;
    if (value.place) return loaded(value.type, value.place.array, value.place.at);
    throw new Unsupported(`the value of ${keyOf(value.type)}`);
  }

  /** Where a pointer or an array points to. */
  pointer(value: Value): Place {
    if (value.pointer) return value.pointer;
    if (value.type.k === "array" && value.place) return value.place;
    // One of an array of pointers.
    if (value.type.k === "pointer" && value.place) {
      const element = `${value.place.array}[${value.place.at}]`;
      return { array: `${element}.array`, at: `${element}.at` };
    }
    throw new Unsupported(`${keyOf(value.type)} as a pointer`);
  }

  condition(expr: Expr): string {
    const value = this.value(expr);
    return condition(this.js(value), value.type);
  }

  /** An expression in a type. */
  valueAs(expr: Expr, type: Type): string {
    if (expr.k === "list") return this.#made(type, expr.args);
    const value = this.value(expr);
    return this.convertedTo(value, type);
  }

  convertedTo(value: Value, type: Type): string {
    if (value.type.k === "struct" && type.k === "struct") {
      if (value.js !== undefined && value.target !== undefined) return `({ ...${value.js} })`;
      return this.js(value);
    }
    return converted(this.js(value), value.type, type);
  }

  /** An expression for what it does. */
  effect(expr: Expr): string {
    if (expr.k === "cast" && expr.type.name === "void") return "0";
    if (expr.k === "step") return this.#step(expr.of, expr.op, true);
    const value = this.value(expr);
    if (value.type.k === "scalar" && value.type.name === "void") return value.js ?? "0";
    return value.js ?? value.pointer?.at ?? "0";
  }

  value(expr: Expr): Value {
    switch (expr.k) {
      case "number":
        return literal(expr.text);
      case "name":
        return this.#named(expr.name, expr.args);
      case "call":
        return this.#call(expr.callee, expr.args);
      case "make": {
        const type = typeOf(expr.type, this.space, this.given);
        return { type, js: this.#made(type, expr.args) };
      }
      case "list":
        throw new Unsupported("a list without a type");
      case "unary":
        return this.#unary(expr.op, expr.of);
      case "step": {
        const type = this.value(expr.of).type;
        return { type, js: this.#step(expr.of, expr.op, expr.isPrefix) };
      }
      case "binary":
        return this.#binary(expr);
      case "assign":
        return this.#assign(expr.op, expr.to, expr.value);
      case "choose":
        return this.#choose(expr.when, expr.then, expr.otherwise);
      case "at": {
        const of = this.value(expr.of);
        const index = this.value(expr.index);
        const from = this.pointer(of);
        const type = of.type.k === "pointer" ? of.type.to : (of.type as Type & { k: "array" }).of;
        return this.#atPlace(type, from.array, this.#moved(from.at, index, type));
      }
      case "field":
        return this.#field(this.value(expr.of), expr.name);
      case "cast":
        return this.#cast(expr.type, expr.of);
      case "size":
        return { type: scalar("int32"), js: String(bytesOf(typeOf(expr.type, this.space, this.given))) };
      default:
        return expr satisfies never;
    }
  }

  #moved(at: string, index: Value, type: Type): string {
    const js =
      index.type.k === "scalar" && index.type.name === "uint64"
        ? `Number(${this.js(index)})`
        : this.js(index);
    return plus(at, times(js, stepOf(type)));
  }

  #atPlace(type: Type, array: string, at: string): Value {
    return { type, place: { array, at } };
  }

  #named(name: string, args: readonly (TypeNode | Expr)[] | undefined): Value {
    if (name === "true" || name === "false") return { type: scalar("bool"), js: name };
    const local = args ? undefined : this.local(name);
    if (local?.k === "value") return { type: local.type, js: local.js, target: local.js, id: local.id };
    if (local?.k === "place") return this.#atPlace(local.type, local.array, local.at);
    if (local) return { type: local.type, pointer: { array: local.array, at: local.at, isVariable: true } };
    const bound = this.given.get(name);
    if (typeof bound === "number") return { type: scalar("int32"), js: String(bound) };
    const constant = constantNamed(this.space, name);
    if (!constant) throw new Unsupported(`the name ${name}`);
    if (constant.declared.dims.length > 0) {
      const made = this.program.constant(constant.declared, constant.space);
      return this.#atPlace(made.type, made.name, "0");
    }
    const type = typeOf(constant.declared.type, constant.space, this.given);
    return { type, js: this.valueAs(constant.declared.init as Expr, type) };
  }

  #made(type: Type, args: readonly Expr[]): string {
    if (type.k === "struct") {
      if (args.length === 0) return `(${zeroOf(type)})`;
      const fields = type.fields.map((field, i) => {
        const arg = args[i];
        return `${field.name}: ${arg ? this.valueAs(arg, field.type) : zeroOf(field.type)}`;
      });
      return `({ ${fields.join(", ")} })`;
    }
    const [first, second] = args;
    if (type.k === "complex") {
      if (!first) return "({ re: 0, im: 0 })";
      if (!second) return `(${this.valueAs(first, type)})`;
      const part = scalar(type.of);
      return `({ re: ${this.valueAs(first, part)}, im: ${this.valueAs(second, part)} })`;
    }
    if (type.k === "scalar" && (type.name === "float16" || type.name === "bfloat16") && first) {
      // A half is made from its bits.
      const bits = this.valueAs(first, scalar("uint16"));
      return type.name === "float16" ? `halves[${bits}]` : `fromBfloatBits(${bits})`;
    }
    if (!first) return zeroOf(type);
    return first.k === "list" ? this.valueAs(first, type) : this.#narrowedTo(this.value(first), type);
  }

  #narrowedTo(value: Value, type: Type): string {
    return value.type.k === "scalar"
      ? narrowed(this.js(value), value.type, type)
      : this.convertedTo(value, type);
  }

  #unary(op: string, of: Expr): Value {
    const value = this.value(of);
    if (op === "*") {
      const { array, at } = this.pointer(value);
      return this.#atPlace(value.type.k === "pointer" ? value.type.to : elementOf(value.type), array, at);
    }
    if (op === "&") {
      if (value.id !== undefined && !isPlace(value.type)) this.box(value.id);
      if (!value.place) throw new Unsupported("the address of a value");
      return { type: { k: "pointer", to: value.type }, pointer: value.place };
    }
    return unary(op, this.js(value), value.type);
  }

  #binary({ op, left, right }: Expr & { k: "binary" }): Value {
    // An integer division of a user's text, which gives 0 for a divisor of 0.
    if (op === "%" && left.k === "binary" && left.op === "%" && left.right.k === "name") {
      const checked = /^checked::(over|modulo)$/.exec(left.right.name)?.[1];
      if (checked) return this.#checked(checked === "over" ? "/" : "%", left.left, right);
    }
    const [a, b] = [this.value(left), this.value(right)];
    const [isA, isB] = [a, b].map(({ type }) => type.k === "pointer" || type.k === "array");
    if (isA && !isB && (op === "+" || op === "-")) {
      const from = this.pointer(a);
      const to = a.type.k === "pointer" ? a.type.to : (a.type as Type & { k: "array" }).of;
      const at = op === "+" ? this.#moved(from.at, b, to) : `(${from.at} - ${times(this.js(b), stepOf(to))})`;
      return { type: { k: "pointer", to }, pointer: { array: from.array, at } };
    }
    if (isA && isB && op === "-") {
      const [x, y] = [this.pointer(a), this.pointer(b)];
      return { type: scalar("int64"), js: `(${x.at} - ${y.at})` };
    }
    return binary(op, this.js(a), a.type, this.js(b), b.type);
  }

  #checked(op: "/" | "%", left: Expr, right: Expr): Value {
    const [a, b] = [this.value(left), this.value(right)];
    const type = common(a.type, b.type);
    const isWhole = type.k === "scalar" && !["float", "double"].includes(type.name);
    if (!isWhole) return binary(op, this.js(a), a.type, this.js(b), b.type);
    const name = `checked${op === "/" ? "Quotient" : "Rest"}${keyOf(type) === "uint64" ? "Big" : ""}`;
    const js = `${name}(${this.convertedTo(a, type)}, ${this.convertedTo(b, type)})`;
    const wide = keyOf(type) === "int32" ? scalar("int64") : type;
    return { type, js: converted(js, wide, type) };
  }

  #choose(when: Expr, then: Expr, otherwise: Expr): Value {
    const [a, b] = [this.value(then), this.value(otherwise)];
    const test = this.condition(when);
    if (a.type.k === "pointer" || a.type.k === "array") {
      const [x, y] = [this.pointer(a), this.pointer(b)];
      const type: Type = a.type.k === "array" ? { k: "pointer", to: a.type.of } : a.type;
      const each = (one: keyof Place) => `(${test} ? ${x[one]} : ${y[one]})`;
      return { type, pointer: { array: each("array"), at: each("at") } };
    }
    const isSame = keyOf(a.type) === keyOf(b.type);
    const type = isSame ? a.type : common(a.type, b.type);
    return { type, js: `(${test} ? ${this.convertedTo(a, type)} : ${this.convertedTo(b, type)})` };
  }

  #field(of: Value, name: string): Value {
    if (of.type.k === "complex") {
      const part = scalar(of.type.of);
      if (of.place) {
        const at = plus(times(of.place.at, 2), name === "im" ? "1" : "0");
        return this.#atPlace(part, of.place.array, at);
      }
      return {
        type: part,
        js: `${this.js(of)}.${name}`,
        ...(of.target ? { target: `${of.target}.${name}` } : {}),
      };
    }
    if (name === "bits" && of.type.k === "scalar") {
      const js = this.js(of);
      return {
        type: scalar("uint16"),
        js: of.type.name === "float16" ? `toHalfBits(${js})` : `toBfloatBits(${js})`,
      };
    }
    if (of.type.k !== "struct") throw new Unsupported(`the field ${name} of ${keyOf(of.type)}`);
    const field = fieldNamed(of.type, name);
    if (!of.place) {
      const js = `${this.js(of)}.${name}`;
      return { type: field.type, js, ...(of.target ? { target: js } : {}), ...(of.id ? { id: of.id } : {}) };
    }
    const at = plus(of.place.at, String(field.offset));
    if (field.type.k === "pointer") {
      const { to } = field.type;
      const from = `${of.place.array}.pointer(${at}, "${viewOf(to)}")`;
      const index = to.k === "complex" ? `(${from}.index / 2)` : `${from}.index`;
      return { type: field.type, pointer: { array: `${from}.array`, at: index } };
    }
    if (field.type.k === "scalar" && field.type.name === "int64") {
      const word = /^\d+$/.test(at) ? String(Number(at) / 4) : `(${at} >> 2)`;
      const { array } = of.place;
      const js = `(${array}.i32[${plus(word, "1")}] * 4294967296 + ${array}.u32[${word}])`;
      return { type: field.type, js, place: fieldPlace(field.type, array, at) };
    }
    const place = fieldPlace(field.type, of.place.array, at);
    const isComplex = elementOf(field.type).k === "complex";
    return this.#atPlace(field.type, place.array, isComplex ? place.at : place.at);
  }

  #cast(node: TypeNode, of: Expr): Value {
    const value = this.value(of);
    if (node.name === "void" && node.pointers === 0) return { type: scalar("void"), js: "0" };
    const type = typeOf(node, this.space, this.given);
    if (type.k !== "pointer") return { type, js: this.convertedTo(value, type) };
    const from = value.type.k === "pointer" ? value.type.to : elementOf(value.type);
    return { type, pointer: recast(this.pointer(value), from, type.to) };
  }

  /** The assignment of JavaScript that is already of the type. */
  #store(to: Value, js: string): string {
    if (to.target !== undefined) return `(${to.target} = ${js})`;
    if (to.place) return stored(to.type, to.place.array, to.place.at, js);
    throw new Unsupported("an assignment to a value");
  }

  #assign(op: string, to: Expr, value: Expr): Value {
    const target = this.value(to);
    if (target.type.k === "pointer") {
      if (target.place && op === "=") {
        const { array, at } = this.pointer(this.value(value));
        return {
          type: target.type,
          js: `(${target.place.array}[${target.place.at}] = { array: ${array}, at: ${at} })`,
        };
      }
      if (!target.pointer?.isVariable) throw new Unsupported("an assignment to a pointer in memory");
      const source: Expr = op === "=" ? value : { k: "binary", op: op.slice(0, -1), left: to, right: value };
      const from = this.pointer(this.value(source));
      const { array, at } = target.pointer;
      return { type: target.type, js: `(${array} = ${from.array}, ${at} = ${from.at})` };
    }
    if (op === "=") {
      const js = this.valueAs(value, target.type);
      return { type: target.type, js: this.#store(target, js) };
    }
    const { before, once } = this.#once(target);
    const given = this.value(value);
    const made = binary(op.slice(0, -1), this.js(once), once.type, this.js(given), given.type);
    const js = this.#store(once, converted(made.js, made.type, target.type));
    return { type: target.type, js: before === "" ? js : `(${before}, ${js})` };
  }

  /** A place whose index is computed once. */
  #once(value: Value): { readonly before: string; readonly once: Value } {
    if (!value.place || value.target !== undefined || /^[\w$.]+$/.test(value.place.at))
      return { before: "", once: { ...value, ...(value.place ? { js: loadedAt(value) } : {}) } };
    const name = this.temporary();
    const place = { array: value.place.array, at: name };
    return { before: `${name} = ${value.place.at}`, once: { type: value.type, place } };
  }

  #step(of: Expr, op: string, isPrefix: boolean): string {
    const value = this.value(of);
    const sign = op === "++" ? "+" : "-";
    if (value.type.k === "pointer") {
      if (!value.pointer?.isVariable || !isPrefix) throw new Unsupported(`${op} of a pointer`);
      return `(${value.pointer.at} ${sign}= ${stepOf(value.type.to)})`;
    }
    const { before, once } = this.#once(value);
    const one = binary(sign, this.js(once), once.type, "1", scalar("int32"));
    const next = converted(one.js, one.type, value.type);
    const head = before === "" ? "" : `${before}, `;
    if (isPrefix) return `(${head}${this.#store(once, next)})`;
    const kept = this.temporary();
    return `(${head}${kept} = ${this.js(once)}, ${this.#store(once, next)}, ${kept})`;
  }

  #call(callee: Expr, args: readonly Expr[]): Value {
    if (callee.k === "field") return this.#method(callee.of, callee.name, args);
    if (callee.k !== "name") throw new Unsupported("a call of a value");
    const { name, args: written } = callee;
    const last = name.split("::").at(-1) as string;
    const type = typeNamed(
      { name, args: written ?? [], pointers: 0, isReference: false },
      this.space,
      this.given,
    );
    if (type && !this.local(name)) return { type, js: this.#made(type, args) };
    const explicit = (written ?? []).map((one) =>
      "pointers" in one ? typeOf(one, this.space, this.given) : (this.number(one) as number),
    );
    const [first] = explicit;
    if (last === "cast" && typeof first === "object") {
      const value = this.value(args[0] as Expr);
      return { type: first, js: this.#narrowedTo(value, first) };
    }
    if (asksForPlain.test(last)) return { type: scalar("bool"), js: "false" };
    const named = functionsNamed(this.space, name);
    const candidates = named.length > 0 ? named : functionsNamed(this.space, this.#ofStruct(name, explicit));
    const [plain] = computesPlain.test(last) ? candidates : [];
    if (plain) return { type: typeOf(plain.result, plain.space, this.given), js: "unreachable()" };
    const values = args.map((arg) => (arg.k === "list" ? undefined : this.value(arg)));
    const record = operationNamed(last);
    if (record && args.length === record.arity && typeof first === "object") {
      const [node] = candidates;
      const parameters = node?.parameters.map((one) => typeOf(one.type, node.space, new Map([["T", first]])));
      const result = node ? typeOf(node.result, node.space, new Map([["T", first]])) : first;
      const all = values.map((value, i) => {
        const own = parameters?.[i] ?? first;
        return { js: this.convertedTo(value as Value, own), type: own };
      });
      return { type: result, js: referenceCall(last, all, result) };
    }
    const [x, c] = values;
    if (name === "wide::polynomial" && x && c?.type.k === "array") {
      const { array, at } = this.pointer(c);
      const js = `polynomialAt(${this.convertedTo(x, scalar("double"))}, ${array}, ${at}, ${c.type.count})`;
      return { type: scalar("double"), js };
    }
    const [, , lost] = values;
    if (last === "power_of_normal" && x && c && lost) {
      const power = knownCall(
        "pow",
        [x, c].map((one) => ({ js: this.js(one), type: one.type })),
      );
      return { ...(power as Value), js: `(${this.#store(lost, "0")}, ${power?.js})` };
    }
    const known = this.#library(name === "wide::step" ? "fma" : last, name, values, explicit);
    if (known) return known;
    const fit = this.#fitting(candidates, explicit, values);
    if (fit && last === "key_of" && values[0]) {
      const key = this.#keyOfDouble(fit.node, values[0]);
      if (key) return key;
    }
    if (fit) return this.#callOf(fit.node, fit.given, args, values);
    throw new Unsupported(`the function ${name}(${values.map((one) => (one ? keyOf(one.type) : "list"))})`);
  }

  /** The name of a function of a struct that is specialized for types. */
  #ofStruct(name: string, types: readonly (Type | number)[]): string {
    const at = name.lastIndexOf("::");
    if (at < 0 || types.length === 0) return name;
    const keys = types.map((one) => (typeof one === "number" ? String(one) : keyOf(one)));
    return `${specialized(name.slice(0, at), keys)}${name.slice(at)}`;
  }

  /** The key by which a double is searched: all of its 64 bits, more than an integer of 64 bits has here. */
  #keyOfDouble(node: FunctionNode, value: Value): Value | undefined {
    const result = typeOf(node.result, node.space, this.given);
    const isDouble =
      keyOf(typeOf((node.parameters[0] as Declared).type, node.space, this.given)) === "double";
    if (keyOf(result) !== "int64" || !isDouble) return undefined;
    const isTurned = JSON.stringify(node.body()).includes('"op":"~","of":{"k":"binary","op":"^"');
    return { type: result, js: `keyOfDouble(${this.convertedTo(value, scalar("double"))}, ${isTurned})` };
  }

  #method(of: Expr, name: string, args: readonly Expr[]): Value {
    const value = this.value(of);
    if (value.type.k === "complex" && (name === "real" || name === "imag") && args.length === 0)
      return this.#field(value, name === "real" ? "re" : "im");
    throw new Unsupported(`the method ${name} of ${keyOf(value.type)}`);
  }

  /** A function of C or of the library's headers. */
  #library(
    last: string,
    name: string,
    values: readonly (Value | undefined)[],
    explicit: readonly (Type | number)[],
  ): Value | undefined {
    if (!values.every((one) => one?.type.k === "scalar" || one?.type.k === "complex")) return undefined;
    const list = (values as Value[]).map((value) => ({ js: this.js(value), type: value.type }));
    const [one] = list;
    const [type] = explicit;
    const constant = { nan: "NaN", inf: "Infinity" }[last];
    if (constant && list.length === 0 && typeof type === "object") return { type, js: constant };
    if (last === "random_bits")
      return { type: scalar("uint64"), js: `randomBits(${list.map(({ js }) => js)})` };
    if (name.endsWith("uniform::of") && typeof type === "object" && one) {
      const js =
        keyOf(type) === "float"
          ? `Number(${one.js} >> 40n) * 2 ** -24`
          : `Number(${one.js} >> 11n) * 2 ** -53`;
      return { type, js: `(${js})` };
    }
    if (one?.type.k === "complex") return this.#complex(last, list);
    const known = knownCall(last, list);
    if (known) return known;
    // What users' functors call: the operations themselves.
    if (isOperation(last, list.length) && last !== "sign") {
      const isKnown = functionsNamed(this.space, name).length > 0 && !name.includes("functions::");
      if (isKnown && !/^(erf|erfc|lgamma|tgamma|sigmoid|logistic|logit|gelu|silu|mish|digamma)/.test(last))
        return undefined;
      const shared = list.map((x) => x.type).reduce(common);
      const own = list.map((x) => ({ js: converted(x.js, x.type, shared), type: shared }));
      return { type: shared, js: referenceCall(last, own, shared) };
    }
    return undefined;
  }

  #complex(name: string, [z]: readonly { readonly js: string; readonly type: Type }[]): Value | undefined {
    if (z?.type.k !== "complex") return undefined;
    const part = scalar(z.type.of);
    if (name === "real" || name === "imag")
      return { type: part, js: `${z.js}.${name === "real" ? "re" : "im"}` };
    if (name === "conj") return { type: z.type, js: `(({ re, im }) => ({ re, im: -im }))(${z.js})` };
    const real = (js: string) => converted(js, scalar("double"), part);
    if (name === "abs") return { type: part, js: real(`(({ re, im }) => Math.hypot(re, im))(${z.js})`) };
    if (name === "arg") return { type: part, js: real(`(({ re, im }) => Math.atan2(im, re))(${z.js})`) };
    return undefined;
  }

  #fitting(
    candidates: readonly FunctionNode[],
    explicit: readonly (Type | number)[],
    values: readonly (Value | undefined)[],
  ): { readonly node: FunctionNode; readonly given: Arguments } | undefined {
    const types = values.map((value) => value?.type);
    const fits = candidates.flatMap((node) => {
      if (node.parameters.length !== values.length) return [];
      const given = deduced(node, explicit, types);
      if (!given) return [];
      let score = 0;
      for (const [i, { type, dims }] of node.parameters.entries()) {
        const own = types[i];
        if (!own) continue;
        const isPointer = type.pointers > 0 || dims.length > 0;
        if (isPointer !== (own.k === "pointer" || own.k === "array")) {
          // The parameter of a template may be a pointer.
          if (typeof given.get(type.name) !== "object") return [];
          continue;
        }
        if (!isPointer && keyOf(typeOf({ ...type, pointers: 0 }, node.space, given)) === keyOf(own))
          score += 2;
      }
      return [{ node, given, score: score * 2 + (node.template ? 0 : 1) }];
    });
    return fits.sort((a, b) => b.score - a.score)[0];
  }

  #callOf(
    node: FunctionNode,
    given: Arguments,
    args: readonly Expr[],
    values: readonly (Value | undefined)[],
  ): Value {
    const { name, parameters, result } = this.program.function(node, given, []);
    const list = parameters.map(({ type, isPlace: inPlace }, i) => {
      const value = values[i];
      if (!value) return this.valueAs(args[i] as Expr, type);
      // By reference it is the object itself.
      if (!inPlace && type.k === "struct" && node.parameters[i]?.type.isReference) return this.js(value);
      if (!inPlace) return this.convertedTo(value, type);
      if (type.k === "pointer" || type.k === "array") {
        const { array, at } = this.pointer(value);
        return `${array}, ${at}`;
      }
      if (value.place) return `${value.place.array}, ${value.place.at}`;
      if (value.id !== undefined) this.box(value.id);
      throw new Unsupported("a reference to a value");
    });
    return { type: result, js: `${name}(${list.join(", ")})` };
  }
}

function fieldNamed(type: StructType, name: string): StructType["fields"][number] {
  const field = type.fields.find((one) => one.name === name);
  if (!field) throw new Unsupported(`the field ${name} of ${type.name}`);
  return field;
}

function loadedAt({ type, place }: Value): string {
  return loaded(type, place?.array ?? "", place?.at ?? "");
}

/** A pointer to the same bytes as another type. */
function recast({ array, at }: Place, from: Type, to: Type): Place {
  const [own, next] = [viewOf(from), viewOf(to)];
  if (own === next && !isInBytes(from)) {
    if (from.k === to.k) return { array, at };
    return { array, at: from.k === "complex" ? `(${at} * 2)` : `(${at} / 2)` };
  }
  if (isInBytes(from) && isInBytes(to)) return { array, at };
  const bytes = isInBytes(from) ? at : times(at, bytesOf(from));
  if (isInBytes(to)) return { array: `bytesUnder(${array})`, at: bytes };
  return { array: `bytesUnder(${array}).view("${next}")`, at: `(${bytes} / ${bytesOf(to)})` };
}

function literal(text: string): Value {
  const isHex = /^0x/i.test(text);
  if (isHex && /[pP]/.test(text)) {
    const [, digits = "0", exponent = "0"] = /^0x([\da-f.]*)p([+-]?\d+)/i.exec(text) ?? [];
    const [whole = "", part = ""] = digits.split(".");
    const value = Number.parseInt(`${whole}${part}` || "0", 16) * 2 ** (Number(exponent) - 4 * part.length);
    return { type: scalar(/f$/i.test(text) ? "float" : "double"), js: String(value) };
  }
  if (!isHex && /[.eE]|[fF]$/.test(text)) {
    const value = Number.parseFloat(text);
    const isFloat = /f$/i.test(text);
    return { type: scalar(isFloat ? "float" : "double"), js: String(isFloat ? Math.fround(value) : value) };
  }
  const suffix = (isHex ? /[uUlL]+$/ : /[uUlL]*$/).exec(text)?.[0].toLowerCase() ?? "";
  const value = BigInt(text.slice(0, text.length - suffix.length));
  const isUnsigned = suffix.includes("u");
  if (isUnsigned && (suffix.includes("ll") || value >= 2n ** 32n))
    return { type: scalar("uint64"), js: `${value}n` };
  if (isUnsigned || (isHex && value >= 2n ** 31n && value < 2n ** 32n))
    return { type: scalar("uint32"), js: String(value) };
  const isWide = suffix.includes("l") || value >= 2n ** 31n;
  const number = Number(value) >= 2 ** 63 ? 2 ** 63 - 1024 : Number(value);
  return { type: scalar(isWide ? "int64" : "int32"), js: String(number) };
}
