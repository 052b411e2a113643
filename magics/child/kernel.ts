// %%kernel, %%cuda and %%reduction in the child: make a function from the body, with errors in the cell's lines.
import { CompileError, JitlabError } from "../../runtime/base/errors.js";
import type {
  JitCallOptions,
  JitOptions,
  RawArgument,
  RawKernelOptions,
  ReductionOptions,
  Scalar,
  Tensor,
} from "../library.js";
import type { MagicContext } from "./context.js";
import { type Defined, encodeDefinition, madeBy, type Recipe } from "./definition.js";
import { asUsage } from "./usage.js";

/** A tensor or a number. */
export type Operand = Tensor | Scalar;

/** One operand per parameter of the signature; the parameters' names stay as labels. */
export type Operands<Inputs extends readonly unknown[]> = { [K in keyof Inputs]: Operand };

/** Captured parameters with their defaults. */
export type Captured<Parameters> = { [K in keyof Parameters]?: Scalar };

/** A tensor for one output, a tuple for several. */
export type Outputs<Results extends readonly unknown[]> = Results extends readonly [unknown]
  ? Tensor
  : { [K in keyof Results]: Tensor };

/** A function on tensors that %%kernel defined. */
export interface Kernel<Inputs extends readonly unknown[], Parameters, Result> {
  (...args: [...inputs: Inputs, options?: JitCallOptions & Parameters]): Result;
  readonly name: string;
  /** The functor's text. */
  readonly source: string;
  /** Captured parameters with their defaults. */
  readonly parameters: Readonly<Record<string, Scalar>>;
}

/** The argument types of a raw kernel. */
export type RawArguments<Kinds extends readonly unknown[]> = {
  [K in keyof Kinds]: Kinds[K] extends "tensor"
    ? Tensor | null
    : Kinds[K] extends "boolean"
      ? boolean
      : Kinds[K] extends "number"
        ? number
        : Kinds[K] extends "integer"
          ? number | bigint
          : Exclude<RawArgument, Tensor | null>;
};

const firstLine = 2;

/**
 * Makes the function of a %%kernel cell, whose body starts on the cell's second line. A replaced function keeps working
 * under other names, and releases its loaded kernels.
 */
export function defineKernel(context: MagicContext, source: string, options: JitOptions): unknown {
  return define(context, { magic: "%%kernel", source, options });
}

/** Makes the function of a %%cuda cell. */
export function defineRaw(
  context: MagicContext,
  source: string,
  name: string,
  options: RawKernelOptions,
): unknown {
  return define(context, { magic: "%%cuda", source, name, options });
}

/** Makes the function of a %%reduction cell. */
export function defineReduction(context: MagicContext, source: string, options: ReductionOptions): unknown {
  return define(context, { magic: "%%reduction", source, options });
}

function define({ host, jl, versions }: MagicContext, recipe: Recipe): unknown {
  const place = { file: host.identity().file, line: firstLine };
  try {
    const kernel = asUsage(recipe.magic, () => madeBy(jl, recipe, place));
    checkSyntax(kernel);
    const replaced = host.locals[kernel.name];
    if (jl.isExplainable(replaced)) (replaced as Defined).unload?.();
    const definition = { name: kernel.name, recipe, place, at: Date.now() };
    versions.note(definition, kernel);
    host.request({ kind: "defined", definition: encodeDefinition(definition) });
    return kernel;
  } catch (error) {
    // The cell defined nothing, so the earlier value of the name stays.
    host.request({ kind: "forget" });
    throw error;
  }
}

function checkSyntax(kernel: Defined): void {
  try {
    kernel.check();
  } catch (error) {
    // Without a device nothing is checked here; the first call reports the missing part.
    if (error instanceof JitlabError && !(error instanceof CompileError)) return;
    // The message already points into the cell; stack frames would point at the magic's line.
    if (error instanceof CompileError) error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
}
