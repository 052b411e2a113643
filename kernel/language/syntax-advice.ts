// Advice on syntax errors for users of Python or a shell. If the first wrong line looks like their language, the error shows
// the form here, and the parser's other errors on that line are dropped.
import type { TextMessage } from "./text-message.js";

interface SyntaxAdvice {
  /** Matches the line. */
  readonly line: RegExp;
  /** The code of TypeScript's error, if it decides. */
  readonly code?: number;
  /** `$1` and `$2` stand for the match's groups. */
  readonly advice: string;
}

// The first match counts.
const advices: readonly SyntaxAdvice[] = [
  { line: /[“”„‘’]/, code: 1127, advice: 'Quotation marks of code are straight: "text".' },
  {
    line: /^\s*import +(?:numpy|torch|jax|cupy|jitlab)\b/,
    advice: 'Tensors are there after import * as jl from "jitlab".',
  },
  {
    line: /^\s*import +([\w.]+)(?: +as +\w+)?\s*;?\s*$/,
    advice: 'A module is imported with import * as name from "$1".',
  },
  {
    line: /^\s*from +([\w.]+) +import +\*/,
    advice: 'A module is imported with import * as name from "$1".',
  },
  {
    line: /^\s*from +([\w.]+) +import +(\w[\w, ]*)/,
    advice: 'A module\'s members are imported with import { $2 } from "$1".',
  },
  { line: /^\s*(?:!?pip3?|conda|npm) +\w/, advice: "%npm install NAME installs a package." },
  {
    line: /^\s*(?:ls|cat|mkdir|rm|cp|mv|git|echo|python3?|nvidia-smi)\b(?! *[=(.])/,
    advice: "!COMMAND runs a command of the shell, such as !ls.",
  },
  { line: /^\s*cd\s+/, advice: "%cd FOLDER changes the folder." },
  { line: /^\s*print +\S/, advice: "console.log(x) prints." },
  { line: /^\s*(?:async +)?def +(\w+)/, advice: "A function is written function $1(x) { return x; }." },
  { line: /\blambda\b/, advice: "A small function is written (x) => x + 1." },
  {
    line: /\[.+ for .+ in .+\]/,
    advice: "A list is made from another with array.map((x) => 2 * x) and array.filter((x) => x > 0).",
  },
  {
    line: /^\s*for +\w.* in +.*:/,
    advice: "A loop is written for (let i = 0; i < 10; i++) { ... } or for (const x of list) { ... }.",
  },
  {
    line: /^\s*with +torch\.(?:no_grad|inference_mode|set_grad_enabled)\b/,
    advice: "Leave it out: only functions under jl.grad are differentiated.",
  },
  { line: /^\s*with +torch\.\S*autocast\b/, advice: 'jl.autocast("bfloat16", f) is f with mixed precision.' },
  {
    line: /^\s*with\b.*:\s*(?:#.*)?$/,
    advice: "What a block opens is closed in finally: try { ... } finally { ... }.",
  },
  {
    line: /^\s*(?:if|elif|else|while|try|except|class)\b.*:\s*(?:#.*)?$/,
    advice: "Conditions stand in parentheses and blocks in braces: if (x > 0) { ... }.",
  },
  {
    line: /(?<![\w"'`])[frb]["']/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it tells how a template is written
    advice: "Text with values stands in backquotes: `x is ${x}`.",
  },
  {
    line: /\[[^\]"'{?]*:[^\]"'{]*\]/,
    advice: 'A tensor is cut with x.slice("1:3, ::2"), an array with a.slice(1, 3).',
  },
  { line: /[\w)\]] +@ +[\w(]/, advice: "A matrix product is x.matmul(y)." },
  { line: /^\s*#|[;)\w]\s+# /, advice: "A comment begins with //." },
  { line: /^[^"'`/]*\b(?:and|or|not)\b/, advice: "The logical operators are &&, || and !." },
];

/** Adds advice to the first syntax error if its line is known. */
export function advisedSyntax(messages: readonly TextMessage[], text: string): readonly TextMessage[] {
  const [first] = messages;
  if (first === undefined) return messages;
  const begin = text.lastIndexOf("\n", first.start - 1) + 1;
  const line = /^.*/.exec(text.slice(begin))?.[0] ?? "";
  const known = advices.find(
    (one) => one.line.test(line) && (one.code === undefined || one.code === first.code),
  );
  if (known === undefined) return messages;
  const groups = known.line.exec(line) ?? [];
  const advice = known.advice.replace(/\$(\d)/g, (_, group) => groups[Number(group)]?.trim() ?? "");
  const others = messages.filter(({ start }) => start > begin + line.length);
  return [{ ...first, message: `${first.message}\n${advice}` }, ...others];
}
