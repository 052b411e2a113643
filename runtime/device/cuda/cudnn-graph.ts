// Graphs of cuDNN's operations, each of which one of its engines runs as a whole. Attributes are written by their numbers in cudnn_graph.h.
import { DeviceError } from "../../base/errors.js";
import { contiguousStrides } from "../../geometry/layout.js";
import type { ConvolutionForm, WorkingCode } from "../convolution-library.js";
import type { ArgumentBlock } from "../loaded-code.js";
import type { CheckedLibrary, LibraryHost } from "./checked-library.js";
import {
  type AttributeType,
  convolutionPasses,
  crossCorrelation,
  type GraphType,
  graphTypes,
  heuristicModes,
  kinds,
  numericalNotes,
  pointwise,
  reductions,
  types,
} from "./cudnn-enumerations.js";

const alignment = 16;
const mostValues = 64;

/** A tensor of a graph: memory that is given at each run, a number, or what an operation hands to another. */
export interface GraphTensor {
  readonly descriptor: number;
  readonly uid: number;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
}

/** A graph that is ready to run. */
export interface GraphPlan {
  readonly workBytes: number;
  /** Queues it, with the addresses of the given tensors in the order of their creation, and of the memory to work in. */
  run(addresses: readonly number[], work: number): void;
}

/** A graph while it is described. Its descriptors live until it is destroyed. */
export class EngineGraph {
  readonly #library: CheckedLibrary;
  readonly #handle: number;
  readonly #host: LibraryHost;
  readonly #values: ArgumentBlock;
  readonly #descriptors: number[] = [];
  readonly #operations: number[] = [];
  readonly #given: number[] = [];
  /** Numbers, which lie in memory of the host. */
  readonly #numbers: { readonly uid: number; readonly block: ArgumentBlock }[] = [];
  #uids = 0;

  constructor(library: CheckedLibrary, handle: number, host: LibraryHost) {
    this.#library = library;
    this.#handle = handle;
    this.#host = host;
    this.#values = host.createBlock(mostValues * 8);
  }

  /** The number of tensors that are given so far. */
  get givenCount(): number {
    return this.#given.length;
  }

  /** A tensor whose address is given at each run. */
  given(type: GraphType, shape: readonly number[], strides = contiguousStrides(shape)): GraphTensor {
    const made = this.#tensor(type, shape, strides, {});
    this.#given.push(made.uid);
    return made;
  }

  /** The same, read with its last two dimensions exchanged. */
  givenTurned(type: GraphType, shape: readonly number[]): GraphTensor {
    return this.given(type, turned(shape), turned(contiguousStrides(shape)));
  }

  /** A number of type float32. */
  number(value: number): GraphTensor {
    const shape = [1, 1, 1, 1];
    const made = this.#tensor(graphTypes.float32, shape, shape, { isNumber: true });
    const block = this.#host.createBlock(8);
    block.f32[0] = value;
    this.#numbers.push({ uid: made.uid, block });
    return made;
  }

