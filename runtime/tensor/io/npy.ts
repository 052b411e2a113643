// NumPy's files. A .npy holds one tensor: a header that names dtype, order and shape, then the elements. A .npz is a zip
// archive of them. jl.save and jl.saveNpz write them, jl.load and jl.loadNpz read them.
import { namedOf, optionsOf, textOf } from "../../base/arguments.js";
import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import { unzip, type ZipMember, zip } from "../../base/zip.js";
import { copyToDevice, copyToHost } from "../../device/host-copy.js";
import { checkShape, sizeOf } from "../../geometry/layout.js";
import { newTensor, Tensor } from "../tensor.js";
import { formatOf } from "./file-formats.js";
import { readBytes, storable, writeBytes } from "./tensor-files.js";

/** Options of `jl.load` and `jl.loadNpz`. */
export interface LoadOptions {
  /** The device of the tensors; default: the default device. */
  readonly device?: string;
}

/** Options of `jl.loadNpz`. */
export interface NpzOptions extends LoadOptions {
  /** The names of the arrays to load; default: all. */
  readonly arrays?: readonly string[];
}

const magic = Buffer.from("\x93NUMPY", "latin1");
// The start of a zip archive: a member, or its end if it has none.
const zipMember = 0x04034b50;
const zipEnd = 0x06054b50;
const archiveLimit = 2 ** 32 - 2 ** 20;

// NumPy's kind and size of each dtype; bfloat16 has none.
const codes: Readonly<Partial<Record<DTypeName, string>>> = {
  bool: "b1",
  uint8: "u1",
  int8: "i1",
  int16: "i2",
  int32: "i4",
  int64: "i8",
  uint16: "u2",
  uint32: "u4",
  uint64: "u8",
  float16: "f2",
  float32: "f4",
  float64: "f8",
  complex64: "c8",
  complex128: "c16",
};

/**
 * Writes a tensor to a .npy file, which `numpy.load` and `jl.load` read.
 *
 * @example jl.save("x.npy", jl.arange(3)) // undefined
 */
export function save(path: string, tensor: Tensor): void {
  textOf("save", "the path", path);
  writeBytes("save", path, [encode(`save: ${path}`, tensor)], "npy-file");
}

/**
 * Reads the tensor of a .npy file: either byte order, row-major or column-major.
 *
 * @example (jl.save("x.npy", jl.arange(3)), jl.load("x.npy")).toArray() // [0, 1, 2]
 */
export function load(path: string, options: LoadOptions = {}): Tensor {
  const checked = optionsOf("load", options, ["device"]);
  const file = readBytes("load", path, "npy-file");
  checkFormat("load", path, file, "a .npy file");
  return decode(`load: ${path}`, file, checked);
}

/**
 * Writes named tensors to a .npz archive, which `numpy.load` and `jl.loadNpz` read.
 *
 * @example jl.saveNpz("xy.npz", { x: jl.arange(3), y: jl.ones([2]) }) // undefined
 */
export function saveNpz(path: string, tensors: Readonly<Record<string, Tensor>>): void {
  textOf("saveNpz", "the path", path);
  const members = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const [name, tensor] of Object.entries(namedOf("saveNpz", tensors)) as [string, Tensor][]) {
    const member = encode(`saveNpz: ${path}, ${name}`, tensor);
    members.set(`${checkedName(`saveNpz: ${path}`, name)}.npy`, member);
    bytes += member.length;
  }
  if (bytes >= archiveLimit) {
    throw new JitlabError(
      "npy-size",
      `saveNpz: ${path} would hold ${bytes} bytes, more than the 4 GiB of a zip archive.`,
      "Write several archives, or a .npy file for each large tensor with jl.save.",
    );
  }
  writeBytes("saveNpz", path, [zip(members)], "npy-file");
}

/**
 * Reads the tensors of a .npz archive by their names.
 *
 * @example (jl.saveNpz("xy.npz", { x: jl.arange(3) }), jl.loadNpz("xy.npz")).x.toArray() // [0, 1, 2]
 */
export function loadNpz(path: string, options: NpzOptions = {}): Record<string, Tensor> {
  const { arrays, ...checked } = optionsOf("loadNpz", options, ["device", "arrays"]);
  const file = readBytes("loadNpz", path, "npy-file");
  checkFormat("loadNpz", path, file, "a .npz archive");
  if (!isZip(file)) throw damaged(`loadNpz: ${path}`, "it does not begin as a zip archive does", "npz");
  const broken = (error: unknown) =>
    damaged(`loadNpz: ${path}`, `${error instanceof Error ? error.message : String(error)}`, "npz");
  const all = attempt(() => unzip(file), broken);
  const members = chosenMembers(path, all, arrays);
  const names = members.map(({ name }) => checkedName(`loadNpz: ${path}`, name.replace(/\.npy$/, "")));
  // Check all members before unpacking the first.
  const whats = members.map((member) => {
    const what = `loadNpz: ${path}, ${member.name}`;
    const head = attempt(member.head, broken);
    try {
      checkMember(what, member, head);
    } catch (error) {
      throw withOthers(error, path, all, broken);
    }
    return what;
  });
  return Object.fromEntries(
    members.map((member, i) => [names[i], decode(whats[i] ?? "", attempt(member.bytes, broken), checked)]),
  );
}

