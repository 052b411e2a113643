// The maps after a reduction, in its last pass: the thread or task that has a result computes what follows from it and stores
// that.
import type { DType } from "../../base/dtype.js";
import type { Dialect } from "../../device/dialect.js";
import type { Functor } from "../../functor/functor.js";
import type { ArgumentFields } from "../argument-fields.js";
import { argumentDType } from "../maps/map-spec.js";

/** The namespace of the epilogue's functor. */
export const epilogueSpace = "epilogue";

/** The maps after a reduction, or what is stored of several reductions. */
export interface ReduceEpilogue {
  /** Its inputs are the results, then an element of each operand; it has fixed dtypes. */
  readonly functor: Functor | undefined;
  /** For each operand: true if it has one element for all results, false if it is as dense as the results. */
  readonly single: readonly boolean[];
  /** For each reduction: true if its results are stored too. */
  readonly keeps: readonly boolean[];
}

/** Places the addresses that a kernel with an epilogue needs: of its outputs, the kept results first, then of its operands. */
export function addEpilogue(
  fields: ArgumentFields,
  { functor, single, keeps }: ReduceEpilogue,
  results: readonly DType[],
  dialect: Dialect,
): void {
  const add = (name: string, ctype: string) => fields.address(name, dialect.pointer(ctype));
  results.forEach(({ ctype }, i) => {
    if (keeps[i]) add(`out${i}`, ctype);
  });
  functor?.results.forEach((type, i) => void add(`after_out${i}`, ctypeOf(type)));
  single.forEach((_, i) => void add(`after_in${i}`, `const ${ctypeOf(functor?.inputs[results.length + i])}`));
}

/** The function that computes and stores what follows from the results number `at`. */
export function epilogueText({ functor, single, keeps }: ReduceEpilogue, results: readonly DType[]): string {
  const list = results.map(({ ctype }, i) => `, ${ctype} result${i}`).join("");
  return [
    `// What follows from result number \`at\`.`,
    `__device__ inline void store_after(const Arguments& args, int64 at${list}) {`,
    ...(functor ? callLines(functor, single, results.length) : []),
    ...keeps.flatMap((is, i) => (is ? [`  args.out${i}[at] = result${i};`] : [])),
    ...(functor?.results ?? []).map((_, i) => `  args.after_out${i}[at] = y${i};`),
    `}`,
  ].join("\n");
}

function callLines(functor: Functor, single: readonly boolean[], results: number): string[] {
  const values = functor.signature.map((argument) => {
    if (argument.role === "output") return `y${argument.index}`;
    if (argument.role === "parameter") return `args.after_${functor.parameters[argument.index]?.name}`;
    if (argument.role === "position") throw new Error("What follows a reduction has no positions.");
    const operand = argument.index - results;
    return operand < 0 ? `result${argument.index}` : `args.after_in${operand}[${single[operand] ? 0 : "at"}]`;
  });
  return [
    ...functor.results.map((type, i) => `  ${ctypeOf(type)} y${i};`),
    `  ${epilogueSpace}::${functor.entry}(${values.join(", ")});`,
  ];
}

function ctypeOf(type: Functor["inputs"][number] | undefined): string {
  if (type === undefined || type === "T") throw new Error("What follows a reduction has fixed dtypes.");
  return argumentDType(type, type).ctype;
}
