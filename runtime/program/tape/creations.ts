// Equal creations on a tape, such as the range that a loop over rows makes for each row: a plan computes them once. Which are equal
// depends on numbers of the call, so it belongs to a path.
import { isView } from "../../geometry/view.js";
import { isDraw, type MapOperation } from "../../launch/operation.js";

/** The creations on a part of a tape. */
export class Creations {
  readonly #numbers = new Map<string, number>();

  /** The number of the first operation with the same elements; undefined for the first one, and for what reads tensors or draws. */
  repeated(operation: MapOperation, number: number): number | undefined {
    const key = keyOf(operation);
    if (key === undefined) return undefined;
    const known = this.#numbers.get(key);
    if (known === undefined) this.#numbers.set(key, number);
    return known;
  }
}

function keyOf(operation: MapOperation): string | undefined {
  const { functor, inputs, options } = operation;
  if (functor.user) return undefined;
  for (let i = 0; i < inputs.length; i++) if (isView(inputs[i])) return undefined;
  if (isDraw(operation)) return undefined;
  const { out, shape, dtype, device, parameters } = options;
  const places = (out ?? []).map(({ dtype, shape, strides, device }) => [
    dtype.id,
    shape,
    strides,
    device.id,
  ]);
  const scalars: readonly unknown[] = [...inputs, ...Object.values(parameters ?? {})];
  // What is no number at all is refused later.
  if (!scalars.every((one) => numbers.includes(typeof one))) return undefined;
  const texts = scalars.map((one) => (Object.is(one, -0) ? "-0" : `${typeof one}${one}`));
  return `${functor.id};${dtype?.id};${device?.id};${shape};${places.join("|")};${texts}`;
}

const numbers: readonly string[] = ["number", "bigint", "boolean"];
