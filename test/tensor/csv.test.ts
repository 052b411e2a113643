// jl.readCsv: numbers, texts, quotes, line ends, damaged files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as jl from "../../dist/runtime/index.js";
import { useAnyDevice } from "../support/device.js";
import { randomSource } from "../support/random.js";
import { refusal } from "../support/refusal.js";

const folder = mkdtempSync(join(tmpdir(), "jitlab-csv-"));
const path = join(folder, "table.csv");
beforeAll(useAnyDevice);
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string | Uint8Array, options?: jl.CsvOptions): jl.Table {
  writeFileSync(path, text);
  return jl.readCsv(path, options);
}

function textsOf({ columns, texts }: jl.Table, name: string): (string | undefined)[] {
  return (columns[name]!.toArray() as number[]).map((place) => texts[name]?.[place]);
}

test("numbers are float64, texts are places among the distinct ones", () => {
  const table = read("id,city,price\n1,Paris,2.5\n2,Rome,-1e3\n3,Paris,.5\n");
  expect(Object.keys(table.columns)).toEqual(["id", "city", "price"]);
  expect(table.columns.price?.dtype.name).toBe("float64");
  expect(table.columns.price?.toArray()).toEqual([2.5, -1000, 0.5]);
  expect(table.columns.city?.dtype.name).toBe("int32");
  expect(table.columns.city?.toArray()).toEqual([0, 1, 0]);
  expect(table.texts).toEqual({ city: ["Paris", "Rome"] });
});

test("every number has the bits that JavaScript gives it", () => {
  const random = randomSource(3);
  const numbers = [
    ...["0", "-0", "+7", "007", "1.", ".25", "123456789012345", "1234567890123456789", "0.1", "1e400"],
    ...[
      "9007199254740993",
      "2.2250738585072014e-308",
      "4.9e-324",
      "-1.7976931348623157E+308",
      " 12 ",
      "1e-7",
    ],
    ...Array.from({ length: 400 }, () => {
      const digits = String(random.below(10 ** (1 + random.below(15))));
      const at = random.below(digits.length + 1);
      return `${digits.slice(0, at)}.${digits.slice(at)}`.replace(/^\.$/, "0");
    }),
  ];
  const found = read(`x\n${numbers.join("\n")}`).columns.x?.data() as Float64Array;
  for (const [i, text] of numbers.entries()) expect(found[i], text).toBe(Number(text));
});

test("empty cells and their names are NaN, and infinite numbers are infinite", () => {
  const { columns } = read("a,b\n,1\nNaN,NA\nnull,-inf\ninf,Infinity");
  const { NaN: none, POSITIVE_INFINITY: infinite } = Number;
  expect(columns.a?.toArray()).toEqual([none, none, none, infinite]);
  expect(columns.b?.toArray()).toEqual([1, none, -infinite, infinite]);
});

test("quotes, their doubles, line ends, a byte order mark, and other characters", () => {
  const table = read(
    '\uFEFFname,"a, b"\r\n"x, ""y""",1\r\nstraße,2\r\n\r\n"two\nlines",3\r\n"straße",4\r\n"",5',
  );
  expect(Object.keys(table.columns)).toEqual(["name", "a, b"]);
  expect(table.columns["a, b"]?.toArray()).toEqual([1, 2, 3, 4, 5]);
  expect(textsOf(table, "name")).toEqual(['x, "y"', "straße", "two\nlines", "straße", ""]);
  expect(table.texts.name).toHaveLength(4);
});

test("a column that begins with numbers and has a text is one of texts", () => {
  const table = read("a,b\n1,2\n2,x\n0x10,3\n");
  expect(textsOf(table, "a")).toEqual(["1", "2", "0x10"]);
  expect(textsOf(table, "b")).toEqual(["2", "x", "3"]);
});

test("other delimiters, no rows, and a name that objects have", () => {
  expect(read("a;b\n1;2\n", { delimiter: ";" }).columns.b?.toArray()).toEqual([2]);
  expect(read("a\tb\n1\t2", { delimiter: "\t" }).columns.b?.toArray()).toEqual([2]);
  expect(read("a,b\n").columns.a?.shape).toEqual([0]);
  expect(Object.keys(read("__proto__\n1\n").columns)).toEqual(["__proto__"]);
});

test("many distinct texts, which are found again", () => {
  const words = Array.from({ length: 5000 }, (_, i) => `${"é".repeat(i % 3)}w${(i * 7919) % 1250}`);
  const table = read(`word\n${words.join("\n")}\n`);
  expect(textsOf(table, "word")).toEqual(words);
  expect(table.texts.word).toEqual([...new Set(words)]);
});

