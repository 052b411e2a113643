// Runs one map over several groups of operands as one launch.

import { type LayoutClass, layoutClass } from "../codegen/maps/layout-class.js";
import { argumentLayout, type KernelSpec } from "../codegen/maps/map-spec.js";
import type { Device } from "../device/device.js";
import { isSingle } from "../geometry/layout.js";
import { flatLoop } from "../geometry/loop-nest.js";
import { computePending, isView, type View } from "../geometry/view.js";
import type { ListedKernel, MapCall, TableCall } from "./calls.js";
import { KernelTables } from "./kernel-tables.js";
import { TableKernel } from "./launcher.js";
import { loadKernel } from "./loaded-kernel.js";
import { requestOf } from "./requests.js";
import { specOf as specOfMap } from "./resolve.js";
import { lists } from "./sink.js";

/** How many groups a launch on a device may have, from the bytes of one group's arguments. */
export function mostGroups({ target }: Device, bytes: number): number {
  return Math.floor((target.argumentBytes - 8) / (bytes + 8));
}

const kernels = new KernelTables<TableKernel>();

/** Runs a map over non-empty groups. */
export function launchTable(call: TableCall): void {
  const { functor, groups, site } = call;
  const device = deviceOf(call);
  if (lists(functor.name, () => listedTable(call, device))) return;
  const { outputs, inputs, dense } = viewsOf(call);
  computePending(outputs);
  computePending(inputs);
  const layout = layoutOf(call, dense, device);
  const key = keyAt(call, layout, device);
  const table = kernels.of(functor);
  const kernel = table.find(key) ?? table.add(key, () => load(specOf(call, layout, device), device));
  site.nest = layout.nest;
  kernel.launch(groups, outputs, inputs);
}

function listedTable(call: TableCall, { target }: Device): ListedKernel {
  const spec = specOfTable(call);
  return { request: requestOf(spec, target), spec };
}

/** The device of a call's outputs. */
function deviceOf({ groups }: TableCall): Device {
  const [{ options }] = groups as readonly [MapCall];
  return (options.out[0] as View).device;
}

/** The spec of a call's kernel. */
function specOfTable(call: TableCall): KernelSpec {
  const device = deviceOf(call);
  return specOf(call, layoutOf(call, viewsOf(call).dense, device), device);
}

/** The layout of the largest group, with wide accesses only if every group allows them. */
function layoutOf({ groups, site }: TableCall, dense: readonly View[], { target }: Device): LayoutClass {
  const nest = site.nest ?? flatLoop([], [], Math.max(...groups.map(sizeOf)));
  return layoutClass(nest, dense, target.dialect.gpu !== undefined);
}

/** The kernel's key. At one site only the alignment of the operands may differ. */
function keyAt(call: TableCall, layout: LayoutClass, device: Device): number | string {
  const { site } = call;
  const vector = layout.layout.kind === "contiguous" ? layout.layout.vector : 1;
  if (site.vector !== vector) {
    const { outputs, inputs, groups, index, compute } = specOf(call, layout, device);
    const types = [...outputs, ...inputs].map(({ dtype, scalar, single }) => `${dtype.id}${scalar}${single}`);
    site.key = `${device.id};${groups};${vector};${index};${compute.id};${types}`;
    site.vector = vector;
  }
  return site.key;
}

function specOf({ functor, groups }: TableCall, layout: LayoutClass, device: Device): KernelSpec {
  const [first] = groups as readonly [MapCall];
  const map = specOfMap(functor, first.operands, first.options, layout, device.target);
  const inputs = map.inputs.map((one, i) => {
    const operand = first.operands[i];
    return isView(operand) && isSingle(operand.strides) ? { ...one, single: true } : one;
  });
  const spec = { ...map, inputs };
  // Few table sizes, so that different numbers of groups share a kernel, and the launches of many groups one.
  const most = mostGroups(device, argumentLayout(spec).bytes);
  const size = Math.max(4, 2 ** Math.ceil(Math.log2(groups.length)));
  return { ...spec, groups: size > most / 2 ? most : size };
}

/** The views of a call; the dense ones have an element for each of the loop. */
function viewsOf({ groups }: TableCall): Readonly<Record<"outputs" | "inputs" | "dense", readonly View[]>> {
  const outputs: View[] = [];
  const inputs: View[] = [];
  const dense: View[] = [];
  for (const { operands, options } of groups) {
    for (let i = 0; i < options.out.length; i++) outputs.push(options.out[i] as View);
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i];
      if (!isView(operand)) continue;
      inputs.push(operand);
      if (!isSingle(operand.strides)) dense.push(operand);
    }
  }
  dense.push(...outputs);
  return { outputs, inputs, dense };
}

function sizeOf({ options }: MapCall): number {
  return (options.out[0] as View).size;
}

function load(spec: KernelSpec, device: Device): TableKernel {
  const began = performance.now();
  const request = requestOf(spec, device.target);
  return new TableKernel(spec, loadKernel(request, device, performance.now() - began));
}
