// jl.gradcheck: derivatives beside differences of the function's values.
import { checkFunction, numberOf, optionsOf } from "../base/arguments.js";
import { JitlabError } from "../base/errors.js";
import type { Scalar } from "../ops/op.js";
import { arange } from "../tensor/create.js";
import type { Tensor } from "../tensor/tensor.js";
import { isFloat, mapTree, tensorsIn } from "../tensor/tree.js";
import { type GradOf, vjp } from "./gradients.js";

/** Options of gradcheck. */
export interface GradcheckOptions {
  /** The step of the differences; default 1e-6. */
  readonly eps?: number;
  /** The difference that is allowed, with `rtol`; default 1e-5. */
  readonly atol?: number;
  /** The same as a share of the value; default 1e-3. */
  readonly rtol?: number;
}

/**
 * Compares the derivatives of a function by its float64 or complex128 tensors with central differences of its values. True if they agree;
 * else the error `gradcheck-failed` names the worst element. `args` are the function's arguments.
 *
 * @example jl.gradcheck((x) => x.sin(), [jl.tensor([0.5], { dtype: "float64" })]) // true
 */
// biome-ignore lint/suspicious/noExplicitAny: a function of any arguments
export function gradcheck<F extends (...args: any[]) => unknown>(
  fn: F,
  args: Parameters<F>,
  options?: GradcheckOptions,
): true {
  const what = "gradcheck";
  checkFunction(what, "what to check", fn);
  const { eps = 1e-6, atol = 1e-5, rtol = 1e-3 } = optionsOf(what, options, ["eps", "atol", "rtol"]);
  for (const [name, value] of Object.entries({ eps, atol, rtol })) numberOf(what, name, value);
  const { value, pull } = vjp(fn, ...args);
  const weighted = mapTree(value, weightsOf);
  const weights = floatsIn(weighted);
  const found = tensorsIn(pull(weighted as GradOf<ReturnType<F>>));
  const leaves = floatsIn(args);
  if (leaves.length === 0 || leaves.some(({ dtype }) => !["float64", "complex128"].includes(dtype.name))) {
    throw new JitlabError(
      "bad-argument",
      "gradcheck: differences need tensors of float64 or complex128.",
      'Convert the floating arguments with .to("float64").',
    );
  }
  for (const [k, leaf] of leaves.entries()) {
    const isComplex = leaf.dtype.kind === "complex";
    const own = (found[k] as Tensor).reshape(-1);
    // The gradient by a complex number has the derivatives by both of its parts.
    const parts = isComplex ? [own.real(), own.imag()] : [own];
    for (const [part, exact] of parts.entries()) {
      for (let i = 0; i < leaf.size; i++) {
        const at = (step: number) =>
          floatsIn(fn(...(moved(args, k, i, part === 1 ? { re: 0, im: step } : step) as Parameters<F>)));
        const difference = totalOf(at(eps), at(-eps), weights) / (2 * eps);
        const one = Number(exact.at(i).item());
        if (Math.abs(one - difference) <= atol + rtol * Math.abs(difference)) continue;
        const which = part === 1 ? "the imaginary part of element" : "element";
        throw new JitlabError(
          "gradcheck-failed",
          `gradcheck: the derivative by ${which} ${i} of tensor ${k} is ${one}, and differences give ${difference}.`,
          "At a kink they differ; else the derivative is wrong.",
        );
      }
    }
  }
  return true;
}

/** Different weights, so that no two elements of a result can stand for each other. */
function weightsOf(x: Tensor): Tensor | undefined {
  if (!isFloat(x)) return undefined;
  const places = arange(0, x.size, 1, { dtype: "float64", device: x.device.name }).reshape([...x.shape]);
  const weights = places.add(1).cos();
  return (x.dtype.kind === "complex" ? weights.mul({ re: 1, im: 0.5 }) : weights).to(x.dtype.name);
}

function floatsIn(tree: unknown): Tensor[] {
  return tensorsIn(tree).filter(isFloat);
}

/** The weighted sum of the differences of all results; of complex ones the real part of the product with the conjugate. */
function totalOf(above: readonly Tensor[], below: readonly Tensor[], weights: readonly Tensor[]): number {
  const parts = above.map((x, i) => {
    const [difference, weight] = [x.sub(below[i] as Tensor), weights[i] as Tensor];
    const product =
      x.dtype.kind === "complex" ? difference.mul(weight.conj()).real() : difference.mul(weight);
    return product.sum().item();
  });
  return parts.reduce((sum: number, one) => sum + Number(one), 0);
}

/** The arguments with one element of the k-th floating tensor moved. */
function moved(args: readonly unknown[], k: number, i: number, step: Scalar): unknown {
  let next = 0;
  return mapTree(
    args,
    (x) => {
      if (!isFloat(x) || next++ !== k) return x;
      const copy = x.clone();
      copy.view(-1).narrow(0, i, 1).add_(step);
      return copy;
    },
    true,
  );
}
