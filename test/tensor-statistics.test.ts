// Counts, medians, quantiles and modes beside PyTorch's results over dtypes, layouts, sizes and special values.
import { compareWithTorch } from "./support/function-golden.js";

compareWithTorch("counts and quantiles beside PyTorch's", "tensor-statistics");
