// Runs operations: on the open sink, or on the device. What runs an operation here also tests its indexes.

import { contiguousStrides } from "../geometry/layout.js";
import { computePending, type View } from "../geometry/view.js";
import type { MakeOutput } from "./calls.js";
import { runMap } from "./map-launch.js";
import type {
  MapOperation,
  OpaqueOperation,
  Operation,
  ReduceOperation,
  ScanOperation,
} from "./operation.js";
import { dispatchReduction } from "./reduce-launch.js";
import { geometryOf, typesOf } from "./resolve.js";
import { atOnce, openSink } from "./sink.js";

/** The results of an operation, fresh or given ones. */
export function perform<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] {
  const taken = openSink()?.take(operation, make);
  if (taken !== undefined) return taken;
  // A loop that no sink takes as one operation is its steps.
  return operation.kind === "loop" ? (operation.run() as readonly V[]) : atOnce(run<V>, operation, make);
}

function run<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] {
  switch (operation.kind) {
    case "map":
      return runMap(operation, make);
    case "reduce":
      return [dispatchReduction(operation.call, make)];
    case "scan":
    case "opaque":
      return runWhole(operation, make);
    case "write": {
      const { definition, given, target } = operation;
      computePending(operation.inputs);
      definition.run(given, [target], []);
      return operation.out as readonly V[];
    }
    case "launch":
    case "loop":
      return operation.run() as readonly V[];
    default:
      return operation satisfies never;
  }
}

function runWhole<V extends View>(
  operation: ScanOperation | OpaqueOperation,
  make: MakeOutput<V>,
): readonly V[] {
  const { definition, inputs, undo } = operation;
  try {
    computePending(inputs);
    const outputs = outputsOf(operation, make);
    definition.run(inputs, outputs, (operation as OpaqueOperation).scalars ?? []);
    return outputs;
  } catch (error) {
    undo?.();
    throw error;
  }
}

/** Fresh outputs of an operation that has no given ones. */
export function outputsOf<V extends View>(
  operation: MapOperation | ReduceOperation | ScanOperation | OpaqueOperation,
  make: MakeOutput<V>,
): readonly V[] {
  if (operation.kind === "map") {
    const { functor, inputs, options } = operation;
    const { device, nest } = geometryOf(functor, inputs, options);
    const { outputs } = typesOf(functor, inputs, options);
    return outputs.map(({ dtype }) => make(nest.shape, nest.outStrides, dtype, device));
  }
  const { inputs } = operation;
  const layouts =
    operation.kind === "reduce"
      ? [[operation.call.plan.result, operation.call.shape] as const]
      : operation.definition.results(inputs);
  const spans = operation.kind === "opaque" && operation.definition.spansDevices;
  return layouts.map(([dtype, shape], i) => {
    const { device } = inputs[spans ? i : 0] as View;
    return make(shape, contiguousStrides(shape), dtype, device);
  });
}
