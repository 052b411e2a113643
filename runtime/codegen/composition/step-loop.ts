// All steps of a loop as one functor: its state stays in registers, and each step calls the functor of one. Elements of a step's
// own are read and written by address, a fixed number of elements from those of the step before.

import { type DType, dtypes } from "../../base/dtype.js";
import { type Argument, type Functor, makeFunctor, type Parameter } from "../../functor/functor.js";

/** What the functor of one step is to a loop. It is composed, so that its arguments have dtypes. */
export interface StepLoop {
  readonly step: Functor;
  /** For each input of the step: the output of the step before, an element of the step, or one that stays the same. */
  readonly inputs: readonly (
    | { readonly kind: "state"; readonly output: number }
    | { readonly kind: "along" | "outside" }
  )[];
  /** The outputs whose last values are results of the loop, in their order. */
  readonly last: readonly number[];
  /** The outputs that every step stores; their addresses are inputs behind those of the step. */
  readonly each: readonly number[];
  /** For each parameter of the step: true for the number of a stream, which the draws of a step follow. */
  readonly streams: readonly boolean[];
}

/** A functor for all steps; its parameters are those of the step, the number of steps, the streams of a step, and the distances. */
export function steppedFunctor({ step, inputs, last, each, streams }: StepLoop): Functor {
  const ctype = (type: unknown) => (type as DType).ctype;
  const isAlong = inputs.map(({ kind }) => kind === "along");
  const sources = [...isAlong.flatMap((is, i) => (is ? [i] : [])), ...each.map((_, j) => inputs.length + j)];
  const whole = (name: string): Parameter => ({ name, type: dtypes.int64, value: 0 });
  const parameters = [
    ...step.parameters,
    ...["steps", "drawn", ...sources.map((input) => `far${input}`)].map(whole),
  ];
  const stored = each.map((output) => step.results[output] as DType);
  const isPositioned = step.signature.some(({ role }) => role === "position");
  const list = [
    ...(isPositioned ? ["int64 position"] : []),
    ...step.inputs.map((type, i) => `${isAlong[i] ? `const ${ctype(type)}*` : ctype(type)} x${i}`),
    ...stored.map(({ ctype }, j) => `const ${ctype}* x${inputs.length + j}`),
    ...parameters.map(({ name, type }) => `${ctype(type)} ${name}`),
    ...last.map((output, k) => `${ctype(step.results[output])}& last${k}`),
  ];
  const argument = ({ role, ...at }: Argument): string => {
    if (role === "position") return "position";
    const { index } = at as { index: number };
    if (role === "output") return `y${index}`;
    if (role === "parameter") {
      const { name } = step.parameters[index] as Parameter;
      return streams[index] ? `${name} + t * drawn` : name;
    }
    if (inputs[index]?.kind === "along") return `x${index}[t * far${index}]`;
    return inputs[index]?.kind === "state" ? `state${index}` : `x${index}`;
  };
  const states = inputs.flatMap((input, i) => (input.kind === "state" ? [{ i, output: input.output }] : []));
  const text = [
    step.text(dtypes.float32),
    `__device__ inline void stepped(${list.join(", ")}) {`,
    ...states.map(({ i }) => `  ${ctype(step.inputs[i])} state${i} = x${i};`),
    ...step.results.map((type, i) => `  ${ctype(type)} y${i};`),
    `  for (int64 t = 0; t < steps; ++t) {`,
    `    ${step.entry}(${step.signature.map(argument).join(", ")});`,
    ...each.map((output, j) => {
      const input = inputs.length + j;
      // Addresses are those of elements that a functor reads; these are written.
      return `    const_cast<${ctype(stored[j])}*>(x${input})[t * far${input}] = y${output};`;
    }),
    ...states.map(({ i, output }) => `    state${i} = y${output};`),
    `  }`,
    ...last.map((output, k) => `  last${k} = y${output};`),
    `}`,
  ].join("\n");
  const results = last.map((output) => step.results[output] as DType);
  const { places } = step;
  return makeFunctor({
    name: step.name.replace(/^fused/, "scan"),
    entry: "stepped",
    inputs: [...step.inputs, ...stored],
    inputNames: [...step.inputNames, ...each.map((_, j) => `x${inputs.length + j}`)],
    parameters,
    results,
    signature: [
      ...(isPositioned ? [{ role: "position" as const }] : []),
      ...[...inputs, ...each].map((_, index) => ({ role: "input" as const, index })),
      ...parameters.map((_, index) => ({ role: "parameter" as const, index })),
      ...results.map((_, index) => ({ role: "output" as const, index })),
    ],
    addressed: sources.length > 0 ? { sources, flags: [] } : undefined,
    template: false,
    text: () => text,
    needs: step.needs,
    uses: [...(step.uses ?? []), dtypes.int64],
    ...(places && { places }),
    resolve: () => ({ compute: results[0] as DType, outputs: results }),
    fma: step.fma,
    // A copy for each of several elements would be a loop of its own.
    heavy: () => true,
    converts: true,
    user: false,
    composed: step.composed,
  });
}
