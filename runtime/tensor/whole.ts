// Operations of whole tensors: they go to the open sink, or run at once into fresh contiguous tensors.
import { contiguousStrides } from "../geometry/layout.js";
import { checkOverlap } from "../geometry/overlap.js";
import { computePending, type View } from "../geometry/view.js";
import {
  type IndexCheck,
  type OpaqueOperation,
  openSink,
  type WholeOperation,
  type WriteJoin,
  type WriteOperation,
} from "../launch/sink.js";
import { atOnce } from "../launch/walk-launch.js";
import { emptyTensor, Tensor } from "./tensor.js";

/** The results of an operation of tensors on one device. One that may refuse elements has `undo`, called if it does. */
export function wholeResults(
  operation: WholeOperation,
  inputs: readonly Tensor[],
  undo?: () => void,
): readonly Tensor[] {
  const made = openSink()?.whole?.(operation, inputs, emptyTensor, undo);
  if (made !== undefined) return made;
  try {
    return atOnce(() => resultsNow(operation, inputs));
  } catch (error) {
    undo?.();
    throw error;
  }
}

function resultsNow(operation: WholeOperation, inputs: readonly Tensor[]): readonly Tensor[] {
  const { device } = inputs[0] as Tensor;
  computePending(inputs);
  const outputs = operation.results(inputs).map(([dtype, shape]) => {
    return emptyTensor(shape, contiguousStrides(shape), dtype, device);
  });
  operation.run(inputs, outputs);
  return outputs;
}

/** Runs a write into a tensor, or a part of one; throws `output-overlap` if its elements share memory. */
export function writeWhole(
  operation: WriteOperation,
  inputs: readonly Tensor[],
  target: Tensor,
  check: IndexCheck,
): void {
  checkOverlap(operation.name, [target], []);
  const now = () => {
    computePending([...inputs, target]);
    operation.run(inputs, [target]);
  };
  const sink = openSink();
  if (sink === undefined) now();
  else if (!sink.write?.(operation, inputs, target, check)) atOnce(now);
}

/**
 * An operation that is an opaque step of a compiled function. `run` writes the outputs, by kernels alone: where only these are
 * shown or compiled, it runs over tensors without memory.
 */
export function opaqueOperation(
  name: string,
  results: OpaqueOperation["results"],
  run: (inputs: readonly Tensor[], outputs: readonly Tensor[]) => void,
): OpaqueOperation {
  return {
    kind: "opaque",
    name,
    results,
    run: (inputs, outputs) => run(tensorsAt(inputs), tensorsAt(outputs)),
  };
}

/** What derivatives ask of an operation beyond its name. */
export interface OperationFacts {
  /** Of a linear operation: from cotangents of its result to those of its first input. */
  readonly adjoint?: (g: Tensor, input: Pick<View, "shape">) => Tensor;
  /** The order of a norm. */
  readonly power?: number;
}

const facts = new WeakMap<object, OperationFacts>();

/** Notes facts of an operation. */
export function withFacts(operation: OpaqueOperation, known: OperationFacts): OpaqueOperation {
  facts.set(operation, known);
  return operation;
}

/** The facts of an operation; none if nothing is known. */
export function factsOf(operation: object): OperationFacts {
  return facts.get(operation) ?? {};
}

/** A write by that many index tensors, which are the first inputs. */
export function writeOperation(
  name: string,
  indexes: number,
  testsFirst: boolean,
  run: (inputs: readonly Tensor[], target: Tensor) => void,
  joins?: WriteJoin,
): WriteOperation {
  const operation = opaqueOperation(
    name,
    () => [],
    (inputs, [target]) => run(inputs, target as Tensor),
  );
  return { ...operation, indexes, testsFirst, joins };
}

/** Views as tensors, which they are unless a program runs the operation. */
function tensorsAt(views: readonly View[]): readonly Tensor[] {
  return views[0] instanceof Tensor ? (views as readonly Tensor[]) : views.map(tensorAt);
}

function tensorAt(view: View): Tensor {
  const { storage, pointer, shape, strides, dtype } = view;
  if (storage === undefined) throw new Error("An opaque operation needs the owner of its memory.");
  return new Tensor(storage, pointer - storage.pointer, shape, strides, dtype);
}
