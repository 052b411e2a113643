// Files of other formats than the function reads, and files of which a part can be read: the error says what they are.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { zip } from "../../dist/runtime/base/zip.js";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";

beforeAll(useAnyDevice);
const folder = mkdtempSync(join(tmpdir(), "jitlab-file-formats-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? Buffer.from(content, "latin1") : content);
  return path;
}

function npy(descr: string, shape: string, bytes: number): Buffer {
  const head = `${`{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117)}\n`;
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"),
    Buffer.from(head),
    Buffer.alloc(bytes),
  ]);
}

function message(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

test("readCsv reads a file that gzip compressed", () => {
  const path = file("t.csv.gz", gzipSync("a,b\n1,x\n2,y\n"));
  expect(jl.readCsv(path).columns.a!.toArray()).toEqual([1, 2]);
  const cut = file("cut.csv.gz", gzipSync("a,b\n1,x\n2,y\n").subarray(0, 20));
  expect(message(() => jl.readCsv(cut))).toContain("is compressed, and cannot be unpacked");
});

test.each([
  ["PK\x03\x04....archive/data.pkl", "is a file of torch.save.\nIn Python, safetensors.torch.save_file"],
  ["PK\x03\x04....[Content_Types].xml", "is an Excel file.\nSave it as CSV"],
  ["PK\x03\x04....other.txt", "is a zip archive.\nUnpack it first"],
  ["\x80\x04\x95....", "is a file of Python's pickle."],
  ["\x28\xb5\x2f\xfd....", "is compressed by zstd."],
  ["BZh9....", "is compressed by bzip2."],
  ["\xfd7zXZ\x00...", "is compressed by xz."],
  ["PAR1....", "is a Parquet file.\nUse await jl.readParquet(path)."],
  ["ARROW1....", "is a Feather file.\njl.fromArrow takes"],
  ["\x89HDF....", "is an HDF5 file.\nWrite its arrays with numpy.savez"],
  ["GGUF....", "is a GGUF file."],
])("%j is named by every reader", (content, told) => {
  const path = file("other", content);
  for (const read of [jl.readCsv, jl.load, jl.loadSafetensors])
    expect(message(() => read(path))).toContain(told);
  if (!content.endsWith("other.txt")) expect(message(() => jl.loadNpz(path))).toContain(told);
});

test("files of NumPy lead to the other function", () => {
  const one = file("x.npy", npy("'<f4'", "(1,)", 4));
  const all = file("x.npz", zip(new Map([["x.npy", npy("'<f4'", "(1,)", 4)]])));
  expect(message(() => jl.loadNpz(one))).toContain("is a .npy file.\nUse jl.load(path).");
  expect(message(() => jl.load(all))).toContain("is a .npz archive.\nUse jl.loadNpz(path).");
});

test.each([
  [
    "[('a', '<i4'), ('b', '<f8')]",
    `holds records: [('a', '<i4'), ('b', '<f8')], which is not a supported dtype.\nSave each field as an array: np.savez("x.npz", a=a["a"])`,
  ],
  ["'<U5'", "holds texts ('<U5'), which is not a supported dtype.\nA tensor holds numbers"],
  ["'|O'", "holds Python objects ('|O')"],
  ["'<M8[ns]'", "holds dates ('<M8[ns]')"],
  ["'<f16'", "holds '<f16', which is not a supported dtype.\nConvert it in NumPy"],
])("an array of %s", (descr, told) => {
  expect(message(() => jl.load(file("odd.npy", npy(descr, "(1,)", 64))))).toContain(told);
});

test("an archive with one array of texts gives the others", () => {
  const members = { "x.npy": npy("'<f4'", "(1,)", 4), "names.npy": npy("'<U1'", "(2,)", 8) };
  const path = file("mixed.npz", zip(new Map(Object.entries(members))));
  expect(message(() => jl.loadNpz(path))).toContain('{ arrays: ["x"] }) loads the others.');
  expect(Object.keys(jl.loadNpz(path, { arrays: ["x"] }))).toEqual(["x"]);
  expect(message(() => jl.loadNpz(path, { arrays: ["z"] }))).toContain(
    'has no array "z".\nGive a list of names: { arrays: ["x","names"] }',
  );
  expect(message(() => jl.loadNpz(path, { arrays: "x" } as never))).toContain('has no array "x"');
});

test("labels that are no integers", () => {
  const input = jl.zeros([2, 3]);
  for (const labels of [jl.tensor([0, 1]), jl.zeros([2], { dtype: "float64" })])
    expect(message(() => jl.crossEntropy(input, labels))).toContain("Labels are integers: target.long().");
  expect(message(() => jl.nllLoss(input, jl.tensor([0, 1])))).toContain(
    "Labels are integers: target.long().",
  );
  expect(message(() => jl.crossEntropy(input, jl.zeros([3, 2])))).toContain("The target has the same shape");
});

test("products say which sizes differ", () => {
  expect(message(() => jl.zeros([3, 4]).matmul(jl.zeros([3, 4])))).toContain("inner sizes differ: 4 and 3.");
  expect(message(() => jl.zeros([3, 4]).mv(jl.zeros([3])))).toContain(
    "inner sizes differ: 4 and 3.\nThe last extent of the first is that of the second.",
  );
});
