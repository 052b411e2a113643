// The elements of a scan that maps compute: they are computed where the scan reads them, and not stored.
import type { DType } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { Functor } from "../../functor/functor.js";
import { indented } from "../indented.js";
import { blockSize } from "../maps/element.js";
import { blocks, type PlacedArgument, stageLoops } from "../maps/staged-loop.js";
import { scanPart } from "./scan-form.js";

/** A scalar of a kernel. */
export interface NamedScalar {
  readonly name: string;
  readonly dtype: DType;
}

/** The dtypes of the operands, scalars and result of the functor of maps, which are fixed. */
export interface ScanElements {
  readonly inputs: readonly DType[];
  readonly scalars: readonly NamedScalar[];
  readonly result: DType;
}

/** The dtypes of a functor of maps. */
export function scanElements({ inputs, parameters, results }: Functor): ScanElements {
  return {
    inputs: inputs as readonly DType[],
    scalars: parameters.map(({ name, type }) => ({ name, dtype: type as DType })),
    result: results[0] as DType,
  };
}

/** The C++ of a functor of maps. A grid has no loops over blocks, nor the functions that only these call. */
export function mapsText(functor: Functor, isGpu: boolean): string {
  const text = functor.text(scanElements(functor).result);
  return isGpu || !functor.stages ? text : `${text}\n${functor.stages.text}`;
}

/**
 * Statements before a scan's body, after which `in` gives the elements of a part at a step of `in_step`: on a processor from
 * a buffer that loops in vector registers fill, on a GPU from the functor, which has its loads apart.
 */
export function elementsText(functor: Functor, dialect: Dialect): string[] {
  const { inputs, scalars, result } = scanElements(functor);
  const each = inputs.map((_, i) => i);
  const names = scalars.map(({ name }) => name);
  const read = each.map((i) => `in${i}[k * in${i}_step]`);
  const isDense = ["true", ...each.map((i) => `in${i}_step == 1`)].join(" && ");
  if (dialect.gpu) {
    const fields = [
      ...each.map((i) => `const ${inputs[i]?.ctype}* in${i}; int64 in${i}_step;`),
      ...scalars.map(({ name, dtype }) => `${dtype.ctype} ${name};`),
    ];
    const values = [...each.flatMap((i) => [`in${i}`, `in${i}_step`]), ...names];
    const loaded = each.map((i) => `loaded.x${i}`);
    return [
      `  struct Elements {`,
      `    ${fields.join(" ")}`,
      `    struct Loaded { ${each.map((i) => `${inputs[i]?.ctype} x${i};`).join(" ")} };`,
      `    __device__ Loaded load(int64 k) const { return {${read.join(", ")}}; }`,
      `    __device__ Loaded load_dense(int64 k) const { return {${each.map((i) => `in${i}[k]`).join(", ")}}; }`,
      `    __device__ ${result.ctype} of(const Loaded& loaded) const {`,
      `      ${result.ctype} y;`,
      `      ${functor.entry}(${[...loaded, ...names, "y"].join(", ")});`,
      `      return y;`,
      `    }`,
      `    __device__ ${result.ctype} operator[](int64 k) const { return of(load(k)); }`,
      `    __device__ bool is_dense() const { return ${isDense}; }`,
      `  };`,
      `  const Elements in = {${values.join(", ")}};`,
      `  const int64 in_step = 1;`,
    ];
  }
  const spelled =
    (elements: readonly string[]) =>
    ({ role, index }: PlacedArgument): string => {
      if (role === "output") return "staged[k]";
      return (role === "parameter" ? names[index] : elements[index]) as string;
    };
  const dense = partLoop(functor, spelled(each.map((i) => `in${i}[k]`)));
  const strided = stridedLoop(functor, spelled(read), ({ role }) => role === "input");
  return [
    `  alignas(64) ${result.ctype} staged[${scanPart}];`,
    `  if (${isDense}) {`,
    ...indented(dense, "    "),
    `  } else {`,
    ...indented(strided, "    "),
    `  }`,
    `  const ${result.ctype}* const in = staged;`,
    `  const int64 in_step = 1;`,
  ];
}

/** A processor's loop over the elements of a part: in blocks if the functor has stages. `spelled` writes an argument at `k`. */
export function partLoop(
  { stages, signature, entry }: Functor,
  spelled: (argument: PlacedArgument) => string,
  space = "",
): string[] {
  const size = blockSize;
  if (stages) return blocks("0", "count", stageLoops(stages, "k", spelled, size, space), size);
  const call = `${space}${entry}(${signature.map((one) => spelled(one as PlacedArgument)).join(", ")});`;
  return ["JITLAB_INDEPENDENT", `for (int64 k = 0; k < count; ++k) ${call}`];
}

/**
 * Like {@link partLoop}, for arguments of which some are apart in memory: these are moved to and from buffers block by block,
 * so that the loops that compute are vectorized.
 */
export function stridedLoop(
  functor: Functor,
  spelled: (argument: PlacedArgument) => string,
  isStrided: (argument: PlacedArgument) => boolean,
  space = "",
): string[] {
  const { stages, entry, inputs, results } = functor;
  const signature = functor.signature as readonly PlacedArgument[];
  const size = blockSize;
  const strided = signature.filter(isStrided);
  const buffer = ({ role, index }: PlacedArgument) => `${role}${index}`;
  const local = (argument: PlacedArgument) =>
    isStrided(argument) ? `${buffer(argument)}[k - first]` : spelled(argument);
  const each = (statement: string) => `for (int64 k = first; k < last; ++k) ${statement};`;
  const moved = (role: PlacedArgument["role"], statement: (argument: PlacedArgument) => string) =>
    strided.flatMap((argument) => (argument.role === role ? [each(statement(argument))] : []));
  const loops = stages
    ? stageLoops(stages, "k", local, size, space)
    : ["JITLAB_INDEPENDENT", each(`${space}${entry}(${signature.map(local).join(", ")})`)];
  const typeOf = ({ role, index }: PlacedArgument) =>
    ((role === "output" ? results : inputs) as readonly DType[])[index];
  const lines = [
    ...strided.map((argument) => `alignas(64) ${typeOf(argument)?.ctype} ${buffer(argument)}[${size}];`),
    ...moved("input", (argument) => `${local(argument)} = ${spelled(argument)}`),
    ...loops,
    ...moved("output", (argument) => `${spelled(argument)} = ${local(argument)}`),
  ];
  return blocks("0", "count", lines, size);
}
