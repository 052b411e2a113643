// The functor of a JavaScript function: its parameters, its captured variables, and its text for each precision.
import type { AnyNode } from "acorn";
import { optionsOf } from "../../base/arguments.js";
import { type DType, dtypes } from "../../base/dtype.js";
import { didYouMean, isRevoked, JitlabError, show } from "../../base/errors.js";
import type { Scalar } from "../../ops/op.js";
import type { Accumulator } from "../accumulator.js";
import type { CalledFunctor } from "../called-functor.js";
import { checkParameterName, functorName } from "../declaration.js";
import { drawFiles } from "../draws.js";
import { type Argument, type ArgumentType, makeFunctor, type Parameter } from "../functor.js";
import { whyNotShared } from "../kernel-sharing.js";
import { libraryCalls, libraryFiles } from "../library-calls.js";
import { keyUse, positionRoles } from "../position.js";
import { exactly, interned, resolverOf, type TextOptions } from "../text-functor.js";
import { userSlopes } from "../user-slopes.js";
import { accumulatorParameters, expectedOf } from "./accumulator-parameters.js";
import { operationOf } from "./math.js";
import { Names } from "./scope.js";
import { type ScriptSource, scriptError, sourceOf } from "./source.js";
import type { EntryParameter, OuterNames, Outside, Translation } from "./translation.js";
import { translate } from "./translator.js";
import { carried, float, Precision, type Type } from "./types.js";

/** Options for making a functor from a function. */
export interface ScriptOptions extends TextOptions {
  /** The captured variables: numbers are read at each call, functions are translated. */
  readonly use?: Readonly<Record<string, unknown>> | undefined;
}

/** Which of a function's parameters are accumulators of a reduction, and whether it returns one. */
export interface AccumulatorRoles {
  readonly accumulator: Accumulator;
  /** The number of leading parameters that are accumulators. */
  readonly taken: number;
  readonly returned: boolean;
}

/** A function to translate. */
export type ScriptFunction = (...args: never[]) => unknown;

interface Signature {
  readonly parameters: readonly EntryParameter[];
  /** The defaults of captured parameters by name. */
  readonly values: ReadonlyMap<string, Scalar>;
}

