// Names that a user's functor may use besides the math functions: every operation as `jl::name`, and constants. Each
// operation that a text names gets one overload per supported dtype.
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { didYouMean, JitlabError } from "../base/errors.js";
import { ops } from "../ops/index.js";
import { type Op, planOf, returnLines } from "../ops/op.js";
import { constants } from "./constants.js";
import { blanked, functionsOf } from "./signature.js";

// Functions of C's library that are scalar there, and whose operations run in a processor's vector registers; on a GPU both are
// the GPU's own, or ours is better.
const scalarInC = ["erf", "erfc", "sinh", "cosh", "lgamma"];

/** The names of the operations that a text calls without `jl::`, in place of C's functions; not those that it defines itself. */
export function plainCalls(source: string): string[] {
  const text = blanked(source);
  const called = scalarInC.filter((name) =>
    new RegExp(`(?<![\\w.:>])(?:std\\s*::\\s*)?${name}\\s*\\(`).test(text),
  );
  if (called.length === 0) return [];
  const own = functionsOf(source).map(({ name }) => name);
  return called.filter((name) => !own.includes(name));
}

/** The names of the operations that a text calls; throws `bad-functor` for a `jl::name` that does not exist. */
export function libraryCalls(source: string): string[] {
  const names = [...blanked(source).matchAll(/\bjl\s*::\s*(\w+)/g)].map((match) => match[1] as string);
  for (const name of names) {
    if (Object.hasOwn(ops, name)) continue;
    throw new JitlabError(
      "bad-functor",
      `jl::${name} does not exist.`,
      `${didYouMean(name, Object.keys(ops))} A functor may call every operation of the library by its name.`.trim(),
    );
  }
  return [...new Set([...names, ...plainCalls(source)])];
}

// The types of numbers in C++ code, independent of the kernel's compute dtype.
const usual: readonly DTypeName[] = ["bool", "int32", "int64", "float32", "float64"];

/** The dtypes for which `jl::name` is defined: the usual ones and the kernel's, which replaces the equal one. */
function typesFor(compute: DType): DType[] {
  const own = [compute, ...(compute.kind === "complex" ? [dtypes.complex64, dtypes.complex128] : [])];
  const byType = new Map([...usual.map((name) => dtypes[name]), ...own].map((one) => [one.compute, one]));
  return [...byType.values()];
}

/** Files of ops/functors/ that the operations call, dependencies first. */
export function libraryFiles(names: readonly string[], compute: DType): string[] {
  const files = names.flatMap((name) =>
    typesFor(compute).flatMap((dtype) => {
      const plan = planOf(ops[name as keyof typeof ops], dtype);
      return "refuse" in plan ? [] : plan.needs;
    }),
  );
  return [...new Set(files)];
}

const commonType = `template <typename A, typename B> struct common { typedef decltype(A() + B()) type; };
template <typename A> struct common<A, A> { typedef A type; };`;

/** C++ text that defines the operations in the namespace `functions`; empty for none. */
export function libraryText(names: readonly string[], compute: DType): string[] {
  if (names.length === 0) return [];
  const records = names.map((name): [string, Op] => [name, ops[name as keyof typeof ops]]);
  return [
    "// The library's operations, by the types of their arguments.",
    "namespace functions {",
    ...(records.some(([, op]) => op.arity > 1) ? [commonType] : []),
    // Every expression precedes the names that it could confuse with math functions.
    ...records.flatMap(([name, op]) => expressions(name, op, compute)),
    ...records.map(([name, op]) => wrapper(name, op)),
    "}",
  ];
}

const letters = ["a", "b", "c"] as const;

function rolesOf(op: Op): readonly ("common" | "bool" | "int32")[] {
  return op.operands ?? letters.slice(0, op.arity).map(() => "common");
}

/** One struct per dtype: the type in which the operation computes, and its expression. */
function expressions(name: string, op: Op, compute: DType): string[] {
  const plans = typesFor(compute).map((dtype) => ({ dtype, plan: planOf(op, dtype) }));
  const refused = plans.flatMap(({ plan }) => ("refuse" in plan ? [plan.refuse] : []))[0];
  const why = JSON.stringify(`jl::${name} does not take this type${refused ? `: ${refused}` : ""}`);
  return [
    // The rest of a rejected call is valid, so that the compiler reports only the rejection.
    `template <typename T> struct ${name}_call {`,
    `  static_assert(sizeof(T) == 0, ${why});`,
    "  typedef T type;",
    `  static __device__ inline T run(${rolesOf(op)
      .map(() => "T")
      .join(", ")}) { return T(); }`,
    "};",
    ...plans.flatMap(({ dtype, plan }) => {
      if ("refuse" in plan) return [];
      const type = dtypes[plan.compute.compute];
      const result = plan.out === plan.compute ? "T" : dtypes[plan.out.compute].ctype;
      const list = rolesOf(op).map(
        (role, i) => `${role === "common" ? "T" : dtypes[role].ctype} ${letters[i]}`,
      );
      return [
        `template <> struct ${name}_call<${dtypes[dtype.compute].ctype}> {`,
        `  typedef ${type.ctype} type;`,
        `  template <typename T> static __device__ inline ${result} run(${list.join(", ")}) {`,
        ...returnLines(plan),
        "  }",
        "};",
      ];
    }),
  ];
}

/** The function with the operation's name: converts the arguments to their common C++ type. */
function wrapper(name: string, op: Op): string {
  const roles = rolesOf(op);
  const free = roles.flatMap((role, i) => (role === "common" ? [letters[i]?.toUpperCase() as string] : []));
  const common = free.reduce((left, right) => `typename common<${left}, ${right}>::type`);
  const list = roles.map((role, i) => {
    const letter = letters[i] as string;
    return `${role === "common" ? letter.toUpperCase() : dtypes[role].ctype} ${letter}`;
  });
  const values = roles.map((role, i) =>
    role === "common" ? `typename call::type(${letters[i]})` : letters[i],
  );
  return [
    `template <${free.map((type) => `typename ${type}`).join(", ")}> __device__ inline auto ${name}(${list.join(", ")}) {`,
    `  typedef ${name}_call<${common}> call;`,
    `  return call::run(${values.join(", ")});`,
    "}",
  ].join("\n");
}

/** Definitions of the constants that a text names, in the precision of its kernel. */
export function constantsText(source: string, compute: DType): string[] {
  const narrow = /^(?:float|complex<float>)$/.test(dtypes[compute.compute].ctype);
  const type = narrow ? "float" : "double";
  return constantsOf(source).map((name) => {
    const value = constants[name] as number;
    if (Number.isFinite(value)) return `constexpr ${type} ${name} = ${value};`;
    // Not every compiler has them as constant expressions; they are macros in C, too.
    return `#define ${name} float_of(${bitsOf(value, narrow)})`;
  });
}

/** The names of macros that {@link constantsText} defines. */
export function constantMacros(source: string): string[] {
  return constantsOf(source).filter((name) => !Number.isFinite(constants[name]));
}

/** The constants that a text names and does not define itself. */
function constantsOf(source: string): string[] {
  const words = new Set(blanked(source).match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []);
  const names = Object.keys(constants).filter((name) => words.has(name));
  return names.filter((name) => !new RegExp(`#[ \\t]*define[ \\t]+${name}\\b`).test(source));
}

function bitsOf(value: number, narrow: boolean): string {
  if (Number.isNaN(value)) return narrow ? "0x7fc00000u" : "0x7ff8000000000000ull";
  return narrow ? "0x7f800000u" : "0x7ff0000000000000ull";
}
