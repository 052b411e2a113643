// Splits a cell into TypeScript, magics, shell commands and questions for help. These may start only at the start of a
// statement, so `%` and `!` as operators, templates and comments stay TypeScript.
import { isExpression, Lexer } from "./lexer.js";

interface Part {
  /** Offsets in the cell; the end excludes the line's end. */
  readonly start: number;
  readonly end: number;
}

/** TypeScript, untouched. */
export interface CodePart extends Part {
  readonly kind: "code";
}

/** `%name words`, `%%name words` with a body, or `target = %name words`. */
export interface MagicPart extends Part {
  readonly kind: "magic";
  readonly percents: "%" | "%%";
  readonly name: string;
  readonly nameStart: number;
  /** The text after the name without the space before it. */
  readonly raw: string;
  readonly rawStart: number;
  /** The text before the magic, such as `const x = `. */
  readonly target: string;
  /** The lines after a cell magic's; undefined for a line magic. */
  readonly body: Part | undefined;
}

/** `!command`, `target = !command` or `!!command`. */
export interface ShellPart extends Part {
  readonly kind: "shell";
  readonly command: string;
  readonly target: string;
  /** True where the printed lines are a value. */
  readonly isCaptured: boolean;
}

/** `name?`, `name??`, `?name`, `%name?` or `%%name?`. */
export interface HelpPart extends Part {
  readonly kind: "help";
  /** With its percent signs. */
  readonly subject: string;
  readonly subjectStart: number;
  /** Two question marks. */
  readonly detailed: boolean;
}

/** One part of a cell. */
export type CellPart = CodePart | MagicPart | ShellPart | HelpPart;

/** The names that decide what a line means. */
export interface KnownNames {
  /** True for the name of a line magic. */
  isLineMagic(name: string): boolean;
  /** True for a name of TypeScript or of earlier cells, whose `!name` is a negation. */
  isDeclared(name: string): boolean;
}

const assignment =
  /^(?:(?:export\s+)?(?:const|let|var)\s+)?(?:[\w$.]+|\[[^\]=]*\]|\{[^}=]*\})(?:\s*:[^=]+?)?\s*=\s*(?=[%!])/u;