/** The functor of a function; throws `bad-script` with the position of unsupported code. */
export function scriptFunctor(
  what: string,
  fn: ScriptFunction,
  given: ScriptOptions | undefined,
  roles?: AccumulatorRoles,
): CalledFunctor {
  const options = optionsOf(what, given, ["name", "params", "returns", "fma", "slopes", "place", "use"]);
  const name = functorName(options.name ?? (/^[A-Za-z_]\w*$/.test(fn.name) ? fn.name : "functor"));
  // C++ keywords are valid names in JavaScript.
  const entryName = new Names().fresh(name);
  const source = sourceOf(fn, name, options.place);
  const outerNames = outerNamesOf(options.use ?? {}, name);
  const signatures = new Map<string, Signature>();
  const expected = roles?.returned ? expectedOf(roles.accumulator) : undefined;
  const translations = new Map<string, Translation>();
  const translationOf = (compute: DType): Translation => {
    const known = translations.get(compute.compute);
    if (known) return known;
    const precision = new Precision(compute);
    const signature = signatureOf(source, options.params ?? {}, precision, roles);
    signatures.set(compute.compute, signature);
    const { parameters } = signature;
    const translation = translate(source, entryName, parameters, precision, outerNames, expected);
    translations.set(compute.compute, translation);
    return translation;
  };
  const first = translationOf(dtypes.float64);
  const { parameters: entry, values } = signatures.get("float64") as Signature;
  const { captures, positions, keys } = first;
  const inputs = entry.filter(({ label }) => !values.has(label));
  const own = entry.flatMap(({ label }): Parameter[] => {
    const value = values.get(label);
    return value === undefined
      ? []
      : [{ name: label, type: typeof value === "boolean" ? dtypes.bool : "number", value }];
  });
  const taken = captures.map(({ label, kind }): Parameter => {
    return { name: `use_${label}`, type: kind === "bool" ? dtypes.bool : "number", value: 0 };
  });
  const places = positionRoles(positions, inputs.length, own.length + taken.length);
  const counts = { input: 0, parameter: 0 };
  const results = first.results.map((kind, i) => {
    if (expected) return (roles as AccumulatorRoles).accumulator.fields[i]?.type ?? "T";
    return kind === "bool" ? dtypes.bool : ("T" as const);
  });
  const signature: Argument[] = [
    ...entry.map(({ label }): Argument => {
      const role = values.has(label) ? "parameter" : "input";
      return { role, index: counts[role]++ };
    }),
    ...taken.map((_, i): Argument => ({ role: "parameter", index: own.length + i })),
    ...places.signature,
    ...(results.length > 1 ? results.map((_, index): Argument => ({ role: "output", index })) : []),
  ];
  const { use, ...rest } = options;
  const functor = interned(JSON.stringify(["script", source.text, first.text, rest, roles], exactly), () => {
    const text = (compute: DType): string => `${commented(source)}\n${translationOf(compute).text}`;
    const resolve = resolverOf(results, options.returns ?? "same");
    return makeFunctor({
      name,
      entry: entryName,
      inputs: [...inputs.map(({ type }) => inputType(type)), ...places.inputs],
      inputNames: [...inputs.map(({ label }) => label), ...places.inputNames],
      parameters: [...own, ...taken, ...places.parameters],
      results,
      signature,
      template: false,
      text,
      needs: (compute) => {
        const { text: translated } = translationOf(compute);
        return [
          ...libraryFiles(libraryCalls(translated), compute),
          ...(translated.includes("js::") ? ["script"] : []),
          ...(positions.includes(keyUse) ? drawFiles : []),
        ];
      },
      resolve: (common) =>
        common.kind === "complex"
          ? {
              refuse: "functors in JavaScript compute with real numbers; write it in C++ with complex<float>",
            }
          : resolve(common),
      fma: options.fma ?? false,
      heavy: () => first.text.length > 2000,
      converts: false,
      user: true,
      unfusable: whyNotShared("", options.fma),
      place: options.place,
      ...(options.slopes && {
        slopes: userSlopes(
          name,
          options.slopes,
          inputs.map(({ label }) => label),
          own.map((one) => one.name),
          results.length,
        ),
      }),
    });
  });
  return {
    functor,
    source: source.text,
    inputNames: inputs.map(({ label }) => label),
    parameters: own,
    positions,
    keys,
    captured:
      captures.length === 0
        ? undefined
        : () =>
            Object.fromEntries(
              captures.map(({ label }) => [`use_${label}`, outerNames.read(label) as Scalar]),
            ),
  };
}

function inputType(type: Type): ArgumentType {
  if (type === carried) return dtypes.int64;
  return type?.kind === "bool" ? dtypes.bool : "T";
}

/** The original function, above its translation. */
function commented({ text }: ScriptSource): string {
  return text
    .split("\n")
    .map((line) => `// ${line.replace(/\\$/, "\\ ")}`)
    .join("\n");
}

/** The function's parameters: inputs, captured ones with a default, and those of an object pattern at the end. */
function signatureOf(
  source: ScriptSource,
  params: Readonly<Record<string, Scalar>>,
  precision: Precision,
  roles: AccumulatorRoles | undefined,
): Signature {
  const parameters: EntryParameter[] = [];
  const values = new Map<string, Scalar>();
  const add = (node: AnyNode, label: string, fallback: AnyNode | undefined): void => {
    const value = Object.hasOwn(params, label) ? params[label] : fallback && constant(source, fallback);
    if (value === undefined) {
      parameters.push({ label, node, type: precision.input });
      return;
    }
    if (typeof value !== "number" && typeof value !== "boolean") {
      throw new JitlabError(
        "bad-parameter",
        `${source.name}: ${label} is ${show(value)}.`,
        "Its default is a number or a boolean.",
      );
    }
    checkParameterName(source.name, label);
    values.set(label, value);
    const type: Type = typeof value === "boolean" ? { kind: "bool" } : float;
    parameters.push({ label, node, type });
  };
  for (const [i, node] of source.node.params.entries()) {
    if (roles && i < roles.taken) {
      parameters.push(...accumulatorParameters(source, node, roles.accumulator, precision));
      continue;
    }
    if (node.type === "Identifier") add(node, node.name, undefined);
    else if (node.type === "AssignmentPattern" && node.left.type === "Identifier")
      add(node.left, node.left.name, node.right);
    else if (node.type === "ObjectPattern" && i === source.node.params.length - 1)
      addNamed(source, node.properties, params, add);
    else
      throw scriptError(
        source,
        node,
        "this parameter has no translation",
        "A parameter is a name; the last one may be ({ scale }) with params.",
      );
  }
  const labels = parameters.map(({ label }) => label);
  for (const key of Object.keys(params)) {
    if (labels.includes(key)) continue;
    throw new JitlabError(
      "unknown-parameter",
      `${source.name} has no parameter ${JSON.stringify(key)}.`,
      `${didYouMean(key, labels)} Its parameters are ${labels.join(", ")}.`.trim(),
    );
  }
  return { parameters, values };
}

