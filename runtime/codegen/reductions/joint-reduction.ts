// Several reductions of the same elements as one: its accumulator holds an accumulator of each, and each joins its own
// elements in its own order. The functions of number i are in the namespace `of_i`.
import { RecentValues } from "../../base/recent-values.js";
import { type JointMember, planText, type Reduction, type ReductionPlan } from "../../functor/reduction.js";
import { liftedElement, reductionFunctions } from "./reduce-pieces.js";

/** The reductions as one. */
export interface JointReduction {
  readonly reduction: Reduction;
  readonly plan: ReductionPlan;
}

const joints = new RecentValues<JointReduction>(256);

/** One reduction of several, whose accumulators have one size. Equal members share one. */
export function jointReduction(members: readonly JointMember[]): JointReduction {
  const keys = members.map(({ name, plan, element, from }) => [
    [name, plan.compute.id, plan.result.id, element.id, from.role, from.index],
    planText(plan),
  ]);
  return joints.get(JSON.stringify(keys), () => build(members));
}

function build(members: readonly JointMember[]): JointReduction {
  const [{ plan: first }] = members as readonly [JointMember];
  const each = (text: (member: JointMember, i: number) => string) =>
    `Accumulator{${members.map(text).join(", ")}}`;
  const fields = members.map((_, i) => `of_${i}::Accumulator a${i};`).join(" ");
  const plan: ReductionPlan = {
    compute: first.compute,
    result: first.result,
    accumulator: [
      ...members.flatMap(({ plan: own }, i) => [`namespace of_${i} {`, ...reductionFunctions(own), `}`]),
      `struct Accumulator { ${fields} };`,
    ].join("\n"),
    accumulatorBytes: first.accumulatorBytes * members.length,
    identity: each((_, i) => `of_${i}::identity()`),
    lift: each(({ from }, i) => liftedElement(`${from.role}${from.index}`, "place", `of_${i}::`)),
    join: each((_, i) => `of_${i}::join(a.a${i}, b.a${i})`),
    finish: "",
    members,
  };
  const name = members.map((member) => member.name).join("_");
  return { reduction: { name, ordered: false, needsElements: false, plan: () => plan }, plan };
}