  /** An operation by element, of operands of the shape of the first, of 1 element, or of one column. */
  pointwise(
    mode: keyof typeof pointwise,
    [x, b, t]: readonly GraphTensor[],
    { type = graphTypes.float32, computing = type, axis, into }: PointwiseOptions = {},
  ): GraphTensor {
    const first = x as GraphTensor;
    const y = into ?? this.#tensor(type, first.shape, contiguousStrides(first.shape), { isVirtual: true });
    const form = this.#finished(kinds.pointwise, [
      [0, "pointwiseMode", [pointwise[mode]]],
      [1, "dataType", [computing]],
      ...(axis === undefined ? [] : [[9, "int64", [axis]] as const]),
    ]);
    this.#operation(kinds.pointwiseOperation, [
      [750, "descriptor", [form]],
      [751, "descriptor", [first.descriptor]],
      ...(b ? [[752, "descriptor", [b.descriptor]] as const] : []),
      ...(t ? [[758, "descriptor", [t.descriptor]] as const] : []),
      [753, "descriptor", [y.descriptor]],
    ]);
    return y;
  }

  /** The matrix product, added up in float32. */
  matmul(a: GraphTensor, b: GraphTensor, into?: GraphTensor): GraphTensor {
    const shape = [...a.shape.slice(0, 3), b.shape[3] as number];
    const c = into ?? this.#tensor(graphTypes.float32, shape, contiguousStrides(shape), { isVirtual: true });
    const form = this.#finished(kinds.matmul, [[1500, "dataType", [graphTypes.float32]]]);
    this.#operation(kinds.matmulOperation, [
      [1520, "descriptor", [a.descriptor]],
      [1521, "descriptor", [b.descriptor]],
      [1522, "descriptor", [c.descriptor]],
      [1523, "descriptor", [form]],
    ]);
    return c;
  }

  /** A convolution of two dimensions or one of its gradients, of tensors by their parts, added up in a type. */
  convolution(
    { result, padding, stride, dilation }: ConvolutionForm,
    tensors: Readonly<Record<string, GraphTensor>>,
    sums: GraphType,
  ): void {
    const form = this.#finished(kinds.convolution, [
      [106, "int64", [2]],
      [100, "dataType", [sums]],
      [101, "convolutionMode", [crossCorrelation]],
      [105, "int64", padding],
      [104, "int64", padding],
      [102, "int64", dilation],
      [103, "int64", stride],
    ]);
    const [kind, first] = convolutionPasses[result];
    const factor = sums === graphTypes.float64 ? "float64" : "float32";
    this.#operation(kind, [
      [first, factor, [1]],
      [first + 1, factor, [0]],
      [first + 2, "descriptor", [form]],
      ...(["weight", "input", "output"] as const).map(
        (part, i) => [first + 3 + i, "descriptor", [(tensors[part] as GraphTensor).descriptor]] as const,
      ),
    ]);
  }

  /** A reduction of the last dimension. */
  reduction(by: keyof typeof reductions, x: GraphTensor, into?: GraphTensor): GraphTensor {
    const shape = [...x.shape.slice(0, 3), 1];
    const y = into ?? this.#tensor(graphTypes.float32, shape, contiguousStrides(shape), { isVirtual: true });
    const form = this.#finished(kinds.reduction, [
      [1600, "reductionOperator", [reductions[by]]],
      [1601, "dataType", [graphTypes.float32]],
    ]);
    this.#operation(kinds.reductionOperation, [
      [1610, "descriptor", [x.descriptor]],
      [1611, "descriptor", [y.descriptor]],
      [1612, "descriptor", [form]],
    ]);
    return y;
  }

  /** The elements with the last two dimensions exchanged, in another type. */
  turned(x: GraphTensor, type: GraphType): GraphTensor {
    const y = this.#tensor(type, turned(x.shape), turned(x.strides), { isVirtual: true });
    this.#operation(kinds.reshape, [
      [2200, "descriptor", [x.descriptor]],
      [2201, "descriptor", [y.descriptor]],
    ]);
    return y;
  }

  /** The first engine, in the order of expected time, whose sums have one order and that does nothing else refused; undefined without one. */
  plan({ refused = [], mostWorkBytes = Number.POSITIVE_INFINITY }: PlanLimits = {}): GraphPlan | undefined {
    const graph = this.#finished(kinds.graph, [
      [800, "handle", [this.#handle]],
      [801, "descriptor", this.#operations],
    ]);
    const without = [...refused, numericalNotes.anyOrder];
    for (const mode of heuristicModes) {
      for (const config of unlessRefused(() => this.#configs(graph, mode)) ?? []) {
        const [engine] = this.#descriptorsOf(config, 300, kinds.engine, 1);
        if (this.#got(engine as number, 1303, "note", 16).some((note) => without.includes(note))) continue;
        const plan = unlessRefused(() => this.#planOf(config));
        if (plan !== undefined && plan.workBytes <= mostWorkBytes) return plan;
      }
    }
    return undefined;
  }

  #configs(graph: number, mode: number): readonly number[] {
    const heuristics = this.#finished(kinds.heuristics, [
      [201, "descriptor", [graph]],
      [200, "mode", [mode]],
    ]);
    return this.#descriptorsOf(heuristics, 202, kinds.config);
  }

  destroy(): void {
    const free = this.#library.call("cudnnBackendDestroyDescriptor", ["uintptr_t"]);
    for (const one of this.#descriptors.splice(0)) free(one);
    for (const { block } of this.#numbers.splice(0)) block.release();
    this.#values.release();
  }

  #planOf(config: number): GraphPlan {
    const plan = this.#finished(kinds.plan, [
      [400, "handle", [this.#handle]],
      [401, "descriptor", [config]],
    ]);
    const [workBytes = 0] = this.#got(plan, 402, "int64", 1);
    const uids = [...this.#given, ...this.#numbers.map(({ uid }) => uid)];
    const numbers = this.#numbers.map(({ block }) => block.address);
    const execute = this.#library.call("cudnnBackendExecute", ["uintptr_t", "uintptr_t", "uintptr_t"]);
    const setStream = this.#library.call("cudnnSetStream", ["uintptr_t", "uintptr_t"]);
    const free = this.#library.call("cudnnBackendDestroyDescriptor", ["uintptr_t"]);
    return {
      workBytes,
      run: (addresses, work) => {
        setStream(this.#handle, this.#host.stream());
        const pack = this.#finished(kinds.pack, [
          [1000, "int64", uids],
          [1001, "pointer", [...addresses, ...numbers]],
          [1003, "pointer", [work]],
        ]);
        execute(this.#handle, plan, pack);
        free(pack);
        this.#descriptors.pop();
      },
    };
  }

  #tensor(
    type: GraphType,
    shape: readonly number[],
    strides: readonly number[],
    { isVirtual = false, isNumber = false }: TensorKind,
  ): GraphTensor {
    const uid = ++this.#uids;
    const descriptor = this.#finished(kinds.tensor, [
      [901, "dataType", [type]],
      [902, "int64", shape],
      [903, "int64", strides],
      [906, "int64", [uid]],
      [900, "int64", [alignment]],
      ...(isVirtual ? [[907, "boolean", [1]] as const] : []),
      ...(isNumber ? [[908, "boolean", [1]] as const] : []),
    ]);
    return { descriptor, uid, shape, strides };
  }

  #operation(kind: number, attributes: readonly Attribute[]): void {
    this.#operations.push(this.#finished(kind, attributes));
  }

  #finished(kind: number, attributes: readonly Attribute[]): number {
    const descriptor = this.#created(kind);
    const set = this.#library.call("cudnnBackendSetAttribute", [
      "uintptr_t",
      "int",
      "int",
      "int64_t",
      "uintptr_t",
    ]);
    for (const [name, type, values] of attributes) {
      this.#write(type, values);
      set(descriptor, name, types[type][0], values.length, this.#values.address);
    }
    this.#library.call("cudnnBackendFinalize", ["uintptr_t"])(descriptor);
    return descriptor;
  }

  #created(kind: number): number {
    const made: [number] = [0];
    this.#library.call("cudnnBackendCreateDescriptor", ["int", "_Out_ uintptr_t *"])(kind, made);
    this.#descriptors.push(made[0]);
    return made[0];
  }

  #write(type: AttributeType, values: readonly number[]): void {
    if (values.length > mostValues) throw new Error(`A list of ${values.length} values for cuDNN.`);
    const { bytes, i32, i64, f32, f64 } = this.#values;
    const [, size] = types[type];
    if (type === "float32") f32.set(values);
    else if (type === "float64") f64.set(values);
    else if (size === 1) bytes.set(values);
    else if (size === 4) i32.set(values);
    else i64.set(values.map(BigInt));
  }

  /** At most so many values of an attribute. */
  #got(descriptor: number, name: number, type: AttributeType, most: number): number[] {
    const count = this.#ask(descriptor, name, type, most);
    const { i32, i64 } = this.#values;
    return types[type][1] === 4 ? [...i32.subarray(0, count)] : [...i64.subarray(0, count)].map(Number);
  }

  /** The descriptors that an attribute has, written into fresh ones. */
  #descriptorsOf(descriptor: number, name: number, kind: number, most?: number): readonly number[] {
    const count = most ?? Math.min(mostValues, this.#ask(descriptor, name, "descriptor", 0));
    const made = Array.from({ length: count }, () => this.#created(kind));
    this.#write("descriptor", made);
    return made.slice(0, this.#ask(descriptor, name, "descriptor", count));
  }

  #ask(descriptor: number, name: number, type: AttributeType, most: number): number {
    const count = this.#host.createBlock(8);
    try {
      const get = this.#library.call("cudnnBackendGetAttribute", [
        ...(["uintptr_t", "int", "int", "int64_t", "uintptr_t", "uintptr_t"] as const),
      ]);
      get(descriptor, name, types[type][0], most, count.address, most === 0 ? 0 : this.#values.address);
      return Number(count.i64[0]);
    } finally {
      count.release();
    }
  }
}

