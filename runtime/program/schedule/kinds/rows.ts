// Launches of row kernels: reductions over the same rows and the maps around them. From a loop's nodes to the kernel's operands,
// results and scalars, its computation, and the operands' layouts.

import { selectionOf } from "../../../codegen/composition/chosen-rows.js";
import { type Origin, originKey, type Step } from "../../../codegen/composition/composition.js";
import {
  composeRows,
  type RowComposition,
  type RowReduced,
} from "../../../codegen/composition/row-composer.js";
import type { Domain, RowBody, RowGeometry, RowInput } from "../../../codegen/rows/row-spec.js";
import { planText } from "../../../functor/reduction.js";
import { contiguousStrides, sizeOf } from "../../../geometry/layout.js";
import { loopNest } from "../../../geometry/loop-nest.js";
import { launchRows } from "../../../launch/row-launch.js";
import { isMap, type Node, type Value, windowOf } from "../../operations/ir.js";
import { isAddress, isGather, isSameRead, type Read } from "../../operations/reads.js";
import type { ReduceSlot, ResultClass } from "../../operations/slot.js";
import { sameWindow } from "../../operations/window.js";
import { domainOf, type Rows, sweepsOf } from "../../passes/loop.js";
import { type Live, layoutIn, liveIn } from "../../passes/rows.js";
import { type Binding, type ReadRef, type ScalarRef, scalarAt } from "../binding.js";
import type { How, Launch, Views } from "../launches.js";
import type { Kind } from "./kind.js";

// The most operations in a kernel's name.
const mostNamed = 4;

/** Reductions over the same rows. */
export const rows: Kind = {
  holds: ({ nodes, rows }) => rows !== undefined && nodes.length > 1,
  launchOf: (planner, { nodes, stored, rows }, reads) => {
    const plan = planRows(nodes, stored, rows as Rows);
    const scalars = plan.scalars.map(({ node, at, isParameter }) => {
      return { node: planner.numberOf(node), at, isParameter };
    });
    const names = [...new Set(nodes.map((node) => node.slot.name))];
    const name = ["rows", ...names.slice(0, mostNamed)].join("_");
    return {
      nodes: planner.numbersOf(nodes),
      operands: plan.inputs.map(({ value, window, isSource }) => {
        return { ref: planner.refOf(value), window, isSource };
      }),
      outputs: plan.outputs.map(({ node, i }) => planner.output(node, i, reads)),
      device: (nodes[0] as Node).slot.device,
      isChecked: nodes.some(isGather),
      how: new RowsRun(name, composeRows(plan.composition), plan.geometry, scalars),
    };
  },
};

/** How a row kernel runs. */
class RowsRun implements How {
  constructor(
    readonly name: string,
    readonly body: RowBody,
    readonly geometry: RowGeometry,
    readonly scalars: readonly ScalarRef[],
  ) {}

  run({ operands, outputs }: Launch, binding: Binding, { read, output }: Views): void {
    const { body, geometry, scalars } = this;
    launchRows({
      body,
      geometry,
      outputs: outputs.map(output),
      inputs: operands.map((one) => read(one as ReadRef)),
      scalars: scalars.map((scalar) => scalarAt(binding, scalar)),
    });
  }
}

/** The arguments of a row kernel, and its computation. */
interface RowPlan {
  readonly composition: RowComposition;
  readonly geometry: RowGeometry;
  readonly inputs: readonly (Read & { readonly isSource: boolean })[];
  readonly outputs: readonly { readonly node: Node; readonly i: number }[];
  readonly scalars: readonly { readonly node: Node; readonly at: number; readonly isParameter: boolean }[];
}

interface Operand extends Read {
  /** True if maps read elements at places that they compute from its address. */
  readonly isSource: boolean;
  readonly shape: readonly number[];
  readonly input: RowInput;
}

