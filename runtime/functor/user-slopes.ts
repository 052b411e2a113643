// The derivatives that a user gives for a functor: expressions of jl.fuse over its inputs and parameters, and `result`.
import { inNameOf, JitlabError, show } from "../base/errors.js";
import type { Slope } from "../ops/op.js";
import { namedExpression } from "./slope.js";

/** The derivatives of a functor by its inputs, over {@link operandNames}; throws `bad-slope` for names that it does not have. */
export function userSlopes(
  functor: string,
  slopes: Readonly<Record<string, string>>,
  inputs: readonly string[],
  parameters: readonly string[],
  results: number,
): Readonly<Record<string, Slope>> {
  if (typeof slopes !== "object" || slopes === null)
    throw badSlope(
      functor,
      `slopes is ${show(slopes)}`,
      'Write an expression for each input: { x: "cos(x)" }.',
    );
  if (results > 1) throw badSlope(functor, "slopes are for one result", "Use jl.customVjp for several.");
  const known = new Map<string, string>([
    ...inputs.map((name, i) => [name, `in${i}`] as const),
    ...parameters.map((name) => [name, `p_${name}`] as const),
  ]);
  if (!known.has("result")) known.set("result", "y");
  const changed = Object.entries(slopes).map(([input, text]): [string, Slope] => {
    if (!inputs.includes(input))
      throw badSlope(
        functor,
        `slopes has ${input}, which is no input`,
        `Its inputs are ${inputs.join(", ")}.`,
      );
    if (typeof text !== "string")
      throw badSlope(
        functor,
        `the slope of ${input} is ${show(text)}`,
        'Write an expression, such as "2 * x".',
      );
    const { names } = inNameOf(`${functor}: the slope of ${input}`, "fuse", () => namedExpression(text));
    const other = names.find((name) => !known.has(name));
    if (other !== undefined) {
      throw badSlope(
        functor,
        `the slope of ${input} names ${other}, which it does not have`,
        `It may name ${[...known.keys()].join(", ")}, and call operations of jl.`,
      );
    }
    return [input, text.replace(/(?<![\w.])([A-Za-z_]\w*)\b(?!\s*\()/g, (name) => known.get(name) ?? name)];
  });
  return Object.fromEntries(changed);
}

/** The names of a functor's inputs in its derivatives. */
export function operandNames({
  user,
  inputNames,
}: {
  user: boolean;
  inputNames: readonly string[];
}): readonly string[] {
  return user ? inputNames.map((_, i) => `in${i}`) : inputNames;
}

function badSlope(functor: string, what: string, help: string): JitlabError {
  return new JitlabError("bad-slope", `${functor}: ${what}.`, help);
}
