// Reads TypeScript's tokens to find where statements start: it skips strings, templates, comments and regular expressions,
// and counts brackets. The cell splitter uses it; it builds no tree.

/** The state before a position: an expression has ended, can continue, or must continue. */
export type Before =
  /** After a statement, or at the start: `;`, `{`, `}`, the cell's start. */
  | "statement"
  /** An expression can end or continue: a name, a literal, `)`, `]`. */
  | "operand"
  /** An expression must continue: an operator, `(`, `,`. */
  | "operator";

/** Keywords that must be followed by an expression, although they look like names. */
const prefixWords = new Set(
  "await case delete do else extends in instanceof new of return throw typeof void yield".split(" "),
);
/** Words whose parentheses are followed by a statement, not by an operator. */
const headWords = new Set(["if", "while", "for", "with"]);

const word = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const number = /(?:\d[\w.]*|\.\d\w*)/y;
const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
const string = /"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/y;
const comment = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/y;

interface Bracket {
  readonly open: string;
  /** For `(`: the word before it starts a statement. */
  readonly head: boolean;
}

/** Walks over TypeScript, token by token. */
export class Lexer {
  /** Where the next token or white space starts. */
  position = 0;
  before: Before = "statement";
  /** The names that occurred so far. */
  readonly names = new Set<string>();
  #brackets: Bracket[] = [];
  #lastWord = "";

  constructor(readonly code: string) {}

  /** True if a statement may be here: outside of parentheses, square brackets and templates. */
  get atStatementLevel(): boolean {
    const top = this.#brackets.at(-1);
    return top === undefined || top.open === "{";
  }

  /** True outside of all brackets. */
  get atTopLevel(): boolean {
    return this.#brackets.length === 0;
  }

  /** Skips to `position`, as if a statement had ended there. */
  skipTo(position: number): void {
    this.position = position;
    this.before = "statement";
  }

  /** Reads one token, comment or character of white space. */
  next(): void {
    const { code, position } = this;
    const char = code.charAt(position);
    word.lastIndex = position;
    const name = word.exec(code)?.[0];
    if (name !== undefined) this.#word(name);
    else if (/\s/.test(char)) this.position++;
    else if (char === "/") this.#slash();
    else if (char === '"' || char === "'") this.#operand(string);
    else if (char === "`") this.#template(position + 1);
    else if (/^\.?\d/.test(code.slice(position, position + 2))) this.#operand(number);
    else this.#punctuation(char);
  }

  #operand(pattern: RegExp): void {
    this.position = this.#endOf(pattern) ?? this.position + 1;
    this.before = "operand";
  }

  #endOf(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.position;
    return pattern.test(this.code) ? pattern.lastIndex : undefined;
  }

  #word(name: string): void {
    const property = this.code.charAt(this.position - 1) === ".";
    this.position += name.length;
    this.names.add(name);
    this.#lastWord = property ? "" : name;
    this.before = prefixWords.has(name) && !property ? "operator" : "operand";
  }

  #slash(): void {
    const afterComment = this.#endOf(comment);
    if (afterComment !== undefined) {
      this.position = afterComment;
      return;
    }
    const end = this.before === "operand" ? undefined : this.#endOf(regularExpression);
    this.position = end ?? this.position + 1;
    this.before = end === undefined ? "operator" : "operand";
  }

  // A template's text from `start` to its end or to its next `${`.
  #template(start: number): void {
    const { code } = this;
    let i = start;
    while (i < code.length) {
      const char = code.charAt(i);
      if (char === "\\") i += 2;
      else if (char === "`") {
        this.position = i + 1;
        this.before = "operand";
        return;
      } else if (char === "$" && code.charAt(i + 1) === "{") {
        this.#brackets.push({ open: "${", head: false });
        this.position = i + 2;
        this.before = "operator";
        return;
      } else i++;
    }
    this.position = code.length;
    this.before = "operator";
  }

  #punctuation(char: string): void {
    const { before } = this;
    const double = this.code.charAt(this.position + 1) === char;
    this.position++;
    if (char === "(" || char === "[" || char === "{") {
      this.#brackets.push({
        open: char,
        head: char === "(" && before === "operand" && headWords.has(this.#lastWord),
      });
      this.before = char === "{" ? "statement" : "operator";
    } else if (char === ")" || char === "]" || char === "}") {
      const opened = this.#brackets.pop();
      if (opened?.open === "${") this.#template(this.position);
      else if (char === "}") this.before = "statement";
      else this.before = opened?.head ? "operator" : "operand";
    } else if (char === ";") {
      this.before = "statement";
    } else if ((char === "+" || char === "-") && double) {
      // A postfix operator follows an operand, a prefix operator precedes one.
      this.position++;
    } else if (char === "!" && before === "operand") {
      // `x!` is an operand; in `x != y` the next character makes it an operator.
    } else {
      this.before = "operator";
    }
    this.#lastWord = "";
  }
}

const infixWords = new Set(["in", "instanceof"]);
const wordsBeforeTypes = new Set(["as", "satisfies"]);

/** True for the text of an expression, or the beginning of one, whose names are known: its tokens alternate as they must. */
export function isExpression(text: string, isKnown: (name: string) => boolean): boolean {
  const lexer = new Lexer(text);
  while (lexer.position < text.length) {
    const { position, before } = lexer;
    lexer.next();
    const token = text.slice(position, lexer.position);
    if (token === ";") return before === "operand";
    const isWord = /^[\p{ID_Start}$_]/u.test(token) && text.charAt(position - 1) !== ".";
    if (before === "operand") {
      if (isWord && wordsBeforeTypes.has(token)) return true;
      if ((isWord && !infixWords.has(token)) || /^["'\d]/.test(token)) return false;
    } else if (token === "." && !/^\.{2}|^\d/.test(text.slice(lexer.position))) return false;
    else if (isWord && !prefixWords.has(token) && !isKnown(token)) return false;
  }
  return true;
}
