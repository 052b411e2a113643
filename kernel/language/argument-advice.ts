// Advice about arguments in another place than their function has them: tensors one after the other where a list is expected and the
// other way round, PyTorch's second options without a name, objects for plain numbers, and arguments of the function that is returned.
import { optimizer, optionNames, shown } from "./foreign-names.js";
import type { Advice, Call, Place } from "./place.js";

// The option that stands second in PyTorch, by the type of the options.
const usualOption: Readonly<Record<string, string>> = {
  ReduceOptions: "keepdim",
  SpreadOptions: "unbiased",
  TensorOptions: "dtype",
  TopkOptions: "largest",
  SortOptions: "descending",
  CloseOptions: "rtol",
  IscloseOptions: "rtol",
  AddOptions: "alpha",
  VmapOptions: "inDims",
};

const isNumber = (text: string) => /^[+-]?\d[\d.]*$/.test(text);

/** The call with other arguments. */
const callOf = ({ path }: Call, args: readonly string[]) => `${path}(${args.join(", ")})`;

// PyTorch's `x.sum(0, True)`, `jl.zeros([2], "int32")` and `jl.isclose(x, y, 1e-3)`.
function unnamedOption(options: string, { text, call }: Place): string {
  if (options === "ReduceOptions" && isNumber(text)) {
    const whole = call();
    const dims = whole?.args.filter(isNumber) ?? [];
    if (whole && dims.length > 1)
      return `Several dimensions stand in a list: ${callOf(whole, [...whole.args.filter((one) => !isNumber(one)), `[${dims.join(", ")}]`])}.`;
  }
  const name = usualOption[options];
  return name === undefined
    ? "Options stand in an object, each with its name."
    : `Options have names: { ${name}: ${text.replaceAll("'", '"')} }.`;
}

// `x.cumsum({ dim: 1 })` and `jl.linspace(0, 1, { num: 5 })`.
function numberAlone(_: string, { text }: Place): string | undefined {
  const [, name = "", value] = /^\{\s*(\w+):\s*([^,{}]+?)\s*,?\s*\}$/.exec(text) ?? [];
  if (value === undefined) return undefined;
  const what = /^(?:dim|axis)$/.test(name) ? "dimension" : "number";
  return `The ${what} stands alone: ${value} instead of ${text}.`;
}

// `jl.stack(x, y)`, `jl.cat(x, y, 0)`, `jl.tensor(1, 2, 3)` and `x.squeeze(0, 1)`.
function inList(call: Call): string | undefined {
  const { args, takesList } = call;
  if (!takesList || args.length < 2) return undefined;
  const isOther = (text: string) => text.startsWith("{") || (isNumber(text) && !isNumber(args[0] as string));
  const from = args.findIndex(isOther);
  const list = from < 0 ? args : args.slice(0, from);
  return `They stand in a list: ${callOf(call, [`[${list.join(", ")}]`, ...args.slice(list.length)])}.`;
}

// `jl.add([x, y])` and `jl.einsum("ij,jk->ik", [x, y])`.
function apart(call: Call, list: string | undefined): string | undefined {
  const [, inner] = /^\[\s*([\w.]+(?:\s*,\s*[\w.]+)+)\s*\]$/.exec(list ?? "") ?? [];
  if (inner === undefined) return undefined;
  const args = call.args.map((one) => (one === list ? inner : one));
  return `The tensors stand one after the other: ${callOf(call, args)}.`;
}

// `jl.vmap(f, x)`, of a function that returns a function.
function calledLater(call: Call): string | undefined {
  const [first, ...others] = call.args;
  if (!call.returnsFunction || first === undefined || others.length === 0) return undefined;
  const made = callOf(call, [first]);
  return `${made} is a function: ${made}(${others.join(", ")}).`;
}

function tooMany(_: string, { call }: Place): string | undefined {
  const whole = call();
  if (whole === undefined) return undefined;
  const { path, args } = whole;
  if (/\.set$/.test(path))
    return `The indexes stand in a list: ${callOf(whole, [`[${args.slice(0, -1).join(", ")}]`, args.at(-1) as string])}.`;
  if (/\.transpose$/.test(path))
    return `transpose swaps two dimensions; this orders all of them: ${path.replace(/transpose$/, "permute")}(${args.join(", ")}).`;
  if (/\.slice$/.test(path)) return 'One text cuts all dimensions: x.slice("0:2, ::2").';
  if (/\boptim\.\w+$/.test(path)) return shown(optimizer);
  return calledLater(whole) ?? inList(whole);
}

function tooFew(_: string, { call, text }: Place): string | undefined {
  const whole = call();
  if (whole === undefined) return undefined;
  if (text === "transpose" && whole.args.length === 0)
    return "x.T reverses the dimensions of a matrix, x.mT those of each matrix of a batch.";
  return apart(whole, whole.args[0]);
}

const inTensorList = ({ call }: Place) => {
  const whole = call();
  return whole && inList(whole);
};

/** The advices about arguments. */
export const argumentAdvices: readonly Advice[] = [
  {
    codes: [2345],
    message: /^Argument of type '(\{.*\})' is not assignable to parameter of type 'number'/,
    say: numberAlone,
  },
  {
    codes: [2353],
    message: /'(dim|axis)' does not exist in type '(?:number \| )?readonly number\[\]'/,
    say: (_, { before }) =>
      `The dimension stands alone, without a name: ${/[\w.]*\($/.exec(before.replace(/\{\s*$/, ""))?.[0] ?? "x.squeeze("}0).`,
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)' is not assignable to parameter of type 'readonly Tensor\[\]'/,
    say: (_, place) => inTensorList(place),
  },
  {
    codes: [2554],
    message: /^(Expected (?:\d-)?\d+ arguments?), but got/,
    say: (_, place) => (isTooMany(place) ? tooMany(_, place) : tooFew(_, place)),
  },
  {
    codes: [2345],
    message: /^Argument of type '(Tensor)\[\]' is not assignable to parameter of type '(?:Tensor|Operand)/,
    say: (_, { call, text }) => {
      const whole = call();
      return (whole && apart(whole, text)) ?? "The tensors stand one after the other: f(x, y).";
    },
  },
  {
    codes: [2559],
    message: /^Type 'Tensor' has no properties in common with type '(\w*Options)'/,
    say: (options, { call }) => {
      const whole = call();
      return /^(?:Adam|AdamW|Sgd|Rmsprop)/i.test(options) ? shown(optimizer) : whole && calledLater(whole);
    },
  },
  {
    codes: [2559],
    message:
      /^Type '(?:"\w+"|true|false|-?[\d.]+|\(?number(?: \| null\))?\[\])' has no properties in common with type '(?:OpOptions & )?(\w*Options)'/,
    say: unnamedOption,
  },
  {
    codes: [2353, 2561],
    message: /'(\w+)' does not exist in type '.*Options'/,
    say: (name) => (Object.hasOwn(optionNames, name) ? optionNames[name] : undefined),
  },
];

/** Of too few arguments the name of the function is marked, else those that are too many. */
const isTooMany = ({ before }: Place) => before !== "" && !/[.\w]$/.test(before);
