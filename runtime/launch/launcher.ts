// Launches kernels: computes pending operands, finds a loaded kernel by its key, writes the fields of its argument block and
// launches. Every launch of a kernel has the same block, so nothing else may be launched while it is written. Maps, which are
// launched most often, have writers of their own, which make no lists.

import type { DType } from "../base/dtype.js";
import { addressesIn, type BlockLayout, type Field } from "../codegen/argument-fields.js";
import {
  argumentLayout,
  dimWords,
  dtypeNames,
  type KernelSpec,
  tileEdge,
  usesDivider,
} from "../codegen/maps/map-spec.js";
import { tableLayout } from "../codegen/maps/table-kernel.js";
import { partOfBlock } from "../device/argument-blocks.js";
import type { Device } from "../device/device.js";
import type { ArgumentBlock, LaunchConfig } from "../device/loaded-code.js";
import type { Functor, Parameter } from "../functor/functor.js";
import { type Operand, scalarParts } from "../functor/operand.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import { computePending, type View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { dividerOf, Words, writeAddress, writeInteger, writeScalar } from "./argument-writers.js";
import type { CallOptions, MapCall } from "./calls.js";
import type { Addressing } from "./capture.js";
import { exchangeMemory } from "./exchange-memory.js";
import { type Entry, type KernelTable, KernelTables } from "./kernel-tables.js";
import type { LoadRequest } from "./load-request.js";
import { type LoadedKernel, loadKernel } from "./loaded-kernel.js";

/** A loaded kernel, and the fields of its argument block. */
export interface Launchable extends Entry {
  readonly layout: BlockLayout;
}

/** What a kernel is loaded from. */
export interface Rendering {
  readonly request: LoadRequest;
  readonly layout: BlockLayout;
}

/** One launch. */
export interface KernelCall {
  /** What owns the kernel, and the kernel's key there. */
  readonly owner: object;
  readonly key: number | string;
  readonly device: Device;
  /** What the kernel is loaded from if no call had this key before. */
  readonly render: () => Rendering;
  readonly elements: number;
  readonly given: Arguments;
  /** The operands that it writes, and those that it reads. */
  readonly written: readonly View[];
  readonly read: readonly View[];
}

/** The arguments of one launch. */
export interface Arguments {
  /** Names the call in errors about its scalars; undefined if each field names itself. */
  readonly what?: string;
  /** In the order of the addresses. */
  readonly operands: readonly View[];
  readonly scalars: readonly Scalar[];
  readonly numbers?: readonly number[];
  /** Bytes of memory in which blocks meet, for a kernel with a field for its address. */
  readonly meetingBytes?: number;
  /** Writes extents, strides, and the counts that belong to them. */
  readonly geometry: (words: Words) => void;
}

const kernels = new KernelTables<Launchable>();

/** Makes a launch. */
export function launch(call: KernelCall): void {
  const { owner, key, device, elements, given, written, read } = call;
  computePending(given.operands);
  // Before the kernel is found: a full device unloads kernels to make room.
  const meeting = given.meetingBytes ? exchangeMemory(device, given.meetingBytes) : 0;
  const table = kernels.of(owner);
  const { kernel, layout } = table.find(key) ?? load(table, call);
  write(kernel, layout, given, meeting);
  kernel.launch(kernel.over(elements), written, read);
}

/** Not in {@link launch}, where every call would allocate the variables of the function to pass. */
function load(table: KernelTable<Launchable>, { key, device, render }: KernelCall): Launchable {
  return table.add(key, () => {
    const began = performance.now();
    const { request, layout } = render();
    const kernel = loadKernel(request, device, performance.now() - began);
    kernel.addressing = addressingOf(addressOffsets(layout));
    return { kernel, layout };
  });
}

const words = new Words();

// No compiled kernel has wider accesses.
const widestAccess = 16;

/** Compiled kernels are repeated over operands that all allow the widest access. */
function addressingOf(offsets: readonly number[]): Addressing {
  return { offsets, alignment: widestAccess, among: widestAccess };
}

function addressOffsets({ fields }: BlockLayout): number[] {
  return fields.flatMap(({ offset, from }) => (from.kind === "address" ? [offset] : []));
}

