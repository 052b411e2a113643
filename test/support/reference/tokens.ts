// The words of a kernel's text, after the lines that begin with # were obeyed.

/** A word of a text: a name, a number, or a sign. */
export interface Token {
  readonly kind: "name" | "number" | "sign";
  readonly text: string;
}

const word =
  /\s+|([A-Za-z_]\w*)|((?:0[xX][\da-fA-F]*(?:\.[\da-fA-F]*)?(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)|("[^"]*"|'[^']*'|<<=|>>=|\+\+|--|->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|\.\.\.|.)/gsy;

/** Marks for compilers, which mean nothing here. */
const ignored = new Set(
  "__device__ __forceinline__ __noinline__ __restrict JITLAB_INDEPENDENT JITLAB_UNROLL JITLAB_QUOTIENT inline static constexpr const volatile extern mutable typename explicit".split(
    " ",
  ),
);

/** The words of a text; `const` and other words that change no result are left out. */
export function tokensOf(text: string): Token[] {
  const source = withoutDirectives(text);
  const tokens: Token[] = [];
  word.lastIndex = 0;
  for (let found = word.exec(source); found; found = word.exec(source)) {
    const [, name, number, sign] = found;
    if (name !== undefined) {
      // `typename T` of a template says that T is a type: the parser needs it.
      if (name === "typename" || !ignored.has(name)) tokens.push({ kind: "name", text: name });
    } else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}

/** The text without comments, and without what stands between `#if` and `#else` for other compilers. */
function withoutDirectives(text: string): string {
  const lines: string[] = [];
  // For each open condition: whether its lines are read, and whether a branch of it was.
  const open: { isRead: boolean; wasRead: boolean }[] = [];
  const joined = text
    .replace(/\/\*.*?\*\//gs, " ")
    .replace(/\/\/[^\n]*/g, "")
    .replace(/\\\n/g, " ");
  for (const line of joined.split("\n")) {
    const [, directive, rest = ""] = /^\s*#\s*(\w+)\s*(.*)$/.exec(line) ?? [];
    if (directive === undefined) {
      if (open.every(({ isRead }) => isRead)) lines.push(line);
      continue;
    }
    const top = open.at(-1);
    if (/^if/.test(directive)) {
      const isRead = directive === "ifndef" || (directive === "if" && holds(rest));
      open.push({ isRead, wasRead: isRead });
    } else if (directive === "endif") open.pop();
    else if (top && (directive === "else" || directive === "elif")) {
      top.isRead = !top.wasRead && (directive === "else" || holds(rest));
      top.wasRead ||= top.isRead;
    }
  }
  return lines.join("\n");
}

/** Whether a condition holds where no name is defined. */
function holds(condition: string): boolean {
  const plain = condition.replace(/defined\s*\(?\s*\w+\s*\)?/g, "0").replace(/[A-Za-z_]\w*/g, "0");
  return /^[\d\s!&|()<>=+-]*$/.test(plain) && Boolean(new Function(`return ${plain || 0}`)());
}
