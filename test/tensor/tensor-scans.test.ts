// Scans against PyTorch's results over dtypes, layouts, sizes and special values.
import { useAnyDevice } from "../support/device.js";
import { compareWithTorch } from "../support/function-golden.js";

compareWithTorch("scans beside PyTorch's", "tensor-scans", useAnyDevice);
