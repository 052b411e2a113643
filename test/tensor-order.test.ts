// Scans, sorting and what stands on them, beside PyTorch's results over dtypes, layouts, sizes and special values.
import { compareWithTorch } from "./support/function-golden.js";

compareWithTorch("scans and order beside PyTorch's", "tensor-order");
