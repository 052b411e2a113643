// Operations of whole tensors: they go to the open sink, or run at once into fresh contiguous tensors.
import { checkOverlap } from "../geometry/overlap.js";
import type { View } from "../geometry/view.js";
import type { IndexCheck } from "../launch/index-check.js";
import {
  type OpaqueDefinition,
  type RuleFacts,
  type WholeDefinition,
  type WriteDefinition,
  WriteOperation,
  wholeOperation,
} from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { emptyTensor, Tensor } from "./tensor.js";

/** The results of an operation of tensors on one device. One that may refuse elements has `undo`, called if it does. */
export function wholeResults(
  definition: WholeDefinition,
  inputs: readonly Tensor[],
  undo?: () => void,
): readonly Tensor[] {
  return perform(wholeOperation(definition, inputs, undo), emptyTensor);
}

/** Runs a write into a tensor, or a part of one; throws `output-overlap` if its elements share memory. */
export function writeWhole(
  definition: WriteDefinition,
  inputs: readonly Tensor[],
  target: Tensor,
  check: IndexCheck,
): void {
  checkOverlap(definition.name, [target], []);
  perform(new WriteOperation(definition, inputs, target, check), emptyTensor);
}

/** What is known of an operation without parts beyond its results. */
type OpaqueFacts = Pick<OpaqueDefinition, "core" | "hasOneBatch" | "draws" | "rule" | "spansDevices">;

/**
 * An operation that is an opaque step of a compiled function. `run` writes the outputs, by kernels alone: where only these are
 * shown or compiled, it runs over tensors without memory.
 */
export function opaqueDefinition(
  name: string,
  results: OpaqueDefinition["results"],
  run: (inputs: readonly Tensor[], outputs: readonly Tensor[]) => void,
  facts: OpaqueFacts = {},
): OpaqueDefinition {
  return {
    kind: "opaque",
    name,
    results,
    run: (inputs, outputs) => run(tensorsAt(inputs), tensorsAt(outputs)),
    ...facts,
  };
}

/** A rule of linear operations: from cotangents of the result to those of the first input. */
export interface LinearRule extends RuleFacts {
  readonly by: "linear";
  readonly adjoint: (g: Tensor, input: Pick<View, "shape">) => Tensor;
}

/** The rule of a linear operation. */
export function linear(adjoint: LinearRule["adjoint"]): LinearRule {
  return { by: "linear", adjoint };
}

/** A rule of operations that are linear in each of two inputs: from cotangents of the result and one input to those of the other. */
export interface BilinearRule extends RuleFacts {
  readonly by: "bilinear";
  readonly adjoints: readonly [Adjoint, Adjoint];
}

/** A rule of collectives: from cotangents of all results to those of the inputs; undefined if it has no derivative. */
export interface CollectiveRule extends RuleFacts {
  readonly by: "collective";
  readonly adjoint: ((g: readonly Tensor[]) => readonly (Tensor | undefined)[]) | undefined;
}

/** The rule of attention whose output and statistics were computed together. */
export interface AttentionRule extends RuleFacts {
  readonly by: "attention";
  readonly scale: number;
  readonly isCausal: boolean;
  /** The gradients of queries, keys and values, of these, the output, the statistics and the output's cotangent. */
  readonly backward: (tensors: readonly Tensor[]) => readonly [Tensor, Tensor, Tensor];
}

type Adjoint = (g: Tensor, other: Tensor) => Tensor;

/** The rule of an operation that is linear in each of two inputs. */
export function bilinear(toFirst: Adjoint, toSecond: Adjoint): BilinearRule {
  return { by: "bilinear", adjoints: [toFirst, toSecond] };
}

/** A write by that many index tensors, which are the first inputs. */
export function writeDefinition(
  name: string,
  indexes: number,
  testsFirst: boolean,
  run: (inputs: readonly Tensor[], target: Tensor) => void,
  facts: Pick<WriteDefinition, "joins" | "place"> = {},
): WriteDefinition {
  const definition = opaqueDefinition(
    name,
    () => [],
    (inputs, [target]) => run(inputs, target as Tensor),
  );
  return { ...definition, indexes, testsFirst, ...facts };
}

/** Views as tensors, which they are unless a program runs the operation. */
function tensorsAt(views: readonly View[]): readonly Tensor[] {
  return views[0] instanceof Tensor ? (views as readonly Tensor[]) : views.map(tensorAt);
}

/** A view with an owner of its memory as a tensor. */
export function tensorAt(view: View): Tensor {
  if (view instanceof Tensor) return view;
  const { storage, pointer, shape, strides, dtype } = view;
  if (storage === undefined) throw new Error("An opaque operation needs the owner of its memory.");
  return new Tensor(storage, pointer - storage.pointer, shape, strides, dtype);
}
