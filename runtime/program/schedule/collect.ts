// A sink that launches nothing: it collects the kernels of operations or of a plan, so that all can be compiled together before the
// first one runs, or only shown. It returns tensors with uninitialized memory.

import { batchClass, renderBatch } from "../../codegen/maps/batch.js";
import { allocate } from "../../device/memory.js";
import { Placeholder, someAddress } from "../../device/placeholder.js";
import type { View } from "../../geometry/view.js";
import { type BatchJob, compileBatches } from "../../launch/batches.js";
import type { ListedKernel, MakeOutput } from "../../launch/calls.js";
import type { KernelRequest } from "../../launch/obtain.js";
import type { MapOperation, Operation } from "../../launch/operation.js";
import { outputsOf } from "../../launch/perform.js";
import { passesOfCall, requestOfPass } from "../../launch/reduce-launch.js";
import { requestOf } from "../../launch/requests.js";
import { resolved } from "../../launch/resolve.js";
import { type Sink, sendingTo } from "../../launch/sink.js";
import { requestOfWalk, walkOf } from "../../launch/walk-launch.js";
import type { Scalar } from "../../ops/op.js";
import type { Value } from "../operations/ir.js";
import { viewAt, viewOn } from "../operations/window.js";
import { type Binding, type OutputRef, type ReadRef, valueAt } from "./binding.js";
import type { Plan, Views } from "./launches.js";
import type { PlanOptions } from "./options.js";
import { planOnce } from "./plan.js";

interface Job extends BatchJob, ListedKernel {}

/** Collects the kernels of the operations that it receives. */
export class Collector implements Sink {
  readonly #jobs: Job[] = [];
  readonly name = "list";

  /** `outer` runs operations that are not to be collected: those of elements that are read. */
  constructor(
    readonly outer: Sink | undefined = undefined,
    readonly storage: Sink["storage"] = allocate,
  ) {}

  take<V extends View>(operation: Operation, make: MakeOutput<V>): readonly V[] | undefined {
    switch (operation.kind) {
      case "map": {
        const outputs = this.#map(operation, make);
        operation.options.check?.test();
        return outputs;
      }
      case "reduce": {
        const { target } = operation.call.input.device;
        for (const { spec } of passesOfCall(operation.call, target.dialect).passes)
          this.#add({ request: requestOfPass(spec, target) });
        return outputsOf(operation, make);
      }
      case "scan":
      case "opaque": {
        const outputs = outputsOf(operation, make);
        const scalars = (operation.kind === "opaque" && operation.scalars) || [];
        operation.definition.run(operation.inputs, outputs, scalars);
        return outputs;
      }
      case "write":
        operation.definition.run(operation.given, operation.out, []);
        return operation.out as readonly V[];
      case "launch":
        if (operation.kernel === undefined) return undefined;
        this.#add(operation.kernel());
        return operation.out as readonly V[];
      case "loop":
        return undefined;
      default:
        return operation satisfies never;
    }
  }

  #map<V extends View>({ functor, inputs, options }: MapOperation, make: MakeOutput<V>): readonly V[] {
    const { out } = options;
    const scalars =
      options.scalars ?? functor.parameters.map(({ name }) => options.parameters?.[name] as Scalar);
    const walk = out && walkOf({ functor, operands: inputs, options: { ...options, out, scalars } });
    if (walk) {
      this.#add({ request: requestOfWalk(walk) });
      return out as readonly V[];
    }
    const { device, layout, spec } = resolved(functor, inputs, options);
    this.#add({ request: requestOf(spec, device.target), spec });
    if (out) return out as readonly V[];
    const { shape, outStrides } = layout.nest;
    return spec.outputs.map(({ dtype }) => make(shape, outStrides, dtype, device));
  }

  #add(kernel: ListedKernel): void {
    const { spec } = kernel;
    this.#jobs.push({ ...kernel, shares: () => spec && batchClass(spec) });
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

/**
 * Compiles the kernels of a plan that are not stored, if there are several. Compile errors are ignored: the launch reports
 * them.
 */
export function compileKernels(plan: Plan, binding: Binding): void {
  const [first, ...others] = plan.launches;
  if (others.length === 0 && !first?.how.isSeveral) return;
  collect(plan, binding).compile(() => {});
}

/** The kernels that computing some values launches, in order. */
export function kernelsOf(
  values: readonly Value[],
  options: PlanOptions,
  isLast: boolean,
): readonly KernelRequest[] {
  const { plan, binding } = planOnce(values, options, isLast);
  return collect(plan, binding).requests();
}

/** Collects the kernels of a plan, without memory. */
function collect(plan: Plan, binding: Binding): Collector {
  const collector = new Collector(undefined, (device, bytes) => new Placeholder(device, bytes));
  sendingTo(collector, listLaunches, plan, binding);
  return collector;
}

/** Gives the kernels of a plan to the open list. */
export function listLaunches({ launches }: Plan, binding: Binding): void {
  const views: Views = {
    read: ({ ref, window }) => {
      const { holder, device } = valueAt(binding, ref);
      return viewAt(holder?.pointer ?? someAddress, device, window);
    },
    output: ({ ref, window }) => viewAt(someAddress, valueAt(binding, ref).device, window),
  };
  for (const launch of launches) {
    const { how } = launch;
    how.run(launch, binding, how.takesTensors ? placeholders(binding) : views);
  }
}

/** Views with storages of their own, of which an operation without parts makes tensors. */
function placeholders(binding: Binding): Views {
  const on = ({ ref, window }: ReadRef | OutputRef) =>
    viewOn(new Placeholder(valueAt(binding, ref).device, window.size * window.dtype.bytes), window);
  return { read: on, output: on };
}
