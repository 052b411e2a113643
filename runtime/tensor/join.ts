// Joins tensors: copies each into its part of a new one.
import { optionsOf } from "../base/arguments.js";
import { promote } from "../base/dtype.js";
import { inNameOf, isArray, JitlabError, show } from "../base/errors.js";
import { contiguousStrides, formatShape, sameNumbers } from "../geometry/layout.js";
import { dimension } from "../geometry/views.js";
import { emptyTensor, Tensor } from "./tensor.js";

/**
 * Joins tensors along dimension `dim`, in their common dtype; all other extents must be equal.
 *
 * @example jl.cat([jl.arange(2), jl.arange(3)]).toArray() // [0, 1, 0, 1, 2]
 */
export function cat(tensors: readonly Tensor[], dim = 0): Tensor {
  return join("cat", tensors, dim);
}

/**
 * Joins tensors of the same shape along a new dimension `dim`, in their common dtype.
 *
 * @example jl.stack([jl.zeros([2]), jl.ones([2])], 1).toArray() // [[0, 1], [0, 1]]
 */
export function stack(tensors: readonly Tensor[], dim = 0): Tensor {
  const [first] = checked("stack", tensors);
  const at = dimension("stack", dim, first.ndim + 1);
  const parts = tensors.map((part, i) => {
    if (!sameNumbers(part.shape, first.shape))
      throw unequal("stack", first, part, i, "All shapes must be equal.");
    return part.unsqueeze(at);
  });
  return join("stack", parts, at);
}

/**
 * As {@link cat}.
 *
 * @example jl.concat([jl.arange(2), jl.arange(3)]).toArray() // [0, 1, 0, 1, 2]
 */
export function concat(tensors: readonly Tensor[], dim = 0): Tensor {
  return join("concat", tensors, dim);
}

/**
 * As {@link cat}.
 *
 * @example jl.concatenate([jl.arange(2), jl.arange(3)]).toArray() // [0, 1, 0, 1, 2]
 */
export function concatenate(tensors: readonly Tensor[], dim = 0): Tensor {
  return join("concatenate", tensors, dim);
}

/**
 * Joins tensors horizontally: along dimension 1, or vectors along dimension 0.
 *
 * @example jl.hstack([jl.zeros([1]), jl.ones([1])]).toArray() // [0, 1]
 */
export function hstack(tensors: readonly Tensor[]): Tensor {
  const parts = checked("hstack", tensors).map((part) => part.view(part.ndim === 0 ? [1] : part.shape));
  return join("hstack", parts, parts[0]?.ndim === 1 ? 0 : 1);
}

/**
 * Joins tensors vertically: along dimension 0, with vectors as rows.
 *
 * @example jl.vstack([jl.zeros([2]), jl.ones([2])]).toArray() // [[0, 0], [1, 1]]
 */
export function vstack(tensors: readonly Tensor[]): Tensor {
  const parts = checked("vstack", tensors).map((part) => (part.ndim < 2 ? part.reshape(1, -1) : part));
  return join("vstack", parts, 0);
}

/**
 * Joins tensors as columns: along dimension 1, with vectors as columns.
 *
 * @example jl.columnStack([jl.zeros([2]), jl.ones([2])]).toArray() // [[0, 1], [0, 1]]
 */
export function columnStack(tensors: readonly Tensor[]): Tensor {
  const parts = checked("columnStack", tensors).map((part) => (part.ndim < 2 ? part.reshape(-1, 1) : part));
  return join("columnStack", parts, 1);
}

/**
 * Joins tensors in depth: along dimension 2, with vectors as `[1, n, 1]` and matrices as `[m, n, 1]`.
 *
 * @example jl.dstack([jl.zeros([2]), jl.ones([2])]).toArray() // [[[0, 1], [0, 1]]]
 */
export function dstack(tensors: readonly Tensor[]): Tensor {
  const parts = checked("dstack", tensors).map((part) =>
    part.ndim < 2 ? part.reshape(1, -1, 1) : part.ndim === 2 ? part.unsqueeze(2) : part,
  );
  return join("dstack", parts, 2);
}

/**
 * All combinations of the elements of vectors, one in each row.
 *
 * @example jl.cartesianProd(jl.tensor([1, 2]), jl.tensor([3, 4])).toArray() // [[1, 3], [1, 4], [2, 3], [2, 4]]
 */
