// jl.linalg by the host's LAPACK; linalg-scalar.test.ts has the same without one, linalg-gpu.test.ts by a GPU's library.
import { openLapack } from "../../dist/runtime/device/cpu/lapack.js";
import { device } from "../support/device.js";
import { testLinalg } from "../support/linalg-suite.js";

const found = openLapack();
if (!found) console.warn("SKIPPED: no LAPACK was found; Debian's liblapack3 has one");
const isPossible = found !== undefined && !device.startsWith("cuda");
testLinalg("LAPACK", isPossible, ["float32", "float64", "complex64", "complex128"]);
