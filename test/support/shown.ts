// What distinguishes the results of a computation, for comparing two ways to compute them.
import { createHash } from "node:crypto";
import * as jl from "../../dist/runtime/index.js";

/** One tensor, or several in a list or an object. */
export type Results = jl.Tensor | readonly jl.Tensor[] | Readonly<Record<string, jl.Tensor>>;

// The elements of larger tensors are compared by digests of this many: lists of a million texts take seconds.
const digested = 1024;

/** Dtype, shape, strides and the bits of the elements of each tensor; all that is not a number is alike. */
export function shown(results: Results): unknown[] {
  const list = results instanceof jl.Tensor ? [results] : Object.values<jl.Tensor>(results as never);
  return list.map((x) => [x.dtype.name, x.shape, x.strides, bitsOf(x)]);
}

/** The bits of the elements as texts, those of many as digests. */
export function bitsOf(x: jl.Tensor): string[] {
  const values = x.data().slice();
  if (values instanceof Float32Array || values instanceof Float64Array) {
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) values[i] = Number.NaN;
  }
  if (values.length <= digested)
    return Array.from<number | bigint, string>(values, (one) => (Object.is(one, -0) ? "-0" : String(one)));
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const step = digested * values.BYTES_PER_ELEMENT;
  return Array.from({ length: Math.ceil(bytes.length / step) }, (_, k) => {
    const digest = createHash("sha1").update(bytes.subarray(k * step, (k + 1) * step));
    return `${k * digested}... ${digest.digest("base64")}`;
  });
}

/** A tensor of values that round in every dtype; `from` says where their series begins. */
export function rounding(shape: readonly number[], dtype: jl.DTypeName, from = 0): jl.Tensor {
  const size = shape.reduce((product, extent) => product * extent, 1);
  const values = new Float32Array(size).map((_, i) => Math.sin((i + from) * 1.7) * 3 + ((i + from) % 11) / 7);
  return jl
    .tensor(values)
    .to(dtype)
    .reshape(...shape);
}
