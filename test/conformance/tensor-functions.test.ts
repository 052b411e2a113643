// Functions of tensors that are not elementwise, against PyTorch's results over dtypes, layouts, sizes and special values.
import { compareWithTorch } from "../support/function-golden.js";

compareWithTorch("functions of tensors beside PyTorch's", "tensor-functions");