/** The code of a graph that `describe` describes; undefined if no engine computes it with sums in one order. */
export function graphCode(
  library: CheckedLibrary,
  handle: number,
  host: LibraryHost,
  describe: (graph: EngineGraph) => WorkingCode | undefined,
): WorkingCode | undefined {
  host.stream();
  const graph = new EngineGraph(library, handle, host);
  let found: WorkingCode | undefined;
  try {
    found = unlessRefused(() => describe(graph));
  } finally {
    if (!found) graph.destroy();
  }
  return found;
}

/** Undefined where the library refuses a description by a status. */
function unlessRefused<R>(run: () => R): R | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof DeviceError) || error.code === "out-of-memory") throw error;
    return undefined;
  }
}

type Attribute = readonly [name: number, type: AttributeType, values: readonly number[]];

interface PlanLimits {
  /** Notes of engines that are not wanted. */
  readonly refused?: readonly number[];
  readonly mostWorkBytes?: number;
}

interface TensorKind {
  readonly isVirtual?: boolean;
  readonly isNumber?: boolean;
}

interface PointwiseOptions {
  readonly type?: GraphType;
  /** The type in which it computes; default that of the result. */
  readonly computing?: GraphType;
  /** The dimension of indexes. */
  readonly axis?: number;
  readonly into?: GraphTensor;
}

function turned(four: readonly number[]): number[] {
  const [a, b, c, d] = four as readonly [number, number, number, number];
  return [a, b, d, c];
}
