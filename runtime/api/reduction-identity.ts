// Checks that the identity of a user's reduction changes nothing: what two elements join to is joined with it. Functions of
// numbers are called when the reduction is defined, texts in C++ on the device of the first call.
import { JitlabError, show } from "../base/errors.js";
import type { Accumulator, FieldValue } from "../functor/accumulator.js";
import type { CalledFunctor } from "../functor/called-functor.js";
import { dispatch } from "../launch/map-launch.js";
import { full } from "../tensor/create.js";
import { emptyTensor, type Tensor } from "../tensor/tensor.js";

/** The parts that make and join accumulators. */
interface Parts<P> {
  readonly combine: P;
  /** Without it, an element is its accumulator. */
  readonly map: P | undefined;
}

/** A part as a function from the values of its arguments to those of its results. */
type Run = (values: readonly FieldValue[]) => readonly FieldValue[];

/** Two elements that every dtype of numbers has. */
const drawn = [3, 5] as const;
const tolerance = 1e-5;

/** Checks an identity by functions of numbers; one that cannot run outside of a functor is not checked. */
export function checkByCalls(name: string, accumulator: Accumulator, { combine, map }: Parts<unknown>): void {
  if (typeof combine !== "function" || (map !== undefined && typeof map !== "function")) return;
  const { fields, named } = accumulator;
  const packed = (values: readonly FieldValue[]): unknown =>
    named ? Object.fromEntries(fields.map((field, i) => [field.name, values[i]])) : values[0];
  const unpacked = (result: unknown): FieldValue[] =>
    named
      ? fields.map((field) => (result as Record<string, FieldValue>)[field.name] as FieldValue)
      : [result as FieldValue];
  const count = fields.length;
  check(name, accumulator, {
    combine: (values) => unpacked(combine(packed(values.slice(0, count)), packed(values.slice(count)))),
    map: map && ((values) => unpacked(map(values[0]))),
  });
}

/** Checks an identity by texts in C++, in the dtype and on the device of a tensor. */
export function checkByLaunches(
  name: string,
  accumulator: Accumulator,
  { combine, map }: Parts<CalledFunctor>,
  { dtype, device }: Tensor,
): void {
  if (dtype.kind === "bool" || dtype.kind === "complex") return;
  const run = ({ functor }: CalledFunctor): Run => {
    return (values) => {
      const operands = functor.inputs.map((type, i) => {
        const own = type === "T" ? dtype : type;
        return full([], values[i] as FieldValue, { dtype: own.name, device: device.name });
      });
      return dispatch(functor, operands, emptyTensor, {}).map((one) => (one as Tensor).item() as FieldValue);
    };
  };
  check(name, accumulator, { combine: run(combine), map: map && run(map) });
}

function check(name: string, { fields, named }: Accumulator, { combine, map }: Parts<Run>): void {
  // In functors 64-bit integers are numbers.
  const identity = fields.map((field) =>
    typeof field.identity === "bigint" ? Number(field.identity) : field.identity,
  );
  const isBool = fields[0]?.type !== "T" && typeof fields[0]?.identity === "boolean";
  let joined: readonly FieldValue[];
  let both: readonly (readonly FieldValue[])[];
  try {
    const [first, second] = drawn.map((x) => map?.([x]) ?? [isBool ? true : x]);
    joined = combine([...(first as FieldValue[]), ...(second as FieldValue[])]);
    both = [combine([...identity, ...joined]), combine([...joined, ...identity])];
  } catch {
    // The first call reports it, or the function needs its place in a functor.
    return;
  }
  const changed = both.find((values) => values.some((value, i) => !isNear(value, joined[i])));
  if (changed === undefined) return;
  const text = (values: readonly FieldValue[]) =>
    named
      ? `{ ${fields.map((field, i) => `${field.name}: ${show(values[i])}`).join(", ")} }`
      : show(values[0]);
  throw new JitlabError(
    "bad-reduction",
    `${name}: the identity ${text(identity)} changes what it is joined with: ${text(joined)} becomes ${text(changed)}.`,
    "Joining it must change nothing: 0 for a sum, 1 for a product, -Infinity for a maximum.",
  );
}

function isNear(value: unknown, wanted: unknown): boolean {
  const [a, b] = [Number(value), Number(wanted)];
  return (
    a === b || Number.isNaN(a) || Number.isNaN(b) || Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b))
  );
}
