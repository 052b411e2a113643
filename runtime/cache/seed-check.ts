// Validates lines of seed files and rows of the shared cache. They are untrusted: every field is checked before the first
// kernel is stored.

import { deviceKinds } from "../device/kinds.js";
import { self } from "./lease-owner.js";
import { sha256 } from "./rows.js";
import type { KernelRecord, Module, StoredModule } from "./store.js";

type Check = (value: unknown) => boolean;
type Fields<T> = Readonly<Record<keyof T, Check>>;
type Values = Readonly<Record<string, unknown>>;

const latest = 8.64e15;
const isText: Check = (value) => typeof value === "string";
// Shown in tables and prompts: no line breaks, no terminal escapes.
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

const moduleFields: Fields<Omit<Required<Module>, "binary">> = {
  assembly: isText,
  log: isText,
  kind: isOneOf(...deviceKinds),
  arch: isLine,
  compiler: isLine,
  flags: isListOf(isLine),
  compileMs: isCount,
  made: (value) => wrongField(value, madeFields) === undefined,
};

/** A module with its kernels as text: with the hash of the binary, which is stored separately. */
export type ModuleText = Omit<Required<Module>, "binary"> & {
  readonly sha: string;
  readonly kernels: readonly KernelRecord[];
};

const textFields: Fields<ModuleText> = {
  ...moduleFields,
  sha: isHash,
  kernels: (value) =>
    isListOf((kernel) => wrongField(kernel, kernelFields) === undefined)(value) &&
    (value as unknown[]).length > 0,
};

/** The text of a module. */
export function textOfModule({ module, kernels }: StoredModule): ModuleText {
  const { binary, made = { createdAt: Date.now(), ...self() }, ...rest } = module;
  const { createdAt, host, pid } = made;
  return { ...rest, made: { createdAt, host, pid }, sha: sha256(binary), kernels };
}

/** The module of a text and its binary; if one is invalid, throws an Error whose message is a clause. */
export function checkedModule(text: unknown, binary: Uint8Array): StoredModule {
  const wrong = wrongField(text, textFields);
  if (wrong !== undefined) throw new Error(`the ${wrong} of a kernel in it is invalid`);
  const { sha, kernels, ...rest } = text as ModuleText;
  if (sha256(binary) !== sha) throw new Error("the checksum of a kernel in it is wrong");
  return { module: { ...rest, binary }, kernels };
}

/** The first invalid or missing field. */
function wrongField(value: unknown, fields: Readonly<Record<string, Check>>): string | undefined {
  if (typeof value !== "object" || value === null) return "line";
  return Object.keys(fields).find((name) => !fields[name]?.((value as Values)[name]));
}
