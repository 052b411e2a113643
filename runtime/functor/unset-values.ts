// Finds values of a functor's C++ text that may be read, or returned, before they are set: a compiler takes whatever a register
// holds. Follows branches; of a loop it assumes that what the body sets is set. Where a text is unclear, nothing is found.
import { type CppFunction, codeOf } from "./signature.js";

/** A value without a value: a local variable that is read, or a result of the entry. */
export interface UnsetValue {
  readonly name: string;
  readonly isResult: boolean;
  /** False if no statement sets it. */
  readonly isSetSomewhere: boolean;
  /** The line where it is read, or where the function returns without it; counted from 1. */
  readonly line: number;
}

interface Token {
  readonly text: string;
  readonly line: number;
}

/** The names without a value; undefined behind a statement that leaves. */
type State = ReadonlySet<string> | undefined;

const pattern =
  /[A-Za-z_]\w*|\.?\d(?:[eEpP][-+]|[\w.'])*|<<=|>>=|->|::|\+\+|--|&&|\|\||[-+*/%&|^!=<>]=|<<|>>|\S/g;
const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);
// The words of types of one value. `auto` has an initializer.
const words = new Set(
  "bool char short int long unsigned signed float double half size_t ptrdiff_t intptr_t uintptr_t".split(" "),
);
const sized = /^u?int(?:8|16|32|64)(?:_t)?$|^float(?:16|32|64)(?:_t)?$/;
const qualifiers = new Set(["const", "volatile", "register"]);
const keywords = new Set(["if", "for", "while", "switch", "return", "sizeof", "decltype", "alignof"]);
const unclear = /\b(?:goto|asm|try|co_\w+)\b/;

/** The first such value of a text, in its functions; undefined if there is none. */
export function unsetValue(source: string, functions: readonly CppFunction[]): UnsetValue | undefined {
  // A macro with statements may set anything.
  if (/^[ \t]*#[ \t]*define\b(?:\\\n|.)*[=;]/m.test(source) || /^[ \t]*#[ \t]*if/m.test(source))
    return undefined;
  const text = codeOf(source);
  if (unclear.test(text)) return undefined;
  const own = new Set(functions.map(({ name }) => name));
  for (const [, name] of source.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)\(/gm)) own.add(name as string);
  for (const one of functions) {
    const isEntry = one === functions.at(-1);
    const body = bodyFrom(text, one.open);
    if (body === undefined) continue;
    const outputs = isEntry ? one.parameters.filter(({ output }) => output).map(({ name }) => name) : [];
    const flow = new Flow(body, outputs, own, one.template);
    const found = flow.run();
    if (found) return found;
  }
  return undefined;
}

/** The tokens of the body of the function whose first parameter is at `open`. */
function bodyFrom(text: string, open: number): Token[] | undefined {
  const start = text.indexOf("{", parenthesisEnd(text, open));
  if (start < 0) return undefined;
  let line = text.slice(0, start).split("\n").length;
  let last = start;
  let depth = 0;
  const tokens: Token[] = [];
  pattern.lastIndex = start;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    line += text.slice(last, match.index).split("\n").length - 1;
    last = match.index;
    tokens.push({ text: match[0], line });
    if (match[0] === "{") depth++;
    else if (match[0] === "}" && --depth === 0) return tokens;
  }
  return undefined;
}

