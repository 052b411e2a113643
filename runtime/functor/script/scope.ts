// Scopes: the variable or function that a name refers to, and its C++ name.
import type { FunctionNode, ScriptSource } from "./source.js";
import type { Type } from "./types.js";
import type { Variable } from "./value.js";

/** A function that the entry calls: local or captured. */
export interface Callee {
  readonly kind: "function";
  readonly label: string;
  readonly name: string;
  readonly source: ScriptSource;
  readonly node: FunctionNode;
  readonly parameters: Variable[];
  /** The scope of its declaration. */
  readonly scope: Scope;
  result: Type;
  /** True while it is translated: a call then is a recursion. */
  active: boolean;
  /** The pass in which it was last translated. */
  pass: number;
}

/** A parameter that is an accumulator of a reduction: its fields by name. */
export interface Record {
  readonly kind: "record";
  readonly label: string;
  readonly fields: ReadonlyMap<string, Variable>;
}

/** The binding of a name. */
export type Binding = Variable | Callee | Record;

/** The names of a block and of its enclosing blocks. */
export class Scope {
  readonly #names = new Map<string, Binding>();

  constructor(readonly outer?: Scope) {}

  add(label: string, binding: Binding): void {
    this.#names.set(label, binding);
  }

  find(label: string): Binding | undefined {
    return this.#names.get(label) ?? this.outer?.find(label);
  }
}

const taken =
  "T alignas alignof and asm auto bitand bitor bool break case cast catch char class compl const constexpr continue converter " +
  "decltype default delete do double else enum explicit export extern false final float float_of for friend functor functions goto if " +
  "inline int int8 int16 int32 int64 jl js kernel long mutable namespace new noexcept not operator or override private " +
  "protected public register return short signed sizeof static struct switch template this throw true try typedef typeid " +
  "typename uint8 uint16 uint32 uint64 union unsigned using virtual void volatile wchar_t while xor jitlab element args drawn drawn_state drawn_numbers draw_key";

/** Gives each variable a unique C++ name, the user's if it is free. */
export class Names {
  readonly #used = new Set(taken.split(" "));

  fresh(label: string): string {
    const base = label.replace(/\W/g, "_").replace(/^(?=\d)/, "_") || "value";
    let name = base;
    for (let i = 2; this.#used.has(name) || name.startsWith("__"); i++)
      name = `${base.replace(/^_+/, "v")}_${i}`;
    this.#used.add(name);
    return name;
  }
}
