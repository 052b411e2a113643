// A loaded kernel: its program, the argument block it reads, and how a call's operands are written into the block.
import { type KernelRequest, obtain } from "./cache/kernels.js";
import { render } from "./codegen/render.js";
import {
  type ArgumentLayout,
  argumentLayout,
  dtypeNames,
  type KernelSpec,
  tileEdge,
  usesDivider,
  variantName,
} from "./codegen/spec.js";
import type { ArgumentBlock, Device, LaunchShape, Program, Target } from "./device/device.js";
import { provideServices } from "./device/helper.js";
import type { DType } from "./dtype.js";
import type { LoopNest } from "./iterator.js";
import { type Operand, scalarParts } from "./operand.js";
import type { Scalar } from "./ops/op.js";
import { KernelClock } from "./timings.js";
import type { View } from "./view.js";

/** What the cache is asked for: the rendered text of a spec for a target, and how launches divide its elements. */
export function requestOf(spec: KernelSpec, target: Target): KernelRequest & { readonly shape: LaunchShape } {
  const { source, symbol, shape } = render(spec);
  return {
    source,
    symbol,
    op: spec.functor.name,
    variant: variantName(spec),
    dtypes: dtypeNames(spec),
    target,
    fma: spec.functor.fma,
    shape,
  };
}

const requests = new Map<string, KernelRequest>();
const userTexts = new Map<string, string>();
provideServices({ userText: (symbol) => userTexts.get(symbol) });

/** Keeps the request of a kernel that was loaded, for {@link requestOfKey}. */
export function noteRequest(key: string, request: KernelRequest): void {
  requests.set(key, request);
}

/** The request of a kernel that this process has loaded, by its key; what a launch's record is explained with. */
export function requestOfKey(key: string): KernelRequest | undefined {
  return requests.get(key);
}

/** Renders, fetches or compiles, and loads the kernel of a spec. */
export function loadKernel(spec: KernelSpec, device: Device): Kernel {
  const began = performance.now();
  const request = requestOf(spec, device.target);
  const generateMs = performance.now() - began;
  const { program, key, origin, lookupMs, compileMs, loadMs } = obtain(request, device, request.shape);
  noteRequest(key, request);
  if (spec.functor.user) userTexts.set(request.symbol, spec.functor.text(spec.compute));
  const identity = {
    key,
    op: request.op,
    variant: request.variant,
    dtypes: request.dtypes,
    device: device.name,
    origin,
  };
  return new Kernel(
    spec,
    device,
    program,
    new KernelClock(identity, { generateMs, lookupMs, compileMs, loadMs }),
  );
}

/** A loaded kernel with its argument block; the block is reused by every launch. */
export class Kernel {
  readonly outputs: readonly DType[];
  readonly block: ArgumentBlock;
  private readonly layout: ArgumentLayout;
  private readonly divider: boolean;
  private readonly wide: boolean;
  private readonly name: string;
  /** Edge of the tiles that it covers; 1 for a kernel without tiles. */
  private readonly edge: number;
  private users = 0;
  private retired = false;

  constructor(
    spec: KernelSpec,
    device: Device,
    readonly program: Program,
    readonly clock: KernelClock,
  ) {
    this.layout = argumentLayout(spec);
    this.block = device.createBlock(this.layout.bytes);
    this.outputs = spec.outputs.map((output) => output.dtype);
    this.divider = usesDivider(spec);
    this.wide = spec.index === 64;
    this.name = spec.functor.name;
    this.edge = tileEdge(spec);
  }

  /** Keeps the code loaded, even after {@link retire}, until the returned function is called. */
  keep(): () => void {
    this.users++;
    return () => {
      if (--this.users === 0 && this.retired) this.program.unload();
    };
  }

  /** Frees the code as soon as nothing keeps it; dispatch launches it no more. */
  retire(): void {
    this.retired = true;
    if (this.users === 0) this.program.unload();
  }

  /** The number of elements that a launch divides among threads: whole tiles where there are tiles. */
  work(nest: LoopNest): number {
    const { edge } = this;
    if (edge === 1) return nest.count;
    const [across = 1, down = 1] = nest.sizes;
    const tiles = Math.ceil(across / edge) * Math.ceil(down / edge);
    return (nest.count / (across * down)) * tiles * edge * edge;
  }

