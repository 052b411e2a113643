import type * as jl from "../../dist/runtime/index.js";

/** What distinguishes each element: its parts with the signs of zeros; one text for all that is not a number. */
export function elementBits(x: jl.Tensor): string[] {
  const wide = x.to("complex128").reshape([x.size]).toArray() as { re: number; im: number }[];
  const one = (value: number) => (Object.is(value, -0) ? "-0" : String(value));
  return wide.map(({ re, im }) => `${one(re)} ${one(im)}`);
}