function nameOf({ name }: ZipMember): string {
  return name.replace(/\.npy$/, "");
}

function chosenMembers(path: string, members: readonly ZipMember[], arrays: unknown): readonly ZipMember[] {
  if (arrays === undefined) return members;
  const known = members.map(nameOf);
  const names = Array.isArray(arrays) ? (arrays as unknown[]) : [arrays];
  const wrong = names.find((name) => !known.includes(name as string));
  if (Array.isArray(arrays) && wrong === undefined)
    return members.filter((member) => names.includes(nameOf(member)));
  throw new JitlabError(
    "bad-argument",
    `loadNpz: ${path} has no array ${show(wrong ?? arrays)}.`,
    `Give a list of names: { arrays: ${JSON.stringify(known)} }.`,
  );
}

// An archive often holds a few arrays of texts or objects beside the numbers.
function withOthers(
  error: unknown,
  path: string,
  members: readonly ZipMember[],
  broken: (error: unknown) => JitlabError,
): unknown {
  if (!(error instanceof JitlabError) || error.code !== "npy-dtype") return error;
  const others = members.filter((member) => {
    try {
      checkMember(path, member, attempt(member.head, broken));
      return true;
    } catch {
      return false;
    }
  });
  const call = `jl.loadNpz(${JSON.stringify(path)}, { arrays: ${JSON.stringify(others.map(nameOf))} })`;
  return new JitlabError(error.code, error.what, `${call} loads the others. ${error.help}`);
}

/** Throws if a file is of another format than the function reads. */
function checkFormat(what: string, path: string, file: Buffer, own: string): void {
  const format = formatOf(file);
  if (
    format === undefined ||
    format.is === own ||
    (own === "a .npz archive" && isZip(file) && format.is === "a zip archive")
  )
    return;
  throw new JitlabError("npy-damaged", `${what}: ${path} is ${format.is}.`, format.advice);
}

/** Throws if a member's header, as far as its first bytes show it, does not match the member's size. */
function checkMember(what: string, { size }: ZipMember, head: Buffer): void {
  if (head.length < 12 || headerEnd(head) > head.length) return;
  const { dtype, shape, start } = headerOf(what, head);
  const needed = start + sizeOf(shape) * dtype.bytes;
  if (needed !== size) throw damaged(what, `its header requires ${needed} bytes, but it has ${size}`);
}

/** Checks the name of a tensor in an archive: `__proto__` would change the object that holds the tensors. */
function checkedName(what: string, name: string): string {
  if (name !== "__proto__") return name;
  throw new JitlabError("npy-name", `${what}: no tensor may be named __proto__.`, "Use another name.");
}

function attempt<T>(run: () => T, broken: (error: unknown) => JitlabError): T {
  try {
    return run();
  } catch (error) {
    throw broken(error);
  }
}

/** A tensor as the bytes of a .npy file. */
function encode(what: string, tensor: Tensor): Buffer {
  if (!(tensor instanceof Tensor)) {
    throw new JitlabError("bad-operand", `${what}: ${show(tensor)} is not a tensor.`, "Pass a Tensor.");
  }
  if (codes[tensor.dtype.name] === undefined) {
    throw new JitlabError(
      "npy-dtype",
      `${what} cannot hold ${tensor.dtype.name}, which NumPy does not have.`,
      'Convert the tensor first: x.to("float32").',
    );
  }
  return Buffer.concat([npyHeader(tensor.dtype, tensor.shape), storedBytes(tensor)]);
}

/** The header of a .npy file; bfloat16, which NumPy does not have, counts as uint16. */
export function npyHeader({ name, bytes }: DType, shape: readonly number[]): Uint8Array {
  const extents = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const order = bytes === 1 ? "|" : "<";
  const text = `{'descr': '${order}${codes[name] ?? "u2"}', 'fortran_order': False, 'shape': ${extents}, }`;
  // The header ends with a line feed at a multiple of 64 bytes.
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10;
  const head = Buffer.alloc(10 + length, 0x20);
  magic.copy(head);
  head.set([1, 0], 6);
  head.writeUInt16LE(length, 8);
  head.write(text, 10, "latin1");
  head[head.length - 1] = 0x0a;
  return head;
}

/** The stored bytes of a tensor's elements in row-major order. */
export function storedBytes(tensor: Tensor): Uint8Array {
  const source = tensor.contiguous();
  const bytes = new Uint8Array(source.size * source.dtype.bytes);
  if (bytes.length > 0) copyToHost(source.device, source.pointer, bytes);
  return bytes;
}

