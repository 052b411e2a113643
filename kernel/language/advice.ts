// Advice for users of PyTorch, NumPy and IPython: a second line under TypeScript's message that says how it is done here.
// The messages name types without the paths of their files.
import { argumentAdvices } from "./argument-advice.js";
import { globalNames, shown, withoutPage } from "./foreign-names.js";
import { missingMember, notCallable, unknownCall } from "./missing-names.js";
import { newerGlobals, nodeWith } from "./node-libraries.js";
import type { Advice, Place } from "./place.js";
import { nodeSpecifier } from "./specifier.js";

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

// PyTorch's and NumPy's other names of dtypes.
const otherDtypes: Readonly<Record<string, string>> = {
  double: "float64",
  float: "float32",
  half: "float16",
  long: "int64",
  int: "int32",
  short: "int16",
  cdouble: "complex128",
  cfloat: "complex64",
};

function oneOf(given: string, { choices }: Place): string | undefined {
  // The checker's order depends on the type that it met first.
  const names = choices().toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  if (names.length === 0) return undefined;
  const other = Object.hasOwn(otherDtypes, given) ? otherDtypes[given] : undefined;
  const meant = other !== undefined && names.includes(other) ? `"${given}" is "${other}" here. ` : "";
  return `${meant}It is one of ${names.map((name) => `"${name}"`).join(", ")}.`;
}

// The parameters of a functor, in the text of their type.
const parametersIn = (type: string) => [...type.matchAll(/(\w+)\??:/g)].map(([, name]) => name);

