// Formats of files that people pass to the wrong function, known by how they begin.

interface FileFormat {
  readonly begins: string;
  /** A text that stands near the beginning. */
  readonly has?: string;
  readonly is: string;
  readonly advice: string;
}

const unpack = (command: string) => `Unpack it first: ${command}.`;
const weights =
  'In Python, safetensors.torch.save_file(tensors, "m.safetensors") writes a file for jl.loadSafetensors.';

// The first match counts.
const formats: readonly FileFormat[] = [
  { begins: "PK\x03\x04", has: "data.pkl", is: "a file of torch.save", advice: weights },
  { begins: "PK\x03\x04", has: ".npy", is: "a .npz archive", advice: "Use jl.loadNpz(path)." },
  {
    begins: "PK\x03\x04",
    has: "[Content_Types]",
    is: "an Excel file",
    advice: "Save it as CSV, for jl.readCsv.",
  },
  { begins: "PK\x03\x04", is: "a zip archive", advice: unpack("unzip FILE") },
  { begins: "\x80\x02", is: "a file of Python's pickle", advice: weights },
  { begins: "\x80\x04", is: "a file of Python's pickle", advice: weights },
  { begins: "\x80\x05", is: "a file of Python's pickle", advice: weights },
  { begins: "\x1f\x8b", is: "compressed by gzip", advice: unpack("gunzip FILE") },
  { begins: "\x28\xb5\x2f\xfd", is: "compressed by zstd", advice: unpack("zstd -d FILE") },
  { begins: "BZh", is: "compressed by bzip2", advice: unpack("bunzip2 FILE") },
  { begins: "\xfd7zXZ", is: "compressed by xz", advice: unpack("unxz FILE") },
  { begins: "\x04\x22\x4d\x18", is: "compressed by lz4", advice: unpack("lz4 -d FILE") },
  {
    begins: "PAR1",
    is: "a Parquet file",
    advice: "Use await jl.readParquet(path).",
  },
  {
    begins: "ARROW1",
    is: "a Feather file",
    advice: "jl.fromArrow takes apache-arrow's tableFromIPC(readFileSync(path)).",
  },
  {
    begins: "\x89HDF",
    is: "an HDF5 file",
    advice: "Write its arrays with numpy.savez, for jl.loadNpz.",
  },
  { begins: "\x89PNG", is: "a PNG image", advice: "Use jl.readImage(path)." },
  { begins: "\xff\xd8\xff", is: "a JPEG image", advice: "Use jl.readImage(path)." },
  { begins: "\x93NUMPY", is: "a .npy file", advice: "Use jl.load(path)." },
  {
    begins: "GGUF",
    is: "a GGUF file",
    advice: "Use the model's safetensors files, with jl.loadSafetensors.",
  },
];

// How far the first entries of an archive reach.
const near = 4096;

/** What a file of another format is, and what to do; undefined for an unknown one. */
export function formatOf(file: Buffer): { readonly is: string; readonly advice: string } | undefined {
  const head = file.toString("latin1", 0, near);
  return formats.find(({ begins, has = "" }) => head.startsWith(begins) && head.includes(has));
}
