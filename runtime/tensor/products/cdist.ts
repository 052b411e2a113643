// Distances between the rows of two matrices.
import { numberOf } from "../../base/arguments.js";
import { type DTypeName, dtypes } from "../../base/dtype.js";
import { JitlabError } from "../../base/errors.js";
import { RecentValues } from "../../base/recent-values.js";
import type { Walk } from "../../codegen/walk-kernel.js";
import { broadcastShapes, formatShape } from "../../geometry/layout.js";
import type { View } from "../../geometry/view.js";
import type { OpaqueDefinition, RuleFacts } from "../../launch/operation.js";
import { openCasts } from "../../launch/sink.js";
import { launchWalk } from "../../launch/walk-launch.js";
import { full } from "../create.js";
import { checkDevices } from "../same-device.js";
import { type Tensor, tensorOf, windowOf } from "../tensor.js";
import { opaqueDefinition, wholeResults } from "../whole.js";
import { matmul } from "./products.js";

// From this many rows on, distances with p = 2 use a matrix product, as in PyTorch.
const manyRows = 26;

/** The join of differences, and the result of the sum: C++ over `sum`, the difference `d` and the power `p`. */
const forms = {
  zero: ["sum + (d != C(0) ? C(1) : C(0))", "sum"],
  one: ["sum + d", "sum"],
  two: ["sum + d * d", "sqrt(sum)"],
  infinite: ["sum > d || sum != sum ? sum : d", "sum"],
  other: ["sum + pow(d, p)", "pow(sum, C(1) / p)"],
} as const;

/** The walks over pairs of rows, by the power. */
export const distanceWalks: Readonly<Record<keyof typeof forms, Walk>> = Object.fromEntries(
  Object.entries(forms).map(([name, [join, finish]]) => [
    name,
    {
      name: `cdist_${name}`,
      operands: ["out", "left", "right", "power"],
      numbers: ["length", "left_step", "right_step"],
      body: [
        "  const C p = cast<C>(*power);",
        "  (void)p;",
        "  C sum = C(0);",
        "  for (int64 k = 0; k < length; ++k) {",
        "    const C difference = cast<C>(left[k * left_step]) - cast<C>(right[k * right_step]);",
        "    const C d = difference < C(0) ? -difference : difference;",
        `    sum = ${join};`,
        "  }",
        `  *out = cast<T>(C(${finish}));`,
      ].join("\n"),
    },
  ]),
) as unknown as Record<keyof typeof forms, Walk>;

/**
 * The distances between the rows of two matrices, or of batches: the `p`-norm of their difference.
 *
 * @example jl.tensor([[0, 0], [3, 4]]).cdist(jl.tensor([[0, 0]])).toArray() // [[0], [5]]
 */
export function cdist<D extends DTypeName>(x: Tensor<D>, other: Tensor<D>, p = 2): Tensor<D> {
  const casts = openCasts();
  if (casts) return casts.call("cdist", cdist<D>, [x, other, p]);
  const power = numberOf("cdist", "p", p);
  const [rows, columns] = [tensorOf("cdist", x).shape.at(-2), tensorOf("cdist", other).shape.at(-2)];
  const length = x.shape.at(-1);
  if (rows === undefined || columns === undefined || length !== other.shape.at(-1)) {
    throw new JitlabError(
      "shape-mismatch",
      `cdist: the shapes ${formatShape(x.shape)} and ${formatShape(other.shape)} do not fit.`,
      "They must be matrices, or batches of them, with equal row lengths.",
    );
  }
  if (x.dtype !== other.dtype || x.dtype.kind !== "float") {
    throw new JitlabError(
      "dtype-refused",
      `cdist does not take ${x.dtype.name} and ${other.dtype.name}: both must have the same floating dtype; convert with .to("float32").`,
    );
  }
  checkDevices("cdist", x, other);
  if (!(power >= 0)) {
    throw new JitlabError("bad-argument", `cdist: p is ${power}.`, "Pass a number from 0 on, or Infinity.");
  }
  if (power === 2 && Math.max(rows, columns) >= manyRows) return byProduct(x, other) as Tensor<D>;
  const batch = broadcastShapes("cdist", [x.shape.slice(0, -2), other.shape.slice(0, -2)]);
  const wide = (tensor: Tensor) => tensor.expand([...batch, ...tensor.shape.slice(-2)]);
  return wholeResults(distancesOperation(power), [wide(x), wide(other)])[0] as Tensor<D>;
}

/** The rule of distances, whose norm has an order. */
export interface DistanceRule extends RuleFacts {
  readonly by: "distance";
  readonly power: number;
}

const known = new RecentValues<OpaqueDefinition>(64);

/** The distances between the rows of two batches of matrices. */
function distancesOperation(power: number): OpaqueDefinition {
  return known.get(`${power}`, () => newOperation(power));
}

function newOperation(power: number): OpaqueDefinition {
  return opaqueDefinition(
    "cdist",
    ([x, other]) => {
      const { dtype, shape } = x as View;
      return [[dtype, shape.with(-1, (other as View).shape.at(-2) as number)]];
    },
    (inputs, [result]) => {
      const [x, other] = inputs as [Tensor, Tensor];
      const { shape } = result as Tensor;
      const pairs = (wide: Tensor, side: "left" | "right") => {
        const step = wide.strides.at(-2) as number;
        const own = side === "left" ? [step, 0] : [0, step];
        return windowOf(wide, { shape, strides: [...wide.strides.slice(0, -2), ...own], offset: 0 });
      };
      const steps = inputs.map(({ strides }) => strides.at(-1) as number);
      const numbers = [x.shape.at(-1) as number, ...steps];
      const exponent = full([], power, { dtype: dtypes[x.dtype.compute].name, device: x.device.name });
      const read = [pairs(x, "left"), pairs(other, "right"), exponent.expand(shape)];
      launchWalk(distanceWalks[formOf(power)], shape, [result as Tensor], read, numbers);
    },
    { core: [2, 2], rule: { by: "distance", power } as DistanceRule },
  );
}

function formOf(p: number): keyof typeof forms {
  if (p === 0) return "zero";
  if (p === 1) return "one";
  if (p === 2) return "two";
  return p === Number.POSITIVE_INFINITY ? "infinite" : "other";
}

function byProduct(x: Tensor, other: Tensor): Tensor {
  const squares = (tensor: Tensor) => tensor.square().sum(-1);
  const twice = matmul(x, other.mT).mul(2);
  const both = squares(x).unsqueeze(-1).add(squares(other).unsqueeze(-2));
  return both.sub(twice).clampMin(0).sqrt();
}