// `jl.sqrt(2)`.
function numberForTensor(_: string, { before, text }: Place): string {
  const [, called = ""] = /\bjl\.(\w+)\($/.exec(before) ?? [];
  const tensor = `jl.tensor(${text}) makes a tensor`;
  return called in Math ? `${tensor}; Math.${called}(${text}) computes with numbers.` : `${tensor}.`;
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
  if (/^(?:numpy|torch|jax|cupy)$/.test(name)) return globalNames.torch;
  if (/^[./]/.test(name)) return "There is no such file; paths start from the folder of the notebook.";
  const [, jsr] = /^jsr:\/?(@[\w.-]+\/[\w.-]+)/.exec(name) ?? [];
  if (jsr) return `!npx jsr add ${jsr} installs it beside the notebook; then import from "${jsr}".`;
  if (/^https?:/.test(name))
    return "Node imports no URLs: %npm install NAME installs a package, await fetch(url) reads a file.";
  const packageName = /^(?:@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(nodeSpecifier(name))?.[0];
  return packageName && `%npm install ${packageName} installs it beside the notebook.`;
}

// TypeScript advises to change a compiler option, which a notebook does not have.
const targetLibrary =
  / Do you need to (?:change your target library\? Try changing|install type definitions for a test runner\?) .*$/m;

function missingInNode(edition: string): string {
  const needed = nodeWith(edition);
  const remedy = needed === undefined ? "a newer Node" : `Node ${needed} or newer`;
  return `Node ${process.versions.node}, which runs the cells, does not have it. Install ${remedy}.`;
}

function missingGlobal(name: string): string | undefined {
  return newerGlobals.includes(name) ? missingInNode("") : undefined;
}

// A cell that declares a type again does not change the values of the earlier one.
function sameName(name: string, { cellsWithType }: Place): string | undefined {
  const cells = cellsWithType(name);
  const last = cells.at(-1);
  if (cells.length < 2) return undefined;
  const earlier = cells.slice(0, -1);
  return (
    `${earlier.join(" and ")} declared ${earlier.length === 1 ? `one ${name}` : `other types ${name}`}, and ${last} another: ` +
    `${name} now means that of ${last}. Make the values of the earlier one again.`
  );
}

const advices: readonly Advice[] = [
  ...argumentAdvices,
  {
    codes: [2365],
    message: /^Operator '(\S+)' cannot be applied to types .*'Tensor'/,
    say: (operator) => {
      const method = operators[operator];
      const compares = /^[<>]/.test(operator) && !/[<>]{2}/.test(operator);
      const number = compares ? `; for one number x.item() ${operator} y` : "";
      return method && `Tensors have methods for it: x.${method}(y)${number}.`;
    },
  },
  {
    codes: [2362, 2363],
    message: /^The (left|right)-hand side of an arithmetic operation/,
    type: "Tensor",
    say: (_, { before, after }) => {
      const [operator = ""] =
        /^\s*(?:\*\*|<<|>>|[&|^%])/.exec(after) ?? /(?:\*\*|<<|>>|[&|^%])\s*$/.exec(before) ?? [];
      const method = operators[operator.trim()];
      return method
        ? `Tensors have methods for it: x.${method}(y).`
        : "Tensors have methods instead of operators: x.mul(2), x.sub(y); jl.sub(1, x) where the number stands first.";
    },
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
    codes: [2542],
    message: /^An (index) of a tensor/,
    say: (_, { text }) => {
      const [, name, index] = /^([\w.]+)\[(.+)\]$/.exec(text) ?? [];
      const written =
        index === undefined || index.includes("][") ? "x.set(0, 5)" : `${name}.set(${index}, ...)`;
      return `Write ${written}; x.set("1:3, ::2", 0) writes a slice, x.set([mask], y) where a mask is true.`;
    },
  },
  {
    codes: [2514],
    message: /^An (array) has no element/,
    say: (_, { text }) => `From the end counts .at(${text}).`,
  },
  {
    codes: [2538],
    message: /^Type '(Tensor)' cannot be used as an index type/,
    say: (_, { after }) =>
      /^\]\s*[-+*/]?=(?!=)/.test(after)
        ? "A tensor is written at tensors with x.set([mask], 0) and x.set([indexes], y)."
        : "A tensor is indexed by tensors with x.at(mask) and x.at(indexes).",
  },
  {
    codes: [2339, 2551],
    message:
      /^(Property '\w+' does not exist on type '(?:Tensor|typeof (?:jitlab|linalg|fft|optim)|Sgd|Adam)'.*)/,
    say: missingMember,
  },
  {
    codes: [2365],
    message: /^Operator '.*' cannot be applied to types .*'(bigint)'/,
    say: () => "Elements of int64 are bigints: Number(x.item()) + 1, or x.item() + 1n.",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Placed)/,
    say: () => "It is { values, indices }: pass its .values or its .indices.",
  },
  {
    codes: [2345],
    message: /^Argument of type '(number\[\])' is not assignable to parameter of type 'Index'/,
    say: () => "x.at(0, 1) is the element at [0, 1]; x.at(jl.tensor([0n, 1n])) are the rows 0 and 1.",
  },
  {
    codes: [2559],
    message: /type 'JitCallOptions & Captured<\{(.*)\}>'/,
    say: (type, { text }) => `Parameters have names: { ${parametersIn(type)[0]}: ${text} }.`,
  },
  {
    codes: [2353],
    message: /type 'JitCallOptions & Captured<\{(.*)\}>'/,
    say: (type) => `Its parameters: ${parametersIn(type).join(", ")}.`,
  },
  {
    codes: [2345],
    message: /^Argument of type '(number)' is not assignable to parameter of type 'Tensor'/,
    say: numberForTensor,
  },
  {
    codes: [2367],
    message: /types '(?:[^']*' and ')?(Tensor)'.* have no overlap/,
    say: () => "x.eq(1) and x.ne(1) compare the elements.",
  },
  {
    codes: [2367],
    message: /types '(DType)' and 'string' have no overlap/,
    say: () => 'A dtype has a name: x.dtype.name === "float32".',
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)' is not assignable to parameter of type 'number'/,
    say: mathFunction,
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)' is not assignable to parameter of type '(?:\(|Fn<)/,
    say: () => "It takes a function, such as (x) => x.sum().",
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)' is not assignable to parameter of type 'string'/,
    say: (_, { before }) => {
      const [, name] = /([\w.]*\b(?:save|write)\w*)\($/.exec(before) ?? [];
      return name && `The path comes first: ${name}("x.npy", x).`;
    },
  },
  {
    codes: [2348],
    message: /^Value of type 'typeof (Tensor)' is not callable/,
    say: () => "jl.tensor([1, 2, 3]) makes a tensor.",
  },
  {
    codes: [2304, 2552, 18004],
    message: /^(?:Cannot find name|No value exists in scope for the shorthand property) '(\w+)'/,
    say: (name, place) =>
      assignment(name, place) ??
      place.unbound(name) ??
      named(globalNames)(name) ??
      missingGlobal(name) ??
      unknownCall(name, place),
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
    codes: [2584],
    message: /^Cannot find name '(\w+)'/,
    say: () => withoutPage,
  },
  {
    codes: [2582, 2593],
    message: /^Cannot find name '(describe|it|suite|test)'/,
    say: (name) => `import { ${name} } from "node:test" has it.`,
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
    codes: [2769],
    message:
      /^No overload matches this call\.\n +Argument of type '(\(.*\bTensor\b.*\) => .*)' is not assignable to parameter of type 'string'/,
    say: (_, { before }) =>
      /\bjit\($/.test(before)
        ? "jl.jit takes a function of numbers, as in jl.jit((v) => 2 * v), or C++; jl.compile(f) compiles a function of tensors."
        : undefined,
  },
  {
    codes: [2769],
    message: /^No overload matches this call\.(?:.|\n)*is not assignable to type '(readonly \[)/,
    say: (_, { before }) =>
      /\bscan\($/.test(before)
        ? "A step returns a list: the next carry, and a result or nothing, as in [carry, y]."
        : undefined,
  },
  {
    codes: [2769],
    message:
      /^No overload matches this call\.(?:.|\n)*'number' is not assignable to parameter of type '(readonly number\[\])'/,
    say: () => "A shape is an array: jl.zeros([2, 3]).",
  },
  {
    codes: [7053],
    message: /^A (method) of a tensor/,
    say: () => "x.at(0) is an element or a part; x.set(0, 5), x.add_(y) and others write into x.",
  },
  {
    codes: [2349],
    message: /Type '(.+)' has no call signatures/,
    say: notCallable,
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
    codes: [2322, 2345, 2820],
    message: /^(?:Type|Argument of type) '"([^"']*)"' is not assignable to/,
    say: oneOf,
  },
  {
    codes: [2322],
    message: /^Type 'Tensor<"(\w+)">' is not assignable to type 'Tensor<"\w+">'/,
    say: () => "A variable for tensors of any dtype is declared let x: jl.Tensor = ...",
  },
  {
    codes: [2322, 2345, 2416, 2430, 2739, 2740, 2741],
    message: /[Tt]ype '(\w+)(?:<[^']*>|\[\])*'[^']*\b[Tt]ype '\1(?:<[^']*>|\[\])*'/,
    say: sameName,
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
    if (advice) return `${plain.replace(targetLibrary, "")}\n${shown(advice)}`;
  }
  return plain;
}

// Drops the paths of types and type arguments that say nothing. About tensors only the first line stays: the others list
// the members that a value lacks.
function inShort(message: string): string {
  const plain = withoutOverloads(message)
    .replace(/typeof import\("[^"]*\/runtime\/index"\)/g, "typeof jitlab")
    .replace(/typeof import\("[^"]*\/runtime\/(\w+)\/index"\)/g, "typeof $1")
    .replace(/import\("[^"]*"\)\./g, "")
    .replace(/\bTensor<(?:any|DTypeName)>/g, "Tensor")
    .replace(/\b(\w*Options|ReduceDims)<[^<>]*>/g, "$1");
  const [first = ""] = plain.split("\n");
  return /'[^']*\b(?:Tensor|TensorData|Operand)\b[^']*'/.test(first) ? first : plain;
}

// For each overload, the last and deepest line, which names the mismatch.
function withoutOverloads(message: string): string {
  const [first = "", ...forms] = message.split(/\n *(?:Overload \d+ of \d+|The last overload).*error\.$/m);
  if (forms.length === 0) return message;
  return [first, ...forms.map((form) => `  ${form.trimEnd().split("\n").at(-1)?.trim()}`)].join("\n");
}
