// A reduction made from a user's functors: they join two accumulators, make an accumulator from an element, and the result
// from the last one. It becomes a plan like the library's reductions, with the same kernels, passes and order.
import { type DType, dtypes } from "../base/dtype.js";
import { JitlabError, show } from "../base/errors.js";
import type { Scalar } from "../ops/op.js";
import { type Accumulator, type Field, fieldDType } from "./accumulator.js";
import type { CalledFunctor } from "./called-functor.js";
import { type Enclosed, enclosedTexts } from "./enclosed.js";
import type { Argument, Functor } from "./functor.js";
import { positionName } from "./position.js";
import type { Reduction, ReductionPlan } from "./reduction.js";
import { Names } from "./script/scope.js";
import { Precision } from "./script/types.js";
import { floatLiteral } from "./script/value.js";
import { resolverOf, type TextOptions } from "./text-functor.js";

/** The parts of a reduction. */
export interface ReductionParts {
  readonly name: string;
  readonly accumulator: Accumulator;
  readonly combine: CalledFunctor;
  /** Makes an accumulator from an element; default: the element. */
  readonly map: CalledFunctor | undefined;
  /** Makes the result from an accumulator; default: the accumulator. */
  readonly finish: CalledFunctor | undefined;
  readonly returns: NonNullable<TextOptions["returns"]>;
}

type PartName = "combine" | "map" | "finish";

/** The reduction of its parts; throws `bad-reduction` if they do not match. */
export function customReduction(parts: ReductionParts): Reduction {
  checkParts(parts);
  const plans = new Map<DType, ReturnType<Reduction["plan"]>>();
  return {
    name: parts.name,
    ordered: (parts.map?.positions.length ?? 0) > 0,
    needsElements: false,
    converts: true,
    plan: (dtype) => {
      const plan = plans.get(dtype) ?? planOf(parts, dtype);
      plans.set(dtype, plan);
      return plan;
    },
  };
}

function planOf(parts: ReductionParts, dtype: DType): ReturnType<Reduction["plan"]> {
  const { accumulator, combine, map, finish, returns } = parts;
  const { fields, named } = accumulator;
  const resolve = finish?.functor.resolve ?? resolverOf([fields[0]?.type ?? "T"], returns);
  const resolutions = [combine, map].flatMap((part) => part?.functor.resolve(dtype) ?? []);
  const resolution = resolve(dtype);
  for (const one of [...resolutions, resolution]) if ("refuse" in one) return one;
  const { compute, outputs } = resolution as Exclude<typeof resolution, { refuse: string }>;
  const types = fields.map(({ type }) => fieldDType(type, compute));
  const names = new Names();
  const members = fields.map(({ name }) => names.fresh(name));
  const spaces = Object.entries({ combine, map, finish }).flatMap(([space, part]): Enclosed[] =>
    part ? [{ space: `${space}_part`, functor: part.functor }] : [],
  );
  const bytes = bytesOf(types, named);
  const all = (value: string) => (named ? members.map((member) => `${value}.${member}`) : [value]);
  const made = (name: PartName, part: CalledFunctor, inputs: readonly string[], compute: DType) =>
    bodyOf(name, part, inputs, named ? all("r") : [], compute);
  const text = [
    enclosedTexts(spaces, compute),
    named
      ? `struct alignas(${bytes.alignment}) Accumulator { ${types.map(({ ctype }, i) => `${ctype} ${members[i]};`).join(" ")} };`
      : `typedef ${types[0]?.ctype} Accumulator;`,
    `__device__ inline Accumulator combined(Accumulator a, Accumulator b) {`,
    ...made("combine", combine, [...all("a"), ...all("b")], compute),
    `}`,
    ...(map
      ? [`__device__ inline Accumulator lifted(T x, int64 place) {`, ...made("map", map, ["x"], compute), `}`]
      : []),
  ].join("\n");
  const literals = fields.map((field, i) => literal(parts.name, field, types[i] as DType));
  const plan: ReductionPlan = {
    compute,
    result: outputs[0] as DType,
    accumulator: text,
    accumulatorBytes: bytes.size,
    identity: named ? `Accumulator{${literals.join(", ")}}` : `${literals[0]}`,
    lift: map ? "lifted(x, place)" : `cast<Accumulator>(x)`,
    join: "combined(a, b)",
    finish: finish ? callOf("finish", finish, all("a"), [], compute) : "a",
    user: {
      needs: [...new Set(spaces.flatMap(({ functor }) => functor.needs(compute)))],
      uses: types,
      isUnfusable: spaces.some(({ functor }) => functor.unfusable !== undefined || functor.fma),
    },
  };
  return plan;
}

/** The lines that call a part and return its accumulator. */
function bodyOf(
  name: PartName,
  part: CalledFunctor,
  inputs: readonly string[],
  outputs: readonly string[],
  compute: DType,
): string[] {
  const byReference = part.functor.signature.some(({ role }) => role === "output");
  const call = callOf(name, part, inputs, byReference ? outputs : [], compute);
  if (byReference) return [`  Accumulator r{};`, `  ${call};`, `  return r;`];
  return outputs.length > 0 ? [`  return Accumulator{${call}};`] : [`  return ${call};`];
}