function write(kernel: LoadedKernel, layout: BlockLayout, given: Arguments, meeting: number): void {
  const { fields } = layout;
  const block = kernel.fill();
  for (let i = 0; i < fields.length; i++) {
    const { name, offset, from } = fields[i] as Field;
    const { kind, index, dtype } = from;
    if (dtype !== undefined)
      writeScalar(block, dtype, offset, given.scalars[index] as Scalar, given.what ?? name);
    else if (kind === "address")
      writeAddress(block.u32, offset >> 2, (given.operands[index] as View).pointer);
    else if (kind === "number") writeInteger(block, offset, given.numbers?.[index] as number, true);
    else writeAddress(block.u32, offset >> 2, meeting);
  }
  words.begin(block, layout.geometry);
  given.geometry(words);
}

/** The kernel of a map for one functor: writes a call's operands into the block of a loaded kernel. */
export class MapKernel {
  readonly outputs: readonly DType[];
  /** The inputs' dtypes as text. */
  readonly inputs: string;
  readonly #count: number | undefined;
  /** The first byte of the dimensions, and the bytes of one; 0 for a flat loop. */
  readonly #geometry: number;
  readonly #dimBytes: number;
  readonly #divider: boolean;
  readonly #wide: boolean;
  readonly #scalars: MapScalars;
  /** The edge of its tiles; 1 for a kernel without tiles. */
  readonly #edge: number;

  constructor(
    spec: KernelSpec,
    readonly kernel: LoadedKernel,
  ) {
    const layout = argumentLayout(spec);
    const isFlat = spec.layout.kind === "contiguous";
    this.#count = countIn(layout);
    this.#geometry = layout.geometry;
    this.#dimBytes = isFlat ? 0 : (dimWords(spec, addressesIn(layout).length) * spec.index) / 8;
    this.outputs = spec.outputs.map((output) => output.dtype);
    this.inputs = [...new Set(dtypeNames(spec).slice(spec.outputs.length))].join(", ");
    this.#divider = usesDivider(spec);
    this.#wide = spec.index === 64;
    this.#scalars = scalarsOf(layout, spec.functor);
    this.#edge = tileEdge(spec);
    kernel.addressing = addressingOf(addressOffsets(layout));
  }

  /** Writes a call's arguments and launches. The memory of its operands is not pending. */
  launch(outputs: readonly View[], operands: readonly Operand[], nest: LoopNest, given: CallOptions): void {
    const elements = this.#elements(nest);
    const { kernel } = this;
    this.#write(kernel.fill(), outputs, operands, nest, given);
    kernel.launch(kernel.over(elements), outputs, operands);
  }

  /** Throws for a scalar that does not fit, as {@link launch} does: a call without elements launches nothing. */
  checkScalars(operands: readonly Operand[], given: CallOptions): void {
    const { name, list } = this.#scalars;
    for (const scalar of list) scalarParts(scalarIn(scalar, operands, given), scalar.dtype, name);
  }

