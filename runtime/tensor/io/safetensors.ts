// Hugging Face's safetensors files of named tensors: the header's length, the header in JSON, and the tensors' elements in
// order. An inconsistent file is rejected as a whole.
import { namedOf, optionsOf, textOf } from "../../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import { copyToDevice, copyToHost } from "../../device/host-copy.js";
import { checkShape, sizeOf } from "../../geometry/layout.js";
import { newTensor, Tensor } from "../tensor.js";
import { formatOf } from "./file-formats.js";
import type { LoadOptions } from "./npy.js";
import { readBytes, storable, writeBytes } from "./tensor-files.js";

// The format's dtype names; it lacks complex128.
const codes: Readonly<Partial<Record<DTypeName, string>>> = {
  bool: "BOOL",
  uint8: "U8",
  int8: "I8",
  int16: "I16",
  int32: "I32",
  int64: "I64",
  uint16: "U16",
  uint32: "U32",
  uint64: "U64",
  float16: "F16",
  bfloat16: "BF16",
  float32: "F32",
  float64: "F64",
  complex64: "C64",
};
const names = new Map(Object.entries(codes).map(([name, code]) => [code, dtypes[name as DTypeName]]));

/** The largest header that the format allows. */
const headerLimit = 100_000_000;

/** Options of {@link saveSafetensors}. */
export interface SafetensorsOptions {
  /** Named texts in the header. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Writes named tensors to a .safetensors file.
 *
 * @example jl.saveSafetensors("xy.safetensors", { x: jl.arange(3), y: jl.ones([2]) }) // undefined
 */
export function saveSafetensors(
  path: string,
  tensors: Readonly<Record<string, Tensor>>,
  options?: SafetensorsOptions,
): void {
  const what = `saveSafetensors: ${textOf("saveSafetensors", "the path", path)}`;
  const { metadata } = optionsOf("saveSafetensors", options, ["metadata"]);
  const parts = safetensorsParts(what, namedOf("saveSafetensors", tensors), metadata);
  writeBytes("saveSafetensors", path, parts, "safetensors-file");
}

/** The bytes of a file of named tensors, part by part. */
export function safetensorsParts(
  what: string,
  tensors: Readonly<Record<string, Tensor>>,
  metadata: Readonly<Record<string, string>> | undefined,
): Uint8Array[] {
  const header: Record<string, unknown> = metadata === undefined ? {} : { __metadata__: metadata };
  const parts: Uint8Array[] = [];
  let end = 0;
  // Wide elements first, so that each tensor begins at a multiple of its elements' size.
  const list = Object.entries(tensors).map(([name, tensor]) => ({
    name: checkedName(what, name),
    tensor,
    code: codeOf(what, name, tensor),
  }));
  for (const { name, tensor, code } of list.sort((a, b) => b.tensor.dtype.bytes - a.tensor.dtype.bytes)) {
    const bytes = new Uint8Array(tensor.size * tensor.dtype.bytes);
    const source = tensor.contiguous();
    if (bytes.length > 0) copyToHost(source.device, source.pointer, bytes);
    header[name] = { dtype: code, shape: tensor.shape, data_offsets: [end, end + bytes.length] };
    end += bytes.length;
    parts.push(bytes);
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([text, Buffer.alloc((8 - (text.length % 8)) % 8, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return [length, padded, ...parts];
}

function codeOf(what: string, name: string, tensor: Tensor): string {
  if (!(tensor instanceof Tensor)) {
    throw new JitlabError(
      "bad-operand",
      `${what}: ${name} is ${show(tensor)}, not a tensor.`,
      "Pass a Tensor.",
    );
  }
  const code = codes[tensor.dtype.name];
  if (code !== undefined) return code;
  throw new JitlabError(
    "safetensors-dtype",
    `${what}: ${name} is ${tensor.dtype.name}, which the format does not have.`,
    'Convert it, for example with x.to("complex64").',
  );
}

/** Checks a tensor's name; these names are reserved in the format or in objects. */
function checkedName(what: string, name: string): string {
  if (name !== "__metadata__" && name !== "__proto__") return name;
  throw new JitlabError("safetensors-name", `${what}: no tensor may be named ${name}.`, "Use another name.");
}

/**
 * Reads the tensors of a .safetensors file by their names.
 *
 * @example (jl.saveSafetensors("x.safetensors", { x: jl.arange(3) }), jl.loadSafetensors("x.safetensors")).x.toArray() // [0, 1, 2]
 */
export function loadSafetensors(path: string, options?: LoadOptions): Record<string, Tensor> {
  const what = `loadSafetensors: ${textOf("loadSafetensors", "the path", path)}`;
  const { device } = optionsOf("loadSafetensors", options, ["device"]);
  const file = readBytes("loadSafetensors", path, "safetensors-file");
  const { entries, read } = readSafetensors(what, file);
  return Object.fromEntries([...entries].map(([name, entry]) => [name, read(entry, device)]));
}

/** The checked header of a file, and what reads the elements of an entry. */
export function readSafetensors(
  what: string,
  bytes: Uint8Array,
): {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly metadata: unknown;
  readonly read: (entry: Entry, device: string | undefined) => Tensor;
} {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = file.length < 8 ? Number.NaN : Number(file.readBigUInt64LE());
  if (!(length >= 2 && length <= headerLimit && 8 + length <= file.length)) {
    const format = formatOf(file);
    if (format !== undefined)
      throw new JitlabError("safetensors-damaged", `${what} is ${format.is}.`, format.advice);
    throw damaged(what, `it has ${file.length} bytes, but its header ${length}`);
  }
  const data = file.subarray(8 + length);
  const header = headerOf(what, file.toString("utf8", 8, 8 + length));
  const entries = entriesOf(what, header, data.length);
  return {
    entries: new Map(entries.map((entry) => [entry.name, entry])),
    metadata: header.__metadata__,
    read({ shape, dtype, begin, end }, device) {
      const tensor = newTensor(what, shape, dtype, device);
      if (end > begin)
        copyToDevice(tensor.device, tensor.pointer, storable(data.subarray(begin, end), dtype));
      return tensor;
    },
  };
}

/** A tensor of a file, and where its elements are. */
export interface Entry {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly begin: number;
  readonly end: number;
}

function headerOf(what: string, text: string): Readonly<Record<string, unknown>> {
  let header: unknown;
  try {
    header = JSON.parse(text);
  } catch (error) {
    throw damaged(what, `its header is not JSON: ${(error as Error).message}`);
  }
  if (typeof header !== "object" || header === null || Array.isArray(header)) {
    throw damaged(what, "its header is not an object");
  }
  return header as Record<string, unknown>;
}

/** The tensors of the header, all checked: they fill the data without gaps. */
function entriesOf(what: string, header: object, bytes: number): Entry[] {
  const entries = Object.entries(header)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, value]) => entryOf(what, checkedName(what, name), value));
  let at = 0;
  for (const { name, begin, end } of [...entries].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
    if (begin !== at) throw damaged(what, `${name} begins at byte ${begin} of the elements, not at ${at}`);
    at = end;
  }
  if (at !== bytes) throw damaged(what, `it has ${bytes} bytes of elements, and its tensors ${at}`);
  return entries;
}

function entryOf(what: string, name: string, value: unknown): Entry {
  const { dtype: code, shape, data_offsets: offsets } = (value ?? {}) as Record<string, unknown>;
  const whole = (list: unknown): list is number[] =>
    Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && one >= 0);
  const dtype = typeof code === "string" ? names.get(code) : undefined;
  if (typeof code === "string" && dtype === undefined) {
    throw new JitlabError(
      "safetensors-dtype",
      `${what}: ${name} holds ${code}, which is not a supported dtype.`,
      `The dtypes are ${[...names.keys()].join(", ")}.`,
    );
  }
  if (dtype === undefined || !whole(shape) || !whole(offsets) || offsets.length !== 2) {
    const fields = `dtype ${show(code)}, shape ${show(shape)}, data_offsets ${show(offsets)}`;
    throw damaged(what, `its header says of ${name}: ${fields}`);
  }
  checkShape(shape, what);
  const [begin, end] = offsets as [number, number];
  const size = sizeOf(shape) * dtype.bytes;
  if (end - begin !== size) throw damaged(what, `${name} has ${end - begin} bytes, and its shape ${size}`);
  return { name, dtype, shape, begin, end };
}

/** The error for a file that says what cannot be. */
export function damaged(what: string, why: string): JitlabError {
  return new JitlabError(
    "safetensors-damaged",
    `${what} is not a readable .safetensors file: ${why}.`,
    "Write it with safetensors or jl.saveSafetensors.",
  );
}
