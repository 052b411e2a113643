// Columns and tables of Apache Arrow as tensors, and back. Only the shape of the library's objects is known here: a caller hands
// over its own import, so that tables are those of its copy and nothing is loaded that it does not use.
import { isOptions, optionsOf } from "../../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import { isRevoked, JitlabError, show } from "../../base/errors.js";
import { copyToDevice } from "../../device/host-copy.js";
import { newTensor, Tensor, tensorOf } from "../tensor.js";
import { type LoadOptions, storedBytes } from "./npy.js";

/** One chunk of a column: an Arrow `Data`. */
export interface ArrowChunk {
  readonly offset: number;
  readonly length: number;
  readonly nullCount: number;
  readonly values: unknown;
  readonly children: readonly ArrowChunk[];
  readonly type: unknown;
}

/** A column: an Arrow `Vector`. */
export interface ArrowColumn {
  readonly length: number;
  readonly type: unknown;
  readonly data: readonly ArrowChunk[];
}

/** An Arrow `Table`. */
export interface ArrowTable {
  readonly schema: { readonly fields: readonly { readonly name: unknown }[] };
  getChild(name: never): ArrowColumn | null;
}

/** The part of `import * as arrow from "apache-arrow"` that {@link toArrow} uses. */
export interface ArrowLibrary {
  makeData(properties: never): unknown;
  makeVector(data: never): unknown;
  Table: new (...columns: never[]) => object;
  Field: new (name: string, type: never, nullable: boolean) => object;
  FixedSizeList: new (size: number, child: never) => object;
}

/** Arrow's names of the types whose elements are those of a dtype; a bool is a bit there. */
const names: Readonly<Partial<Record<DTypeName, string>>> = {
  bool: "Bool",
  uint8: "Uint8",
  uint16: "Uint16",
  uint32: "Uint32",
  uint64: "Uint64",
  int8: "Int8",
  int16: "Int16",
  int32: "Int32",
  int64: "Int64",
  float16: "Float16",
  float32: "Float32",
  float64: "Float64",
};

/**
 * The tensor of an Arrow column of numbers or bools, its chunks one after another, or the tensors of a table's columns by name. A
 * column of lists of one size has one more dimension, and one of timestamps is int64, in its type's unit. Nulls and other types are
 * errors.
 *
 * @example jl.fromArrow(arrow.vectorFromArray([1, 2, 3], new arrow.Int16())).toArray() // [1, 2, 3]
 */
export function fromArrow(column: ArrowColumn, options?: LoadOptions): Tensor;
export function fromArrow(table: ArrowTable, options?: LoadOptions): Record<string, Tensor>;
export function fromArrow(
  source: ArrowColumn | ArrowTable,
  given?: LoadOptions,
): Tensor | Record<string, Tensor> {
  const options = optionsOf("fromArrow", given, ["device"]);
  if (isColumn(source)) return tensorOfColumn("fromArrow", source, options);
  if (isRevoked(source) || typeof source !== "object" || source === null || !("schema" in source)) {
    throw new JitlabError(
      "bad-operand",
      `fromArrow: ${show(source)} is neither a column nor a table of Arrow.`,
      "Pass a Vector or a Table of apache-arrow, such as table or table.getChild(name).",
    );
  }
  return Object.fromEntries(
    source.schema.fields.map(({ name }) => {
      const column = source.getChild(name as never) as ArrowColumn;
      return [name, tensorOfColumn(`fromArrow: column ${show(name)}`, column, options)];
    }),
  );
}

function isColumn(source: ArrowColumn | ArrowTable): source is ArrowColumn {
  return (
    typeof source === "object" &&
    source !== null &&
    !isRevoked(source) &&
    "type" in source &&
    "data" in source
  );
}

function tensorOfColumn(what: string, { type, data, length }: ArrowColumn, { device }: LoadOptions): Tensor {
  const sizes: number[] = [];
  let element = String(type);
  for (let list = listOfSize(element); list; list = listOfSize(element)) {
    sizes.push(list.size);
    element = list.element;
  }
  const name = element.startsWith("Timestamp<")
    ? "int64"
    : (Object.keys(names) as DTypeName[]).find((each) => names[each] === element);
  if (name === undefined) {
    throw new JitlabError(
      "arrow-type",
      `${what}: no dtype holds elements of ${type}.`,
      `The types are ${Object.values(names).join(", ")}, and lists of one size of them; convert the column, or read its values with toArray().`,
    );
  }
  const dtype = dtypes[name];
  const tensor = newTensor(what, [length, ...sizes], dtype, device);
  let at = tensor.pointer;
  for (const chunk of data) {
    const values = elementsOf(what, chunk, sizes.length, dtype);
    if (values.length > 0) copyToDevice(tensor.device, at, values);
    at += values.length;
  }
  return tensor;
}

