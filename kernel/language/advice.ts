// Advice for users of PyTorch, NumPy and IPython: a second line under TypeScript's message that says how it is done here.
// The messages name types without the paths of their files.
import { dtypes } from "../../runtime/base/dtype.js";
import { newerGlobals, nodeWith } from "./node-libraries.js";
import { nodeSpecifier } from "./specifier.js";

interface Advice {
  /** The codes of TypeScript's errors that it applies to. */
  readonly codes: readonly number[];
  /** Matches the message; `say` receives its first group. */
  readonly message: RegExp;
  /** The type that the error points at, if the message does not name it. */
  readonly type?: string;
  readonly say: (subject: string, place: Place) => string | undefined;
}

/** The position of an error in its cell. */
export interface Place {
  /** The rest of its line, before and after the marked text. */
  readonly before: string;
  readonly after: string;
  /** The type of the marked expression. */
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
const unknown =
  "jl.jit and %%kernel make elementwise functions, jl.reduction and %%reduction reductions, jl.rawKernel and %%cuda any CUDA kernel.";

const gradients = "jitlab computes no gradients: leave it out, or use PyTorch or JAX for this part.";
const array =
  "x.toArray() gives nested arrays, whose methods these are; jl.jit((v) => 2 * v)(x) computes each element on the device.";

const members: Readonly<Record<string, string>> = {
  type: cast("float64"),
  astype: cast("float64"),
  numpy: "x.data() is a typed array, x.toArray() nested arrays.",
  from_numpy: 'jl.load("x.npy") reads a file of NumPy; jl.tensor([1, 2, 3]) takes arrays and typed arrays.',
  values: "x.max(1, { indices: true }) gives { values, indices }; without it the values alone.",
  element_size: "x.dtype.bytes is the size of an element.",
  itemsize: "x.dtype.bytes is the size of an element.",
  is_cuda: "x.device.name is the name of its device.",
  plot: 'Plots are functions: import { line } from "jitlab/plot"; line(x).',
  map: array,
  forEach: array,
  filter: array,
  backward: gradients,
  grad: gradients,
  requires_grad: gradients,
  requires_grad_: gradients,
  detach: gradients,
  no_grad: gradients,
  autograd: gradients,
  length: "The first extent is x.shape[0], the number of elements x.size.",
  cuda: 'jl.setDevice("cuda") picks the device, jl.devices() lists them, jl.synchronize() waits.',
  set_default_dtype: 'A dtype is given where a tensor is made: jl.zeros([3], { dtype: "float64" }).',
  random: "jl.rand, jl.randn, jl.randint and jl.normal make random tensors.",
  nn: "The functions are jl's own, such as jl.gelu(x) and x.softmax(-1); jitlab has no layers.",
  data_ptr: "Raw kernels take tensors themselves: jl.rawKernel, %%cuda.",
  H: "x.mT.conj() is the conjugate transpose.",
  kernel: unknown,
  jiterator: unknown,
  ElementwiseKernel: unknown,
  ReductionKernel: unknown,
  RawKernel: unknown,
  fft: unknown,
  conv2d: unknown,
  inv: unknown,
  det: unknown,
  svd: unknown,
  qr: unknown,
  lstsq: unknown,
  linalg: unknown,
};

const waiting =
  "await new Promise((done) => setTimeout(done, 1000)) waits for a second; %time and %timeit measure.";
const shell = "!COMMAND runs a command of the shell, such as !ls.";
const installing = "%npm install NAME installs a package.";
const ending = "The front end ends the kernel: Shut Down in its menu, Ctrl-D in a console.";

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
  Tensor: "The type is jl.Tensor; jl.tensor([1, 2, 3]) makes one.",
  None: "It is called null here.",
  True: "It is called true here.",
  False: "It is called false here.",
};

// The names of options in NumPy.
const options: Readonly<Record<string, string>> = {
  axis: "dim: x.sum({ dim: 0 })",
  axes: "dim: x.sum({ dim: [0, 1] })",
  dims: "dim: x.sum({ dim: [0, 1] })",
  keepdims: "keepdim: x.sum({ dim: 0, keepdim: true })",
  ddof: "correction: x.std({ correction: 0 })",
};

// PyTorch's `x.sum(0, True)` and `jl.zeros([2], "int32")`.
function unnamedOption(value: string): string {
  if (value === "true" || value === "false") return `Options have names: { keepdim: ${value} }.`;
  return `Options have names: { dtype: ${value} }.`;
}

function mathFunction(_: string, { before }: Place): string | undefined {
  const [, called] = /\bMath\.(\w+)\((?:[^()]*,)?\s*$/.exec(before) ?? [];
  return called && `Math is for numbers; a function of tensors is jl.${called}(x).`;
}

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
  const [, jsr] = /^jsr:\/?(@[\w.-]+\/[\w.-]+)/.exec(name) ?? [];
  if (jsr) return `!npx jsr add ${jsr} installs it beside the notebook; then import from "${jsr}".`;
  if (/^https?:/.test(name))
    return "Node imports no URLs: %npm install NAME installs a package, await fetch(url) reads a file.";
  const packageName = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(nodeSpecifier(name))?.[0];
  return packageName && `%npm install ${packageName} installs it beside the notebook.`;
}

// TypeScript advises to change a compiler option, which a notebook does not have.
const targetLibrary = / Do you need to change your target library\? Try changing .*$/m;

function missingInNode(edition: string): string {
  const needed = nodeWith(edition);
  const remedy = needed === undefined ? "a newer Node" : `Node ${needed} or newer`;
  return `Node ${process.versions.node}, which runs the cells, does not have it. Install ${remedy}.`;
}

