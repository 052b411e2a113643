// Where functions of tensors differ from PyTorch's on purpose.

/**
 * True for an error of ours where PyTorch gives a result: in NumPy and here a 0-d tensor has no dimension 0 and is no mask,
 * indexes are checked also where the result is empty, and a fraction does not fit into a tensor of integers.
 */
export function refused(x: string, code: string): boolean {
  if (code === "scalar-overflow") return true;
  if (x === "scalar") return code === "bad-dimension" || code === "bad-index";
  return x === "hollow" && code === "bad-index";
}

/**
 * True where ours gives a result of what PyTorch refuses: kernels that it lacks for some dtypes, grids of mixed dtypes, and
 * indexes that are floats without a fraction, as `jl.tensor([2, 0])` is.
 */
export function extended(call: string, error: string): boolean {
  return /not implemented for|Unsupported input type|is not supported|does not support bool|view size is not compatible|Expected dtype int32\/int64 for index/.test(error) || call.startsWith("jl.meshgrid");
}
