// Attention and its gradients as graphs of cuDNN, whose engines keep no scores. The forward pass also gives the statistics, the logarithm of the
// sum of powers of each query's scores; of these the backward pass computes the weights again.
import { sizeOf } from "../../geometry/layout.js";
import { addressIn } from "../argument-blocks.js";
import type { AttentionForm, WorkingCode } from "../convolution-library.js";
import type { CheckedLibrary, LibraryHost } from "./checked-library.js";
import { graphTypes } from "./cudnn-enumerations.js";
import { type EngineGraph, type GraphTensor, graphCode } from "./cudnn-graph.js";

const { float32, int32, bool } = graphTypes;
// A score that has no weight: finite, so that no difference is NaN.
const lowest = -(2 ** 127);

/** The code of a form; undefined if no engine computes it with sums in one order. */
export function attentionCode(
  library: CheckedLibrary,
  handle: number,
  form: AttentionForm,
  host: LibraryHost,
): WorkingCode | undefined {
  return graphCode(library, handle, host, (graph) => described(graph, form));
}

function described(graph: EngineGraph, form: AttentionForm): WorkingCode | undefined {
  const ownBytes = (form.isBackward ? backward : forward)(new Description(graph, form));
  const plan = graph.plan();
  const operands = graph.givenCount - (ownBytes > 0 ? 1 : 0);
  return (
    plan && {
      workBytes: ownBytes + plan.workBytes,
      code: {
        launch: ({ u32 }) => {
          const addresses = Array.from({ length: operands + 1 }, (_, i) => addressIn(u32, 2 * i));
          const work = addresses[operands] as number;
          plan.run(ownBytes > 0 ? addresses : addresses.slice(0, operands), work + ownBytes);
        },
        unload: () => graph.destroy(),
      },
    }
  );
}

/** The parts that both passes have. */
class Description {
  readonly half: (typeof graphTypes)["float16" | "bfloat16"];
  readonly queryShape: readonly number[];
  readonly keyShape: readonly number[];
  readonly valueShape: readonly number[];
  readonly outputShape: readonly number[];
  readonly rowShape: readonly number[];

  constructor(
    readonly graph: EngineGraph,
    readonly form: AttentionForm,
  ) {
    const { dtype, batch, heads, rows, columns, features, valueFeatures } = form;
    this.half = graphTypes[dtype];
    this.queryShape = [batch, heads, rows, features];
    this.keyShape = [batch, heads, columns, features];
    this.valueShape = [batch, heads, columns, valueFeatures];
    this.outputShape = [batch, heads, rows, valueFeatures];
    this.rowShape = [batch, heads, rows, 1];
  }

  scaled(x: GraphTensor): GraphTensor {
    return this.graph.pointwise("mul", [x, this.graph.number(this.form.scale)]);
  }

  /** The scores of keys that a query sees; the lowest number where it sees none. */
  seen(scores: GraphTensor): GraphTensor {
    const { graph } = this;
    if (!this.form.isCausal) return scores;
    const index = { type: int32, computing: float32 };
    const row = graph.pointwise("index", [scores], { ...index, axis: 2 });
    const column = graph.pointwise("index", [scores], { ...index, axis: 3 });
    const sees = graph.pointwise("notLess", [row, column], { type: bool });
    return graph.pointwise("select", [scores, graph.number(lowest), sees]);
  }
}

/** Given are the output, the statistics, queries, keys and values. */
function forward(description: Description): number {
  const { graph, half, queryShape, keyShape, valueShape, outputShape, rowShape } = description;
  const output = graph.given(half, outputShape);
  const statistics = graph.given(float32, rowShape);
  const queries = graph.given(half, queryShape);
  const keys = graph.givenTurned(half, keyShape);
  const values = graph.given(half, valueShape);
  const scores = description.seen(description.scaled(graph.matmul(queries, keys)));
  const top = graph.reduction("max", scores);
  const powers = graph.pointwise("exp", [graph.pointwise("sub", [scores, top])]);
  const sum = graph.reduction("sum", powers);
  graph.pointwise("add", [top, graph.pointwise("log", [sum])], { into: statistics });
  const weights = graph.pointwise("div", [powers, sum], { type: half, computing: float32 });
  graph.matmul(weights, values, output);
  return 0;
}

/**
 * Given are the gradients of queries, keys and values; these; the output, the statistics and the output's gradient; and a number for
 * each query, in the memory that it works in, whose bytes are returned.
 */
function backward(description: Description): number {
  const { graph, half, queryShape, keyShape, valueShape, outputShape, rowShape } = description;
  const [dQueries, dKeys, dValues] = [
    graph.given(half, queryShape),
    graph.given(half, keyShape),
    graph.given(half, valueShape),
  ] as const;
  const queries = graph.given(half, queryShape);
  const keys = graph.givenTurned(half, keyShape);
  const values = graph.givenTurned(half, valueShape);
  const output = graph.given(half, outputShape);
  const statistics = graph.given(float32, rowShape);
  const gradient = graph.given(half, outputShape);
  const shares = graph.given(float32, rowShape);

  const products = graph.reduction("sum", graph.pointwise("mul", [gradient, output]));
  graph.pointwise("mul", [products, graph.number(1)], { into: shares });
  const scores = description.scaled(graph.matmul(queries, keys));
  const weights = graph.pointwise("exp", [description.seen(graph.pointwise("sub", [scores, statistics]))]);
  graph.matmul(graph.turned(weights, half), gradient, dValues);
  const dWeights = graph.pointwise("sub", [graph.matmul(gradient, values), shares]);
  const dScores = description.scaled(graph.pointwise("mul", [dWeights, weights]));
  graph.matmul(graph.turned(dScores, half), queries, dKeys);
  graph.matmul(dScores, graph.turned(keys, half), dQueries);
  return Math.ceil((4 * sizeOf(rowShape)) / 256) * 256;
}
