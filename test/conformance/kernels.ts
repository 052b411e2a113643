// Compiles the kernels of many calls before they are made, in batches and on all cores: jl.precompile for calls of any layout.

import * as jl from "../../dist/runtime/index.js";
import type * as Batch from "../../runtime/codegen/maps/batch.js";
import type * as LayoutClass from "../../runtime/codegen/maps/layout-class.js";
import type { KernelSpec } from "../../runtime/codegen/maps/map-spec.js";
import type { Target } from "../../runtime/device/device.js";
import type * as Iterator from "../../runtime/geometry/loop-nest.js";
import type * as Batches from "../../runtime/launch/batches.js";
import type * as Kernel from "../../runtime/launch/requests.js";
import type * as Resolve from "../../runtime/launch/resolve.js";

const built = (file: string) => import(new URL(`../../dist/runtime/${file}.js`, import.meta.url).href);
const { compileBatches } = (await built("launch/batches")) as typeof Batches;
const { batchClass, renderBatch } = (await built("codegen/maps/batch")) as typeof Batch;
const { specOf } = (await built("launch/resolve")) as typeof Resolve;
const { loopNest } = (await built("geometry/loop-nest")) as typeof Iterator;
const { requestOf } = (await built("launch/requests")) as typeof Kernel;
const { layoutClass } = (await built("codegen/maps/layout-class")) as typeof LayoutClass;

/** A call: an operation, its operands, and the tensor that it writes into, if it does not make one. */
export interface AnyCall {
  readonly name: string;
  readonly operands: readonly (jl.Tensor | jl.Scalar)[];
  readonly out?: jl.Tensor;
}

/** A call of tensors only that writes into one. */
export interface Call extends AnyCall {
  readonly operands: readonly jl.Tensor[];
  readonly out: jl.Tensor;
}

/** Compiles what the calls need and the cache lacks; the number of kernels that were compiled now. */
export function compileCalls(calls: Iterable<AnyCall>): number {
  const jobs = [];
  for (const { name, operands, out } of calls) {
    const functor = jl.functorOf((jl as unknown as Record<string, unknown>)[name]) as never;
    const outs = out ? [out] : [];
    const tensors = operands.filter((operand) => operand instanceof jl.Tensor);
    const place = (out ?? tensors[0]) as jl.Tensor;
    const { target } = place.device as unknown as { target: Target };
    const nest = loopNest(name, 1 - outs.length, outs, tensors);
    const layout = layoutClass(nest, [...outs, ...tensors] as never, target.dialect.gpu !== undefined);
    const given = (out ? { out: outs } : {}) as never;
    const spec: KernelSpec = specOf(functor, operands as never, given, layout, target);
    jobs.push({ spec, request: requestOf(spec, target), shares: () => batchClass(spec) });
  }
  let compiled = 0;
  compileBatches(jobs, {
    textOf: (batch) => renderBatch(batch.map(({ spec }) => spec)),
    done: ({ request }, result) => {
      if (typeof result !== "string")
        throw new Error(`${request.op} ${request.variant} ${request.dtypes}`, { cause: result });
      if (result === "compiled") compiled++;
    },
  });
  return compiled;
}
