// The loop of a functor in parts: block by block, one loop for each part, with what passes between parts in small buffers.
// A part that has a plain form uses it, as it does in its own kernel.
import type { Stage, StageArgument, Stages } from "../functor/functor.js";
import { type Access, blockSize } from "./element.js";
import { type KernelSpec, memoryOperands } from "./spec.js";

/** The loop over elements that `access` reaches by `index`. */
export function stagedLoop(
  spec: KernelSpec,
  { buffers, list }: Stages,
  index: string,
  from: string,
  to: string,
  access: Access,
): string[] {
  const operands = memoryOperands(spec);
  const element = (name: string): string =>
    access(
      name,
      operands.findIndex((o) => o.name === name),
    );
  const spelled = (argument: StageArgument): string => {
    switch (argument.role) {
      case "position":
        return index;
      case "buffer":
        return `buffer${argument.index}[${index} - first]`;
      case "output":
        return element(`out${argument.index}`);
      case "parameter":
        return `args.param_${spec.functor.parameters[argument.index]?.name}`;
      default:
        return element(`in${argument.index}`);
    }
  };
  const loop = (body: string) => `for (int64 ${index} = first; ${index} < last; ++${index}) ${body}`;
  const stageText = ({ entry, signature, plain, writes }: Stage): string[] => {
    const all = signature.map(spelled);
    const call = (name: string) => loop(`${name}(${all.join(", ")});`);
    if (!plain) return ["  JITLAB_INDEPENDENT", `  ${call(entry)}`];
    const read = all.filter((_, place) => !writes.includes(place)).join(", ");
    return [
      `  odd = 0;`,
      `  ${loop(`odd |= !${plain.when}(${read});`)}`,
      `  if (odd == 0) {`,
      `    JITLAB_INDEPENDENT`,
      `    ${call(plain.entry)}`,
      `  } else {`,
      `    ${call(entry)}`,
      `  }`,
    ];
  };
  return [
    `for (int64 first = ${from}; first < ${to}; first += ${blockSize}) {`,
    `  const int64 last = ${to} - first < ${blockSize} ? ${to} : first + ${blockSize};`,
    ...buffers.map((ctype, i) => `  alignas(64) ${ctype} buffer${i}[${blockSize}];`),
    ...(list.some(({ plain }) => plain) ? [`  int odd;`] : []),
    ...list.flatMap(stageText),
    `}`,
  ];
}
