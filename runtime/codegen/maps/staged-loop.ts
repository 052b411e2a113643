// The loop of a functor in parts: in blocks, one loop per part, with small buffers between parts. A part with a plain form
// uses it, as in its own kernel.
import type { Stage, StageArgument, Stages } from "../../functor/functor.js";
import { indented } from "../indented.js";
import { type Access, argumentOf, blockSize } from "./element.js";
import { type KernelSpec, type MemoryOperand, memoryOperands } from "./map-spec.js";

/** The loop over elements, written by `access` with `index`. */
export function stagedLoop(
  spec: KernelSpec,
  stages: Stages,
  index: string,
  from: string,
  to: string,
  access: Access,
): string[] {
  const operands = memoryOperands(spec);
  const element = (name: string): string => {
    const k = operands.findIndex((o) => o.name === name);
    return argumentOf(operands[k] as MemoryOperand, access(name, k));
  };
  const spelled = (argument: PlacedArgument): string => {
    switch (argument.role) {
      case "output":
        return element(`out${argument.index}`);
      case "parameter":
        return `args.param_${spec.functor.parameters[argument.index]?.name}`;
      default:
        return element(`in${argument.index}`);
    }
  };
  return blocks(from, to, stageLoops(stages, index, spelled, blockSize), blockSize);
}

/** Runs lines for blocks of elements, from `first` to `last`. */
export function blocks(from: string, to: string, lines: readonly string[], size: number): string[] {
  return [
    `for (int64 first = ${from}; first < ${to}; first += ${size}) {`,
    `  const int64 last = ${to} - first < ${size} ? ${to} : first + ${size};`,
    ...indented(lines, "  "),
    `}`,
  ];
}

/** An argument of a stage with an index among its kind. */
export type PlacedArgument = Exclude<StageArgument, { readonly role: "position" }>;

/**
 * The loops of the stages over one block of up to `size` elements. `spelled` writes a stage's arguments other than values
 * between stages; `space` prefixes the functions' names.
 */
export function stageLoops(
  { buffers, list }: Stages,
  index: string,
  spelled: (argument: PlacedArgument) => string,
  size: number,
  space = "",
): string[] {
  const argumentText = (argument: StageArgument): string => {
    if (argument.role === "position") return index;
    return argument.role === "buffer" ? `buffer${argument.index}[${index} - first]` : spelled(argument);
  };
  const loop = (body: string) => `for (int64 ${index} = first; ${index} < last; ++${index}) ${body}`;
  const stageText = ({ entry, signature, plain, writes }: Stage): string[] => {
    const all = signature.map(argumentText);
    const call = (name: string) => loop(`${space}${name}(${all.join(", ")});`);
    if (!plain) return ["JITLAB_INDEPENDENT", call(entry)];
    const read = all.filter((_, place) => !writes.includes(place)).join(", ");
    return [
      `odd = 0;`,
      loop(`odd |= !${space}${plain.when}(${read});`),
      `if (odd == 0) {`,
      `  JITLAB_INDEPENDENT`,
      `  ${call(plain.entry)}`,
      `} else {`,
      `  ${call(entry)}`,
      `}`,
    ];
  };
  return [
    ...buffers.map((ctype, i) => `alignas(64) ${ctype} buffer${i}[${size}];`),
    ...(list.some(({ plain }) => plain) ? [`int odd;`] : []),
    ...list.flatMap(stageText),
  ];
}
