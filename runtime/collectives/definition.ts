// A collective as an operation of whole tensors: one for each member in this process, each result on the device of its input.
import type { DType } from "../base/dtype.js";
import { RecentValues } from "../base/recent-values.js";
import type { CollectiveForm, CollectiveKind } from "../device/collectives.js";
import type { View } from "../geometry/view.js";
import type { OpaqueDefinition } from "../launch/operation.js";
import { isListed } from "../launch/sink.js";
import type { Tensor } from "../tensor/tensor.js";
import { type CollectiveRule, opaqueDefinition, wholeResults } from "../tensor/whole.js";

/** Who takes part: the devices of this process, or all processes of a job. */
export interface Team {
  readonly name: string;
  /** The number of members, of which these inputs are in this process. */
  size(inputs: readonly unknown[]): number;
  /** True if the member of a number is the `i`th one in this process. */
  isMember(number: number, i: number): boolean;
  /** Writes the results of contiguous inputs. */
  run(form: CollectiveForm, inputs: readonly Tensor[], outputs: readonly Tensor[]): void;
}

const definitions = new RecentValues<OpaqueDefinition>(256);

/** The results of a collective over checked, contiguous tensors. */
export function collective(team: Team, form: CollectiveForm, inputs: readonly Tensor[]): readonly Tensor[] {
  const { kind, op, dtype, root } = form;
  const key = `${team.name} ${kind} ${op} ${dtype} ${root}`;
  return wholeResults(
    definitions.get(key, () => definitionOf(team, form)),
    inputs,
  );
}

const names: Readonly<Record<CollectiveKind, string>> = {
  "all-reduce": "allReduce",
  broadcast: "broadcast",
  "all-gather": "allGather",
  "reduce-scatter": "reduceScatter",
};

/** The name of a collective's function. */
export function nameOf({ kind }: Pick<CollectiveForm, "kind">): string {
  return names[kind];
}

function definitionOf(team: Team, form: CollectiveForm): OpaqueDefinition {
  const resultOf = ({ dtype, shape }: View, size: number): readonly [DType, readonly number[]] => {
    const [extent = 1, ...rest] = shape;
    if (form.kind === "all-gather") return [dtype, [extent * size, ...rest]];
    if (form.kind === "reduce-scatter") return [dtype, [extent / size, ...rest]];
    return [dtype, shape];
  };
  return opaqueDefinition(
    nameOf(form),
    (inputs) => inputs.map((input) => resultOf(input, team.size(inputs))),
    (inputs, outputs) => {
      // Nothing is compiled for it.
      if (!isListed()) team.run(form, inputs, outputs);
    },
    { spansDevices: true, rule: ruleOf(team, form) },
  );
}

/** All members take part in the derivative, as they do in the collective. */
function ruleOf(team: Team, form: CollectiveForm): CollectiveRule {
  const { kind, op, root } = form;
  const back = (own: Partial<CollectiveForm>, g: readonly Tensor[]) =>
    collective(
      team,
      { ...form, op: "sum", ...own },
      g.map((one) => one.contiguous()),
    );
  const isLinear = op === "sum" || op === "mean";
  const adjoints: Readonly<Record<CollectiveKind, CollectiveRule["adjoint"]>> = {
    "all-reduce": isLinear ? (g) => back({ op }, g) : undefined,
    // Only the root's elements were used.
    broadcast: (g) => {
      const sums = back({ kind: "all-reduce" }, g);
      return sums.map((sum, i) => (team.isMember(root, i) ? sum : undefined));
    },
    "all-gather": (g) => back({ kind: "reduce-scatter" }, g),
    "reduce-scatter": isLinear
      ? (g) => {
          const all = back({ kind: "all-gather" }, g);
          return op === "sum" ? all : all.map((one) => one.div(team.size(g)));
        }
      : undefined,
  };
  return { by: "collective", adjoint: adjoints[kind] };
}
