// jl.readParquet: the columns of a Parquet file as tensors. The package hyparquet reads the file; Node has its compressions.
import { optionsOf } from "../../base/arguments.js";
import { compression } from "../../base/builtins.js";
import type { DTypeName } from "../../base/dtype.js";
import { JitlabError, show } from "../../base/errors.js";
import { installedPackage } from "../../base/packages.js";
import { tensor } from "../create.js";
import { formatOf } from "./file-formats.js";
import { Table, type TimeUnit } from "./table.js";
import { readBytes } from "./tensor-files.js";

/** The part of hyparquet that is used. */
interface Hyparquet {
  parquetMetadata(file: ArrayBuffer): Metadata;
  parquetSchema(metadata: Metadata): { readonly children: readonly Column[] };
  parquetRead(options: object): Promise<void>;
}
interface Metadata {
  readonly num_rows: bigint;
}
interface Column {
  readonly element: {
    readonly name: string;
    readonly type?: string;
    readonly converted_type?: string;
    readonly repetition_type?: string;
    readonly logical_type?: {
      readonly type: string;
      readonly unit?: string;
      readonly bitWidth?: number;
      readonly isSigned?: boolean;
    };
  };
  readonly children: readonly unknown[];
}
interface Chunk {
  readonly columnName: string;
  readonly columnData: ArrayLike<unknown>;
  readonly rowStart: number;
}

/** Options of readParquet. */
export interface ParquetOptions {
  /** The device of the tensors; default: the default device. */
  readonly device?: string;
}

/** What a column's elements are. */
type Kind = { readonly dtype: DTypeName; readonly unit?: TimeUnit } | "texts";

const unitsOf: Readonly<Record<string, TimeUnit>> = { MILLIS: "ms", MICROS: "us", NANOS: "ns" };
const byConvertedType: Readonly<Record<string, Kind>> = {
  UTF8: "texts",
  ENUM: "texts",
  JSON: "texts",
  DECIMAL: { dtype: "float64" },
  DATE: { dtype: "int64", unit: "days" },
  TIMESTAMP_MILLIS: { dtype: "int64", unit: "ms" },
  TIMESTAMP_MICROS: { dtype: "int64", unit: "us" },
  UINT_8: { dtype: "uint8" },
  UINT_16: { dtype: "uint16" },
  UINT_32: { dtype: "uint32" },
  UINT_64: { dtype: "uint64" },
  INT_8: { dtype: "int8" },
  INT_16: { dtype: "int16" },
};
const byType: Readonly<Record<string, Kind>> = {
  BOOLEAN: { dtype: "bool" },
  INT32: { dtype: "int32" },
  INT64: { dtype: "int64" },
  INT96: { dtype: "int64", unit: "ns" },
  FLOAT: { dtype: "float32" },
  DOUBLE: { dtype: "float64" },
};

/** Keeps what a date counts, which JavaScript's dates would round. */
const same = (value: unknown) => value;
const decoder = new TextDecoder();
const parsers = {
  ...{ timestampFromMilliseconds: same, timestampFromMicroseconds: same, timestampFromNanoseconds: same },
  dateFromDays: (days: number | undefined) => (days === undefined ? undefined : BigInt(days)),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
};

/**
 * Reads a Parquet file by the package hyparquet, which you install beside jitlab. Numbers have the file's dtypes, dates are int64
 * with a unit, a column of texts has the place of each among the distinct ones. Nulls are NaN among floating numbers and empty
 * texts, and errors elsewhere, as are nested columns.
 *
 * @example (await jl.readParquet("prices.parquet")).columns.price.toArray() // [2, 3]
 */
export async function readParquet(path: string, options?: ParquetOptions): Promise<Table> {
  const { device } = optionsOf("readParquet", options, ["device"]);
  const bytes = readBytes("readParquet", path, "parquet-damaged");
  const found = formatOf(bytes);
  if (found && found.is !== "a Parquet file")
    throw new JitlabError("parquet-damaged", `readParquet: ${path} is ${found.is}.`, found.advice);
  const library = installedPackage<Hyparquet>("readParquet", "hyparquet");
  const file = new Uint8Array(bytes).buffer;
  const { metadata, columns } = damaging(path, () => {
    const metadata = library.parquetMetadata(file);
    return { metadata, columns: library.parquetSchema(metadata).children };
  });
  const kinds = new Map(columns.map((column) => [column.element.name, kindOf(path, column)]));
  const values = new Map(
    [...kinds.keys()].map((name) => [name, new Array<unknown>(Number(metadata.num_rows))]),
  );
  const onChunk = ({ columnName, columnData, rowStart }: Chunk) => {
    const own = values.get(columnName);
    for (let i = 0; own && i < columnData.length; i++) own[rowStart + i] = columnData[i];
  };
  try {
    await library.parquetRead({ ...{ file, metadata, parsers, onChunk }, compressors: compressors() });
  } catch (error) {
    throw damage(path, error);
  }
  const place = device === undefined ? {} : { device };
  const made = [...kinds].map(([name, kind]) => {
    const own = values.get(name) as unknown[];
    const what = `readParquet: column ${show(name)} of ${path}`;
    return [name, kind === "texts" ? placesOf(own) : elementsOf(what, own, kind), kind] as const;
  });
  return new Table(
    Object.fromEntries(
      made.map(([name, { values, dtype }]) => [name, tensor(values as never, { ...place, dtype })] as const),
    ),
    Object.fromEntries(made.flatMap(([name, { texts }]) => (texts ? [[name, texts]] : []))),
    Object.fromEntries(
      made.flatMap(([name, , kind]) => (kind !== "texts" && kind.unit ? [[name, kind.unit]] : [])),
    ),
  );
}

