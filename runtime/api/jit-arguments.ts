// The arguments of a call of a functor: its inputs in order, and an object of options and parameters as the last one.
import { isOptions } from "../base/arguments.js";
import { type DTypeName, dtypeOf, dtypes } from "../base/dtype.js";
import { didYouMean, isArray, JitlabError } from "../base/errors.js";
import type { CalledFunctor } from "../functor/called-functor.js";
import { callOptionNames } from "../functor/declaration.js";
import type { Functor } from "../functor/functor.js";
import { codeOf, type Operand } from "../functor/operand.js";
import { keyUse, positionName } from "../functor/position.js";
import { broadcastShapes, checkShape } from "../geometry/layout.js";
import { dimension } from "../geometry/views.js";
import type { CallOptions } from "../launch/calls.js";
import { getDevice } from "../launch/devices.js";
import type { Scalar } from "../ops/op.js";
import { arange } from "../tensor/create.js";
import { drawnFrom, type Generator, keysLike } from "../tensor/random.js";
import { outputOf, Tensor } from "../tensor/tensor.js";

/** The last argument of a call: values of captured parameters beside these options. */
export interface JitCallOptions {
  readonly out?: Tensor | readonly Tensor[];
  /** The result's shape; needed without inputs. */
  readonly shape?: readonly number[];
  readonly dtype?: DTypeName;
  readonly device?: string;
  /** Of a functor that draws: the generator of its random numbers, instead of the one that all calls share. */
  readonly generator?: Generator | undefined;
}

/** An argument of a call: a tensor, a scalar, or the options as the last one. */
export type JitArgument = Tensor | Scalar | (JitCallOptions & { readonly [parameter: string]: unknown });

/** The input of dispatch. */
export interface SplitArguments {
  readonly operands: readonly Operand[];
  readonly given: CallOptions;
}

/** The operands and options of a call; throws if the arguments do not match the functor. */
export function splitArguments(called: CalledFunctor, args: readonly JitArgument[]): SplitArguments {
  const { functor, inputNames, parameters: known } = called;
  const last = args.at(-1);
  const hasOptions = isOptions(last);
  const operands = (hasOptions ? args.slice(0, -1) : args) as readonly Operand[];
  if (operands.length !== inputNames.length) {
    for (const operand of operands) codeOf(operand, functor.name);
    throw new JitlabError(
      "argument-count",
      `${functor.name} takes ${inputList(inputNames)}, but got ${operands.length}.`,
      known.length > 0
        ? `Parameters are passed by name in a last argument: { ${known.map((p) => `${p.name}: ...`).join(", ")} }.`
        : "",
    );
  }
  const given = withDefaults(functor, operands, hasOptions ? optionsOf(called, last as JitCallOptions) : {});
  const own = hasOptions ? generatorOf(called, last as JitCallOptions) : undefined;
  const call =
    called.captured === undefined
      ? given
      : { ...given, parameters: { ...called.captured(), ...given.parameters } };
  return withPositions(called, operands, call, own);
}

function generatorOf(
  { functor, positions }: CalledFunctor,
  { generator }: JitCallOptions,
): Generator | undefined {
  if (generator === undefined) return undefined;
  const { own } = drawnFrom(functor.name, { generator }, ["generator"]);
  if (positions.includes(keyUse)) return own;
  throw new JitlabError(
    "bad-argument",
    `${functor.name}: it draws no random numbers, so it takes no generator.`,
    "Leave generator out.",
  );
}

function optionsOf({ functor, parameters: known }: CalledFunctor, options: JitCallOptions): CallOptions {
  const {
    out,
    shape,
    dtype,
    device,
    generator: _,
    ...parameters
  } = options as JitCallOptions & Record<string, Scalar>;
  for (const name of Object.keys(parameters)) {
    if (known.some((parameter) => parameter.name === name)) continue;
    const names = [...known.map((parameter) => parameter.name), ...callOptionNames];
    throw new JitlabError(
      "unknown-parameter",
      `${functor.name} has no parameter ${JSON.stringify(name)}.`,
      `${didYouMean(name, names)} It takes ${names.join(", ")}.`.trim(),
    );
  }
  const outputs = out === undefined ? undefined : ((isArray(out) ? out : [out]) as readonly Tensor[]);
  if (outputs && outputs.length !== functor.results.length) {
    throw new JitlabError(
      "argument-count",
      `${functor.name} has ${functor.results.length} outputs, but out holds ${outputs.length}.`,
      "Pass one tensor per output.",
    );
  }
  return {
    out: outputs?.map(outputOf),
    parameters,
    shape,
    dtype: dtype && dtypeOf(dtype),
    device: device ? getDevice(device) : undefined,
  };
}

function inputList(names: readonly string[]): string {
  if (names.length === 0) return "no inputs";
  return `${names.length} ${names.length === 1 ? "input" : "inputs"} (${names.join(", ")})`;
}

/** Without tensor inputs the shape is required; the device is the default one, and the dtype float32. */
function withDefaults(functor: Functor, operands: readonly Operand[], call: CallOptions): CallOptions {
  if (operands.some((operand) => operand instanceof Tensor) || call.out) return call;
  for (const operand of operands) codeOf(operand, functor.name);
  if (call.shape === undefined) {
    throw new JitlabError(
      "no-tensor",
      `${functor.name}: none of the arguments is a tensor, so the result's shape is unknown.`,
      "Pass a tensor, or { shape: [...] } as the last argument.",
    );
  }
  return { ...call, dtype: call.dtype ?? dtypes.float32, device: call.device ?? getDevice() };
}

/** Adds what a functor asks for: positions as broadcast `arange` tensors, extents as parameters, and keys of its draws. */
function withPositions(
  called: CalledFunctor,
  operands: readonly Operand[],
  given: CallOptions,
  own: Generator | undefined,
): SplitArguments {
  const { functor, positions } = called;
  if (positions.length === 0) return { operands, given };
  const tensors = operands.filter((operand) => operand instanceof Tensor);
  const shape =
    given.shape ??
    given.out?.[0]?.shape ??
    broadcastShapes(
      functor.name,
      tensors.map((one) => one.shape),
    );
  const device = given.device ?? given.out?.[0]?.device ?? tensors[0]?.device ?? getDevice();
  const parameters: Record<string, Scalar> = { ...given.parameters };
  const added: Tensor[] = [];
  for (const use of positions) {
    if (use.kind === "key") {
      checkShape(shape, functor.name);
      added.push(keysLike(shape, device.name, own));
      continue;
    }
    const dim = dimension(`${functor.name}: ${use.kind}`, use.dim, shape.length);
    const extent = shape[dim] as number;
    if (use.kind === "extent") parameters[positionName(use)] = extent;
    else {
      const ones = shape.slice(dim + 1).map(() => 1);
      added.push(arange(extent, { dtype: "int64", device: device.name }).reshape(extent, ...ones));
    }
  }
  return { operands: [...operands, ...added], given: { ...given, parameters } };
}
