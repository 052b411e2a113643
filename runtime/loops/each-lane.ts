// An operation that knows no batches, once for each lane.
import { isView, type View } from "../geometry/view.js";
import { MapOperation, type OpaqueOperation, WriteOperation, wholeOperation } from "../launch/operation.js";
import { outputsOf, perform } from "../launch/perform.js";
import { stack } from "../tensor/join.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";

/** The operations that may know no batches. */
export type LaneCall = MapOperation | OpaqueOperation | WriteOperation;

/** The results for all lanes, the lane first; undefined if it writes given tensors. `at` is a tensor of a lane. */
export function eachLane(
  operation: LaneCall,
  count: number,
  at: (x: View, lane: number) => Tensor,
): readonly Tensor[] | undefined {
  if (count === 0) {
    if (operation.out.length > 0 || operation.kind === "write") return undefined;
    return outputsOf(operation, emptyTensor).map(({ shape, strides, dtype, device }) =>
      emptyTensor([0, ...shape], [0, ...strides], dtype, device),
    );
  }
  const lanes = Array.from({ length: count }, (_, lane) =>
    perform(
      ofLane(operation, (x) => at(x, lane)),
      emptyTensor,
    ),
  );
  if (operation.out.length > 0) return undefined;
  return (lanes[0] as readonly Tensor[]).map((_, k) => stack(lanes.map((results) => results[k] as Tensor)));
}

function ofLane(operation: LaneCall, at: (x: View) => Tensor): LaneCall {
  switch (operation.kind) {
    case "map": {
      const { functor, inputs, options } = operation;
      const { out, site: _, ...others } = options;
      const given = inputs.map((x) => (isView(x) ? at(x) : x));
      return new MapOperation(functor, given, { ...others, ...(out && { out: out.map(at) }) });
    }
    case "opaque":
      return wholeOperation(
        operation.definition,
        operation.inputs.map(at),
        operation.undo,
      ) as OpaqueOperation;
    case "write": {
      const { definition, given, target, check } = operation;
      const inputs = given.map(at);
      const all = check.all.map((one) => ({ ...one, index: at(one.index) }));
      return new WriteOperation(definition, inputs, at(target), check.over(all));
    }
    default:
      return operation satisfies never;
  }
}