/** What a column holds; throws for a nested one and for bytes. */
function kindOf(path: string, { element, children }: Column): Kind {
  const { name, type = "", converted_type = "", logical_type, repetition_type } = element;
  if (children.length > 0 || repetition_type === "REPEATED") {
    throw new JitlabError(
      "parquet-nested",
      `readParquet: column ${show(name)} of ${path} is nested.`,
      "A tensor has one element a row: write the file without this column, or with its fields as columns of their own.",
    );
  }
  const { type: logical, unit = "", bitWidth, isSigned } = logical_type ?? {};
  const kind: Kind | undefined =
    logical === "TIMESTAMP"
      ? { dtype: "int64", ...(unitsOf[unit] && { unit: unitsOf[unit] }) }
      : logical === "FLOAT16"
        ? { dtype: "float16" }
        : logical === "INTEGER"
          ? { dtype: `${isSigned ? "" : "u"}int${bitWidth}` as DTypeName }
          : logical === "STRING" || logical === "UUID"
            ? "texts"
            : (byConvertedType[converted_type] ?? byType[type]);
  if (kind !== undefined) return kind;
  throw new JitlabError(
    "parquet-type",
    `readParquet: column ${show(name)} of ${path} has elements of ${[type, converted_type, logical].filter(Boolean).join(", ")}, which no dtype holds.`,
    "Write the file without this column, or convert it to numbers or text.",
  );
}

interface Elements {
  readonly values: readonly unknown[];
  readonly dtype: DTypeName;
  readonly texts?: readonly string[];
}

/** The place of each text among the distinct ones; null is an empty text, as in a CSV file. */
function placesOf(values: readonly unknown[]): Elements {
  const places = new Map<string, number>();
  const found = Array.from(values, (value) => {
    const text = value === undefined || value === null ? "" : String(value);
    if (!places.has(text)) places.set(text, places.size);
    return places.get(text) as number;
  });
  return { values: found, dtype: "int32", texts: [...places.keys()] };
}

function elementsOf(what: string, values: readonly unknown[], { dtype }: Exclude<Kind, "texts">): Elements {
  const isNull = (value: unknown) => value === undefined || value === null;
  const nulls = Array.from(values).filter(isNull).length;
  if (nulls === 0) return { values, dtype };
  if (dtype.startsWith("float")) {
    return { values: Array.from(values, (value) => (isNull(value) ? Number.NaN : value)), dtype };
  }
  throw new JitlabError(
    "parquet-nulls",
    `${what}: ${nulls} of ${values.length} elements are null, which ${dtype} cannot hold.`,
    "Fill them, drop the rows, or write the column as floating numbers, where null is NaN.",
  );
}

/** The compressions of Node, by their names in Parquet; hyparquet has Snappy. */
function compressors(): Record<string, (bytes: Uint8Array) => Uint8Array> {
  const zlib = compression();
  return {
    GZIP: (bytes) => zlib.gunzipSync(bytes),
    BROTLI: (bytes) => zlib.brotliDecompressSync(bytes),
    ...("zstdDecompressSync" in zlib && {
      ZSTD: (bytes: Uint8Array) =>
        (zlib as unknown as { zstdDecompressSync(bytes: Uint8Array): Uint8Array }).zstdDecompressSync(bytes),
    }),
  };
}

function damaging<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw damage(path, error);
  }
}

function damage(path: string, error: unknown): JitlabError {
  const said = error instanceof Error ? error.message : String(error);
  const isCompressed = /unsupported compression codec/i.test(said);
  return new JitlabError(
    "parquet-damaged",
    `readParquet: ${path} cannot be read: ${said}.`,
    isCompressed
      ? "Write it with Snappy, gzip or no compression; zstd needs Node 22.15 or newer."
      : "Write the file again; it may be cut short.",
  );
}
