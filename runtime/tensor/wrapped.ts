// A shift of elements that wraps around, as a map: each element of the result is one of the source, at a place that the functor
// computes. The maps before and after it share its kernel, which copies of the parts do not.
import { RecentValues } from "../base/recent-values.js";
import type { Functor } from "../functor/functor.js";
import { contiguousStrides } from "../geometry/layout.js";
import { openGraph } from "../launch/graph.js";
import { dispatch } from "../launch/map-launch.js";
import { atOnce, isDeferred, isDifferentiated } from "../launch/sink.js";
import { tensor } from "./create.js";
import { placeFunctor } from "./place-functor.js";
import { emptyTensor, type Tensor, windowOf } from "./tensor.js";

const functors: Functor[] = [];

/** The functor for a number of shifted dimensions; one object each, because it owns kernels. */
function functorFor(count: number): Functor {
  const known = functors[count];
  if (known !== undefined) return known;
  const each = Array.from({ length: count }, (_, k) => k);
  const indexes = each.map((k) => `index${k}`);
  const numbers = each.flatMap((k) => [`extent${k}`, `stride${k}`, `shift${k}`]);
  const functor = placeFunctor({
    name: "roll",
    entry: "op_wrapped",
    marks: [],
    indexes,
    numbers,
    body: [
      "int64 at = 0;",
      ...each.flatMap((k) => [
        `const int64 from${k} = index${k} - shift${k};`,
        `at += (from${k} < 0 ? from${k} + extent${k} : from${k}) * stride${k};`,
      ]),
      "return cast<T>(source[at]);",
    ],
  });
  functors[count] = functor;
  return functor;
}

const mostPlaces = 2 ** 14;
const places = new RecentValues<Tensor>(32);

/** The places along a dimension, which every call shares. */
function placesAlong({ device: { id, name } }: Tensor, extent: number): Tensor {
  return places.get(`${id} ${extent}`, () =>
    atOnce(() =>
      tensor(
        BigInt64Array.from({ length: extent }, (_, i) => BigInt(i)),
        { device: name },
      ),
    ),
  );
}

/**
 * True for a shift by a map where operations are compiled together without their derivatives, which it has not. Places of
 * longer dimensions would be read from far away, and take as long as copies.
 */
export function mayWrap({ shape, size }: Tensor, shifts: readonly number[]): boolean {
  const isOpen = isDeferred() && !isDifferentiated() && openGraph() === undefined;
  const extents = shape.filter((_, d) => shifts[d] !== 0);
  return isOpen && size > 0 && extents.length > 0 && Math.max(...extents) <= mostPlaces;
}

/** The elements shifted along each dimension, by less than its extent. */
export function wrapped(source: Tensor, shifts: readonly number[]): Tensor {
  const { shape, strides, dtype, device } = source;
  const dims = shifts.flatMap((shift, d) => (shift === 0 ? [] : [d]));
  const functor = functorFor(dims.length);
  const indexes = dims.map((d) =>
    placesAlong(source, shape[d] as number).reshape(shape.map((_, k) => (k === d ? -1 : 1))),
  );
  const start = strides.map((stride, k) => (dims.includes(k) ? 0 : stride));
  const numbers = dims.flatMap((d) => [shape[d], strides[d], shifts[d]] as number[]);
  const parameters = Object.fromEntries(
    functor.parameters.map(({ name }, i) => [name, numbers[i] as number]),
  );
  const result = emptyTensor(shape, contiguousStrides(shape), dtype, device);
  const from = windowOf(source, { shape, strides: start, offset: 0 });
  dispatch(functor, [from, ...indexes], emptyTensor, { out: [result], parameters });
  return result;
}
