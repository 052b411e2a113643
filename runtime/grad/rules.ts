// The rules of operations.
import type { View } from "../geometry/view.js";
import type { Operation } from "../launch/operation.js";
import type { Tensor } from "../tensor/tensor.js";
import { mapPull } from "./map-rules.js";
import { reducePull } from "./reduce-rules.js";
import { type Active, type Pull, type Recording, refusal } from "./rule.js";
import { wholePull } from "./whole-rules.js";
import { writePull } from "./write-rules.js";

type Begin = (
  recorder: Recording,
  active: readonly (Active | undefined)[],
) => (outputs: readonly View[]) => Pull;

/** The rule of an operation. */
export function ruleOf(operation: Operation): Begin {
  switch (operation.kind) {
    case "map":
      return (recorder, active) =>
        mapPull(recorder, operation.functor, operation.inputs, active, operation.options);
    case "reduce":
      return (recorder, active) => reducePull(recorder, operation.call, active[0] as Active);
    case "scan":
    case "opaque":
      return (recorder, active) =>
        wholePull(recorder, operation.definition, operation.inputs as readonly Tensor[], active);
    case "write":
      return (recorder, active) =>
        writePull(
          recorder,
          operation.definition,
          operation.given as readonly Tensor[],
          operation.target as Tensor,
          active,
          operation.check,
        );
    default:
      return () => () => refusal(operation.name);
  }
}
