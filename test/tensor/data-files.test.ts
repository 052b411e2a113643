// Parquet, Feather and image files that other programs wrote (scripts/table_files.py), and damaged ones.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import * as arrow from "apache-arrow";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { refusal } from "../support/refusal.js";

const files = new URL("../data/tables/", import.meta.url);
const file = (name: string) => new URL(name, files).pathname;
const folder = mkdtempSync(join(tmpdir(), "jitlab-files-"));
const own = (name: string) => join(folder, name);
beforeAll(useAnyDevice);
afterAll(() => rmSync(folder, { recursive: true }));

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error: jl.JitlabError) => `${error.code}: ${error.message}`,
  );

// Node 20 and 22.14 have no zstd.
const codecs = [
  "none",
  "snappy",
  "gzip",
  ...("zstdDecompressSync" in process.getBuiltinModule("node:zlib") ? ["zstd"] : []),
];

test.each(codecs)("a Parquet file, %s, in several groups of rows", async (codec) => {
  const { columns, texts, units } = await jl.readParquet(file(`${codec}.parquet`));
  const dtypes = Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, one.dtype.name]));
  expect(dtypes).toEqual({
    ...{ price: "float64", half: "float16", single: "float32", count: "int32", big: "int64", small: "uint8" },
    ...{ unsigned: "uint64", flag: "bool", city: "int32", day: "int64", milli: "int64", micro: "int64" },
    ...{ nano: "int64", cost: "float64" },
  });
  expect(columns.price?.toArray()).toEqual([2.5, Number.NaN, -1e300]);
  expect(columns.half?.toArray()).toEqual([0.5, 1, 2]);
  expect(columns.big?.toArray()).toEqual([2n ** 62n, -1n, 0n]);
  expect(columns.small?.toArray()).toEqual([255, 0, 1]);
  expect(columns.unsigned?.toArray()).toEqual([2n ** 64n - 1n, 0n, 1n]);
  expect(columns.flag?.toArray()).toEqual([true, false, true]);
  expect(columns.city?.toArray()).toEqual([0, 1, 0]);
  expect(texts).toEqual({ city: ["Oslo", ""] });
  expect(units).toEqual({ day: "days", milli: "ms", micro: "us", nano: "ns" });
  expect(columns.day?.toArray()).toEqual([20455n, -1n, 11016n]);
  expect(columns.milli?.toArray()).toEqual([1767323045000n, -86400000n, 951782400000n]);
  expect(columns.micro?.select(0, 0).item()).toBe(1767323045678901n);
  expect(columns.nano?.select(0, 0).item()).toBe(1767323045678901000n);
  expect(columns.cost?.toArray()).toEqual([1, 2, 3]);
});

test("a table shows its first rows, and head() has them", async () => {
  const table = await jl.readParquet(file("snappy.parquet"));
  expect(table.rows).toBe(3);
  const head = table.head(1);
  expect(head.rows).toBe(1);
  expect(head.columns.count?.toArray()).toEqual([1]);
  expect(inspect(head)).toContain("Table of 1 row and 14 columns\n");
  expect(inspect(head)).toMatch(/\bdate, us\b/);
  expect(inspect(head)).toContain("2026-01-02T03:04:05.678Z");
  expect(inspect(head)).toMatch(/\bOslo\b/);
  const shown = (table as any)[Symbol.for("Jupyter.display")]()["text/html"];
  expect(shown).toContain("1969-12-31</td>");
  expect(table.head(100).rows).toBe(3);
  expect(refusal(() => table.head(-1))).toContain("rows");
});

test("a CSV file compressed by gzip, and its table", () => {
  writeFileSync(own("a.csv.gz"), gzipSync("x,<b>\n1,a&b\n2,c\n"));
  const table = jl.readCsv(own("a.csv.gz"));
  expect(table.columns.x?.toArray()).toEqual([1, 2]);
  const shown = (table as any)[Symbol.for("Jupyter.display")]()["text/html"];
  expect(shown).toContain("&lt;b&gt;");
  expect(shown).toContain("a&amp;b");
});

test.each(["nested", "struct"])("a %s column is refused by name", async (name) => {
  expect(await failure(jl.readParquet(file(`${name}.parquet`)))).toMatch(
    /^parquet-nested: readParquet: column "(list|s)" .* is nested\./,
  );
});

test("nulls among integers are refused with their number", async () => {
  expect(await failure(jl.readParquet(file("null.parquet")))).toMatch(
    /^parquet-nulls: .*column "n".* 1 of 2 elements are null, which int32 cannot hold/,
  );
});

test("damaged and other files are refused", async () => {
  const whole = readFileSync(file("snappy.parquet"));
  writeFileSync(own("cut.parquet"), whole.subarray(0, 2000));
  writeFileSync(own("empty.parquet"), "");
  expect(await failure(jl.readParquet(own("cut.parquet")))).toContain("parquet-damaged");
  expect(await failure(jl.readParquet(own("empty.parquet")))).toContain("parquet-damaged");
  expect(await failure(jl.readParquet(own("none.parquet")))).toContain("parquet-damaged");
  expect(await failure(jl.readParquet(file("rgb.png")))).toContain("is a PNG image");
  expect(await failure(jl.readParquet(file("none.parquet"), { rows: 3 } as any))).toContain("unknown-option");
  // Any byte may be wrong: an error, or other numbers.
  for (let at = 0; at < whole.length; at += 97) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(at) ^ 0x55, at);
    writeFileSync(own("flipped.parquet"), flipped);
    await jl.readParquet(own("flipped.parquet")).catch((error) => expect(error.name).toBe("JitlabError"));
  }
});