function parenthesisEnd(text: string, open: number): number {
  let depth = 1;
  let at = open;
  for (; at < text.length && depth > 0; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
  return at;
}

/** Follows the statements of one function. */
class Flow {
  #at = 0;
  #found: UnsetValue | undefined;
  readonly #outputs: ReadonlySet<string>;

  constructor(
    readonly tokens: readonly Token[],
    outputs: readonly string[],
    /** Functions and macros of the text, which may set an argument. */
    readonly own: ReadonlySet<string>,
    readonly template: string | undefined,
  ) {
    this.#outputs = new Set(outputs);
  }

  run(): UnsetValue | undefined {
    const end = this.#statement(this.#outputs);
    if (end) this.#leave(end, this.tokens.at(-1) as Token);
    return this.#found;
  }

  #is(text: string, ahead = 0): boolean {
    return this.tokens[this.#at + ahead]?.text === text;
  }

  #statement(state: State): State {
    const token = this.tokens[this.#at];
    if (token === undefined) return state;
    switch (token.text) {
      case "{":
        return this.#block(state);
      case "if":
        return this.#branch(state);
      case "for":
      case "while":
        return this.#loop(state);
      case "do":
        return this.#doLoop(state);
      case "switch":
        return this.#choice(state);
      case "return": {
        this.#at++;
        const left = this.#simple(state);
        if (left) this.#leave(left, token);
        return undefined;
      }
      case "break":
      case "continue":
        this.#to(";");
        return undefined;
      case "case":
      case "default":
        this.#to(":");
        return state;
      case "struct":
      case "class":
      case "union":
      case "enum":
      case "using":
      case "typedef":
        this.#to(";");
        return state;
      default:
        return this.#declaration(state) ?? this.#simple(state);
    }
  }

  #block(state: State): State {
    this.#at++;
    let now = state;
    // A name that the block declares hides one around it.
    const outer = state;
    while (this.#at < this.tokens.length && !this.#is("}")) now = this.#statement(now);
    this.#at++;
    if (now === undefined || outer === undefined) return now;
    return new Set([...now].filter((name) => outer.has(name)));
  }

  #branch(state: State): State {
    this.#at++;
    if (this.#is("constexpr")) this.#at++;
    const tested = this.#parenthesis(state);
    const yes = this.#statement(tested);
    if (!this.#is("else")) return merged(yes, tested);
    this.#at++;
    return merged(yes, this.#statement(tested));
  }

  /** What a loop sets somewhere counts as set, in it and behind it. */
  #loop(state: State): State {
    const start = this.#at;
    this.#at++;
    this.#skipParenthesis();
    this.#skipStatement();
    const end = this.#at;
    const inside = without(state, this.#setIn(start, end));
    this.#at = start + 1;
    this.#parenthesis(inside);
    this.#statement(inside);
    this.#at = end;
    return inside;
  }

  #doLoop(state: State): State {
    const start = this.#at;
    this.#at++;
    this.#skipStatement();
    const inside = without(state, this.#setIn(start, this.#at));
    this.#at = start + 1;
    this.#statement(inside);
    this.#at++;
    const after = this.#parenthesis(inside);
    this.#to(";");
    return after;
  }

  #choice(state: State): State {
    this.#at++;
    const tested = this.#parenthesis(state);
    const start = this.#at;
    this.#skipStatement();
    const end = this.#at;
    const inside = without(tested, this.#setIn(start, end));
    this.#at = start;
    this.#statement(inside);
    this.#at = end;
    const isWhole = this.tokens.slice(start, end).some(({ text }) => text === "default");
    return isWhole ? inside : tested;
  }

  /** A declaration of variables of one value each; undefined for any other statement. */
  #declaration(state: State): State {
    if (state === undefined) return undefined;
    let at = this.#at;
    while (qualifiers.has(this.tokens[at]?.text ?? "")) at++;
    const first = at;
    while (
      this.#isType(this.tokens[at]?.text ?? "") ||
      (at > first && qualifiers.has(this.tokens[at]?.text ?? ""))
    )
      at++;
    if (at === first || !isName(this.tokens[at]?.text ?? "")) return undefined;
    if (!/^[;,=[({]$/.test(this.tokens[at + 1]?.text ?? "")) return undefined;
    const now = new Set(state);
    for (;;) {
      const name = this.tokens[at]?.text ?? "";
      this.#at = at + 1;
      const isBare = this.#is(";") || this.#is(",");
      // Its own initializer does not read it.
      now.delete(name);
      if (!isBare) for (const set of this.#scan(now, /^[,;]$/)) now.delete(set);
      if (isBare) now.add(name);
      const ends = !this.#is(",");
      at = this.#at + 1;
      if (ends || !isName(this.tokens[at]?.text ?? "")) break;
    }
    if (!this.#is(";")) this.#simple(now);
    else this.#at++;
    return now;
  }

  #isType(text: string): boolean {
    return words.has(text) || sized.test(text) || text === this.template;
  }

  /** An expression and its semicolon. */
  #simple(state: State): State {
    const set = this.#scan(state, /^;$/);
    this.#at++;
    return without(state, set);
  }

  /** An expression, or the head of a loop, in parentheses. */
  #parenthesis(state: State): State {
    this.#at++;
    let now = state;
    while (this.#at < this.tokens.length && !this.#is(")")) {
      now = this.#declaration(now) ?? without(now, this.#scan(now, /^[);]$/));
      if (this.#is(";")) this.#at++;
    }
    this.#at++;
    return now;
  }

  /** Reads an expression up to a token outside of brackets; the names that it sets. */
  #scan(state: State, end: RegExp): Set<string> {
    const set = new Set<string>();
    const calls: boolean[] = [];
    const isLambda = this.#hasLambda(end);
    for (; this.#at < this.tokens.length; this.#at++) {
      const { text, line } = this.tokens[this.#at] as Token;
      if (calls.length === 0 && end.test(text)) break;
      const before = this.tokens[this.#at - 1]?.text ?? "";
      const next = this.tokens[this.#at + 1]?.text ?? "";
      if (/^[([{]$/.test(text)) calls.push(text === "(" && this.#mayWrite(this.#at - 1));
      else if (/^[)\]}]$/.test(text)) {
        if (calls.length === 0) break;
        calls.pop();
      } else if (state?.has(text) && !set.has(text) && !/^(?:\.|->|::)$/.test(before) && next !== "(") {
        const isArgument = calls.at(-1) === true && /^[(,]$/.test(before) && /^[),]$/.test(next);
        const isAddress = before === "&" && !/^[\w)\]]/.test(this.tokens[this.#at - 2]?.text ?? ";");
        if (isLambda || isArgument || isAddress) set.add(text);
        else if (next === "=") {
          const name = text;
          this.#at += 2;
          // What follows is read before the name is set.
          const inner = calls.length > 0 ? /^[,;]$/ : new RegExp(`${end.source}|^,$`);
          for (const one of this.#scan(state, inner)) set.add(one);
          set.add(name);
          this.#at--;
        } else this.#problem(text, line);
      }
    }
    return set;
  }

  /** True if the bracket behind a token encloses arguments of a function that may take them by reference. */
  #mayWrite(at: number): boolean {
    const text = this.tokens[at]?.text ?? "";
    // A template's call, f<T>(x), or a lambda's.
    return this.own.has(text) || text === ">" || text === "]" || text === "sizeof" || text === "decltype";
  }

  #hasLambda(end: RegExp): boolean {
    for (let at = this.#at, depth = 0; at < this.tokens.length; at++) {
      const text = this.tokens[at]?.text ?? "";
      if (depth <= 0 && end.test(text)) return false;
      if (/^[([{]$/.test(text)) depth++;
      if (/^[)\]}]$/.test(text)) depth--;
      const before = this.tokens[at - 1]?.text ?? "";
      if (text === "[" && (!/^[\w\])]/.test(before) || keywords.has(before))) return true;
    }
    return false;
  }

  /** The names that statements may set, by assignments, steps, addresses and calls. */
  #setIn(from: number, to: number): Set<string> {
    const set = new Set<string>();
    for (let at = from; at < to; at++) {
      const text = this.tokens[at]?.text ?? "";
      const [before, next] = [this.tokens[at - 1]?.text ?? "", this.tokens[at + 1]?.text ?? ""];
      if (!isName(text)) continue;
      if (next === "=" || /^[&(,[]$/.test(before)) set.add(text);
    }
    return set;
  }

  #leave(state: ReadonlySet<string>, { line }: Token): void {
    for (const name of this.#outputs) if (state.has(name)) this.#problem(name, line);
  }

  #problem(name: string, line: number): void {
    const isSetSomewhere = this.#setIn(0, this.tokens.length).has(name);
    this.#found ??= { name, isResult: this.#outputs.has(name), isSetSomewhere, line };
  }

  /** Goes behind the next token of a text outside of brackets. */
  #to(text: string): void {
    for (let depth = 0; this.#at < this.tokens.length; this.#at++) {
      const one = this.tokens[this.#at]?.text ?? "";
      if (depth === 0 && one === text) break;
      if (/^[([{]$/.test(one)) depth++;
      if (/^[)\]}]$/.test(one) && --depth < 0) return;
    }
    this.#at++;
  }

  #skipParenthesis(): void {
    this.#at++;
    this.#to(")");
  }

  /** Goes behind a statement. */
  #skipStatement(): void {
    const found = this.#found;
    this.#statement(undefined);
    this.#found = found;
  }
}

function merged(a: State, b: State): State {
  if (a === undefined || b === undefined) return a ?? b;
  return new Set([...a, ...b]);
}

function without(state: State, set: ReadonlySet<string>): State {
  return state && new Set([...state].filter((name) => !set.has(name)));
}
