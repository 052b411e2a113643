// Sorting, unique elements and places among them beside PyTorch's results over dtypes, layouts, sizes and special values.
import { compareWithTorch } from "./support/function-golden.js";

compareWithTorch("order beside PyTorch's", "tensor-order");
