// jl.linalg by the host's LAPACK; linalg-scalar.test.ts has the same without one.
import { openLapack } from "../../dist/runtime/device/cpu/lapack.js";
import { testLinalg } from "../support/linalg-suite.js";

testLinalg("LAPACK", openLapack() !== undefined, ["float32", "float64", "complex64", "complex128"]);
