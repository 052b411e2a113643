// The maps after a reduction, in its last pass: the thread or task that has a result computes what follows from it and stores
// that.
import type { DType } from "../base/dtype.js";
import type { Dialect } from "../device/dialect.js";
import type { Functor } from "../functor/functor.js";
import type { ArgumentFields, Field } from "./argument-fields.js";
import { argumentDType } from "./spec.js";

/** The namespace of the epilogue's functor. */
export const epilogueSpace = "epilogue";

/** The maps after a reduction. */
export interface ReduceEpilogue {
  /** Its inputs are a result, then an element of each operand; it has fixed dtypes. */
  readonly functor: Functor;
  /** For each operand: true if it has one element for all results, false if it is as dense as the results. */
  readonly single: readonly boolean[];
  /** True if the results of the reduction are stored too. */
  readonly keeps: boolean;
}

/** The addresses that a kernel with an epilogue needs: of its outputs, the kept results first, then of its operands. */
export function epiloguePointers(
  { functor, single, keeps }: ReduceEpilogue,
  kept: string,
  fields: ArgumentFields,
  dialect: Dialect,
): Field[] {
  const pointer = (name: string, ctype: string) => fields.add(name, dialect.pointer(ctype), 8);
  return [
    ...(keeps ? [pointer("out", kept)] : []),
    ...functor.results.map((type, i) => pointer(`after_out${i}`, ctypeOf(type))),
    ...single.map((_, i) => pointer(`after_in${i}`, `const ${ctypeOf(functor.inputs[i + 1])}`)),
  ];
}

/** The function that computes and stores what follows from result number `at`. */
export function epilogueText({ functor, single, keeps }: ReduceEpilogue, result: DType): string {
  const values = functor.signature.map((argument) => {
    if (argument.role === "output") return `y${argument.index}`;
    if (argument.role === "parameter") return `args.after_${functor.parameters[argument.index]?.name}`;
    if (argument.role === "position") throw new Error("What follows a reduction has no positions.");
    const operand = argument.index - 1;
    return operand < 0 ? "result" : `args.after_in${operand}[${single[operand] ? 0 : "at"}]`;
  });
  return [
    `// What follows from result number \`at\`.`,
    `__device__ inline void store_after(const Arguments& args, int64 at, ${result.ctype} result) {`,
    ...functor.results.map((type, i) => `  ${ctypeOf(type)} y${i};`),
    `  ${epilogueSpace}::${functor.entry}(${values.join(", ")});`,
    ...(keeps ? [`  args.out[at] = result;`] : []),
    ...functor.results.map((_, i) => `  args.after_out${i}[at] = y${i};`),
    `}`,
  ].join("\n");
}

function ctypeOf(type: Functor["inputs"][number] | undefined): string {
  if (type === undefined || type === "T") throw new Error("What follows a reduction has fixed dtypes.");
  return argumentDType(type, type).ctype;
}
