// %%compare --grad in the child: the derivatives of a functor beside differences of its values, in float64.
import type { Tensor } from "../library.js";
import { UsageError } from "../magic.js";
import type { Table } from "../render/table.js";
import type { MagicContext } from "./context.js";

type Fn = (...args: unknown[]) => Tensor | readonly Tensor[] | Readonly<Record<string, Tensor>>;

const step = 1e-6;
// Differences have about this error, relative to 1 and the derivative.
const tolerance = 1e-5;

/** Shows, for each floating input of a functor's call, where its derivative and the difference of values are farthest apart. */
export function compareGradients(
  context: MagicContext,
  name: string,
  fn: unknown,
  args: readonly unknown[],
): void {
  const { jl } = context;
  if (typeof fn !== "function" || !jl.isExplainable(fn))
    throw new UsageError(
      `%%compare: --grad needs a call of a functor; ${name} is none. jl.gradcheck checks other functions.`,
    );
  const call = fn as Fn;
  const isFloat = (one: unknown): one is Tensor => one instanceof jl.Tensor && one.dtype.kind === "float";
  const { shape } = sumOf(call(...args));
  // Without repeated elements, so that each element of a result depends on one of each input.
  const wide = args.map((one) =>
    isFloat(one)
      ? one
          .to("float64")
          .expand([...shape])
          .clone()
      : one,
  );
  const total = (own: readonly unknown[]) => sumOf(call(...own));
  const places = wide.flatMap((one, i) => (isFloat(one) ? [i] : []));
  if (places.length === 0)
    throw new UsageError("%%compare: --grad needs a floating tensor among the arguments.");
  const { grad } = jl.gradients(
    () => total(wide).sum(),
    places.map((i) => wide[i] as Tensor),
  );
  const rows = places.map((i, k) => {
    const x = wide[i] as Tensor;
    const at = (by: number) => total(wide.with(i, x.add(by)));
    const difference = at(step)
      .sub(at(-step))
      .div(2 * step);
    const own = grad[k] as Tensor;
    const error = own.sub(difference).abs().div(difference.abs().add(1)).reshape(-1);
    const worst = error.isnan().where(Number.POSITIVE_INFINITY, error).argmax().item();
    const index = Number(worst);
    const [found, wanted, size] = [own, difference, error].map((one) =>
      Number(one.reshape(-1).at(index).item()),
    );
    return [
      { text: `argument ${i}`, code: true },
      `${x.size}`,
      Number.isNaN(size) || (size as number) > tolerance
        ? { text: `${(size as number).toPrecision(2)} at element ${index}`, tone: "bad" as const }
        : { text: `at most ${(size as number).toPrecision(2)}`, tone: "good" as const },
      digitsOf(found as number),
      digitsOf(wanted as number),
    ];
  });
  const table: Table = {
    columns: [
      { title: "input" },
      { title: "elements" },
      {
        title: "relative difference",
        doc: `Of 1 and the derivative; up to ${tolerance} is that of differences.`,
      },
      { title: "derivative there" },
      { title: "difference there" },
    ],
    rows,
    note: "At a kink, such as abs at 0, they differ.",
  };
  context.table(table);
}

/** The sum of all floating results. */
function sumOf(results: ReturnType<Fn>): Tensor {
  const list = ("dtype" in results ? [results] : Object.values(results)) as readonly Tensor[];
  const floats = list.filter(({ dtype }) => dtype.kind === "float");
  return floats.reduce((sum, one) => sum.add(one), (floats[0] as Tensor).mul(0));
}

function digitsOf(value: number): string {
  return `${Number(value.toPrecision(7))}`;
}
