// Operations that run at once while a recorder is open, inside functions of the library: their results are errors where they are
// differentiated.
import type { Device } from "../device/device.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { View } from "../geometry/view.js";
import { dispatch } from "../launch/dispatch.js";
import { dispatchReduction } from "../launch/reduce-launch.js";
import {
  type CallOptions,
  type MakeOutput,
  newStorage,
  type ReduceCall,
  type Sink,
  sendingTo,
  type WholeOperation,
  type WriteOperation,
} from "../launch/sink.js";
import type { Tensor } from "../tensor/tensor.js";
import { wholeResults } from "../tensor/whole.js";
import type { Recording } from "./rule.js";

/** The sink of operations that run past a recorder. */
export class PastRecorder implements Sink {
  constructor(readonly recorder: Pick<Recording, "launching">) {}

  get past(): Sink {
    return this;
  }

  #seen<R>(
    name: string,
    used: readonly unknown[],
    run: () => R,
    writtenOf: (result: R) => readonly View[],
  ): R {
    const noted = this.recorder.launching(name, used);
    const result = sendingTo(undefined, run);
    noted?.(writtenOf(result));
    return result;
  }

  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[] {
    const run = () => dispatch(functor, operands, makeOutput, options);
    return this.#seen(functor.name, [...operands, ...(options.out ?? [])], run, (outputs) => outputs);
  }

  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
    const run = () => dispatchReduction(call, makeOutput);
    return this.#seen(call.reduction.name, [call.input], run, (output) => [output]);
  }

  whole<V extends View>(
    operation: WholeOperation,
    inputs: readonly View[],
    _makeOutput: MakeOutput<V>,
    undo?: () => void,
  ): readonly V[] {
    const run = () => wholeResults(operation, inputs as readonly Tensor[], undo);
    return this.#seen(operation.name, inputs, run, (outputs) => outputs) as unknown as readonly V[];
  }

  write(operation: WriteOperation, inputs: readonly View[], target: View): boolean {
    this.#seen(
      operation.name,
      [...inputs, target],
      () => operation.run(inputs, [target]),
      () => [target],
    );
    return true;
  }

  launching(name: string, used: readonly View[]): ((written: readonly View[]) => void) | undefined {
    return this.recorder.launching(name, used);
  }

  storage(device: Device, bytes: number): Storage {
    return sendingTo(undefined, () => newStorage(device, bytes));
  }
}
