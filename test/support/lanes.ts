// A function by jl.vmap beside the loop over its lanes, compared in bits.
import { expect } from "vitest";
import * as jl from "../../dist/runtime/index.js";

type Fn = (...args: jl.Tensor[]) => jl.Tensor;

/** The bytes of a tensor's elements in row-major order, with its dtype and shape. */
export function bitsOf(x: jl.Tensor) {
  const data = x.contiguous().data() as Uint8Array;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("hex");
  return { dtype: x.dtype.name, shape: x.shape, bytes };
}

/** The results of a loop over the lanes of dimension 0 of arguments that are not null in `inDims`. */
export function looped(f: Fn, args: readonly jl.Tensor[], inDims: readonly (number | null)[]): jl.Tensor {
  const at = inDims.findIndex((dim) => dim !== null);
  const count = args[at]?.shape[inDims[at] as number] as number;
  const lanes = Array.from({ length: count }, (_, lane) =>
    f(...args.map((x, i) => (inDims[i] == null ? x : x.select(inDims[i] as number, lane)))),
  );
  return jl.stack(lanes);
}

/** Expects the elements of the loop over lanes within the rounding of sums in another order. */
export function expectNear(f: Fn, args: readonly jl.Tensor[]): void {
  const found = jl.vmap(f)(...args);
  expect(
    found.allclose(
      looped(
        f,
        args,
        args.map(() => 0),
      ),
      { rtol: 1e-5, atol: 1e-6 },
    ),
  ).toBe(true);
}

/** Expects the bits of the loop over lanes. */
export function expectLoop(
  f: Fn,
  args: readonly jl.Tensor[],
  inDims: readonly (number | null)[] = args.map(() => 0),
  mapped: (f: Fn) => Fn = (one) => jl.vmap(one, { inDims }),
): void {
  expect(bitsOf(mapped(f)(...args))).toEqual(bitsOf(looped(f, args, inDims)));
}
