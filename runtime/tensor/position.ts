// Tensors computed from element positions on the device: ranges, spaced and random numbers.

import { type DType, dtypes } from "../base/dtype.js";
import { type Functor, makeFunctor, type Parameter } from "../functor/functor.js";
import { checkShape, contiguousStrides } from "../geometry/layout.js";
import { getDevice } from "../launch/devices.js";
import { dispatch } from "../launch/map-launch.js";
import type { Scalar } from "../ops/op.js";
import { emptyTensor, type Tensor } from "./tensor.js";

/** A functor over the element's position, whose parameters share a kernel for all values. */
export function positionFunctor(
  name: string,
  text: string,
  parameters: readonly Parameter[],
  result: "T" | DType,
  needs: readonly string[] = [],
): Functor {
  return makeFunctor({
    name,
    entry: `make_${name}`,
    inputs: [],
    inputNames: [],
    parameters,
    results: [result],
    signature: [
      { role: "position" },
      ...parameters.map((_, index) => ({ role: "parameter" as const, index })),
    ],
    template: true,
    fma: false,
    converts: true,
    user: false,
    needs: () => needs,
    resolve: (common) => ({ compute: dtypes[common.compute], outputs: [common] }),
    text: () => text,
  });
}

/** Runs a position functor over a new contiguous tensor. */
export function make(
  functor: Functor,
  shape: readonly number[],
  dtype: DType,
  device: string | undefined,
  parameters: Readonly<Record<string, Scalar>>,
): Tensor {
  checkShape(shape, functor.name);
  const out = emptyTensor(shape.slice(), contiguousStrides(shape), dtype, getDevice(device));
  return dispatch(functor, [], emptyTensor, { out: [out], dtype, parameters })[0] as Tensor;
}