/** A call of a part. Captured values are literals; a position is the element's index, or the number of elements. */
function callOf(
  name: PartName,
  { functor, inputNames, captured }: CalledFunctor,
  inputs: readonly string[],
  outputs: readonly string[],
  compute: DType,
): string {
  const values = captured?.() ?? {};
  const argument = ({ role, ...rest }: Argument): string => {
    const index = "index" in rest ? rest.index : 0;
    if (role === "output") return outputs[index] as string;
    if (role === "input") return index < inputNames.length ? (inputs[index] as string) : "place";
    const parameter = functor.parameters[index] as Functor["parameters"][number];
    if (parameter.name === "extent_0") return "total";
    return numberText(values[parameter.name] ?? parameter.value, compute);
  };
  const type = functor.template ? `<${compute.ctype}>` : "";
  return `${name}_part::${functor.entry}${type}(${functor.signature.map(argument).join(", ")})`;
}

function numberText(value: Scalar, compute: DType): string {
  if (typeof value === "boolean") return `${value}`;
  if (typeof value === "bigint") return `${value}LL`;
  if (typeof value === "number") return floatLiteral(value, new Precision(compute));
  throw badReduction("A captured parameter is a complex number.", "Capture its parts.");
}

/** The value of a field for no elements. */
function literal(name: string, { identity }: Field, dtype: DType): string {
  if (dtype.kind === "bool") return `${Boolean(identity)}`;
  if (dtype.kind === "float")
    return `${dtype.ctype}(${floatLiteral(Number(identity), new Precision(dtype))})`;
  if (dtype.kind === "complex")
    return `${dtype.ctype}(${floatLiteral(Number(identity), new Precision(dtypes.float64))})`;
  const bits = BigInt(dtype.bytes * 8);
  const signed = dtype.kind === "signed";
  const most = (1n << (signed ? bits - 1n : bits)) - 1n;
  const least = signed ? -most - 1n : 0n;
  if (typeof identity === "number" && !Number.isInteger(identity) && Number.isFinite(identity)) {
    throw badReduction(
      `${name}: the identity ${show(identity)} is not ${dtype.name}.`,
      'Reduce floats, x.to("float32"), or choose an integer.',
    );
  }
  if (Number.isNaN(identity))
    throw badReduction(`${name}: the identity NaN is not ${dtype.name}.`, "Choose an integer.");
  // An infinity becomes the smallest or largest integer.
  const value = identity === Infinity ? most : identity === -Infinity ? least : BigInt(identity as number);
  const inside = value > most ? most : value < least ? least : value;
  return `${dtype.ctype}(${inside === least && signed ? `${inside + 1n}LL - 1` : `${inside}${signed ? "LL" : "ULL"}`})`;
}

/** The size of an accumulator. A small one has a power of two, so that threads and vectors hold whole ones. */
function bytesOf(
  types: readonly DType[],
  named: boolean,
): { readonly size: number; readonly alignment: number } {
  const widest = Math.max(...types.map(({ bytes }) => bytes));
  let end = 0;
  for (const { bytes } of types) end = Math.ceil(end / bytes) * bytes + bytes;
  const alignment = named ? Math.max(widest, Math.min(16, 2 ** Math.ceil(Math.log2(end)))) : widest;
  return { size: Math.ceil(end / alignment) * alignment, alignment };
}

function checkParts({ name, accumulator, combine, map, finish }: ReductionParts): void {
  const { fields, named } = accumulator;
  const count = fields.length;
  if (named && (!map || !finish)) {
    throw badReduction(
      `${name}: the accumulator has several values, but ${map ? "finish" : "map"} is missing.`,
      "map makes an accumulator from an element, finish the result from the last accumulator.",
    );
  }
  const check = (what: PartName, part: CalledFunctor | undefined, takes: number, gives: number) => {
    if (!part) return;
    const [inputs, results] = [part.inputNames.length, part.functor.results.length];
    if (inputs === takes && results === gives) return;
    throw badReduction(
      `${name}: ${what} takes ${valuesOf(inputs)} and gives ${results}.`,
      `With ${valuesOf(count)} in the accumulator it takes ${takes} and gives ${gives}.`,
    );
  };
  check("combine", combine, 2 * count, count);
  check("map", map, 1, count);
  check("finish", finish, count, 1);
  const allowed: Readonly<Record<PartName, string>> = { combine: "", map: "index_0", finish: "extent_0" };
  for (const [what, part] of Object.entries({ combine, map, finish }) as [
    PartName,
    CalledFunctor | undefined,
  ][]) {
    const other = part?.positions.find((use) => positionName(use) !== allowed[what]);
    if (other === undefined) continue;
    if (other.kind === "key")
      throw badReduction(`${name}: ${what} draws random numbers.`, "Reduce a tensor of jl.rand or jl.randn.");
    throw badReduction(
      `${name}: ${what} uses ${other.kind}(${other.dim}).`,
      "map may use index(0), the element's index, and finish may use extent(0), the number of elements.",
    );
  }
}

function valuesOf(count: number): string {
  return count === 1 ? "1 value" : `${count} values`;
}

function badReduction(what: string, help: string): JitlabError {
  return new JitlabError("bad-reduction", what, help);
}
