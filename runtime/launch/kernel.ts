// Kernels of maps: the request of a spec, and the writing of a call's operands into the argument block.

import type { DType } from "../base/dtype.js";
import { type Candidate, mapCandidates } from "../codegen/candidates.js";
import type { Choice } from "../codegen/choice.js";
import { render } from "../codegen/render.js";
import {
  type ArgumentLayout,
  argumentLayout,
  dtypeNames,
  isQuick,
  type KernelSpec,
  tileEdge,
  usesDivider,
  variantName,
} from "../codegen/spec.js";
import { tableLayout } from "../codegen/table-kernel.js";
import type { ArgumentBlock, Target } from "../device/device.js";
import { joinedTexts, userTexts } from "../functor/functor.js";
import type { Operand } from "../functor/operand.js";
import type { LoopNest } from "../geometry/loop-nest.js";
import type { View } from "../geometry/view.js";
import type { Scalar } from "../ops/op.js";
import { writeAddress, writeScalar } from "./argument-writers.js";
import type { LoadRequest } from "./load-request.js";
import type { LoadedKernel } from "./loaded-kernel.js";
import type { CallOptions } from "./sink.js";

/** The request of a spec: its rendered text for a target, and how its launches divide elements. */
export function requestOf(spec: KernelSpec, target: Target): LoadRequest {
  const { functor, compute } = spec;
  return {
    ...render(spec),
    argumentBytes: spec.groups === undefined ? argumentLayout(spec).bytes : tableLayout(spec).bytes,
    op: functor.name,
    variant: variantName(spec),
    dtypes: dtypeNames(spec),
    target,
    fma: functor.fma,
    quick: isQuick(spec),
    places: functor.places,
    ...formsOf(mapCandidates(spec), spec.choice, (choice) => requestOf({ ...spec, choice }, target)),
    userText: joinedTexts(userTexts(functor, compute)),
  };
}

/** What a request says of the forms of its kernel. */
export function formsOf(
  candidates: readonly Candidate[],
  own: Choice | undefined,
  requestWith: (choice: Choice | undefined) => LoadRequest,
): Pick<LoadRequest, "forms" | "isChosen"> {
  if (candidates.length < 2) return {};
  const forms = candidates.map(({ name, choice }) => ({ name, request: () => requestWith(choice) }));
  return { forms, isChosen: own !== undefined };
}

/** The kernel of a map for one functor: writes a call's operands into the block of a loaded kernel. */
export class MapKernel {
  readonly outputs: readonly DType[];
  /** The inputs' dtypes as text. */
  readonly inputs: string;
  readonly #layout: ArgumentLayout;
  readonly #divider: boolean;
  readonly #wide: boolean;
  readonly #name: string;
  /** The edge of its tiles; 1 for a kernel without tiles. */
  readonly #edge: number;

  constructor(
    spec: KernelSpec,
    readonly kernel: LoadedKernel,
  ) {
    this.#layout = argumentLayout(spec);
    this.outputs = spec.outputs.map((output) => output.dtype);
    this.inputs = [...new Set(dtypeNames(spec).slice(spec.outputs.length))].join(", ");
    this.#divider = usesDivider(spec);
    this.#wide = spec.index === 64;
    this.#name = spec.functor.name;
    this.#edge = tileEdge(spec);
  }

  /** Writes a call's arguments and launches. */
  launch(outputs: readonly View[], operands: readonly Operand[], nest: LoopNest, given: CallOptions): void {
    const elements = this.#elements(nest);
    const kernel = this.kernel.formFor(elements);
    this.#write(kernel.block, outputs, operands, nest, given);
    kernel.launch(kernel.over(elements), outputs, operands);
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
    const layout = this.#layout;
    writeOperands(block, layout, outputs, operands, given, this.#name);
    if (layout.count) writeInteger(block, layout.count.offset, nest.count, this.#wide);
    if (layout.dims) this.#writeDims(block, layout.dims, nest);
  }

  #writeDims(block: ArgumentBlock, dims: NonNullable<ArgumentLayout["dims"]>, nest: LoopNest): void {
    const step = this.#wide ? 8 : 4;
    for (let d = 0; d < nest.rank; d++) {
      let at = dims.offset + d * dims.bytesPerDim;
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

/** Writes the addresses and scalars of a call. */
export function writeOperands(
  block: ArgumentBlock,
  layout: ArgumentLayout,
  outputs: readonly View[],
  operands: readonly Operand[],
  { parameters, scalars }: CallOptions,
  what: string,
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
  for (let i = 0; i < layout.scalars.length; i++) {
    const { dtype, offset, input } = layout.scalars[i] as ArgumentLayout["scalars"][number];
    writeScalar(block, dtype, offset, operands[input] as Scalar, what);
  }
  for (let i = 0; i < layout.parameters.length; i++) {
    const { dtype, offset, parameter } = layout.parameters[i] as ArgumentLayout["parameters"][number];
    const given = scalars ? (scalars[i] as Scalar) : (parameters?.[parameter.name] ?? parameter.value);
    writeScalar(block, dtype, offset, given, what);
  }
}

/** Writes an integer of 32 or 64 bits. */
export function writeInteger({ i32 }: ArgumentBlock, offset: number, value: number, wide: boolean): void {
  i32[offset >> 2] = value;
  if (wide) i32[(offset >> 2) + 1] = Math.floor(value / 2 ** 32);
}

/**
 * Division by an invariant: for n below 2^31, n / d is (umulhi(n, magic) + n) >> shift (Granlund and Montgomery, 1994,
 * figure 4.1). The quotient 2^32 (2^shift - d) / d is computed in two steps of 16 bits, each exact in a double.
 */
export function dividerOf(divisor: number): { magic: number; shift: number } {
  const shift = divisor <= 1 ? 0 : 32 - Math.clz32(divisor - 1);
  const excess = 2 ** shift - divisor;
  const high = Math.floor((excess * 65536) / divisor);
  const rest = excess * 65536 - high * divisor;
  const low = Math.floor((rest * 65536) / divisor);
  return { magic: high * 65536 + low + 1, shift };
}