/** The tensor in the bytes of a .npy file. */
function decode(what: string, file: Buffer, options: LoadOptions): Tensor {
  const { dtype, swapped, fortran, shape, start } = headerOf(what, file);
  checkShape(shape, what);
  const size = sizeOf(shape) * dtype.bytes;
  const stored = file.subarray(start, start + size);
  const bytes = swapped ? new Uint8Array(stored) : stored;
  if (bytes.length < size) {
    throw damaged(what, `it ends after ${bytes.length} of ${size} bytes of elements`);
  }
  if (swapped) swap(bytes, dtype.kind === "complex" ? dtype.bytes / 2 : dtype.bytes);
  const extents = fortran ? [...shape].reverse() : shape;
  const tensor = newTensor(what, extents, dtype, options.device);
  if (size > 0) copyToDevice(tensor.device, tensor.pointer, storable(bytes, dtype));
  return fortran ? tensor.permute(...shape.map((_, d) => shape.length - 1 - d)) : tensor;
}

interface Header {
  readonly dtype: DType;
  readonly swapped: boolean;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** The offset of the elements. */
  readonly start: number;
}

function headerOf(what: string, file: Buffer): Header {
  if (file.length < 10 || !file.subarray(0, 6).equals(magic)) {
    throw damaged(what, "it does not begin as a .npy file does");
  }
  const version = file[6] ?? 0;
  if (version < 1 || version > 3) throw damaged(what, `its format has the unknown version ${version}`);
  const from = version === 1 ? 10 : 12;
  if (file.length < 12 || file.length < headerEnd(file)) throw damaged(what, "it ends within its header");
  const start = headerEnd(file);
  const text = file.toString(version === 3 ? "utf8" : "latin1", from, start);
  const descr = /'descr'\s*:\s*'([<>|=])([a-z]\d+)'/.exec(text);
  const fortran = /'fortran_order'\s*:\s*(True|False)/.exec(text)?.[1];
  const shape = /'shape'\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (fortran === undefined || shape === undefined || !/'descr'/.test(text)) {
    throw damaged(what, `its header is ${JSON.stringify(text.trim().slice(0, 80))}`);
  }
  const name = (Object.keys(codes) as DTypeName[]).find((key) => codes[key] === descr?.[2]);
  if (!descr || !name) {
    throw refusedElements(what, text);
  }
  return {
    dtype: dtypes[name],
    swapped: descr[1] === ">",
    fortran: fortran === "True",
    shape: shape.split(",").flatMap((extent) => (extent.trim() === "" ? [] : [Number(extent)])),
    start,
  };
}

function refusedElements(what: string, header: string): JitlabError {
  const records = /'descr'\s*:\s*\[(.*)\]/s.exec(header)?.[1];
  if (records !== undefined) {
    const [first = "a"] = [...records.matchAll(/\(\s*'([^']*)'/g)].map(([, field]) => field as string);
    return new JitlabError(
      "npy-dtype",
      `${what} holds records: [${records}], which is not a supported dtype.`,
      `Save each field as an array: np.savez("x.npz", ${first}=a["${first}"]), for jl.loadNpz.`,
    );
  }
  const code = /'descr'\s*:\s*'([^']*)'/.exec(header)?.[1] ?? "elements";
  const kinds: Readonly<Record<string, string>> = {
    U: "texts",
    S: "texts",
    O: "Python objects",
    M: "dates",
    m: "durations",
  };
  const kind = kinds[code.replace(/^[<>|=]/, "").charAt(0)];
  const named = kind === undefined ? `'${code}'` : `${kind} ('${code}')`;
  return new JitlabError(
    "npy-dtype",
    `${what} holds ${named}, which is not a supported dtype.`,
    kind === undefined || kind === "dates" || kind === "durations"
      ? "Convert it in NumPy, for example with a.astype('float32'), and save it again."
      : "A tensor holds numbers: write it to a JSON file.",
  );
}

/** The end of the header of a .npy file, from its first twelve bytes. */
function headerEnd(file: Buffer): number {
  return file[6] === 1 ? 10 + file.readUInt16LE(8) : 12 + file.readUInt32LE(8);
}

/** Reverses the bytes of each word in place. */
function swap(bytes: Uint8Array, width: number): void {
  for (let at = 0; at < bytes.length; at += width) bytes.subarray(at, at + width).reverse();
}

function isZip(file: Buffer): boolean {
  return file.length >= 4 && (file.readUInt32LE(0) === zipMember || file.readUInt32LE(0) === zipEnd);
}

function damaged(what: string, why: string, kind: "npy" | "npz" = "npy"): JitlabError {
  return new JitlabError(
    "npy-damaged",
    `${what} is not a readable .${kind} file: ${why}.`,
    kind === "npy" ? "Write it with numpy.save or jl.save." : "Write it with numpy.savez or jl.saveNpz.",
  );
}
