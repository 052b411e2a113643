// jl.linalg by scalar code, as where no LAPACK is found; linalg.test.ts has the same by LAPACK.
import { testLinalg } from "../support/linalg-suite.js";

// It computes in float64 for every dtype.
testLinalg("scalar code", true, ["float32", "complex128"]);