test.each<[string, string, jl.CsvOptions | undefined]>([
  ["a short row", "a,b\n1,2\n3\n", undefined],
  ["a long row", "a,b\n1,2,3\n", undefined],
  ["an open quote", 'a\n"1\n', undefined],
  ["text behind a quote", 'a\n"1"2\n', undefined],
  ["an empty file", "", undefined],
  ["one name twice", "a,a\n1,2\n", undefined],
  ["a delimiter of two characters", "a\n1", { delimiter: "||" }],
  ["a delimiter in numbers", "a\n1", { delimiter: "." }],
  ["an unknown option", "a\n1", { separator: ";" } as never],
])("%s is refused", (_, text, options) => {
  expect(refusal(() => read(text, options)).replaceAll(path, "PATH")).toMatchSnapshot();
});

test("a file that does not exist is refused", () => {
  const told = refusal(() => jl.readCsv(join(folder, "none.csv")));
  expect(told).toMatch(/^csv-damaged: readCsv: .*none\.csv cannot be read: ENOENT/);
});

test("an empty line is an empty cell in a file of one column, but not at its end", () => {
  const none = Number.NaN;
  expect(read("price\n1\n\n3\n").columns.price?.toArray()).toEqual([1, none, 3]);
  expect(read("\nprice\r\n\r\n1\r\n\r\n\r\n").columns.price?.toArray()).toEqual([none, 1]);
  expect(textsOf(read("city\na\n\nb"), "city")).toEqual(["a", "", "b"]);
  expect(read("a,b\n\n1,2\n\n3,4\n\n").columns.b?.toArray()).toEqual([2, 4]);
  expect(read("price\n\n\n").columns.price?.size).toBe(0);
});

test("a column of dates is int64, with the unit that holds its digits", () => {
  const ms = (text: string) => BigInt(Date.parse(text));
  const table = read(
    [
      "day,minute,millisecond,microsecond,nanosecond,zoned",
      "2026-11-28,2026-11-28 23:50,1969-12-31 23:59:59.5,0001-01-01T00:00:00.000001,1970-01-01T00:00:01.123456789,2026-11-28T23:50:00+05:30",
      "2024-02-29,2026-11-28T00:00:07,1970-01-01 00:00:00,9999-12-31,1677-09-22T00:00,2026-11-28T23:50Z",
    ].join("\n"),
  );
  expect(table.texts).toEqual({});
  expect(table.units).toEqual({
    ...{ day: "days", minute: "ms", millisecond: "ms", microsecond: "us", nanosecond: "ns", zoned: "ms" },
  });
  const { day, minute, millisecond, microsecond, nanosecond, zoned } = table.columns;
  expect(day?.dtype.name).toBe("int64");
  expect(day?.toArray()).toEqual([ms("2026-11-28") / 86_400_000n, ms("2024-02-29") / 86_400_000n]);
  expect(minute?.toArray()).toEqual([ms("2026-11-28T23:50:00Z"), ms("2026-11-28T00:00:07Z")]);
  expect(millisecond?.toArray()).toEqual([-500n, 0n]);
  expect(microsecond?.toArray()).toEqual([ms("0001-01-01") * 1000n + 1n, ms("9999-12-31") * 1000n]);
  expect(nanosecond?.toArray()).toEqual([1_123_456_789n, ms("1677-09-22T00:00Z") * 1_000_000n]);
  expect(zoned?.toArray()).toEqual([ms("2026-11-28T18:20:00Z"), ms("2026-11-28T23:50:00Z")]);
  expect(String(table)).toContain("2026-11-28");
});

test.each([
  ["an empty cell", ["2026-11-28", ""]],
  ["another word", ["2026-11-28", "soon"]],
  ["a day that does not exist", ["2026-02-29"]],
  ["an hour that does not exist", ["2026-02-28T24:00"]],
  ["a month that does not exist", ["2026-13-01"]],
  ["a time with a zone and one without", ["2026-11-28T10:00Z", "2026-11-28T10:00"]],
  ["nanoseconds outside of 64 bits", ["1500-01-01T00:00:00.123456789"]],
  ["the order of another country", ["28.11.2026"]],
])("%s leaves a column of texts", (_, cells) => {
  const table = read(`id,when\n${cells.map((cell, i) => `${i},${cell}`).join("\n")}\n`);
  expect(table.units).toEqual({});
  expect(table.texts.when).toEqual(cells);
});
