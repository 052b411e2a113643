// Runs an operation again on operands in float64, or complex128. Undefined where that is not the same operation: a user's functor that
// names its types, launches, draws.
import { type DType, type DTypeName, dtypes } from "../base/dtype.js";
import { JitlabError } from "../base/errors.js";
import { isAddressed } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import {
  isDraw,
  MapOperation,
  type Operation,
  ReduceOperation,
  WriteOperation,
  wholeOperation,
} from "../launch/operation.js";
import { perform } from "../launch/perform.js";
import { cummax, cummin, cumprod, cumsum, logcumsumexp } from "../tensor/statistics/scan.js";
import { emptyTensor, Tensor } from "../tensor/tensor.js";

/** The dtype in which elements are computed again; undefined for integers. */
export function wideOf({ kind }: DType): DType | undefined {
  if (kind === "float") return dtypes.float64;
  return kind === "complex" ? dtypes.complex128 : undefined;
}

/** The functions of scans, whose definitions are for one dtype. */
const scans: Readonly<Record<string, (x: Tensor, dim: number) => Tensor>> = {
  cumsum,
  cumprod,
  logcumsumexp,
  cummax: (x, dim) => cummax(x, dim).values,
  cummin: (x, dim) => cummin(x, dim).values,
};

/** The results of an operation for other operands: tensors that it may write into are copies. */
export function inWide(
  operation: Operation,
  operands: readonly unknown[],
  results: readonly Tensor[],
  to?: DTypeName,
): readonly Tensor[] | undefined {
  const wideOr = (dtype: DType) => (to === undefined ? wideOf(dtype) : dtypes[to]);
  try {
    const found = wideRun(operation, operands, results[0] as Tensor, wideOr);
    return found?.every(({ dtype }, k) => dtype === (wideOr((results[k] as Tensor).dtype) ?? dtype))
      ? found
      : undefined;
  } catch (error) {
    if (error instanceof JitlabError) return undefined;
    throw error;
  }
}

function wideRun(
  operation: Operation,
  operands: readonly unknown[],
  result: Tensor,
  wide: (dtype: DType) => DType | undefined,
): readonly Tensor[] | undefined {
  switch (operation.kind) {
    case "map":
      return isDraw(operation)
        ? undefined
        : perform(mapOf(operation, operands, wide(result.dtype)), emptyTensor);
    case "reduce": {
      const { call } = operation;
      const input = operands[0] as Tensor;
      const plan = call.reduction.plan(input.dtype);
      if (call.prologue || call.epilogue || "refuse" in plan) return undefined;
      return perform(new ReduceOperation({ ...call, input, plan }), emptyTensor);
    }
    case "scan": {
      const { definition, name } = operation;
      const scan = scans[name];
      const [x] = operands as readonly [Tensor];
      const flipped = (one: Tensor) => (definition.isReversed ? one.flip(definition.dim) : one);
      return scan && [flipped(scan(flipped(x), definition.dim))];
    }
    case "opaque":
      if (operation.definition.draws) return undefined;
      return perform(wholeOperation(operation.definition, operands as readonly Tensor[]), emptyTensor);
    case "write": {
      const target = (operands.at(-1) as Tensor).clone();
      const given = operands.slice(0, -1) as readonly Tensor[];
      return perform(new WriteOperation(operation.definition, given, target, operation.check), emptyTensor);
    }
    case "launch":
    case "loop":
      return undefined;
    default:
      return operation satisfies never;
  }
}

function mapOf(operation: MapOperation, operands: readonly unknown[], wide: DType | undefined): MapOperation {
  const { functor, options } = operation;
  const { out, site: _, isDisjoint: __, dtype: named, ...others } = options;
  const isTyped = operands.some((one) => one instanceof Tensor && wideOf(one.dtype) !== undefined);
  const dtype = out || named || !isTyped ? wide : undefined;
  const [first] = out ?? [];
  // Integers of which a floating number is computed.
  const given = operands.map((one, i) => {
    const isCommon = !isTyped && (functor.inputs[i] ?? "T") === "T" && !isAddressed(functor, i);
    return one instanceof Tensor && isCommon && !functor.converts && wide ? one.to(wide.name) : one;
  });
  return new MapOperation(functor, given as readonly Operand[], {
    ...others,
    ...(dtype && { dtype }),
    ...(first && { shape: first.shape, device: first.device }),
  });
}
