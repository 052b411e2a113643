// The layout classes of the conformance suite: how the values of an operation are laid out in memory, and which value each
// element of the result belongs to.
import * as jl from "../../dist/runtime/index.js";

/** The values of one operand: `n` elements of a dtype, as the library stores them on the host. */
export interface Column {
  readonly dtype: jl.DTypeName;
  readonly values: readonly jl.Scalar[];
}

/** One class of layouts. */
export interface LayoutCase {
  readonly name: string;
  /** The operands as views of tensors on the device, in `shape`. */
  readonly place: (columns: readonly Column[], device: string) => jl.Tensor[];
  /** The shape of the result for `n` values. */
  readonly shape: (n: number) => number[];
  /** The value that element `i` of the result belongs to. */
  readonly valueOf: (i: number, n: number) => number;
}

/** Tiles are used from 32 elements along both dimensions; 33 leaves a cut one. */
const rows = 33;
const repeat = 3;

function store({ dtype }: Column, values: readonly jl.Scalar[], device: string): jl.Tensor {
  return jl.tensor(values as never, { dtype, device });
}

const each =
  (view: (column: Column, device: string, last: boolean) => jl.Tensor) =>
  (columns: readonly Column[], device: string): jl.Tensor[] =>
    columns.map((column, i) => view(column, device, i === columns.length - 1));

const across = (column: Column, count: number): jl.Scalar[] =>
  Array.from({ length: count }, () => column.values).flat();
const along = (column: Column, count: number): jl.Scalar[] =>
  column.values.flatMap((value) => Array.from({ length: count }, () => value));

/** The layout classes, in the order of their kernels' generality. */
export const layouts: readonly LayoutCase[] = [
  {
    name: "contiguous",
    place: each((column, device) => store(column, column.values, device)),
    shape: (n) => [n],
    valueOf: (i) => i,
  },
  {
    name: "unaligned",
    place: each((column, device) =>
      store(column, [column.values[0] as jl.Scalar, ...column.values], device).narrow(
        0,
        1,
        column.values.length,
      ),
    ),
    shape: (n) => [n],
    valueOf: (i) => i,
  },
  {
    name: "strided",
    // Every other element, backwards from the end, so that neither the stride nor its sign is the ordinary one.
    place: each((column, device) => {
      const spread = [...column.values].reverse().flatMap((value) => [value, column.values[0] as jl.Scalar]);
      return store(column, spread, device).slice("::2").slice("::-1");
    }),
    shape: (n) => [n],
    valueOf: (i) => i,
  },
  {
    name: "broadcast row",
    // The last operand is one row, the others have all of them.
    place: each((column, device, last) => {
      const n = column.values.length;
      return last
        ? store(column, column.values, device).expand(repeat, n)
        : store(column, across(column, repeat), device).view(repeat, n);
    }),
    shape: (n) => [repeat, n],
    valueOf: (i, n) => i % n,
  },
  {
    name: "broadcast column",
    place: each((column, device, last) => {
      const n = column.values.length;
      return last
        ? store(column, column.values, device).view(n, 1).expand(n, repeat)
        : store(column, along(column, repeat), device).view(n, repeat);
    }),
    shape: (n) => [n, repeat],
    valueOf: (i) => Math.floor(i / repeat),
  },
  {
    name: "transposed",
    // The last operand is dense along the other dimension.
    place: each((column, device, last) => {
      const n = column.values.length;
      return last
        ? store(column, along(column, rows), device).view(n, rows).T
        : store(column, across(column, rows), device).view(rows, n);
    }),
    shape: (n) => [rows, n],
    valueOf: (i, n) => i % n,
  },
];

/** The elements of a result in row-major order as host scalars; bool as booleans, integers as bigints. */
export function elementsOf(result: jl.Tensor): jl.Scalar[] {
  const { kind } = result.dtype;
  const flat = (result.toArray() as unknown[]).flat(Number.POSITIVE_INFINITY) as jl.Scalar[];
  return kind === "signed" || kind === "unsigned" ? flat.map((value) => BigInt(value as number)) : flat;
}
