// What a library of convolutions and attention computes for a device.
import type { DTypeName } from "../base/dtype.js";
import type { LoadedCode } from "./loaded-code.js";

/** The three tensors of a convolution. */
export type ConvolutionPart = "input" | "weight" | "output";

/** Of which two a part is computed, in the order of the operands. */
export const convolutionFactors: Readonly<
  Record<ConvolutionPart, readonly [ConvolutionPart, ConvolutionPart]>
> = {
  output: ["input", "weight"],
  input: ["weight", "output"],
  weight: ["input", "output"],
};

/** A convolution (cross-correlation) of contiguous images `[batch, channels, rows, columns]`, or one of its gradients. */
export interface ConvolutionForm {
  readonly dtype: DTypeName;
  /** What is computed of the other two: the output, or the gradient of the input or of the weight. */
  readonly result: ConvolutionPart;
  readonly input: readonly number[];
  /** Channels out, channels / groups, rows and columns. */
  readonly weight: readonly number[];
  readonly output: readonly number[];
  /** For rows and columns each: zeros on both sides, and the distances of windows and of a window's elements. */
  readonly padding: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  readonly groups: number;
}

/** Scaled dot product attention of contiguous tensors, or its gradients. */
export interface AttentionForm {
  readonly dtype: "float16" | "bfloat16";
  readonly isBackward: boolean;
  readonly batch: number;
  readonly heads: number;
  /** Queries, keys, and the features of each and of a value. */
  readonly rows: number;
  readonly columns: number;
  readonly features: number;
  readonly valueFeatures: number;
  readonly scale: number;
  readonly isCausal: boolean;
}

/** Code of a library that works in memory of its caller. */
export interface WorkingCode {
  /** The bytes that it works in. */
  readonly workBytes: number;
  /** Its arguments are the addresses of the results, of what it reads, and of the memory to work in. */
  readonly code: LoadedCode;
}

/** A library of convolutions and of attention. */
export interface ConvolutionLibrary {
  /** Its name and version. */
  readonly name: string;
  readonly path: string;
  /** Undefined for forms that it does not compute; the results of equal calls have equal bits. */
  load(form: ConvolutionForm): WorkingCode | undefined;
  /** The same of attention. */
  loadAttention(form: AttentionForm): WorkingCode | undefined;
}