function missingGlobal(name: string): string | undefined {
  return newerGlobals.includes(name) ? missingInNode("") : undefined;
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
    codes: [2774],
    message: /^(A tensor) as a condition/,
    say: () =>
      "x.any().item() and x.all().item() are the values of one element: if (x.lt(0).any().item()) { ... }.",
  },
  {
    codes: [2367],
    message: /^`(..)` between tensors/,
    say: (operator) =>
      operator === "=="
        ? "x.eq(y) compares elements, x.eq(y).all().item() all of them; x === y asks whether both are one object."
        : "x.ne(y) compares elements, x.ne(y).any().item() all of them; x !== y asks whether they are two objects.",
  },
  {
    codes: [7053],
    message: /can't be used to index type '(Tensor)'/,
    say: () => 'A tensor is indexed with x.at(0) or x.at(0, -1), and cut with x.slice("1:3, ::2").',
  },
  {
    codes: [2339, 2551],
    message: /^Property '(\w+)' does not exist on type '(?:Tensor|typeof jitlab)'/,
    say: (name) =>
      Object.hasOwn(dtypes, name)
        ? `A dtype is given by its name: { dtype: "${name}" }.`
        : named(members)(name),
  },
  {
    codes: [2353],
    message: /'(\w+)' does not exist in type '.*Options'/,
    say: (name) => (Object.hasOwn(options, name) ? `The option is named ${options[name]}.` : undefined),
  },
  {
    codes: [2367],
    message: /types '(?:[^']*' and ')?(Tensor)'.* have no overlap/,
    say: () => "x.eq(1) and x.ne(1) compare the elements.",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)' is not assignable to parameter of type 'number'/,
    say: mathFunction,
  },
  {
    codes: [2348],
    message: /^Value of type 'typeof (Tensor)' is not callable/,
    say: () => "jl.tensor([1, 2, 3]) makes a tensor.",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)\[\]' is not assignable to parameter of type 'Tensor'/,
    say: () => "The tensors stand one after the other: f(x, y).",
  },
  {
    codes: [2304, 2552, 18004],
    message: /^(?:Cannot find name|No value exists in scope for the shorthand property) '(\w+)'/,
    say: (name, place) => assignment(name, place) ?? named(names)(name) ?? missingGlobal(name),
  },
  {
    codes: [2693],
    message: /^'(\w+)' only refers to a type/,
    say: missingGlobal,
  },
  { codes: [2307], message: /^Cannot find module '([^']+)'/, say: missingModule },
  {
    codes: [2550, 2583],
    message: /Try changing the 'lib' compiler option to '(\w+)' or later/,
    say: missingInNode,
  },
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
    say: () => "It is a value, not a function: leave out the parentheses.",
  },
  {
    codes: [2345],
    message: /^Argument of type 'number' is not assignable to parameter of type '(readonly number\[\])'/,
    say: () => "A shape is an array: jl.zeros([2, 3]).",
  },
  {
    codes: [2345],
    message:
      /^Argument of type '((?!Tensor\b)\(?[\w |]+\)?(?:\[\])+|\w+Array(?:<.*>)?)' is not assignable to parameter of type '(?:Operand|Tensor.*)'/,
    say: () => "An array becomes a tensor with jl.tensor([1, 2, 3]).",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor|number)' is not assignable to parameter of type 'JitCallOptions/,
    say: () =>
      "The functor takes fewer tensors; behind them stands one object of options, such as { dtype }.",
  },
  {
    codes: [2322],
    message: /^Type 'Tensor<"(\w+)">' is not assignable to type 'Tensor<"\w+">'/,
    say: () => "A variable for tensors of any dtype is declared let x: jl.Tensor = ...",
  },
  {
    codes: [2559],
    message: /^Type '("\w+"|true|false)' has no properties in common with type '\w*Options'/,
    say: unnamedOption,
  },
];

/** Shortens a message of TypeScript and adds advice where there is some. */
export function advised(message: string, code: number, place: Place): string {
  const plain = inShort(message);
  const general = plain.replace(/\bTensor<[^<>]*>/g, "Tensor");
  for (const { codes, message: pattern, type, say } of advices) {
    const subject = codes.includes(code) ? (pattern.exec(plain) ?? pattern.exec(general))?.[1] : undefined;
    if (subject === undefined || (type !== undefined && type !== place.type().replace(/<.*/, ""))) continue;
    const advice = say(subject, place);
    if (advice) return `${plain.replace(targetLibrary, "")}\n${advice}`;
  }
  return plain;
}

// Drops the paths of types and type arguments that say nothing. About tensors only the first line stays: the others list
// the members that a value lacks.
function inShort(message: string): string {
  const plain = withoutOverloads(message)
    .replace(/typeof import\("[^"]*\/runtime\/index"\)/g, "typeof jitlab")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\bTensor<(?:any|DTypeName)>/g, "Tensor")
    .replace(/\b(\w*Options|ReduceDims)<[^<>]*>/g, "$1");
  const [first = ""] = plain.split("\n");
  return /'[^']*\b(?:Tensor|TensorData|Operand)\b[^']*'/.test(first) ? first : plain;
}

// Of each form of an overloaded function the last and deepest line, which says what does not fit.
function withoutOverloads(message: string): string {
  const [first = "", ...forms] = message.split(/\n *(?:Overload \d+ of \d+|The last overload).*error\.$/m);
  if (forms.length === 0) return message;
  return [first, ...forms.map((form) => `  ${form.trimEnd().split("\n").at(-1)?.trim()}`)].join("\n");
}