function addNamed(
  source: ScriptSource,
  properties: readonly AnyNode[],
  params: Readonly<Record<string, Scalar>>,
  add: (node: AnyNode, label: string, fallback: AnyNode | undefined) => void,
): void {
  for (const property of properties) {
    const value = property.type === "Property" ? property.value : undefined;
    const target = value?.type === "AssignmentPattern" ? value.left : value;
    if (
      property.type !== "Property" ||
      property.key.type !== "Identifier" ||
      target?.type !== "Identifier" ||
      target.name !== property.key.name
    ) {
      throw scriptError(
        source,
        property,
        "this pattern has no translation",
        "Write the names alone: ({ scale, shift }).",
      );
    }
    const fallback = value?.type === "AssignmentPattern" ? value.right : undefined;
    if (fallback === undefined && !Object.hasOwn(params, target.name)) {
      throw scriptError(
        source,
        property,
        `${target.name} has no value`,
        `Give its default: { params: { ${target.name}: 1 } }.`,
      );
    }
    add(target, target.name, fallback);
  }
}

/** The value of a default, which must be a literal. */
function constant(source: ScriptSource, node: AnyNode): number | boolean {
  if (node.type === "Literal" && (typeof node.value === "number" || typeof node.value === "boolean"))
    return node.value;
  if (node.type === "UnaryExpression" && node.argument.type === "Literal") {
    const { value } = node.argument;
    if (node.operator === "-" && typeof value === "number") return -value;
    if (node.operator === "!" && typeof value === "number") return !value;
  }
  if (node.type === "BinaryExpression" && node.operator === "/" && node.left.type !== "PrivateIdentifier") {
    return Number(constant(source, node.left)) / Number(constant(source, node.right));
  }
  if (node.type === "Identifier" && node.name === "Infinity") return Number.POSITIVE_INFINITY;
  throw scriptError(
    source,
    node,
    "a default is a number or a boolean",
    "Write a literal, or pass its value as params.",
  );
}

/** Resolves names outside of a function: from `use`, and the variables of its notebook. */
function outerNamesOf(
  use: Readonly<Record<string, unknown>>,
  owner: string,
): OuterNames & { read(label: string): unknown } {
  const holders = new Map<string, Readonly<Record<string, unknown>>>();
  const holderOf = (label: string, cell: boolean, { home }: ScriptSource) => {
    if (Object.hasOwn(use, label)) return use;
    const variables = cell || home?.outermost ? home?.variables : undefined;
    return variables && label in variables ? variables : undefined;
  };
  return {
    read: (label) => {
      const value = holders.get(label)?.[label];
      if (typeof value === "number" || typeof value === "boolean") return value;
      throw new JitlabError(
        "bad-capture",
        `${owner}: the captured variable ${label} is now ${show(value)}.`,
        "It was a number when the function was translated; keep it one.",
      );
    },
    outside: (label, cell, source) => {
      const holder = holderOf(label, cell, source);
      if (holder === undefined) return undefined;
      holders.set(label, holder);
      return outsideOf(label, holder[label]);
    },
  };
}

/** The translation of a captured value. */
function outsideOf(label: string, value: unknown): Outside {
  if (typeof value === "number") return { kind: "number" };
  if (typeof value === "boolean") return { kind: "bool" };
  const operation = operationOf(value);
  if (operation !== undefined) return { kind: "operation", name: operation };
  if (typeof value === "function")
    return { kind: "function", source: sourceOf(value as ScriptFunction, label) };
  if (typeof value === "object" && value !== null && !isRevoked(value) && "pointer" in value) {
    return {
      kind: "refused",
      what: `${label} is a tensor`,
      help: `Pass it as an argument: (x, ${label}) => ...`,
    };
  }
  return {
    kind: "refused",
    what: `${label} is ${show(value)}, not a number or a function`,
    help: "Pass numbers and functions of numbers.",
  };
}