  /** Writes a call's arguments into the block. */
  write(
    outputs: readonly View[],
    operands: readonly Operand[],
    nest: LoopNest,
    parameters: Readonly<Record<string, Scalar>> | undefined,
  ): void {
    const { block, layout } = this;
    let word = 0;
    for (let i = 0; i < outputs.length; i++, word += 2)
      writeAddress(block.u32, word, (outputs[i] as View).pointer);
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i] as Operand;
      if (typeof operand !== "object" || !("pointer" in operand)) continue;
      writeAddress(block.u32, word, operand.pointer);
      word += 2;
    }
    for (const field of layout.scalars) this.writeScalar(field, operands[field.input] as Scalar);
    for (const field of layout.parameters) {
      this.writeScalar(field, parameters?.[field.parameter.name] ?? field.parameter.value);
    }
    if (layout.count) this.writeInteger(layout.count.offset, nest.count);
    if (layout.dims) this.writeDims(layout.dims, nest);
  }

  private writeScalar(field: { readonly offset: number; readonly dtype: DType }, value: Scalar): void {
    const { block } = this;
    const { dtype, offset } = field;
    if (dtype.name === "float32" && typeof value === "number") {
      block.f32[offset >> 2] = value;
      return;
    }
    const { re, im } = scalarParts(value, dtype, this.name);
    switch (dtype.name) {
      case "float32":
        block.f32[offset >> 2] = Number(re);
        break;
      case "float64":
        block.f64[offset >> 3] = Number(re);
        break;
      case "complex64":
        block.f32[offset >> 2] = Number(re);
        block.f32[(offset >> 2) + 1] = im;
        break;
      case "complex128":
        block.f64[offset >> 3] = Number(re);
        block.f64[(offset >> 3) + 1] = im;
        break;
      case "int64":
        block.i64[offset >> 3] = BigInt(re);
        break;
      case "int32":
        block.i32[offset >> 2] = Number(re);
        break;
      default:
        writeSmall(block.bytes, offset, dtype.bytes, Number(re));
    }
  }

  private writeInteger(offset: number, value: number): void {
    const { i32 } = this.block;
    i32[offset >> 2] = value;
    if (this.wide) i32[(offset >> 2) + 1] = Math.floor(value / 2 ** 32);
  }

  private writeDims(dims: NonNullable<ArgumentLayout["dims"]>, nest: LoopNest): void {
    const step = this.wide ? 8 : 4;
    for (let d = 0; d < nest.rank; d++) {
      let at = dims.offset + d * dims.bytesPerDim;
      const size = nest.sizes[d] as number;
      this.writeInteger(at, size);
      at += step;
      if (this.divider) {
        const { magic, shift } = dividerOf(size);
        this.block.u32[at >> 2] = magic;
        this.block.u32[(at >> 2) + 1] = shift;
        at += 8;
      }
      for (const strides of nest.strides) {
        this.writeInteger(at, strides[d] as number);
        at += step;
      }
    }
  }
}

function writeAddress(words: Uint32Array, at: number, address: number): void {
  words[at] = address;
  words[at + 1] = address / 2 ** 32;
}

function writeSmall(bytes: Uint8Array, offset: number, count: number, value: number): void {
  bytes[offset] = value;
  if (count === 2) bytes[offset + 1] = value >> 8;
}

/**
 * Division by an invariant: for n below 2^31, n / d is (umulhi(n, magic) + n) >> shift (Granlund and Montgomery, 1994,
 * figure 4.1). The quotient 2^32 (2^shift - d) / d is found in two steps of 16 bits, each exact in a double.
 */
export function dividerOf(divisor: number): { magic: number; shift: number } {
  const shift = divisor <= 1 ? 0 : 32 - Math.clz32(divisor - 1);
  const excess = 2 ** shift - divisor;
  const high = Math.floor((excess * 65536) / divisor);
  const rest = excess * 65536 - high * divisor;
  const low = Math.floor((rest * 65536) / divisor);
  return { magic: high * 65536 + low + 1, shift };
}