test("a Feather file with LZ4, by the package lz4js", async () => {
  const lz4: any = await import("lz4js" as string);
  const { compressionRegistry, CompressionType } = arrow as any;
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: lz4.decompress });
  const columns = jl.fromArrow(
    arrow.tableFromIPC(readFileSync(file("lz4.feather"))) as any,
  ) as unknown as Record<string, jl.Tensor>;
  expect(columns.single?.toArray()).toEqual([1, 2, 3]);
  expect(columns.big?.toArray()).toEqual([2n ** 62n, -1n, 0n]);
  expect(columns.flag?.toArray()).toEqual([true, false, true]);
  expect(columns.micro?.dtype.name).toBe("int64");
  expect(columns.micro?.select(0, 0).item()).toBe(1767323045678901n);
});

const ramp = [0, 14, 28, 42, 56, 70, 84, 98, 112, 126, 140, 154, 168, 182, 196, 210, 224, 238];
test.each([
  ["rgb.png", [2, 3, 3], ramp],
  ["rgba.png", [2, 3, 4], ramp.flatMap((value, i) => (i % 3 === 2 ? [value, 255] : [value]))],
  ["palette.png", [2, 3, 3], ramp],
  ["gray.png", [2, 3], [0, 42, 84, 126, 168, 210]],
  ["bits.png", [2, 3], [0, 255, 255, 255, 255, 255]],
  ["deep.png", [2, 3], [0, 42, 84, 126, 168, 210].map((value) => value * 256)],
])("%s", (name, shape, elements) => {
  const image = jl.readImage(file(name));
  expect(image.shape).toEqual(shape);
  expect(image.dtype.name).toBe(name === "deep.png" ? "uint16" : "uint8");
  expect([...(image.data() as Uint8Array)]).toEqual(elements);
});

test.each(["rgb.jpg", "progressive.jpg", "gray.jpg"])("%s", (name) => {
  const image = jl.readImage(file(name));
  expect(image.shape).toEqual(name === "gray.jpg" ? [8, 16] : [8, 16, 3]);
  const [first] = name === "gray.jpg" ? [124] : [200];
  expect(Math.abs(Number((image.data() as Uint8Array)[0]) - (first ?? 0))).toBeLessThan(4);
});

test.each([
  ["a.png", [3, 5], "uint8"],
  ["b.png", [3, 5, 3], "uint16"],
  ["c.PNG", [3, 5, 4], "uint8"],
  ["d.png", [3, 5, 2], "uint8"],
] as const)("what writeImage writes to %s is read again", (name, shape, dtype) => {
  const size = shape.reduce((product: number, extent) => product * extent, 1);
  const image = jl
    .arange(size)
    .mul(4)
    .to(dtype)
    .reshape(...shape);
  jl.writeImage(own(name), image);
  const again = jl.readImage(own(name));
  expect([again.shape, again.dtype.name]).toEqual([[...shape], dtype]);
  expect(again.toArray()).toEqual(image.toArray());
});

test("JPEG files of one and three channels", () => {
  for (const shape of [
    [8, 8],
    [8, 8, 3],
  ]) {
    const image = jl.full(shape, 90, { dtype: "uint8" });
    jl.writeImage(own("x.jpg"), image, { quality: 95 });
    const again = jl.readImage(own("x.jpg"));
    expect(again.shape).toEqual([8, 8, 3]);
    expect(Math.abs(Number((again.data() as Uint8Array)[0]) - 90)).toBeLessThan(3);
  }
});

test("a CMYK JPEG, truncated and other files are refused", () => {
  expect(refusal(() => jl.readImage(file("cmyk.jpg")))).toContain("4 components, as an image in CMYK");
  for (const name of ["rgb.png", "deep.png", "rgb.jpg"]) {
    const bytes = readFileSync(file(name));
    for (const length of [0, 1, 4, 20, bytes.length >> 1, bytes.length - 14]) {
      writeFileSync(own("cut"), bytes.subarray(0, length));
      expect(
        refusal(() => jl.readImage(own("cut"))),
        `${name} ${length}`,
      ).toMatch(/readImage: (?!.*(?:DataView|:\.))/);
    }
  }
  copyFileSync(file("none.parquet"), own("table.png"));
  expect(refusal(() => jl.readImage(own("table.png")))).toContain("is a Parquet file");
});

test("writeImage refuses other names, dtypes, shapes and qualities", () => {
  const gray = jl.zeros([2, 2], { dtype: "uint8" });
  const refused = (...args: Parameters<typeof jl.writeImage>) => refusal(() => jl.writeImage(...args));
  expect(refused(own("a.gif"), gray)).toContain("names no format");
  expect(refused(own("a.png"), jl.zeros([2, 2]))).toContain("float32 is not uint8 or uint16");
  expect(refused(own("a.jpg"), jl.zeros([2, 2], { dtype: "uint16" }))).toContain("uint16 is not uint8");
  expect(refused(own("a.png"), jl.zeros([4], { dtype: "uint8" }))).toContain("shape [4]");
  expect(refused(own("a.png"), jl.zeros([0, 4], { dtype: "uint8" }))).toContain("shape [0, 4]");
  expect(refused(own("a.jpg"), jl.zeros([2, 2, 4], { dtype: "uint8" }))).toContain("3 channels");
  expect(refused(own("a.jpg"), gray, { quality: 0 })).toContain("quality is 0");
  expect(refused(own("a.jpg"), gray, { speed: 1 } as any)).toContain("speed");
  expect(refused(join(folder, "no", "a.png"), gray)).toContain("cannot be written");
});
