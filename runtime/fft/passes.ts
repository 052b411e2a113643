// The Fourier transform along one dimension in passes (Stockham's algorithm): each combines as many parts as its radix, and
// leaves the elements in the order of the next one, so that no pass rearranges. All run on the device, as walks.
import { type DType, dtypes } from "../base/dtype.js";
import { RecentValues } from "../base/recent-values.js";
import type { Walk } from "../codegen/walk-kernel.js";
import { contiguousStrides } from "../geometry/layout.js";
import type { View } from "../geometry/view.js";
import type { OpaqueDefinition } from "../launch/operation.js";
import { launchWalk } from "../launch/walk-launch.js";
import { emptyTensor, type Tensor, windowOf } from "../tensor/tensor.js";
import { linear, opaqueDefinition, wholeResults } from "../tensor/whole.js";
import { factorsOf, rootsOf } from "./factors.js";

// Bodies of passes: `v` holds the parts, `at` is the step in the table of roots, and `turn` conjugates them for the inverse.
const butterflies: Readonly<Record<number, readonly string[]>> = {
  2: [
    "  const C a = v[0], b = v[1];",
    "  v[0] = a + b;",
    "  v[1] = a - b;", //
  ],
  4: [
    "  const C a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = v[1] - v[3];",
    "  const C e = C(d.im * turn, -d.re * turn);",
    "  v[0] = a + c;",
    "  v[1] = b + e;",
    "  v[2] = a - c;",
    "  v[3] = b - e;",
  ],
  // Two of radix 4, over the even and the odd parts, then one of radix 2, with the eighth roots between them.
  8: [
    ...["0", "1"].flatMap((odd) => [
      `  const C a${odd} = v[${odd}] + v[4 + ${odd}], b${odd} = v[${odd}] - v[4 + ${odd}];`,
      `  const C c${odd} = v[2 + ${odd}] + v[6 + ${odd}], d${odd} = v[2 + ${odd}] - v[6 + ${odd}];`,
      `  const C e${odd} = C(d${odd}.im * turn, -d${odd}.re * turn);`,
      `  const C p${odd} = a${odd} + c${odd}, q${odd} = b${odd} + e${odd};`,
      `  const C r${odd} = a${odd} - c${odd}, s${odd} = b${odd} - e${odd};`,
    ]),
    "  const C u1 = C((q1.re + q1.im * turn) * root_half, (q1.im - q1.re * turn) * root_half);",
    "  const C u2 = C(r1.im * turn, -r1.re * turn);",
    "  const C u3 = C((s1.im * turn - s1.re) * root_half, (-s1.re * turn - s1.im) * root_half);",
    "  v[0] = p0 + p1;",
    "  v[1] = q0 + u1;",
    "  v[2] = r0 + u2;",
    "  v[3] = s0 + u3;",
    "  v[4] = p0 - p1;",
    "  v[5] = q0 - u1;",
    "  v[6] = r0 - u2;",
    "  v[7] = s0 - u3;",
  ],
};

/** The sums of a radix by their definition. */
function definition(radix: number): readonly string[] {
  return [
    `  C u[${radix}];`,
    `  for (int k = 0; k < ${radix}; ++k) u[k] = v[k];`,
    `  for (int j = 0; j < ${radix}; ++j) {`,
    "    C sum = u[0];",
    `    for (int k = 1; k < ${radix}; ++k) {`,
    `      const C root = table[int64((j * k) % ${radix}) * unit];`,
    "      sum = sum + u[k] * C(root.re, root.im * turn);",
    "    }",
    "    v[j] = sum;",
    "  }",
  ];
}

const walks = new RecentValues<Walk>(64);

