// Every operation, merged from one file per mathematical family. The key is the public name.
import { activation } from "./activation.js";
import { arithmetic } from "./arithmetic.js";
import { bessel } from "./bessel.js";
import { bitwise } from "./bitwise.js";
import { comparison } from "./comparison.js";
import { complexParts } from "./complex-parts.js";
import { errorFunction } from "./error-function.js";
import { exponential } from "./exponential.js";
import { extremes } from "./extremes.js";
import { gamma } from "./gamma.js";
import { integer } from "./integer.js";
import { logarithm } from "./logarithm.js";
import { logical } from "./logical.js";
import type { Op } from "./op.js";
import { polynomials } from "./polynomials.js";
import { rounding } from "./rounding.js";
import { ternaries } from "./ternary.js";
import { trigonometric } from "./trigonometric.js";

/** The op records by public name. */
export const ops = {
  ...arithmetic,
  ...extremes,
  ...comparison,
  ...logical,
  ...bitwise,
  ...integer,
  ...rounding,
  ...complexParts,
  ...exponential,
  ...logarithm,
  ...trigonometric,
  ...gamma,
  ...errorFunction,
  ...bessel,
  ...polynomials,
  ...activation,
  ...ternaries,
} satisfies Record<string, Op>;

/** The name of an operation. */
export type OpName = keyof typeof ops;