const magicUse = /^(%%?)([A-Za-z_]\w*)(?=$|[^\w])/;
const question = /^(%{0,2}[A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*)(\?{1,2})$/;
const leadingQuestion = /^(\?{1,2})\s*(%{0,2}[A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*)$/;

/** Splits a cell; the parts cover it in order, except line ends between them. */
export function splitCell(code: string, known: KnownNames): CellPart[] {
  const cellMagic = cellMagicOf(code);
  if (cellMagic) return [cellMagic];
  const parts: CellPart[] = [];
  const lexer = new Lexer(code);
  let codeStart = 0;
  let lineStart = true;
  while (lexer.position < code.length) {
    const at = lexer.position;
    if (lineStart && !/\s/.test(code.charAt(at))) {
      lineStart = false;
      const part = lexer.atStatementLevel ? specialAt(lexer, known) : undefined;
      if (part) {
        if (part.start > codeStart) parts.push({ kind: "code", start: codeStart, end: part.start });
        parts.push(part);
        codeStart = part.end;
        lexer.skipTo(part.end);
        continue;
      }
    }
    lexer.next();
    if (code.charAt(at) === "\n") lineStart = true;
    else if (/\S/.test(code.charAt(at))) lineStart = false;
  }
  if (codeStart < code.length) parts.push({ kind: "code", start: codeStart, end: code.length });
  return parts;
}

function cellMagicOf(code: string): CellPart | undefined {
  const blank = /^(?:[^\S\n]*\n)*/.exec(code)?.[0].length ?? 0;
  if (!code.startsWith("%%", blank)) return undefined;
  const line = lineAt(code, blank);
  const asked = question.exec(line.text);
  if (asked?.[1] !== undefined && code.slice(line.end).trim() === "")
    return help(blank, line.end, asked[1], blank, asked[2]);
  const use = magicUse.exec(line.text);
  if (use === null) return undefined;
  const bodyStart = Math.min(code.length, line.next);
  const body = { start: bodyStart, end: code.length };
  return { ...magicPart(line, blank, 0, use), end: code.length, body };
}

interface Line {
  /** The text, with continued lines joined. */
  readonly text: string;
  /** The end of its text and the start of the next line, in the cell. */
  readonly end: number;
  readonly next: number;
}

// A backslash at the end continues a magic's or a command's line, as in IPython.
function lineAt(code: string, start: number): Line {
  let text = "";
  let from = start;
  for (;;) {
    const newline = code.indexOf("\n", from);
    const next = newline < 0 ? code.length : newline + 1;
    const piece = code.slice(from, newline < 0 ? next : newline).trimEnd();
    const end = from + piece.length;
    if (!piece.endsWith("\\") || newline < 0) return { text: text + piece, end, next };
    text += `${piece.slice(0, -1).trimEnd()} `;
    from = next;
  }
}

function specialAt(lexer: Lexer, known: KnownNames): CellPart | undefined {
  const { code, position: start, before } = lexer;
  if (before === "operator") return undefined;
  const line = lineAt(code, start);
  const { text } = line;

  const asked = question.exec(text);
  if (asked?.[1] !== undefined && !continuesBelow(code, start, line)) {
    return help(start, line.end, asked[1], start, asked[2]);
  }
  const askedAhead = before === "statement" ? leadingQuestion.exec(text) : null;
  if (askedAhead?.[2] !== undefined) {
    return help(start, line.end, askedAhead[2], start + text.lastIndexOf(askedAhead[2]), askedAhead[1]);
  }

  const target = assignment.exec(text)?.[0] ?? "";
  const rest = text.slice(target.length);
  const use = magicUse.exec(rest);
  if (use) {
    // After an operand, `%name` on a new line continues the expression, unless it names a magic or cannot start an
    // expression.
    const { isLineMagic } = known;
    const isMagic = before === "statement" || target !== "" || isLineMagic(use[2] ?? "") || hasWords(rest);
    return isMagic ? magicPart(line, start, target.length, use) : undefined;
  }
  const [marks, mark] = /^(!!?)\s*/.exec(rest) ?? [];
  if (marks === undefined || isNegation(rest.slice(marks.length), lexer, known)) return undefined;
  const command = rest.slice(marks.length).trim();
  return { kind: "shell", start, end: line.end, command, target, isCaptured: target !== "" || mark === "!!" };
}

function hasWords(use: string): boolean {
  return /^%\w+\s+(?!(?:in|instanceof|as|satisfies)\b)["'A-Za-z_$]/.test(use);
}

function magicPart(line: Line, start: number, targetLength: number, use: RegExpExecArray): MagicPart {
  const [whole, percents = "", name = ""] = use;
  const after = line.text.slice(targetLength + whole.length);
  const space = after.length - after.trimStart().length;
  return {
    kind: "magic",
    start,
    end: line.end,
    percents: percents === "%%" ? "%%" : "%",
    name,
    nameStart: start + targetLength + percents.length,
    raw: after.slice(space),
    rawStart: start + targetLength + whole.length + space,
    target: line.text.slice(0, targetLength),
    body: undefined,
  };
}

function help(start: number, end: number, subject: string, subjectStart: number, marks = "?"): HelpPart {
  return { kind: "help", start, end, subject, subjectStart, detailed: marks === "??" };
}

// `condition?` above a deeper line, or above `: other`, is the head of a conditional expression.
function continuesBelow(code: string, start: number, line: Line): boolean {
  const below = /^\s*?\n?([^\S\n]*)(\S)/.exec(code.slice(line.next).replace(/^(?:[^\S\n]*\n)+/, ""));
  if (below === null) return false;
  const indent = start - (code.lastIndexOf("\n", start - 1) + 1);
  return (below[1]?.length ?? 0) > indent || below[2] === ":";
}

// Keywords that begin an expression. No command has such a name, but one may begin with it: `!new-session`, `!async.sh`.
const expressionWord =
  /^(?:(?:async|await|class|delete|function|new|typeof|void)(?![\w$.-])|(?:false|null|super|this|true|undefined)(?![\w$-])|import\s*[.(]|new\.target\b)/;

// `!done`, `!f(x)`, `!/re/.test(s)` and `!new X()` are TypeScript; `!ls`, `!./run.sh` and `!git status` are commands.
function isNegation(text: string, lexer: Lexer, known: KnownNames): boolean {
  if (!/^[\w./~$]/.test(text) || expressionWord.test(text)) return true;
  if (/^\/.*\/[a-z]*\s*[.)]/.test(text) || /^[\w$.]+\(/.test(text)) return true;
  const isKnown = (name: string) => lexer.names.has(name) || known.isDeclared(name);
  const name = /^[A-Za-z_$][\w$]*/.exec(text)?.[0];
  if (name === undefined) return /^(?:\d|~[^/])/.test(text) && isExpression(text, isKnown);
  if (!isKnown(name)) return false;
  return (
    /^(?:[.([]|\s*(?:$|[;?)&|=!,<>:]|\/\/))/.test(text.slice(name.length)) || isExpression(text, isKnown)
  );
}