export function cartesianProd(...tensors: readonly Tensor[]): Tensor {
  const grids = inNameOf("cartesianProd", "meshgrid", () => meshgrid(tensors));
  if (grids.length === 1) return (grids[0] as Tensor).clone();
  return inNameOf("cartesianProd", "stack", () => stack(grids, -1)).reshape(-1, grids.length);
}

/** How {@link meshgrid} lays out its grids. */
export interface MeshgridOptions {
  /** The dimension of the first vector: 0 (`ij`, default) or 1 (`xy`). */
  readonly indexing?: "ij" | "xy";
}

/**
 * The grids of all combinations of some vectors' elements; views.
 *
 * @example jl.meshgrid([jl.arange(2), jl.arange(3)]).map((grid) => grid.toArray()) // [[[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]]]
 */
export function meshgrid(tensors: readonly Tensor[], given?: MeshgridOptions): Tensor[] {
  const vectors = checked("meshgrid", tensors);
  const { indexing = "ij" } = optionsOf("meshgrid", given, ["indexing"]);
  if (indexing !== "ij" && indexing !== "xy") {
    throw new JitlabError("bad-argument", `meshgrid: indexing is ${show(indexing)}.`, 'It is "ij" or "xy".');
  }
  const deep = vectors.find(({ ndim }) => ndim > 1);
  if (deep) {
    throw new JitlabError(
      "bad-dimension",
      `meshgrid: the shape ${formatShape(deep.shape)} is not that of a vector.`,
      "It takes vectors and 0-d tensors.",
    );
  }
  const shape = vectors.map(({ size }) => size);
  const grids = vectors.map((vector, d) =>
    vector.reshape(shape.map((_, k) => (k === d ? -1 : 1))).expand(shape),
  );
  return indexing === "xy" && grids.length > 1 ? swapped(vectors) : grids;
}

/** The grids with the first two dimensions swapped: the first vector is along dimension 1. */
function swapped([first, second, ...others]: readonly Tensor[]): Tensor[] {
  const [a, b, ...rest] = meshgrid([second as Tensor, first as Tensor, ...others]);
  return [b as Tensor, a as Tensor, ...rest];
}

function join(what: string, tensors: readonly Tensor[], dim: number): Tensor {
  const [first, ...others] = checked(what, tensors);
  const along = dimension(what, dim, first.ndim);
  for (const [i, part] of others.entries()) {
    const rest = (tensor: Tensor) => tensor.shape.with(along, 0);
    if (part.ndim !== first.ndim || !sameNumbers(rest(part), rest(first))) {
      const help = `Only the extents of dimension ${along} may differ.`;
      throw unequal(what, first, part, i + 1, help);
    }
  }
  const shape = first.shape.with(
    along,
    tensors.reduce((sum, part) => sum + (part.shape[along] ?? 0), 0),
  );
  const dtype = others.reduce((common, part) => promote(common, part.dtype), first.dtype);
  const joined = emptyTensor(shape, contiguousStrides(shape), dtype, first.device);
  let start = 0;
  for (const part of tensors) {
    const extent = part.shape[along] ?? 0;
    joined.narrow(along, start, extent).copy_(part);
    start += extent;
  }
  return joined;
}

/** At least one tensor, all on one device. */
function checked(what: string, tensors: readonly Tensor[]): readonly [Tensor, ...Tensor[]] {
  const [first, ...others] = isArray(tensors) ? tensors : [];
  if (!first || !tensors.every((part) => part instanceof Tensor)) {
    throw new JitlabError(
      "bad-operand",
      `${what} needs an array of tensors.`,
      `Pass one tensor or more, as in jl.${what}([x, y]).`,
    );
  }
  const foreign = others.find(({ device }) => device !== first.device);
  if (foreign) {
    throw new JitlabError(
      "mixed-devices",
      `${what}: the tensors are on ${first.device.name} and ${foreign.device.name}.`,
      `Move one of them: x.to("${first.device.name}").`,
    );
  }
  return [first, ...others];
}

function unequal(what: string, first: Tensor, part: Tensor, index: number, help: string): JitlabError {
  const shapes = `${formatShape(first.shape)} of tensor 0 and ${formatShape(part.shape)} of tensor ${index}`;
  return new JitlabError("shape-mismatch", `${what}: the shapes ${shapes} do not fit together.`, help);
}
