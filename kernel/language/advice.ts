// What a type error means for somebody who comes from PyTorch, NumPy or IPython: a second line under TypeScript's message
// that names the way here. The messages name types without the paths of their files.

interface Advice {
  /** TypeScript's codes of the errors that it is for. */
  readonly codes: readonly number[];
  /** What the message says; its first group is what `say` is asked about. */
  readonly message: RegExp;
  /** The type of what the error points at, where the message does not name it. */
  readonly type?: string;
  readonly say: (subject: string) => string | undefined;
}

const operators: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "remainder",
  "**": "pow",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "&": "bitwiseAnd",
  "|": "bitwiseOr",
  "^": "bitwiseXor",
  "<<": "leftShift",
  ">>": "rightShift",
  "+=": "add_",
  "-=": "sub_",
  "*=": "mul_",
  "/=": "div_",
};

const cast = (dtype: string) => `Convert with x.to("${dtype}").`;
const elementwise =
  "jitlab has elementwise operations and reductions; jl.jit and %%kernel make more of them.";

const members: Readonly<Record<string, string>> = {
  numel: "The number of elements is x.size.",
  dim: "The number of dimensions is x.ndim.",
  float: cast("float32"),
  double: cast("float64"),
  half: cast("float16"),
  int: cast("int32"),
  long: cast("int64"),
  type: cast("float64"),
  astype: cast("float64"),
  cpu: 'Copy it with x.to("cpu").',
  cuda: 'Copy it with x.to("cuda").',
  numpy: "x.data() is a typed array, x.toArray() nested arrays.",
  tolist: "x.toArray() gives nested arrays.",
  std: "x.sub(x.mean()).square().mean().sqrt() is the deviation.",
  var: "x.sub(x.mean()).square().mean() is the variance.",
  matmul: elementwise,
  mm: elementwise,
  dot: elementwise,
  softmax: elementwise,
  sort: elementwise,
  cumsum: elementwise,
};

const names: Readonly<Record<string, string>> = {
  jl: 'The library is there after import * as jl from "jitlab".',
  torch: 'The library is there after import * as jl from "jitlab": jl.zeros([2, 3]), x.add(y).',
  np: 'The library is there after import * as jl from "jitlab": jl.arange(10), x.add(y).',
  print: "console.log(x) prints; the value of a cell's last line shows itself.",
  len: "The first extent is x.shape[0]; an array has .length.",
  None: "It is called null here.",
  True: "It is called true here.",
  False: "It is called false here.",
};

const named = (table: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const advices: readonly Advice[] = [
  {
    codes: [2365],
    message: /^Operator '(\S+)' cannot be applied to types .*'Tensor'/,
    say: (operator) => operators[operator] && `Tensors have methods for it: x.${operators[operator]}(y).`,
  },
  {
    codes: [2362, 2363],
    message: /^The (left|right)-hand side of an arithmetic operation/,
    type: "Tensor",
    say: () =>
      "Tensors have methods instead of operators: x.mul(2), x.sub(y); jl.sub(1, x) where the number stands first.",
  },
  {
    codes: [7053],
    message: /can't be used to index type '(Tensor)'/,
    say: () => 'A tensor is indexed with x.at(0) or x.at(0, -1), and cut with x.slice("1:3, ::2").',
  },
  {
    codes: [2339],
    message: /^Property '(\w+)' does not exist on type '(?:Tensor|typeof jitlab)'/,
    say: named(members),
  },
  { codes: [2304, 2552], message: /^Cannot find name '(\w+)'/, say: named(names) },
  {
    codes: [2345],
    message: /^Argument of type 'number' is not assignable to parameter of type '(readonly number\[\])'/,
    say: () => "A shape is an array: jl.zeros([2, 3]).",
  },
];

/**
 * A message of TypeScript in terms of the notebook: without paths, and with advice where there is some. `typeAtError`
 * gives the type of what the error points at.
 */
export function advised(message: string, code: number, typeAtError: () => string): string {
  const plain = message
    .replace(/typeof import\("[^"]*\/runtime\/index"\)/g, "typeof jitlab")
    .replace(/import\("[^"]*"\)\./g, "");
  for (const { codes, message: pattern, type, say } of advices) {
    const subject = codes.includes(code) ? pattern.exec(plain)?.[1] : undefined;
    if (subject === undefined || (type !== undefined && type !== typeAtError())) continue;
    const advice = say(subject);
    if (advice) return `${plain}\n${advice}`;
  }
  return plain;
}
