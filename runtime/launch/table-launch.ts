// Launches one map over several groups of operands: finds the kernel, writes the table of arguments and launches once.

import { layoutClass } from "../codegen/layout-class.js";
import { argumentLayout, type KernelSpec } from "../codegen/spec.js";
import { type TableLayout, tableLayout } from "../codegen/table-kernel.js";
import { partOfBlock } from "../device/argument-blocks.js";
import type { ArgumentBlock, Device, LaunchConfig } from "../device/device.js";
import type { Operand } from "../functor/operand.js";
import { flatLoop } from "../geometry/loop-nest.js";
import { isView, type View } from "../geometry/view.js";
import { specOf } from "./dispatch.js";
import { requestOf, writeInteger, writeOperands } from "./kernel.js";
import { KernelTables } from "./kernel-tables.js";
import { type LoadedKernel, loadKernel } from "./loaded-kernel.js";
import { type MapCall, openSink, type TableCall } from "./sink.js";

interface TableKernel {
  readonly kernel: LoadedKernel;
  readonly layout: TableLayout;
  /** The block's parts with the groups' arguments. */
  readonly blocks: readonly ArgumentBlock[];
  /** Elements of one block of threads; 1 without a grid. */
  readonly perBlock: number;
  readonly config: LaunchConfig & { readonly grid: [number, number, number] };
}

// Every GPU accepts this many bytes of launch arguments; a processor reads them in place.
const mostBytes = { grid: 4096, range: 2 ** 15 };

/** How many groups a launch on a device may have, from the bytes of one group's arguments. */
export function mostGroups({ target }: Device, bytes: number): number {
  return Math.floor((mostBytes[target.dialect.grid ? "grid" : "range"] - 8) / (bytes + 8));
}

const kernels = new KernelTables<TableKernel>();

/** Runs a map over non-empty groups. */
export function launchTable(call: TableCall): void {
  const sink = openSink();
  if (sink?.table !== undefined) {
    sink.table(call);
    return;
  }
  const { functor, groups } = call;
  const device = deviceOfTable(call);
  const spec = specOfTable(call);
  const { layout } = spec;
  const vector = layout.kind === "contiguous" ? layout.vector : 1;
  const types = [...spec.outputs, ...spec.inputs].map(({ dtype, scalar }) => `${dtype.id}${scalar}`);
  const key = `${device.id};${spec.groups};${vector};${spec.index};${spec.compute.id};${types}`;
  const table = kernels.of(functor);
  const {
    kernel,
    blocks,
    perBlock,
    config,
    layout: own,
  } = table.find(key) ?? table.add(key, () => load(spec, device));
  let begin = 0;
  groups.forEach((group, i) => {
    const { operands, options } = group;
    const block = blocks[i] as ArgumentBlock;
    const size = sizeOf(group);
    writeOperands(block, own.entry, options.out, operands, options, functor.name);
    if (own.entry.count) writeInteger(block, own.entry.count.offset, size, spec.index === 64);
    writeInteger(kernel.block, i * 8, begin, true);
    begin += Math.ceil(size / perBlock);
  });
  // Unused table entries start past the launch.
  for (let i = groups.length; i <= blocks.length; i++) writeInteger(kernel.block, i * 8, begin, true);
  config.grid[0] = begin;
  const outputs = groups.flatMap(({ options }) => options.out);
  const inputs = groups.flatMap(({ operands }) => operands as Operand[]);
  kernel.launch(config, outputs, inputs);
}

/** The device of a call's outputs. */
export function deviceOfTable({ groups }: TableCall): Device {
  const [{ options }] = groups as readonly [MapCall];
  return (options.out[0] as View).device;
}

/** The spec of a call's kernel: wide accesses only if every group allows them. */
export function specOfTable(call: TableCall): KernelSpec {
  const { functor, groups } = call;
  const [first] = groups as readonly [MapCall];
  const device = deviceOfTable(call);
  const { target } = device;
  const views = groups.flatMap(viewsOf);
  const nest = flatLoop(
    [],
    [],
    groups.reduce((most, group) => Math.max(most, sizeOf(group)), 0),
  );
  const layout = layoutClass(nest, views, target.dialect.grid !== undefined);
  const spec = specOf(functor, first.operands, first.options, layout, target);
  // Few table sizes, so that different numbers of groups share a kernel.
  const most = mostGroups(device, argumentLayout(spec).bytes);
  return { ...spec, groups: Math.min(most, Math.max(4, 2 ** Math.ceil(Math.log2(groups.length)))) };
}

function viewsOf({ operands, options }: MapCall): View[] {
  return [...options.out, ...operands.filter(isView)];
}

function sizeOf({ options }: MapCall): number {
  return (options.out[0] as View).size;
}

function load(spec: KernelSpec, device: Device): TableKernel {
  const began = performance.now();
  const request = requestOf(spec, device.target);
  const kernel = loadKernel(request, device, performance.now() - began);
  const layout = tableLayout(spec);
  const { threads, perThread } = request.division;
  const { grid } = device.target.dialect;
  return {
    kernel,
    layout,
    blocks: Array.from({ length: spec.groups as number }, (_, i) =>
      partOfBlock(kernel.block, layout.groups + i * layout.entry.bytes, layout.entry.bytes),
    ),
    perBlock: grid ? threads * perThread : 1,
    config: { grid: [0, 1, 1], block: [grid ? threads : Math.max(1, perThread), 1, 1], sharedBytes: 0 },
  };
}
