// What a line of a seed file must hold. A seed comes from elsewhere: every field is looked at before the first kernel is stored.

import { deviceKinds } from "../device/kinds.js";
import { sha256 } from "./rows.js";
import type { KernelRecord, Module, StoredModule } from "./store.js";

type Check = (value: unknown) => boolean;
type Fields<T> = Readonly<Record<keyof T, Check>>;
type Values = Readonly<Record<string, unknown>>;

const latest = 8.64e15;
const isText: Check = (value) => typeof value === "string";
// Shown in tables and prompts: no line breaks, no escapes of the terminal.
const isLine: Check = (value) => typeof value === "string" && /^[^\p{Cc}]*$/u.test(value);
const isName: Check = (value) => typeof value === "string" && /^\w+$/.test(value);
const isCount: Check = (value) => typeof value === "number" && value >= 0 && value <= latest;
const isWhole: Check = (value) => isCount(value) && Number.isInteger(value);
const isHash: Check = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value as string);

const madeFields: Fields<NonNullable<Module["made"]>> = { createdAt: isWhole, host: isLine, pid: isWhole };

const kernelFields: Fields<KernelRecord> = {
  key: isHash,
  symbol: isName,
  op: isLine,
  variant: isLine,
  dtypes: isListOf(isLine),
  source: isText,
  compileMs: isCount,
};

const moduleFields: Fields<Required<Module>> = {
  binary: isText,
  assembly: isText,
  log: isText,
  kind: isOneOf(...deviceKinds),
  arch: isLine,
  compiler: isLine,
  flags: isListOf(isLine),
  compileMs: isCount,
  made: (value) => wrongField(value, madeFields) === undefined,
};

/** A line of a seed: a module with its kernels, whose binary is text and has its hash beside it. */
export type SeedModule = Omit<Required<Module>, "binary"> & {
  readonly sha: string;
  readonly binary: string;
  readonly kernels: readonly KernelRecord[];
};

const lineFields: Fields<SeedModule> = {
  ...moduleFields,
  sha: isHash,
  kernels: (value) =>
    isListOf((kernel) => wrongField(kernel, kernelFields) === undefined)(value) &&
    (value as unknown[]).length > 0,
};

/** The module of a line; throws an Error whose message is a clause where it is not as {@link SeedModule} says. */
export function checkedModule(line: unknown): StoredModule {
  const wrong = wrongField(line, lineFields);
  if (wrong !== undefined) throw new Error(`the ${wrong} of a kernel in it is not as an export writes it`);
  const { sha, binary, kernels, ...rest } = line as SeedModule;
  const bytes = Buffer.from(binary, "base64");
  if (sha256(bytes) !== sha) throw new Error("the checksum of a kernel in it is wrong");
  return { module: { ...rest, binary: bytes }, kernels };
}

/** The first field that is wrong or missing. */
function wrongField(value: unknown, fields: Readonly<Record<string, Check>>): string | undefined {
  if (typeof value !== "object" || value === null) return "line";
  return Object.keys(fields).find((name) => !fields[name]?.((value as Values)[name]));
}
