// Tensors put together: each is copied into its part of a new one.
import { promote } from "./dtype.js";
import { JitlabError } from "./errors.js";
import { contiguousStrides, formatShape, sameNumbers } from "./layout.js";
import { emptyTensor, Tensor } from "./tensor.js";
import { dimension } from "./views.js";

/** Tensors one after the other along dimension `dim`, in their common dtype; all other extents must be equal. */
export function cat(tensors: readonly Tensor[], dim = 0): Tensor {
  return join("cat", tensors, dim);
}

/** Tensors of one shape side by side along a new dimension `dim`, in their common dtype. */
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

function join(what: string, tensors: readonly Tensor[], dim: number): Tensor {
  const [first, ...others] = checked(what, tensors);
  const along = dimension(what, dim, first.ndim);
  for (const [i, part] of others.entries()) {
    if (!sameNumbers(part.shape.with(along, 0), first.shape.with(along, 0))) {
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

/** The tensors, of which there is one at least, on one device. */
function checked(what: string, tensors: readonly Tensor[]): readonly [Tensor, ...Tensor[]] {
  const [first, ...others] = Array.isArray(tensors) ? tensors : [];
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
