// Composes the nodes of a row group into the body of one row kernel. The maps read a reduction's result like an operand in
// memory, as one more input of their composition.

import type { DType } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import { planText, type ReductionPlan } from "../../functor/reduction.js";
import type { Domain, RowBody, RowInput, RowLoops } from "../rows/row-spec.js";
import { composedIn, keyOf, scalarTypes, typesOf } from "./composer.js";
import type { Composition, Origin, Step } from "./composition.js";
import { stagesOfSome } from "./stages.js";
import { notePlaces } from "./step-places.js";
import { spacesText, stepLines, storedOf, valueName } from "./step-text.js";

/** A reduction among the steps of a row kernel. */
export interface RowReduced {
  readonly name: string;
  readonly plan: ReductionPlan;
  readonly phase: number;
  readonly from: Origin;
}

/** What one row kernel computes, as data. */
export interface RowComposition {
  /** The operands in memory. */
  readonly inputs: readonly RowInput[];
  /** The maps; their inputs are the operands in memory, then the reductions' results. */
  readonly maps: Composition;
  /** For each step: its space, its phase, and the last phase that needs each result. */
  readonly steps: readonly {
    readonly domain: Domain;
    readonly phase: number;
    readonly last: readonly number[];
  }[];
  readonly reductions: readonly RowReduced[];
  readonly outputs: readonly {
    readonly from: Origin;
    readonly dtype: DType;
    readonly domain: Domain;
    readonly phase: number;
  }[];
}

const bodies = new RecentValues<RowBody>(256);

/** The body of a composition. Equal compositions share one body. */
export function composeRows(composition: RowComposition): RowBody {
  const { inputs, steps, maps, reductions, outputs } = composition;
  const key = JSON.stringify([
    keyOf(maps),
    inputs.map((input) => [
      input.dtype.id,
      input.domain,
      input.isAddressed,
      input.isFlag,
      input.selection,
      input.first,
      input.last,
    ]),
    steps,
    reductions.map(({ name, plan, phase, from }) => [
      [name, plan.compute.id, plan.result.id, phase, from],
      // Reductions of users may have equal names.
      plan.user && planText(plan),
    ]),
    outputs.map((output) => [output.from, output.domain, output.phase]),
  ]);
  return notePlaces(
    bodies.get(key, () => build(composition)),
    maps.steps,
  );
}

function build(composition: RowComposition): RowBody {
  const { inputs, maps, steps, reductions, outputs } = composition;
  const named = (from: Origin): string =>
    from.kind === "step" ? valueName(maps.steps, from.step, from.output) : `x${from.index}`;
  const names = [
    ...new Set([...reductions.map(({ name }) => name), ...maps.steps.map((s) => s.functor.name)]),
  ];
  return {
    places: { steps: [] },
    name: ["fused", "rows", ...names].slice(0, 6).join("_"),
    inputs,
    scalars: scalarTypes(maps),
    steps: steps.map(({ domain, phase, last }, step) => ({
      domain,
      phase,
      lines: stepLines(maps, step),
      values: last.map((phase, output) => {
        const { ctype, bytes } = storedOf(maps.steps, step, output);
        return { name: valueName(maps.steps, step, output), ctype, bytes, last: phase };
      }),
    })),
    loops: [...new Set(steps.map(({ phase }) => phase))].flatMap((phase) => loopsOf(composition, phase)),
    reductions: reductions.map(({ plan, phase, from }, i) => ({
      plan,
      phase,
      value: named(from),
      result: `x${inputs.length + i}`,
    })),
    outputs: outputs.map(({ from, dtype, domain, phase }) => ({ dtype, domain, phase, value: named(from) })),
    functions: spacesText(maps.steps),
    needs: [
      ...new Set([
        ...maps.steps.flatMap(({ functor, compute }) => functor.needs(compute)),
        ...reductions.flatMap(({ plan }) => plan.user?.needs ?? []),
      ]),
    ],
    uses: [
      ...new Set([
        ...typesOf(maps),
        ...reductions.flatMap(({ plan }) => [plan.compute, plan.result, ...(plan.user?.uses ?? [])]),
      ]),
    ],
    composed: [
      ...composedIn(maps.steps),
      ...reductions.flatMap(({ plan }) =>
        plan.user ? [{ text: plan.accumulator, compute: plan.compute }] : [],
      ),
    ],
  };
}

/** The loops of a phase; none if it computes nothing per element. */
function loopsOf({ maps, steps, reductions, outputs }: RowComposition, phase: number): RowLoops[] {
  const chosen = steps.flatMap((step, i) => (step.phase === phase && step.domain === "points" ? [i] : []));
  const needed = [...reductions.filter((one) => one.phase === phase), ...outputs].map(({ from }) => from);
  const isNeeded = (step: number, output: number) =>
    (steps[step]?.last[output] as number) > phase ||
    needed.some((from) => from.kind === "step" && from.step === step && from.output === output);
  const made = chosen.flatMap((step) =>
    (maps.steps[step] as Step).stored.flatMap((_, output) =>
      isNeeded(step, output) ? [{ step, output }] : [],
    ),
  );
  if (made.length === 0) return [];
  const given: string[] = [];
  const types: DType[] = [];
  const within = (from: Origin): Origin => {
    if (from.kind !== "step" || chosen.includes(from.step)) return from;
    const name = valueName(maps.steps, from.step, from.output);
    if (!given.includes(name)) types[given.push(name) - 1] = storedOf(maps.steps, from.step, from.output);
    return { kind: "input", index: maps.inputs.length + given.indexOf(name) };
  };
  const own = maps.steps.map((step, i) =>
    chosen.includes(i) ? { ...step, inputs: step.inputs.map(within) } : step,
  );
  const composition = { ...maps, inputs: [...maps.inputs, ...types], steps: own, outputs: made };
  return [
    {
      phase,
      stages: stagesOfSome(composition, chosen),
      given,
      made: made.map(({ step, output }) => valueName(maps.steps, step, output)),
    },
  ];
}