/** The plan of a loop whose `stored` results go to memory. */
function planRows(nodes: readonly Node[], stored: ReadonlySet<Value>, rows: Rows): RowPlan {
  const sweeps = sweepsOf(nodes);
  const held = liveIn(nodes, rows, sweeps);
  const operands = operandsOf(nodes, rows, held);
  const made = new Map<Value, Origin>();
  const scalars: { node: Node; at: number; isParameter: boolean }[] = [];
  const steps: Step[] = [];
  const shown: RowComposition["steps"][number][] = [];
  const reductions: RowComposition["reductions"][number][] = [];
  const results: { node: Node; i: number; output: RowComposition["outputs"][number] }[] = [];
  const originOf = (node: Node, i: number): Origin => {
    const [value, window] = [node.values[i], windowOf(node, i)];
    if (!value || !window)
      return { kind: "scalar", index: scalars.push({ node, at: i, isParameter: false }) - 1 };
    const read = { value, window, isAddress: isAddress(node, i) };
    const index = operands.findIndex((one) => isSameOperand(one, read, shapeOf(node, rows)));
    return made.get(value) ?? { kind: "input", index };
  };
  for (const node of nodes) {
    const domain = domainOf(node, rows) as Domain;
    const phase = sweeps.get(node) as number;
    const origins = node.values.map((_, i) => originOf(node, i));
    const types = node.slot.results.map(({ window }) => window.dtype);
    if (isMap(node)) {
      const parameters = node.parameters.map((_, at) => scalars.push({ node, at, isParameter: true }) - 1);
      const { functor, compute, place } = node.slot;
      steps.push({ functor, compute, inputs: origins, parameters, stored: types, place });
      const last = node.made.map((value) => held.find((one) => one.value === value)?.last ?? phase);
      shown.push({ domain, phase, last });
      node.made.forEach((value, output) => {
        made.set(value, { kind: "step", step: steps.length - 1, output });
      });
    } else {
      const { reduction, plan } = (node.slot as ReduceSlot).call;
      const own = { name: reduction.name, plan, phase, from: origins[0] as Origin };
      const same = reductions.findIndex((one) => isRepeated(one, own));
      const index = operands.length + (same < 0 ? reductions.push(own) - 1 : same);
      made.set(node.made[0] as Value, { kind: "input", index });
    }
    node.made.forEach((value, i) => {
      if (!stored.has(value)) return;
      const { dtype } = (node.slot.results[i] as ResultClass).window;
      results.push({ node, i, output: { from: made.get(value) as Origin, dtype, domain, phase } });
    });
  }
  return {
    composition: {
      inputs: operands.map(({ input, isSource }, i) =>
        isSource ? { ...input, selection: selectionOf(steps, i, operands.length) } : input,
      ),
      maps: {
        inputs: [...operands.map(({ window }) => window.dtype), ...reductions.map(({ plan }) => plan.result)],
        scalars: scalars.length,
        steps,
        outputs: [],
      },
      steps: shown,
      reductions,
      outputs: results.map(({ output }) => output),
    },
    geometry: geometryOf(
      results.map(({ output }) => output.domain === "points"),
      operands,
      rows,
    ),
    inputs: operands,
    outputs: results,
    scalars,
  };
}

/** True for equal reductions of one value. */
function isRepeated(a: RowReduced, b: RowReduced): boolean {
  const isSamePlan = a.plan.result === b.plan.result && planText(a.plan) === planText(b.plan);
  return isSamePlan && a.plan.compute === b.plan.compute && originKey(a.from) === originKey(b.from);
}

/** The shape over which a node computes. */
function shapeOf(node: Node, { shape }: Rows): readonly number[] {
  return isMap(node) ? node.slot.domain : shape;
}

function isSameOperand(one: Operand, read: Read, shape: readonly number[]): boolean {
  // Equal windows may have different strides over row elements and over rows.
  return (
    isSameRead(one, read) && one.shape.length === shape.length && one.shape.every((n, d) => n === shape[d])
  );
}

/** The windows that nodes read from memory. */
function operandsOf(nodes: readonly Node[], rows: Rows, held: readonly Live[]): Operand[] {
  const made = new Set(nodes.flatMap((node) => node.made));
  const operands: Operand[] = [];
  for (const node of nodes) {
    const domain = isMap(node) ? (domainOf(node, rows) as Domain) : "points";
    const shape = shapeOf(node, rows);
    node.values.forEach((value, i) => {
      const window = windowOf(node, i);
      if (!value || !window || made.has(value)) return;
      const own = isAddress(node, i);
      if (operands.some((one) => isSameOperand(one, { value, window, isAddress: own }, shape))) return;
      const used = held.find((one) => one.value === value && one.window && sameWindow(one.window, window));
      const { first = 0, last = 0 } = used ?? {};
      const isSource = isMap(node) && (node.slot.functor.addressed?.sources.includes(i) ?? false);
      const isFlag = own && !isSource;
      const input = { dtype: window.dtype, domain, isAddressed: own, isFlag, first, last };
      operands.push({ value, window, isAddress: own, isSource, shape, input });
    });
  }
  return operands;
}

function geometryOf(overElements: readonly boolean[], operands: readonly Operand[], rows: Rows): RowGeometry {
  const { kept } = rows;
  const shape = rows.shape.slice(0, kept);
  const length = sizeOf(rows.shape.slice(kept));
  const own = contiguousStrides(shape);
  const accesses = [
    ...overElements.map((is) => ({ strides: is ? own.map((s) => s * length) : own, step: is ? 1 : 0 })),
    ...operands.map(({ window, shape, input }) => {
      const found = layoutIn(window, shape, rows) as { strides: readonly number[]; step: number };
      return input.domain === "kept" ? { ...found, step: 0 } : found;
    }),
  ];
  const nest = loopNest(
    "rows",
    0,
    [],
    accesses.map(({ strides }) => ({ shape, strides })),
    shape,
  );
  return {
    rows: sizeOf(shape),
    length,
    sizes: nest.sizes,
    strides: nest.strides,
    steps: accesses.map(({ step }) => step),
  };
}
