// NumPy's .npy files: a header that names dtype, order and shape, then the elements. jl.save writes them, jl.load reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { type DType, type DTypeName, dtypes } from "./dtype.js";
import { JitlabError } from "./errors.js";
import { checkShape, sizeOf } from "./layout.js";
import { newTensor, type Tensor } from "./tensor.js";

/** Options of `jl.load`. */
export interface LoadOptions {
  /** The device that the tensor goes to; default: the default one. */
  readonly device?: string;
}

const magic = Buffer.from("\x93NUMPY", "latin1");

// NumPy's kind and size of each dtype; bfloat16 has none.
const codes: Readonly<Partial<Record<DTypeName, string>>> = {
  bool: "b1",
  uint8: "u1",
  int8: "i1",
  int16: "i2",
  int32: "i4",
  int64: "i8",
  float16: "f2",
  float32: "f4",
  float64: "f8",
  complex64: "c8",
  complex128: "c16",
};

/** Writes a tensor to a .npy file, which `numpy.load` and `jl.load` read. */
export function save(path: string, tensor: Tensor): void {
  const code = codes[tensor.dtype.name];
  if (code === undefined) {
    throw new JitlabError(
      "npy-dtype",
      `save: ${path} cannot hold ${tensor.dtype.name}, which NumPy does not have.`,
      'Convert the tensor first: x.to("float32").',
    );
  }
  const shape = tensor.shape.length === 1 ? `(${tensor.shape[0]},)` : `(${tensor.shape.join(", ")})`;
  const order = tensor.dtype.bytes === 1 ? "|" : "<";
  const text = `{'descr': '${order}${code}', 'fortran_order': False, 'shape': ${shape}, }`;
  // The header ends with a line feed at a multiple of 64 bytes.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const head = Buffer.alloc(10 + length, 0x20);
  magic.copy(head);
  head.set([1, 0], 6);
  head.writeUInt16LE(length, 8);
  head.write(text, 10, "latin1");
  head[head.length - 1] = 0x0a;
  writeFileSync(path, Buffer.concat([head, storedBytes(tensor)]));
}

/** The stored bytes of a tensor's elements in row-major order. */
function storedBytes(tensor: Tensor): Uint8Array {
  const source = tensor.contiguous();
  const bytes = new Uint8Array(source.size * source.dtype.bytes);
  if (bytes.length > 0) source.device.read(source.pointer, bytes);
  return bytes;
}

/** Reads the tensor of a .npy file: either byte order, row-major or column-major. */
export function load(path: string, options: LoadOptions = {}): Tensor {
  const file = readFileSync(path);
  const { dtype, swapped, fortran, shape, start } = headerOf(path, file);
  checkShape(shape, `load: ${path}`);
  const size = sizeOf(shape) * dtype.bytes;
  const bytes = new Uint8Array(file.subarray(start, start + size));
  if (bytes.length < size) {
    throw damaged(path, `it ends after ${bytes.length} of ${size} bytes of elements`);
  }
  if (swapped) swap(bytes, dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes);
  const extents = fortran ? [...shape].reverse() : shape;
  const tensor = newTensor("load", extents, dtype, options.device);
  if (size > 0) tensor.device.write(tensor.pointer, bytes);
  return fortran ? tensor.permute(...shape.map((_, d) => shape.length - 1 - d)) : tensor;
}

interface Header {
  readonly dtype: DType;
  readonly swapped: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** Where the elements begin. */
  readonly start: number;
}

function headerOf(path: string, file: Buffer): Header {
  if (file.length < 10 || !file.subarray(0, 6).equals(magic)) {
    throw damaged(path, "it does not begin as a .npy file does");
  }
  const version = file[6] ?? 0;
  if (version < 1 || version > 3) throw damaged(path, `its format has the unknown version ${version}`);
  const from = version === 1 ? 10 : 12;
  if (file.length < from) throw damaged(path, "it ends within its header");
  const start = from + (version === 1 ? file.readUInt16LE(8) : file.readUInt32LE(8));
  if (file.length < start) throw damaged(path, "it ends within its header");
  const text = file.toString(version === 3 ? "utf8" : "latin1", from, start);
  const descr = /'descr'\s*:\s*'([<>|=])([a-z]\d+)'/.exec(text);
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shape = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (fortran === undefined || shape === undefined || !/'descr'/.test(text)) {
    throw damaged(path, `its header is ${JSON.stringify(text.trim().slice(0, 80))}`);
  }
  const name = (Object.keys(codes) as DTypeName[]).find((key) => codes[key] === descr?.[2]);
  if (!descr || !name) {
    throw new JitlabError(
      "npy-dtype",
      `load: ${path} holds ${/'descr'\s*:\s*(.*?),\s*'/.exec(text)?.[1] ?? "elements"}, for which there is no dtype.`,
      "Convert it in NumPy, for example with a.astype('float32'), and save it again.",
    );
  }
  return {
    dtype: dtypes[name],
    swapped: descr[1] === ">",
    fortran: fortran === "True",
    shape: shape.split(",").flatMap((extent) => (extent.trim() === "" ? [] : [Number(extent)])),
    start,
  };
}

/** Reverses the bytes of each word in place. */
function swap(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

function damaged(path: string, what: string): JitlabError {
  return new JitlabError(
    "npy-damaged",
    `load: ${path} is no .npy file that can be read: ${what}.`,
    "Write it with numpy.save or jl.save.",
  );
}
