// A sink that launches nothing: it collects the kernels of operations, so that all can be compiled together before the first
// one runs. It returns tensors with uninitialized memory.

import { batchClass, renderBatch } from "../codegen/batch.js";
import { layoutClass } from "../codegen/layout-class.js";
import type { KernelSpec } from "../codegen/spec.js";
import type { Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import type { Functor } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import { contiguousStrides } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import { type BatchJob, compileBatches } from "../launch/batches.js";
import { deviceOf, nestOf, specOf, viewsOf } from "../launch/dispatch.js";
import { requestOf } from "../launch/kernel.js";
import type { KernelRequest } from "../launch/obtain.js";
import { passesOfCall, requestOfPass } from "../launch/reduce-launch.js";
import { requestOfRows, rowSpecOf } from "../launch/row-launch.js";
import type {
  CallOptions,
  MakeOutput,
  ReduceCall,
  RowCall,
  Sink,
  TableCall,
  WalkCall,
  WholeForm,
  WriteForm,
} from "../launch/sink.js";
import { deviceOfTable, specOfTable } from "../launch/table-launch.js";
import { requestOfWalk, walkOf } from "../launch/walk-launch.js";
import type { Scalar } from "../ops/op.js";

interface Job extends BatchJob {
  /** Undefined for a kernel that does not share its text. */
  readonly spec: KernelSpec | undefined;
  /** True for a library's code. */
  readonly isCompiled?: boolean;
}

/** Collects the kernels of the operations that it receives. */
export class Collector implements Sink {
  readonly #jobs: Job[] = [];
  readonly takesLookups = true;

  map<V extends View>(
    functor: Functor,
    operands: readonly Operand[],
    makeOutput: MakeOutput<V>,
    options: CallOptions,
  ): readonly V[] {
    const { out } = options;
    const scalars =
      options.scalars ?? functor.parameters.map(({ name }) => options.parameters?.[name] as Scalar);
    const walk = out && walkOf({ functor, operands, options: { ...options, out, scalars } });
    if (walk) {
      this.walk(walk);
      return out as readonly V[];
    }
    const views = viewsOf(out, operands);
    const device = deviceOf(functor, operands, views, options);
    const { dialect } = device.target;
    const layout = layoutClass(nestOf(functor, views, options), views, dialect.grid !== undefined);
    const spec = specOf(functor, operands, options, layout, device.target);
    this.#jobs.push({ spec, request: requestOf(spec, device.target), shares: () => batchClass(spec) });
    if (out) return out as readonly V[];
    const { shape, outStrides } = layout.nest;
    return spec.outputs.map(({ dtype }) => makeOutput(shape, outStrides, dtype, device));
  }

  reduce<V extends View>(call: ReduceCall, makeOutput: MakeOutput<V>): V {
    const { input, shape, plan } = call;
    const { target } = input.device;
    for (const { spec } of passesOfCall(call, target.dialect).passes) {
      this.#jobs.push({ spec: undefined, request: requestOfPass(spec, target), shares: () => undefined });
    }
    return makeOutput(shape, contiguousStrides(shape), plan.result, input.device);
  }

  rows(call: RowCall): void {
    const { target } = (call.outputs[0] as View).device;
    const request = requestOfRows(rowSpecOf(call, target), target);
    this.#jobs.push({ spec: undefined, request, shares: () => undefined });
  }

  walk(call: WalkCall): void {
    this.#jobs.push({ spec: undefined, request: requestOfWalk(call), shares: () => undefined });
  }

  library(request: KernelRequest): void {
    this.#jobs.push({ spec: undefined, request, shares: () => undefined, isCompiled: true });
  }

  table(call: TableCall): void {
    const { target } = deviceOfTable(call);
    const spec = specOfTable(call);
    this.#jobs.push({ spec, request: requestOf(spec, target), shares: () => batchClass(spec) });
  }

  whole<V extends View>(form: WholeForm, inputs: readonly View[], makeOutput: MakeOutput<V>): readonly V[] {
    const { device } = inputs[0] as View;
    const outputs = form.results(inputs).map(([dtype, shape]) => {
      return makeOutput(shape, contiguousStrides(shape), dtype, device);
    });
    if (form.kind === "scan") form.show({ input: inputs[0] as View, outputs }, (walk) => this.walk(walk));
    else form.run(inputs, outputs);
    return outputs;
  }

  write(form: WriteForm, inputs: readonly View[], target: View): boolean {
    form.run(inputs, [target]);
    return true;
  }

  storage(device: Device, bytes: number): Storage {
    return allocate(device, bytes);
  }

  /** The collected kernels, in order. */
  requests(): readonly KernelRequest[] {
    return this.#jobs.map(({ request }) => request);
  }

  /** Compiles the collected kernels that are not stored, on all cores; calls `failed` with each error. */
  compile(failed: (error: Error) => void): void {
    const jobs = this.#jobs.splice(0).filter(({ isCompiled }) => !isCompiled);
    compileBatches(jobs, {
      textOf: (jobs) => renderBatch(jobs.flatMap(({ spec }) => spec ?? [])),
      done: (_, result) => {
        if (typeof result !== "string") failed(result);
      },
    });
  }
}
