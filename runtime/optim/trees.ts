// Several trees of one structure, such as parameters, gradients and an optimizer's state, which are walked together.
import { JitlabError, show } from "../base/errors.js";
import { formatShape, sameNumbers } from "../geometry/layout.js";
import { zerosLike } from "../tensor/create.js";
import { Tensor } from "../tensor/tensor.js";
import { isBranch, isFloat, mapTree } from "../tensor/tree.js";

/** The floating tensors of parameters, each with where it is and what the other trees have there. */
export function alongside(
  what: string,
  parameters: unknown,
  others: Readonly<Record<string, unknown>>,
): (readonly [parameter: Tensor, others: readonly (Tensor | undefined)[]])[] {
  const found: (readonly [Tensor, readonly (Tensor | undefined)[]])[] = [];
  const names = Object.keys(others);
  const visit = (node: unknown, beside: readonly unknown[], place: string): void => {
    if (node instanceof Tensor) {
      if (isFloat(node))
        found.push([node, beside.map((one, i) => partner(what, node, one, names[i], place))]);
      return;
    }
    if (!isBranch(node)) return;
    for (const [i, one] of beside.entries()) refuseMore(what, node, one, names[i], place);
    for (const [key, part] of Object.entries(node)) {
      const inside = beside.map((one) =>
        typeof one === "object" && one !== null && !(one instanceof Tensor)
          ? (one as Readonly<Record<string, unknown>>)[key]
          : undefined,
      );
      visit(part, inside, place === "" ? key : `${place}.${key}`);
    }
  };
  mapTree(parameters, () => undefined); // refuses what contains itself
  visit(parameters, Object.values(others), "");
  if (found.length > 0) return found;
  throw new JitlabError(
    "bad-argument",
    `${what}: the parameters have no floating tensor: ${show(parameters)}.`,
    "Pass tensors, alone or in arrays and plain objects (not of a class).",
  );
}

/** A tree like the parameters, of zeros for their floating tensors: where an optimizer's state begins. */
export function zerosAlong<P>(what: string, parameters: P): P {
  const found = alongside(what, parameters, {});
  return onlyTensors(
    parameters,
    found.map(([one]) => zerosLike(one)),
  );
}

/** Refuses a part of another tree where the parameters have none: they would not be changed by it. */
function refuseMore(what: string, node: object, other: unknown, name: string | undefined, place: string) {
  if (typeof other !== "object" || other === null) return;
  const more = other instanceof Tensor ? "" : Object.keys(other).find((key) => !Object.hasOwn(node, key));
  if (more === undefined) return;
  const where = [place, more].filter((one) => one !== "").join(".");
  throw new JitlabError(
    "bad-argument",
    `${what}: the ${name} has ${other instanceof Tensor ? "a tensor" : "a part"}${where === "" ? "" : ` at ${where}`}, where the parameters have ${other instanceof Tensor ? "several parts" : "none"}.`,
    "The trees have the same structure: pass the gradient by these parameters, and the state of the last step.",
  );
}

function partner(what: string, node: Tensor, other: unknown, name: string | undefined, place: string) {
  if (other === undefined) return undefined;
  if (other instanceof Tensor && sameNumbers(other.shape, node.shape)) return other;
  const given = other instanceof Tensor ? `the shape ${formatShape(other.shape)}` : show(other);
  throw new JitlabError(
    "shape-mismatch",
    `${what}: the ${name}${place === "" ? "" : ` at ${place}`} has ${given}, the parameter has ${formatShape(node.shape)}.`,
    "The trees have the same structure and shapes: pass the gradient by these parameters, and the state of the last step.",
  );
}

/** A tree with other floating tensors, in their order; what is not one stays. */
export function withTensors<P>(tree: P, values: readonly Tensor[]): P {
  let at = 0;
  return mapTree(tree, (x) => (isFloat(x) ? values[at++] : x), true) as P;
}

/** A tree with tensors for its floating ones, and undefined for all else. */
export function onlyTensors<P>(tree: P, values: readonly Tensor[]): P {
  let at = 0;
  return mapTree(tree, (x) => (isFloat(x) ? values[at++] : undefined)) as P;
}
