// Launches of maps: one operation by its own functor, which is the kernel of the separate call, or several over one domain.

import type { DType } from "../../../base/dtype.js";
import type { Functor } from "../../../functor/functor.js";
import type { Operand } from "../../../functor/operand.js";
import { isSingle, sameNumbers } from "../../../geometry/layout.js";
import { type LaunchSite, type MapCall, newSite } from "../../../launch/calls.js";
import { dispatch } from "../../../launch/map-launch.js";
import { runWalk, walkOf } from "../../../launch/walk-launch.js";
import type { Scalar } from "../../../ops/op.js";
import { isMap, type MapNode, windowOf } from "../../operations/ir.js";
import { isGather } from "../../operations/reads.js";
import type { Slot } from "../../operations/slot.js";
import type { Window } from "../../operations/window.js";
import type { Loop } from "../../passes/loop.js";
import {
  type Binding,
  type NamedScalars,
  type OutputRef,
  type ReadRef,
  type ScalarRef,
  scalarAt,
} from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import type { EndingReads, Kind, Planner } from "./kind.js";

/** Maps over one domain. */
export const maps: Kind = {
  holds: ({ nodes }) => nodes.every(isMap),
  launchOf: (planner, loop, reads) =>
    loop.nodes.length === 1
      ? aloneOf(planner, loop.nodes[0] as MapNode, reads)
      : sharedOf(planner, loop, reads),
};

/** How a map runs, or several by one functor. */
export class MapRun implements How {
  /** State that repeated launches share. */
  readonly site: LaunchSite = newSite();

  constructor(
    readonly functor: Functor,
    readonly parameters: NamedScalars,
    /** The shape of the call; undefined if operands of that shape imply it. */
    readonly shape: readonly number[] | undefined,
    /** The requested dtype, if no operand has one. */
    readonly dtype: DType | undefined,
    readonly inPlaceFrom: number | undefined,
  ) {}

  get name(): string {
    return this.functor.name;
  }

  run(launch: Launch, binding: Binding, views: Views): void {
    const call = mapCall(launch, this, binding, views);
    const walk = walkOf(call);
    if (walk) runWalk(walk);
    else dispatch(call.functor, call.operands, noOutput, call.options);
  }

  mergeKey({ operands, outputs, device, isChecked }: Launch, slotOf: (number: number) => Slot) {
    const { functor, dtype, shape } = this;
    if (functor.user || dtype || shape !== undefined || isChecked) return undefined;
    if (outputs.some(({ base }) => base)) return undefined;
    const types = operands.map((one) => {
      if ("window" in one) return `${one.window.dtype.id}${isSingle(one.window.strides)}`;
      const known = slotOf(one.node).operands[one.at];
      return `${known?.code}s${known?.passed?.id}`;
    });
    return `${functor.id};${device.id};${types};${outputs.map(({ window }) => window.dtype.id)}`;
  }
}

/** The call of a map's launch. */
export function mapCall(
  { operands, outputs, device }: Launch,
  { functor, parameters, shape, dtype, site }: MapRun,
  binding: Binding,
  { read, output }: Views,
): MapCall {
  // Loops, because this runs for each of many launches that one call merges.
  const given = new Array<Operand>(operands.length);
  for (let i = 0; i < given.length; i++) {
    const one = operands[i] as ReadRef | ScalarRef;
    given[i] = "ref" in one ? read(one) : scalarAt(binding, one);
  }
  const scalars = new Array<Scalar>(parameters.length);
  for (let i = 0; i < scalars.length; i++)
    scalars[i] = scalarAt(binding, (parameters[i] as NamedScalars[number])[1]);
  const out = outputs.map(output);
  return {
    functor,
    operands: given,
    options: { out, isDisjoint: true, scalars, site, dtype, device, shape },
  };
}

/** One operation by its own functor. */
function aloneOf(planner: Planner, node: MapNode, reads: EndingReads): Launch {
  const { slot, values } = node;
  const { functor, domain, device, dtype } = slot;
  const number = planner.numberOf(node);
  const scalar = (at: number, isParameter: boolean): ScalarRef => ({ node: number, at, isParameter });
  const operands = values.map((value, i): ReadRef | ScalarRef => {
    const window = windowOf(node, i);
    const isSource = functor.addressed?.sources.includes(i);
    return value && window ? { ref: planner.refOf(value), window, isSource } : scalar(i, false);
  });
  const outputs = node.made.map((_, i) => planner.output(node, i, reads));
  const parameters = functor.parameters.map(({ name }, i) => [name, scalar(i, true)] as const);
  const how = new MapRun(
    functor,
    parameters,
    shapeFor(domain, operands, outputs),
    dtype,
    inPlaceFrom(functor, node),
  );
  return { nodes: [number], operands, outputs, device, isChecked: isGather(node), how };
}

/** Several maps by a composed functor. */
function sharedOf(planner: Planner, { nodes, stored }: Loop, reads: EndingReads): Launch {
  const maps = nodes as readonly MapNode[];
  const { results, inputs, functor, parameters } = planner.composed(maps, stored, []);
  const outputs = results.map(({ step, output }) => planner.output(maps[step] as MapNode, output, reads));
  const [first] = maps as readonly [MapNode];
  const { domain, device } = first.slot;
  const shape = shapeFor(domain, inputs, outputs);
  return {
    nodes: planner.numbersOf(nodes),
    operands: inputs,
    outputs,
    device,
    isChecked: nodes.some(isGather),
    how: new MapRun(functor, parameters, shape, undefined, inPlaceFrom(functor, first)),
  };
}

/** From which operand on a functor reads elements once: the stages of a processor's loop read their inputs again. */
function inPlaceFrom({ stages }: Functor, { slot }: MapNode): number | undefined {
  return stages === undefined || slot.device.target.dialect.gpu !== undefined ? 0 : undefined;
}

/** The shape of a call; undefined if operands of that shape imply it. */
function shapeFor(
  domain: readonly number[],
  operands: readonly object[],
  outputs: readonly OutputRef[],
): readonly number[] | undefined {
  const windowsOf = (list: readonly object[]) =>
    list.flatMap((one) => ("window" in one ? [one.window as Window] : []));
  const isWhole = ({ shape, isContiguous }: Window) => isContiguous && sameNumbers(shape, domain);
  const read = windowsOf(operands);
  const fits = read.every((one) => isSingle(one.strides) || isWhole(one));
  const isImplied = read.length === 0 || read.some(isWhole);
  return fits && isImplied && windowsOf(outputs).every(isWhole) ? undefined : domain;
}

function noOutput(): never {
  throw new Error("A plan names the outputs of its launches.");
}
