// The functor of a user's C++ text. Equal texts with equal options are one functor, so that they share kernels.
import { optionsOf, textOf } from "../base/arguments.js";
import { type DType, type DTypeName, dtypeOf, dtypes } from "../base/dtype.js";
import { isRevoked, JitlabError, show } from "../base/errors.js";
import type { Scalar } from "../ops/op.js";
import { checkedDivisions, checkedFiles } from "./checked-division.js";
import { type DeclaredArgument, declarationOf } from "./declaration.js";
import { checkDraws, drawFiles } from "./draws.js";
import { type Argument, type ArgumentType, type Functor, makeFunctor, type TextPlace } from "./functor.js";
import { withoutHeaders } from "./included-headers.js";
import { whyNotShared } from "./kernel-sharing.js";
import { libraryCalls, libraryFiles } from "./library-calls.js";
import { mathCalls, mathCallsFile } from "./math-calls.js";
import { keyUse, positionRoles, positionsOf, withPositions } from "./position.js";
import { type CppFunction, functionsOf } from "./signature.js";
import { userSlopes } from "./user-slopes.js";

/** Options for making a function from a functor's text. */
export interface TextOptions {
  /** The function's name; default: the entry's. */
  readonly name?: string | undefined;
  /** Captured parameters and their defaults; a call may override them, with the same kernel. */
  readonly params?: Readonly<Record<string, Scalar>> | undefined;
  /** The result's dtype: as declared ("same", the default), bool, float (integers compute in float32) or a dtype. */
  readonly returns?: "same" | "bool" | "float" | DTypeName | undefined;
  /** Lets the compiler contract a*b+c, which rounds once. */
  readonly fma?: boolean | undefined;
  /**
   * Derivatives of its one result by inputs, as expressions over inputs, parameters and `result`: `{ x: "cos(x)" }`. Without
   * them the derivatives follow from the functor.
   */
  readonly slopes?: Readonly<Record<string, string>> | undefined;
  /** The text's source position, for compile errors. */
  readonly place?: TextPlace | undefined;
}

// A text with this many characters probably computes for longer than its loads take.
const heavyText = 2000;

/** The functor of a text; throws `bad-functor` for an invalid signature. */
export function textFunctor(what: string, text: string, given: TextOptions | undefined): Functor {
  const source = withoutHeaders(what, textOf(what, "the functor's text", text));
  const options = optionsOf(what, given, ["name", "params", "returns", "fma", "slopes", "place"]);
  for (const [name, value] of Object.entries(options)) {
    if (isRevoked(value))
      throw new JitlabError(
        "bad-argument",
        `jit: ${name} is ${show(value)}.`,
        "Pass a value that can be read.",
      );
  }
  return interned(JSON.stringify([source, options], exactly), () => {
    const declaration = declarationOf(source, options);
    const functions = functionsOf(source);
    const calls = libraryCalls(source);
    const mathFiles = mathCalls(source).length > 0 ? [mathCallsFile] : [];
    const roles = rolesOf(declaration.arguments);
    checkDraws(source, functions);
    const uses = positionsOf(source, functions);
    const drawing = uses.includes(keyUse) ? drawFiles : [];
    const positions = positionRoles(uses, roles.inputs.length, roles.parameters.length);
    const text = withPositions(source.trimEnd(), functions.at(-1) as CppFunction, uses);
    const checked = once((compute) => checkedDivisions(text, functions.at(-1)?.template, compute));
    const { results } = declaration;
    return makeFunctor({
      inputs: [...roles.inputs, ...positions.inputs],
      inputNames: [...roles.inputNames, ...positions.inputNames],
      parameters: [...roles.parameters, ...positions.parameters],
      signature: [...positions.signature, ...roles.signature],
      name: declaration.name,
      entry: declaration.entry,
      results,
      template: declaration.template,
      text: () => text,
      checked,
      needs: (compute) => {
        const files = checked(compute) === text ? [] : checkedFiles;
        return [...new Set([...files, ...mathFiles, ...drawing, ...libraryFiles(calls, compute)])];
      },
      resolve: resolverOf(results, options.returns ?? "same"),
      fma: options.fma ?? false,
      heavy: () => source.length > heavyText,
      converts: false,
      user: true,
      unfusable: whyNotShared(source, options.fma),
      place: options.place,
      ...(options.slopes && {
        slopes: userSlopes(
          declaration.name,
          options.slopes,
          roles.inputNames,
          roles.parameters.map((one) => one.name),
          results.length,
        ),
      }),
    });
  });
}

/** A function that computes its result for each dtype once: every kernel of a functor asks for its text twice. */
function once(compute: (dtype: DType) => string): (dtype: DType) => string {
  const results = new Map<DType, string>();
  return (dtype) => {
    const result = results.get(dtype) ?? compute(dtype);
    results.set(dtype, result);
    return result;
  };
}

/** The part of a functor that follows from its entry's parameters. */
export function rolesOf(
  list: readonly DeclaredArgument[],
): Pick<Functor, "inputs" | "inputNames" | "parameters" | "signature"> {
  const inputs = list.filter(({ role }) => role === "input");
  const counts = { input: 0, parameter: 0, output: 0 };
  return {
    inputs: inputs.map(({ type }) => type),
    inputNames: inputs.map(({ name }) => name),
    parameters: list.flatMap(({ name, type, value }) => (value === undefined ? [] : [{ name, type, value }])),
    signature: list.map(({ role }): Argument => ({ role, index: counts[role]++ })),
  };
}

/** The dtype resolution of a functor with these results. */
export function resolverOf(
  results: readonly ArgumentType[],
  returns: NonNullable<TextOptions["returns"]>,
): Functor["resolve"] {
  const forced = returns === "same" || returns === "float" ? undefined : dtypeOf(returns);
  return (common) => {
    const wide =
      returns === "float" && common.kind !== "float" && common.kind !== "complex" ? dtypes.float32 : common;
    const outputs = results.map((type) => forced ?? (type === "T" ? wide : type));
    return { compute: dtypes[wide.compute], outputs };
  };
}

/** Encodes values that JSON lacks: bigints, NaN, infinities and -0. */
export function exactly(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "number" && (Object.is(value, -0) || !Number.isFinite(value)) ? show(value) : value;
}

// Weak references to functors by their keys.
const functors = new Map<string, WeakRef<Functor>>();
const collected = new FinalizationRegistry<string>((key) => {
  if (functors.get(key)?.deref() === undefined) functors.delete(key);
});

/** The functor of a key: the existing one, or a new one. */
export function interned(key: string, make: () => Functor): Functor {
  const known = functors.get(key)?.deref();
  if (known) return known;
  const functor = make();
  functors.set(key, new WeakRef(functor));
  collected.register(functor, key);
  return functor;
}