  /** The number of elements that a launch divides among threads: whole tiles if there are tiles. */
  #elements(nest: LoopNest): number {
    const edge = this.#edge;
    if (edge === 1) return nest.count;
    const [across = 1, down = 1] = nest.sizes;
    const tiles = Math.ceil(across / edge) * Math.ceil(down / edge);
    return (nest.count / (across * down)) * tiles * edge * edge;
  }

  #write(
    block: ArgumentBlock,
    outputs: readonly View[],
    operands: readonly Operand[],
    nest: LoopNest,
    given: CallOptions,
  ): void {
    writeOperands(block, this.#scalars, outputs, operands, given);
    if (this.#count !== undefined) writeInteger(block, this.#count, nest.count, this.#wide);
    if (this.#dimBytes > 0) this.#writeDims(block, nest);
  }

  #writeDims(block: ArgumentBlock, nest: LoopNest): void {
    const step = this.#wide ? 8 : 4;
    for (let d = 0; d < nest.rank; d++) {
      let at = this.#geometry + d * this.#dimBytes;
      const size = nest.sizes[d] as number;
      writeInteger(block, at, size, this.#wide);
      at += step;
      if (this.#divider) {
        const { magic, shift } = dividerOf(size);
        block.u32[at >> 2] = magic;
        block.u32[(at >> 2) + 1] = shift;
        at += 8;
      }
      for (const strides of nest.strides) {
        writeInteger(block, at, strides[d] as number, this.#wide);
        at += step;
      }
    }
  }
}

/** The kernel of one map over several groups of operands: writes the table of their arguments, each as for a launch of its own. */
export class TableKernel {
  /** The offset of one group's number of elements, and the block's parts that have the arguments of groups. */
  readonly #count: number | undefined;
  readonly #blocks: readonly ArgumentBlock[];
  /** Elements of one block of threads; 1 without a grid. */
  readonly #perBlock: number;
  readonly #wide: boolean;
  readonly #scalars: MapScalars;
  readonly #config: LaunchConfig & { readonly grid: [number, number, number] };

  constructor(
    spec: KernelSpec,
    readonly kernel: LoadedKernel,
  ) {
    const { entry, groups } = tableLayout(spec);
    const { threads, perThread } = kernel.request.division;
    const isGpu = spec.dialect.gpu !== undefined;
    this.#count = countIn(entry);
    this.#blocks = Array.from({ length: spec.groups as number }, (_, i) =>
      partOfBlock(kernel.block, groups + i * entry.bytes, entry.bytes),
    );
    this.#perBlock = isGpu ? threads * perThread : 1;
    this.#wide = spec.index === 64;
    this.#scalars = scalarsOf(entry, spec.functor);
    const block = isGpu ? threads : Math.max(1, perThread);
    this.#config = { grid: [0, 1, 1], block: [block, 1, 1], sharedBytes: 0 };
    const own = addressOffsets(entry);
    kernel.addressing = addressingOf(
      this.#blocks.flatMap((_, i) => own.map((offset) => groups + i * entry.bytes + offset)),
    );
  }

  /** Writes the arguments of non-empty groups and launches. The memory of their operands is not pending. */
  launch(groups: readonly MapCall[], written: readonly View[], read: readonly View[]): void {
    const starts = this.kernel.fill();
    let begin = 0;
    for (let i = 0; i < groups.length; i++) {
      const { operands, options } = groups[i] as MapCall;
      const block = this.#blocks[i] as ArgumentBlock;
      const { size } = options.out[0] as View;
      writeOperands(block, this.#scalars, options.out, operands, options);
      if (this.#count !== undefined) writeInteger(block, this.#count, size, this.#wide);
      writeInteger(starts, i * 8, begin, true);
      begin += Math.ceil(size / this.#perBlock);
    }
    // Unused table entries start past the launch.
    for (let i = groups.length; i <= this.#blocks.length; i++) writeInteger(starts, i * 8, begin, true);
    this.#config.grid[0] = begin;
    this.kernel.launch(this.#config, written, read);
  }
}

/** A scalar of a map's call: an operand, or else a parameter of its functor. */
interface MapScalar {
  readonly offset: number;
  readonly dtype: DType;
  readonly isOperand: boolean;
  readonly index: number;
  readonly parameter: Parameter | undefined;
}

/** The scalars of a functor's calls, whose errors have its name. Kernels do not keep the functor itself reachable, which owns them. */
interface MapScalars {
  readonly name: string;
  readonly list: readonly MapScalar[];
}

function scalarsOf({ fields }: BlockLayout, { name, parameters }: Functor): MapScalars {
  const list = fields.flatMap(({ offset, from: { kind, index, dtype } }): MapScalar[] => {
    if (dtype === undefined) return [];
    const isOperand = kind === "scalar";
    return [{ offset, dtype, isOperand, index, parameter: isOperand ? undefined : parameters[index] }];
  });
  return { name, list };
}

/** Writes the addresses and scalars of a map's call. */
function writeOperands(
  block: ArgumentBlock,
  { name, list }: MapScalars,
  outputs: readonly View[],
  operands: readonly Operand[],
  given: CallOptions,
): void {
  let word = 0;
  for (let i = 0; i < outputs.length; i++, word += 2)
    writeAddress(block.u32, word, (outputs[i] as View).pointer);
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i] as Operand;
    if (typeof operand !== "object" || !("pointer" in operand)) continue;
    writeAddress(block.u32, word, operand.pointer);
    word += 2;
  }
  for (let i = 0; i < list.length; i++) {
    const scalar = list[i] as MapScalar;
    writeScalar(block, scalar.dtype, scalar.offset, scalarIn(scalar, operands, given), name);
  }
}

/** A scalar's value in a call. */
function scalarIn(
  { isOperand, index, parameter }: MapScalar,
  operands: readonly Operand[],
  { parameters, scalars }: CallOptions,
): Scalar {
  if (isOperand) return operands[index] as Scalar;
  if (scalars) return scalars[index] as Scalar;
  return parameters?.[(parameter as Parameter).name] ?? (parameter as Parameter).value;
}

/** The offset of the number of elements; undefined for a kernel that gets a range. */
function countIn({ fields }: BlockLayout): number | undefined {
  return fields.find(({ from }) => from.kind === "count")?.offset;
}
