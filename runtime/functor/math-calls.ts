// C's math functions in a user's C++ text. A device defines them for float and double. A text may call them as C++ does: with
// integers, which become double, with numbers of two types, as std's, and by C's names for float.
import { blanked, functionsOf } from "./signature.js";

/** The file of ops/functors/ that declares the types of such calls. */
export const mathCallsFile = "number-types";

const words = (text: string) => text.split(" ");
const ofOne = words(
  "sqrt cbrt rsqrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh " +
    "floor ceil trunc rint nearbyint round fabs erf erfc lgamma tgamma",
);
const ofTwo = words("pow fmod remainder atan2 hypot copysign fmin fmax nextafter");
const questions = words("isnan isinf isfinite signbit");
const choices = words("min max");

type Form = (name: string) => string;

/** The template for each function, which the device's own precede where they take the arguments as they are. */
const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ...ofOne.map((name) => [name, formOf("A a")] as const),
  ...ofTwo.map((name) => [name, formOf("A a, B b")] as const),
  ["fma", formOf("A a, B b, C c")],
  ...choices.map((name) => [name, choiceOf] as const),
  ...questions.map((name) => [name, questionOf] as const),
  ["ldexp", (name) => `${head("A")} number<A> ${name}(A a, int n) { return ${name}(number<A>(a), n); }`],
  ["frexp", (name) => `${head("A")} number<A> ${name}(A a, int* n) { return ${name}(number<A>(a), n); }`],
  ["abs", () => `${head("A")} unsigned_number<A> abs(A a) { return a; }`],
]);

// C's names of the functions of float, which CUDA has without a declaration.
const suffixed = new Map([...ofOne, ...ofTwo, "fma", "ldexp"].map((name) => [`${name}f`, name]));

function head(...types: readonly string[]): string {
  return `template <${types.map((type) => `typename ${type}`).join(", ")}> __device__ inline`;
}

function formOf(list: string): Form {
  const parameters = list.split(", ").map((one) => one.split(" ") as [string, string]);
  const types = parameters.map(([letter]) => letter);
  const result = `number<${types.join(", ")}>`;
  const values = parameters.map(([, name]) => `${result}(${name})`).join(", ");
  return (name) => `${head(...types)} ${result} ${name}(${list}) { return ${name}(${values}); }`;
}

/** Without types between its brackets as the others; with one, numbers that become of that type, as in C++. */
function choiceOf(name: string): string {
  const own = "template <int..., typename A, typename B> __device__ inline common<A, B>";
  return `${own} ${name}(A a, B b) { return ${name}(common<A, B>(a), common<A, B>(b)); }
${head("A")} A ${name}(given<A> a, given<A> b) { return ${name}(a, b); }`;
}

function questionOf(name: string): string {
  return `${head("A")} integer_answer<A> ${name}(A a) { return ${name}(number<A>(a)); }`;
}

/** The math functions that a text calls: the names of the device's functions. */
export function mathCalls(source: string): string[] {
  const called = calledNames(source).map((name) => suffixed.get(name) ?? name);
  return [...new Set(called.filter((name) => forms.has(name)))];
}

function calledNames(source: string): string[] {
  const call = /(?<![\w.]|->|(?<!\bstd\s*)::\s*)([a-z]\w*)(?=\s*(?:<[\w\s:]*>\s*)?\()/g;
  return [...new Set([...blanked(source).matchAll(call)].map((match) => match[1] as string))];
}

/** The lines that declare a math function for numbers of every type; `from` is the namespace of the one that computes. */
export function mathForms(name: string, from = ""): string[] {
  return [`using ${from}::${name};`, (forms.get(name) as Form)(name)];
}

/**
 * The lines before a text that declare the math functions that it calls; `linesOf` gives those of one of them. C's names of
 * functions of float take the type `real`, if it is given, instead.
 */
export function mathLines(
  source: string,
  linesOf: (name: string) => readonly string[],
  real?: string,
): string[] {
  const names = mathCalls(source);
  if (names.length === 0) return [];
  const own = new Set(functionsOf(source).map(({ name }) => name));
  const floats = calledNames(source).filter((name) => suffixed.has(name) && !own.has(name));
  return [
    "// The math functions that the text calls, for numbers of every type.",
    "namespace std {",
    ...names.flatMap(linesOf),
    "}",
    ...names.filter((name) => !own.has(name)).map((name) => `using std::${name};`),
    ...(real || floats.length === 0
      ? floats.map((name) => floatForm(name, real as string))
      : ["#ifndef __CUDACC__", ...floats.map((name) => floatForm(name, "float")), "#endif"]),
  ];
}

function floatForm(name: string, real: string): string {
  const plain = suffixed.get(name) as string;
  const count = ofOne.includes(plain) ? 1 : plain === "fma" ? 3 : 2;
  const letters = ["a", "b", "c"].slice(0, count);
  const list = letters
    .map((letter, i) => `${plain === "ldexp" && i === 1 ? "int" : real} ${letter}`)
    .join(", ");
  return `__device__ inline ${real} ${name}(${list}) { return std::${plain}(${letters.join(", ")}); }`;
}
