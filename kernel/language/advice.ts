// What a type error means for somebody who comes from PyTorch, NumPy or IPython: a second line under TypeScript's message
// that names the way here. The messages name types without the paths of their files.

interface Advice {
  /** TypeScript's codes of the errors that it is for. */
  readonly codes: readonly number[];
  /** What the message says; its first group is what `say` is asked about. */
  readonly message: RegExp;
  /** The type of what the error points at, where the message does not name it. */
  readonly type?: string;
  readonly say: (subject: string, place: Place) => string | undefined;
}

/** Where an error is in its cell. */
export interface Place {
  /** The rest of its line, before and after what it points at. */
  readonly before: string;
  readonly after: string;
  /** The type of what it points at. */
  readonly type: () => string;
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
  length: "The first extent is x.shape[0], the number of elements x.size.",
  std: "x.sub(x.mean()).square().mean().sqrt() is the deviation.",
  var: "x.sub(x.mean()).square().mean() is the variance.",
  matmul: elementwise,
  mm: elementwise,
  dot: elementwise,
  softmax: elementwise,
  sort: elementwise,
  cumsum: elementwise,
};

const waiting =
  "await new Promise((done) => setTimeout(done, 1000)) waits for a second; %time and %timeit measure.";
const shell = "!COMMAND runs a command of the shell, such as !ls.";
const installing = "%npm install NAME installs a package.";
const ending = "The front end ends the kernel: Shut Down in its menu, Ctrl-D in a console.";
const kept = "Values of earlier cells are there by the names that you gave them: const a = x.add(1).";

const names: Readonly<Record<string, string>> = {
  jl: 'The library is there after import * as jl from "jitlab".',
  torch: 'The library is there after import * as jl from "jitlab": jl.zeros([2, 3]), x.add(y).',
  np: 'The library is there after import * as jl from "jitlab": jl.arange(10), x.add(y).',
  print: "console.log(x) prints; the value of a cell's last line shows itself.",
  len: "The first extent is x.shape[0]; an array has .length.",
  range: "for (let i = 0; i < 10; i++) counts; jl.arange(10) is a tensor.",
  type: "typeof x is the kind of a value; a tensor has x.dtype and x.shape.",
  help: "x? and %help NAME show help.",
  dir: "%who lists the variables; Tab behind a dot lists what a value has.",
  input: 'prompt("name? ") asks for a line.',
  sleep: waiting,
  time: waiting,
  ls: shell,
  cat: shell,
  mkdir: shell,
  pip: installing,
  npm: installing,
  cd: "%cd FOLDER changes the folder.",
  pwd: "%pwd shows the folder.",
  exit: ending,
  quit: ending,
  _: kept,
  Out: kept,
  Tensor: "The type is jl.Tensor; jl.tensor([1, 2, 3]) makes one.",
  None: "It is called null here.",
  True: "It is called true here.",
  False: "It is called false here.",
};

const named = (table: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

// Python's `y = 5` and `dtype="int32"`.
function assignment(name: string, { before, after }: Place): string | undefined {
  if (!/^\s*=(?!=)/.test(after)) return undefined;
  if (/^\s*$/.test(before)) return `A variable is declared first: let ${name} = ...`;
  return /[(,]\s*$/.test(before) ? `Options stand in an object: { ${name}: ... }.` : undefined;
}

function missingModule(name: string): string | undefined {
  if (/^(?:numpy|torch|jax|cupy)$/.test(name)) return names.torch;
  if (/^[./]/.test(name)) return "There is no such file; paths start from the folder of the notebook.";
  const packageName = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(name)?.[0];
  return packageName && `%npm install ${packageName} installs it beside the notebook.`;
}

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
  {
    codes: [2304, 2552, 18004],
    message: /^(?:Cannot find name|No value exists in scope for the shorthand property) '(\w+)'/,
    say: (name, place) => assignment(name, place) ?? named(names)(name),
  },
  { codes: [2307], message: /^Cannot find module '([^']+)'/, say: missingModule },
  {
    codes: [2588],
    message: /^Cannot assign to '(\w+)' because it is a constant/,
    say: (name) => `Declare it anew for another value: const ${name} = ...; with let it can be assigned.`,
  },
  {
    codes: [2339],
    message: /^Property '(\w+)' does not exist on type 'Promise<.*>'/,
    say: (member) => `A promise gives its value to await: (await p).${member}.`,
  },
  {
    codes: [2349],
    message: /Type '(.+)' has no call signatures/,
    say: () => "It is a value and no function: leave out the parentheses.",
  },
  {
    codes: [2345],
    message: /^Argument of type 'number' is not assignable to parameter of type '(readonly number\[\])'/,
    say: () => "A shape is an array: jl.zeros([2, 3]).",
  },
  {
    codes: [2345],
    message:
      /^Argument of type '(\(?[\w |]+\)?(?:\[\])+|\w+Array(?:<.*>)?)' is not assignable to parameter of type '(?:Operand|Tensor.*)'/,
    say: () => "An array becomes a tensor with jl.tensor([1, 2, 3]).",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor|number)' is not assignable to parameter of type 'JitCallOptions/,
    say: () =>
      "The functor takes fewer tensors; behind them stands one object of options, such as { dtype }.",
  },
  {
    codes: [2559],
    message: /^Type '"(\w+)"' has no properties in common with type '\w*Options'/,
    say: (value) => `Options have names: { dtype: "${value}" }.`,
  },
];

/** A message of TypeScript in terms of the notebook: without paths, and with advice where there is some. */
export function advised(message: string, code: number, place: Place): string {
  const plain = message
    .replace(/typeof import\("[^"]*\/runtime\/index"\)/g, "typeof jitlab")
    .replace(/import\("[^"]*"\)\./g, "");
  for (const { codes, message: pattern, type, say } of advices) {
    const subject = codes.includes(code) ? pattern.exec(plain)?.[1] : undefined;
    if (subject === undefined || (type !== undefined && type !== place.type())) continue;
    const advice = say(subject, place);
    if (advice) return `${plain}\n${advice}`;
  }
  return plain;
}
