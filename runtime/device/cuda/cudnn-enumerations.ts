// Names and numbers of cudnn_graph.h, of version 9, which graphs of cuDNN use.
import type { ConvolutionPart } from "../convolution-library.js";

// cudnnDataType_t: of elements, and of what else a graph computes.
export const dataTypes = { float32: 0, float64: 1, float16: 2, bfloat16: 9 } as const;
export const graphTypes = { ...dataTypes, int32: 4, bool: 11 } as const;
export type GraphType = (typeof graphTypes)[keyof typeof graphTypes];

// cudnnPointwiseMode_t.
export const pointwise = {
  ...{ add: 0, mul: 1, div: 6, sub: 9, exp: 13, log: 15 },
  ...{ notLess: 303, index: 501, select: 601 },
} as const;

// cudnnReduceTensorOp_t.
export const reductions = { sum: 0, max: 3 } as const;

// cudnnBackendDescriptorType_t.
export const kinds = {
  ...{ pointwise: 0, convolution: 1, engine: 2, config: 3, heuristics: 4, plan: 5 },
  ...{ pointwiseOperation: 13, graph: 15, pack: 16, tensor: 17, matmul: 18, matmulOperation: 19 },
  ...{ reduction: 21, reductionOperation: 22, reshape: 31 },
} as const;

// cudnnBackendAttributeType_t, and the bytes of an element.
export const types = {
  handle: [0, 8],
  dataType: [1, 4],
  boolean: [2, 1],
  int64: [3, 8],
  float32: [4, 4],
  float64: [5, 8],
  pointer: [6, 8],
  convolutionMode: [7, 4],
  mode: [8, 4],
  note: [11, 4],
  pointwiseMode: [14, 4],
  descriptor: [15, 8],
  reductionOperator: [18, 4],
} as const;
export type AttributeType = keyof typeof types;

// cudnnBackendNumericalNote_t: what an engine does.
export const numericalNotes = {
  tensorUnits: 0,
  downConverted: 1,
  reducedSums: 2,
  transform: 3,
  anyOrder: 4,
  winograd: [5, 6, 7, 8],
} as const;

// cudnnBackendHeurMode_t: A, then the engines that run what no other one does.
export const heuristicModes = [3, 2] as const;

// cudnnConvolutionMode_t.
export const crossCorrelation = 1;

// The operation that computes a part of a convolution: its kind and its first attribute.
export const convolutionPasses: Readonly<Record<ConvolutionPart, readonly [kind: number, first: number]>> = {
  output: [10, 700],
  input: [12, 706],
  weight: [11, 712],
};
