// Translates a kernel's text to JavaScript: its function and those that it calls, each once for the types of its arguments.

import { allocated, plus } from "./conversions.js";
import { declarationsOf } from "./declarations.js";
import { FunctionBody, Retry } from "./function-body.js";
import { references } from "./functions.js";
import { helpers } from "./helpers.js";
import { type Arguments, declaredType } from "./names.js";
import { Unsupported } from "./parser.js";
import { runtime } from "./runtime.js";
import type { Declared, FunctionNode, Space } from "./syntax.js";
import { countOf, elementOf, isPlace, keyOf, type Type } from "./types.js";

/** How a function gets a parameter: as a value, or as an array and a place in it. */
export interface Parameter {
  readonly name: string;
  readonly type: Type;
  readonly isPlace: boolean;
}

/** A function in JavaScript. */
export interface Translated {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: Type;
}

/** A kernel in JavaScript: its arguments, and the range of elements that it computes. */
export type Kernel = (args: unknown, begin: number, end: number) => void;

/** The JavaScript of a kernel. Throws Unsupported for a text that is not understood. */
export function kernelOf(text: string, symbol: string): Kernel {
  const program = new Program(declarationsOf(text));
  const node = program.entry(symbol);
  const { name } = program.function(node, new Map(), []);
  const scope = { ...runtime, ...helpers, references };
  const source = `"use strict";\n${program.text()}\nreturn (args, begin, end) => ${name}(args, 0, begin, end);`;
  return new Function(...Object.keys(scope), source)(...Object.values(scope)) as Kernel;
}

/** Everything that a kernel calls. */
export class Program {
  readonly #lines: string[] = [];
  readonly #functions = new Map<FunctionNode, Map<string, Translated>>();
  readonly #constants = new Map<Declared, string>();
  #count = 0;

  constructor(readonly root: Space) {}

  text(): string {
    return this.#lines.join("\n");
  }

  /** A name that no other has. */
  fresh(name: string): string {
    return `${name.replace(/\W/g, "_")}$${++this.#count}`;
  }

  /** The kernel's function, in whatever namespace. */
  entry(symbol: string, space = this.root): FunctionNode {
    const [found] = space.functions.get(symbol) ?? [];
    if (found) return found;
    for (const inner of space.spaces.values()) {
      try {
        return this.entry(symbol, inner);
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
      }
    }
    throw new Unsupported(`a text without the function ${symbol}`);
  }

  /** A function for the arguments of its template. */
  function(node: FunctionNode, given: Arguments, calling: readonly FunctionNode[]): Translated {
    const key = [...given]
      .map(([name, value]) => `${name}=${typeof value === "number" ? value : keyOf(value)}`)
      .join();
    const forms = this.#functions.get(node) ?? new Map<string, Translated>();
    this.#functions.set(node, forms);
    const known = forms.get(key);
    if (known) return known;
    if (calling.length > 200) throw new Unsupported(`a recursion of ${node.name}`);
    const parameters = node.parameters.map((declared): Parameter => {
      const type = declaredType(declared, node.space, given);
      const isArray = type.k === "array" || type.k === "pointer";
      const isReference = declared.type.isReference && type.k !== "struct";
      return { name: declared.name, type, isPlace: isArray || isReference || isPlace(type) };
    });
    const name = this.fresh(node.name);
    const body = new FunctionBody(this, node, given, parameters);
    const translated = { name, parameters, result: body.result };
    forms.set(key, translated);
    for (;;) {
      try {
        this.#lines.push(`function ${name}(${body.head()}) {\n${body.text()}\n}`);
        return translated;
      } catch (error) {
        // A variable is in memory after all.
        if (!(error instanceof Retry)) throw error;
      }
    }
  }

  /** The name of a constant array. */
  constant(declared: Declared, space: Space): { readonly name: string; readonly type: Type } {
    const dims = declared.dims.map((dim) =>
      dim.k === "number" && dim.text === "0" && declared.init?.k === "list"
        ? { k: "number" as const, text: String(declared.init.args.length) }
        : dim,
    );
    const type = declaredType({ ...declared, dims }, space, new Map());
    const known = this.#constants.get(declared);
    if (known) return { name: known, type };
    const name = this.fresh(declared.name);
    this.#constants.set(declared, name);
    const element = elementOf(type);
    const values = declared.init?.k === "list" ? declared.init.args : [];
    const own = new FunctionBody(this, undefined, new Map(), [], space);
    const lines = values.map(
      (value, i) => `${name}[${plus("0", String(i))}] = ${own.valueAs(value, element)};`,
    );
    this.#lines.push(`const ${name} = ${allocated(element, countOf(type))};`, ...lines);
    return { name, type };
  }
}