function walkOf(radix: number, real: DType): Walk {
  return walks.get(`${radix} ${real.name}`, () => ({
    name: `fft_radix${radix}`,
    operands: ["out", "x", "root", "table"],
    numbers: ["out_step", "x_step", "unit"],
    scalars: [
      { name: "turn", dtype: real },
      { name: "factor", dtype: real },
      { name: "root_half", dtype: real },
    ],
    body: [
      `  C v[${radix}];`,
      `  for (int k = 0; k < ${radix}; ++k) v[k] = x[k * x_step];`,
      ...(butterflies[radix] ?? definition(radix)),
      "  const int64 at = root - table;",
      "  (void)unit, (void)root_half;",
      `  out[0] = C(v[0].re * factor, v[0].im * factor);`,
      `  for (int j = 1; j < ${radix}; ++j) {`,
      "    const C own = table[j * at];",
      "    const C y = v[j] * C(own.re, own.im * turn);",
      "    out[j * out_step] = C(y.re * factor, y.im * factor);",
      "  }",
    ].join("\n"),
  }));
}

/** One transform along a dimension, which is counted from the first one; in an operation from behind the last one. */
interface Transform {
  readonly dim: number;
  readonly isInverse: boolean;
  /** What every result is multiplied by. */
  readonly factor: number;
}

const operations = new RecentValues<OpaqueDefinition>(256);

function operationOf(transform: Transform): OpaqueDefinition {
  const { dim, isInverse, factor } = transform;
  const along = (x: View) => ({ ...transform, dim: dim + x.shape.length });
  return operations.get(`${dim} ${isInverse} ${factor}`, () =>
    opaqueDefinition(
      "fft",
      ([x]) => [[(x as View).dtype, (x as View).shape]],
      ([x, table], [out]) => runPasses(along(x as View), x as Tensor, table as Tensor, out as Tensor),
      {
        core: [-dim, "all"],
        rule: linear((g) => transformed(g, { ...along(g), isInverse: !isInverse })),
      },
    ),
  );
}

/** The transform of a complex tensor along a dimension whose length has small factors. */
export function transformed(x: Tensor, transform: Transform): Tensor {
  const table = rootsOf(x.shape[transform.dim] as number, x.dtype, x.device);
  const operation = operationOf({ ...transform, dim: transform.dim - x.ndim });
  return (wholeResults(operation, [x, table]) as [Tensor])[0];
}

function runPasses({ dim, isInverse, factor }: Transform, x: Tensor, table: Tensor, out: Tensor): void {
  if (x.size === 0) return;
  const { shape, dtype, device } = x;
  const length = shape[dim] as number;
  const factors = factorsOf(length) as readonly number[];
  if (factors.length === 0) {
    out.copy_(factor === 1 ? x : x.mul(factor));
    return;
  }
  const real = dtype.name === "complex64" ? dtypes.float32 : dtypes.float64;
  const other = factors.length > 1 ? emptyTensor(shape, contiguousStrides(shape), dtype, device) : out;
  const batch = shape.toSpliced(dim, 1);
  const batchStrides = ({ strides }: Tensor) => strides.toSpliced(dim, 1);
  let from = x;
  // The number of transforms that earlier passes have joined, which lie next to each other.
  let joined = 1;
  for (const [i, radix] of factors.entries()) {
    const isLast = i === factors.length - 1;
    const to = (factors.length - 1 - i) % 2 === 0 ? out : other;
    const rest = length / joined / radix;
    const [step, outStep] = [from.strides[dim] as number, to.strides[dim] as number];
    const lay = (view: Tensor, strides: readonly number[]) =>
      windowOf(view, { shape: [...batch, rest, joined], strides, offset: 0 });
    const none = batch.map(() => 0);
    launchWalk(
      walkOf(radix, real),
      [...batch, rest, joined],
      [lay(to, [...batchStrides(to), radix * joined * outStep, outStep])],
      [
        lay(from, [...batchStrides(from), joined * step, step]),
        lay(table, [...none, joined, 0]),
        lay(table, [...none, 0, 0]),
      ],
      [joined * outStep, rest * joined * step, length / radix],
      [isInverse ? -1 : 1, isLast ? factor : 1, Math.SQRT1_2],
    );
    from = to;
    joined *= radix;
  }
  if (other !== out) other.dispose();
}