/** The size and the element's type of `FixedSizeList[3]<Float32>`. */
function listOfSize(type: string): { size: number; element: string } | undefined {
  const [, size, element] = /^FixedSizeList\[(\d+)\]<(.*)>$/.exec(type) ?? [];
  return element === undefined ? undefined : { size: Number(size), element };
}

/** The bytes of a chunk's elements, as a dtype stores them. */
function elementsOf(what: string, chunk: ArrowChunk, lists: number, dtype: DType): Uint8Array {
  if (chunk.nullCount > 0) {
    throw new JitlabError(
      "arrow-nulls",
      `${what}: ${chunk.nullCount} of ${chunk.length} elements are null, which a tensor cannot hold.`,
      "Filter the rows, or fill the gaps first, such as jl.tensor(Float64Array.from(column, (value) => value ?? NaN)).",
    );
  }
  if (lists > 0) return elementsOf(what, chunk.children[0] as ArrowChunk, lists - 1, dtype);
  const { values, offset, length } = chunk;
  const stored = values as Uint8Array;
  if (dtype.kind === "bool") {
    return Uint8Array.from(
      { length },
      (_, i) => ((stored[(offset + i) >> 3] as number) >> ((offset + i) & 7)) & 1,
    );
  }
  return new Uint8Array(stored.buffer, stored.byteOffset, length * dtype.bytes);
}

/**
 * An Arrow column of a tensor, or a table of tensors by name, made by your import of `apache-arrow`. Dimensions after the first
 * become lists of one size.
 *
 * @example jl.toArrow(arrow, { x: jl.arange(3), y: jl.ones([3]) }).numRows // 3
 */
export function toArrow<L extends ArrowLibrary>(arrow: L, tensor: Tensor): ReturnType<L["makeVector"]>;
export function toArrow<L extends ArrowLibrary>(
  arrow: L,
  tensors: Readonly<Record<string, Tensor>>,
): InstanceType<L["Table"]>;
export function toArrow(arrow: ArrowLibrary, source: Tensor | Readonly<Record<string, Tensor>>): unknown {
  if (isRevoked(arrow) || typeof arrow?.makeVector !== "function") {
    throw new JitlabError(
      "bad-argument",
      `toArrow: ${show(arrow)} is not the library.`,
      'Pass what `import * as arrow from "apache-arrow"` gives; `npm install apache-arrow` installs it.',
    );
  }
  if (source instanceof Tensor) return columnOf("toArrow", arrow, source);
  if (!isOptions(source)) {
    throw new JitlabError(
      "bad-argument",
      `toArrow: ${show(source)} is neither a tensor nor tensors by name.`,
      "Pass a tensor, or an object of tensors such as { x, y }.",
    );
  }
  const columns = Object.entries(source).map(
    ([name, tensor]) => [name, columnOf(`toArrow: column ${show(name)}`, arrow, tensor)] as const,
  );
  const lengths = new Set(Object.values(source).map(({ shape }) => shape[0]));
  if (lengths.size > 1) {
    throw new JitlabError(
      "shape-mismatch",
      `toArrow: the columns have ${[...lengths].join(" and ")} elements.`,
      "The columns of a table have one length.",
    );
  }
  return new arrow.Table(Object.fromEntries(columns) as never);
}

function columnOf(what: string, arrow: ArrowLibrary, tensor: Tensor): unknown {
  const { shape, dtype } = tensorOf(what, tensor);
  const Type = Reflect.get(arrow, names[dtype.name] ?? "") as (new () => object) | undefined;
  if (Type === undefined) {
    throw new JitlabError(
      "arrow-type",
      `${what}: Arrow has no type for ${dtype.name}.`,
      dtype.kind === "complex"
        ? "Make columns of real(x) and imag(x)."
        : 'Convert the tensor first: x.to("float32").',
    );
  }
  if (shape.length === 0) {
    throw new JitlabError(
      "bad-dimension",
      `${what}: a 0-d tensor has no length.`,
      "Give it a dimension with x.reshape(1).",
    );
  }
  const bytes = storedBytes(tensor);
  const values = dtype.kind === "bool" ? bits(bytes) : new dtype.array(bytes.buffer as ArrayBuffer);
  let type = new Type();
  let data = arrow.makeData({ type, length: tensor.size, data: values } as never);
  let length = tensor.size;
  for (let d = shape.length - 1; d > 0; d--) {
    const size = shape[d] as number;
    length = shape.slice(0, d).reduce((product, extent) => product * extent, 1);
    type = new arrow.FixedSizeList(size, new arrow.Field("item", type as never, false) as never);
    data = arrow.makeData({ type, length, child: data } as never);
  }
  return arrow.makeVector(data as never);
}

/** Bytes of 0 and 1 as bits, the first one lowest. */
function bits(bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(bytes.length / 8));
  bytes.forEach((byte, i) => {
    packed[i >> 3] = (packed[i >> 3] as number) | (Number(byte !== 0) << (i & 7));
  });
  return packed;
}
