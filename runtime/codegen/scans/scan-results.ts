// The results of a scan that maps take in its last pass: what is stored is theirs, and the results that something else reads.
import type { DType } from "../../base/dtype.js";
import type { Functor } from "../../functor/functor.js";
import type { ScanPlan } from "../../functor/scan.js";
import { indented } from "../indented.js";
import type { PlacedArgument } from "../maps/staged-loop.js";
import { mapsText, type NamedScalar, partLoop, stridedLoop } from "./scan-elements.js";
import { scanPart } from "./scan-form.js";

/** The maps after a scan. */
export interface ScanAfter {
  /** Its inputs are the results, then an element of each operand; it has fixed dtypes. */
  readonly functor: Functor;
  /** For each result of the scan: true if it is stored too. */
  readonly keeps: readonly boolean[];
}

const space = "after::";

/** The C++ of the maps, apart from that of the maps before the scan. */
export function afterText({ functor }: ScanAfter, isGpu: boolean): string {
  return `namespace after {\n${mapsText(functor, isGpu)}\n}`;
}

/** Operands and scalars of a kernel for the maps, next to those of the scan; the stored results of both come first. */
export function afterOperands({ functor, keeps }: ScanAfter) {
  const stored = keeps.filter((is) => is).length + functor.results.length;
  return {
    outputs: Array.from({ length: stored }, (_, i) => `out${i}`),
    inputs: functor.inputs.slice(keeps.length).map((_, i) => `x${i}`),
    scalars: functor.parameters.map(
      ({ name, type }): NamedScalar => ({ name: `after_${name}`, dtype: type as DType }),
    ),
  };
}

/** The name of a stored result: of the scan's result `i` if it is kept, or of the maps' result `i`. */
function keptName({ keeps }: ScanAfter, i: number): string {
  return `out${keeps.slice(0, i).filter((is) => is).length}`;
}
function madeName({ keeps }: ScanAfter, i: number): string {
  return `out${keeps.filter((is) => is).length + i}`;
}

/** Elements that a grid's thread reads for the maps before it stores: their buffers, and the statements that read at `k`. */
export function fetches({ functor, keeps }: ScanAfter, count: number) {
  const operands = functor.inputs.slice(keeps.length) as readonly DType[];
  return {
    buffers: operands.map(({ ctype }, i) => `${ctype} fetched${i}[${count}];`),
    reads: operands.map((_, i) => `fetched${i}[j] = x${i}[k * x${i}_step];`),
  };
}

/** The C++ of the places of a stored result, by its name, and of an operand. */
export interface AfterPlaces {
  readonly output: (name: string) => string;
  readonly operand: (index: number) => string;
}

/** The places at `k` in memory; `fetched` elements are in the buffers of {@link fetches}. */
export function placesAt(k: string, step: string, fetched: boolean): AfterPlaces {
  return {
    output: (name) => `${name}[(${k}) * ${step}]`,
    operand: (i) => (fetched ? `fetched${i}[j]` : `x${i}[(${k}) * x${i}_step]`),
  };
}

/** Statements of a grid's thread that store what follows from the accumulator `a`. */
export function storesAfter(
  after: ScanAfter,
  { results, finish }: ScanPlan,
  { output, operand }: AfterPlaces,
): string[] {
  const { functor, keeps } = after;
  const spelled = ({ role, index }: PlacedArgument): string => {
    if (role === "output") return `y${index}`;
    if (role === "parameter") return `after_${functor.parameters[index]?.name}`;
    return index < results.length ? `result${index}` : operand(index - results.length);
  };
  return [
    "{",
    ...results.map(({ ctype }, i) => `  const ${ctype} result${i} = cast<${ctype}>(${finish[i]});`),
    ...functor.results.map((type, i) => `  ${(type as DType).ctype} y${i};`),
    `  ${space}${functor.entry}(${functor.signature.map((one) => spelled(one as PlacedArgument)).join(", ")});`,
    ...keeps.flatMap((is, i) => (is ? [`  ${output(keptName(after, i))} = result${i};`] : [])),
    ...functor.results.map((_, i) => `  ${output(madeName(after, i))} = y${i};`),
    "}",
  ];
}

/** On a processor the results of a part go to buffers first: their declarations, and the statements that fill them at `k`. */
export function bufferedResults({ results, finish }: ScanPlan, k: string) {
  return {
    declarations: results.map(({ ctype }, i) => `  alignas(64) ${ctype} results${i}[${scanPart}];`),
    stores: results.map(({ ctype }, i) => `results${i}[${k}] = cast<${ctype}>(${finish[i]});`),
  };
}

/** Statements of a processor, after a part's results are in buffers: loops in vector registers. */
export function partAfter(after: ScanAfter, { results }: ScanPlan): string[] {
  const { functor, keeps } = after;
  const { inputs } = afterOperands(after);
  const loop = (isDense: boolean): string[] => {
    const at = (step: string) => (isDense ? "[k]" : `[k * ${step}]`);
    const spelled = ({ role, index }: PlacedArgument): string => {
      if (role === "output") return `${madeName(after, index)}${at("out_step")}`;
      if (role === "parameter") return `after_${functor.parameters[index]?.name}`;
      const operand = index - results.length;
      return operand < 0 ? `results${index}[k]` : `x${operand}${at(`x${operand}_step`)}`;
    };
    const kept = keeps.flatMap((is, i) =>
      is
        ? [`for (int64 k = 0; k < count; ++k) ${keptName(after, i)}${at("out_step")} = results${i}[k];`]
        : [],
    );
    const isStrided = ({ role, index }: PlacedArgument) =>
      role === "output" || (role === "input" && index >= results.length);
    const computed = isDense
      ? partLoop(functor, spelled, space)
      : stridedLoop(functor, spelled, isStrided, space);
    return indented([...computed, ...kept], "    ");
  };
  const isDense = ["out_step == 1", ...inputs.map((name) => `${name}_step == 1`)].join(" && ");
  return [`  if (${isDense}) {`, ...loop(true), "  } else {", ...loop(false), "  }"];
}
