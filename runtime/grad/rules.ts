// The table of gradient rules, by kind and name of operations. A map without a row has the derivatives in its operation's record, or those
// of its text; another operation without one has none.
import type {
  MapOperation,
  OpaqueOperation,
  Operation,
  ReduceOperation,
  ScanOperation,
} from "../launch/operation.js";
import { attentionRule } from "./attention-rule.js";
import { distanceRule } from "./distance-rule.js";
import { gammaRule } from "./gamma-rule.js";
import { matrixRules } from "./linalg-rules.js";
import { mapRule } from "./map-rules.js";
import { orderRefused, reduceRules } from "./reduce-rules.js";
import { type Rule, refusal } from "./rule.js";
import { scanRules } from "./scan-rules.js";
import {
  bilinearRule,
  collectiveRule,
  linearRule,
  modeRule,
  productRule,
  rankRule,
  sortRule,
  tallyRule,
} from "./whole-rules.js";
import { writeRule } from "./write-rules.js";

/** The rules of operations of a kind, by the rule that a definition names, or by name. */
type Rules<O> = Readonly<Record<string, Rule<O>>>;

const maps: Rules<MapOperation> = { multigammaln: gammaRule };
const reductions: Rules<ReduceOperation> = reduceRules;
const scans: Rules<ScanOperation> = scanRules;
const opaque: Rules<OpaqueOperation> = {
  matmul: productRule,
  sort: sortRule,
  mode: modeRule,
  rank: rankRule,
  tally: tallyRule,
  distance: distanceRule,
  attention: attentionRule,
  linear: linearRule,
  bilinear: bilinearRule,
  collective: collectiveRule,
  ...matrixRules,
};

const none: Rule<Operation> =
  (_, { name }) =>
  () =>
    refusal(name);

/** The rule of an operation. */
export function ruleOf(operation: Operation): Rule<never> {
  const { kind, name } = operation;
  switch (kind) {
    case "map":
      return (operation.functor.user ? undefined : maps[name]) ?? mapRule;
    case "reduce":
      return (operation.call.plan.user ? undefined : reductions[name]) ?? orderRefused;
    case "scan":
      return scans[name] ?? none;
    case "opaque":
      return opaque[operation.definition.rule?.by ?? name] ?? none;
    case "write":
      return operation.definition.joins ? writeRule : none;
    case "launch":
    case "loop":
      return none;
    default:
      return operation satisfies never;
  }
}
