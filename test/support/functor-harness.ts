// Compiles the functors of every op record as plain C++, one shared library per compute dtype, and calls them on host
// arrays: ops can so be tested without tensors, dispatch or devices.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import koffi from "koffi";
import type { DType, DTypeName, TypedArray } from "../../runtime/base/dtype.js";
import type { Op, Scalar } from "../../runtime/ops/op.js";
import { isKept, keep, keptPath } from "./kept-file.js";

const dist = fileURLToPath(new URL("../../dist/runtime/", import.meta.url));
const { ops } = (await import(`${dist}ops/index.js`)) as { ops: Record<string, Op> };
const { planOf, returnLines } = (await import(
  `${dist}ops/op.js`
)) as typeof import("../../runtime/ops/op.js");
const { isRegisterFile } = (await import(
  `${dist}ops/registers.js`
)) as typeof import("../../runtime/ops/registers.js");
const { cudaDialect } = (await import(
  `${dist}device/dialect.js`
)) as typeof import("../../runtime/device/dialect.js");
const { dtypes, dtypeList } = (await import(
  `${dist}base/dtype.js`
)) as typeof import("../../runtime/base/dtype.js");

export { dtypeList, dtypes, ops, planOf };

const read = (path: string) => readFileSync(join(dist, path), "utf8");

/** The compiler that tests call, or undefined where there is none. */
export const compiler = [process.env.CXX, "c++", "g++", "clang++"].find((name) => {
  try {
    return name !== undefined && execFileSync(name, ["--version"], { stdio: "pipe" }).length > 0;
  } catch {
    return false;
  }
});

/** The files that some records call, each once, dependencies first, in the form of a dialect. */
function functorFiles(lists: Iterable<readonly string[]>, dialect: "cpp" | "cuda"): string {
  const own = dialect === "cuda" ? cudaDialect.ownFunctors : [];
  // Files of the other language have none of this one's forms.
  const other = dialect === "cuda" ? ".c++" : ".cuda";
  const files = [...new Set([...lists].flat())].filter(
    (name) => !name.endsWith(other) && (dialect === "cpp" || !isRegisterFile(name)),
  );
  const names = files.map((name) => (own.includes(name) ? `${name}.cuda` : name));
  return names.map((name) => read(`ops/functors/${name}.cuh`)).join("\n");
}

interface Entry {
  readonly name: string;
  readonly op: Op;
  /** The lines that return its value. */
  readonly body: readonly string[];
  readonly needs: readonly string[];
  readonly out: DType;
  readonly inputs: readonly DType[];
}

/** True where an op has a functor of its own for a half type. */
const hasOwnHalf = (op: Op, dtype: DType) =>
  dtype.compute !== dtype.name && op.overrides?.[dtype.name] !== undefined;

/** The ops that some dtype makes run in `compute`; for a half type those that have a functor of their own for it. */
export function entriesOf(compute: DType): Entry[] {
  return Object.entries(ops).flatMap(([name, op]) => {
    for (const common of dtypeList) {
      const plan = planOf(op, common);
      if ("refuse" in plan) continue;
      const unit = hasOwnHalf(op, plan.compute) ? plan.compute : dtypes[plan.compute.compute];
      if (unit !== compute) continue;
      const roles = op.operands ?? Array.from({ length: op.arity }, () => "common" as const);
      const inputs = roles.map((role) => (role === "common" ? dtypes[compute.compute] : dtypes[role]));
      const out = dtypes[plan.out.compute];
      return [{ name, op, body: returnLines(plan), needs: plan.needs, out, inputs }];
    }
    return [];
  });
}

/** The text of all entries of a compute dtype, with one loop per op: a function in C++, a kernel of one thread in CUDA. */
export function sourceOf(compute: DType, dialect: "cpp" | "cuda" = "cpp"): string {
  const entries = entriesOf(compute);
  const complex = entries.some((e) => [e.out, ...e.inputs].some((type) => type.kind === "complex"));
  const files = [...(complex ? [["complex"]] : []), ...entries.map((e) => e.needs)];
  const linkage = dialect === "cuda" ? 'extern "C" __global__' : 'extern "C"';
  const functions = entries.map(({ name, body, out, inputs }) => {
    const names = ["a", "b", "c"].slice(0, inputs.length);
    const typed = names.map((n, i) => `${inputs[i]?.ctype} ${n}`).join(", ");
    const pointers = names.map((n, i) => `const ${inputs[i]?.ctype}* ${n}`).join(", ");
    const elements = names.map((n) => `${n}[i]`).join(", ");
    return [
      `template <typename T> inline ${out.ctype} ${name}_functor(${typed}) {`,
      ...body,
      "}",
      `${linkage} void ${name}_loop(${pointers}, ${out.ctype}* out, long long n) {`,
      `  for (long long i = 0; i < n; ++i) out[i] = ${name}_functor<${dtypes[compute.compute].ctype}>(${elements});`,
      "}",
    ].join("\n");
  });
  const own =
    dialect === "cuda"
      ? ["cuda"]
      : [
          "cpp",
          "math",
          "two-chains",
          "wide",
          "elementary",
          "one-word",
          "range-reduction",
          "sine-cosine",
          "circular",
          "angles",
          "inverse-hyperbolic",
          "power",
          "cube-root",
        ];
  const preludes = [...own, "prelude", "saturate"].map((name) => read(`codegen/headers/${name}.h`));
  return [...preludes, functorFiles(files, dialect), ...functions].join("\n");
}

const flags = [
  "-std=c++17",
  "-O0",
  "-shared",
  "-fPIC",
  "-ffp-contract=off",
  "-fno-math-errno",
  // Also what functions of whole registers do is measured: one number goes through them.
  "-march=native",
  "-w",
];
const used = process.arch === "x64" ? flags : flags.filter((flag) => flag !== "-march=native");
const libraries = new Map<DTypeName, ReturnType<typeof koffi.load>>();

const pathOf = (source: string): string => keptPath(".so", [source, ...used]);

/** Compiles one library unless it is there; another test process that is at it is waited for. */
async function build(compute: DType): Promise<void> {
  const source = sourceOf(compute);
  const path = pathOf(source);
  const lock = `${path}.lock`;
  while (!isKept(path)) {
    try {
      mkdirSync(lock);
    } catch {
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > 300_000) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    try {
      writeFileSync(`${lock}/source.cpp`, source);
      await promisify(execFile)(compiler ?? "c++", [
        ...used,
        `${lock}/source.cpp`,
        "-o",
        `${lock}/library.so`,
      ]);
      keep(`${lock}/library.so`, path);
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

/** Compiles what tests of all dtypes will load, two at a time; for beforeAll, since it can take a minute. */
export async function prepare(): Promise<void> {
  const queue = dtypeList.filter((dtype) => entriesOf(dtype).length > 0);
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await build(next);
  };
  await Promise.all([worker(), worker()]);
}

function libraryOf(compute: DType): ReturnType<typeof koffi.load> {
  const loaded = libraries.get(compute.name);
  if (loaded) return loaded;
  const library = koffi.load(pathOf(sourceOf(compute)));
  libraries.set(compute.name, library);
  return library;
}

const half = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
};

/** Rounds a number to a half type, ties to even. */
export function roundTo(dtype: DType, x: number): number {
  if (dtype.name === "float32" || dtype.name === "complex64") return Math.fround(x);
  if (dtype.bytes !== 2 || dtype.kind !== "float" || !Number.isFinite(x) || x === 0) return x;
  const [bits, lowest, highest] =
    dtype.name === "float16" ? [10, -14, 65504] : [7, -126, 3.3895313892515355e38];
  const exponent = Math.max(Math.floor(Math.log2(Math.abs(x))), lowest);
  const step = 2 ** (exponent - bits);
  const quotient = Math.abs(x) / step;
  const floor = Math.floor(quotient);
  const rest = quotient - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
  const magnitude = (floor + (up ? 1 : 0)) * step;
  return Math.sign(x) * (magnitude > highest ? Number.POSITIVE_INFINITY : magnitude);
}
export const halfToNumber = half;

/** Host values as an array of a compute dtype. */
export function toArray(compute: DType, values: readonly Scalar[]): TypedArray {
  if (compute.kind === "complex") {
    const pairs = values.flatMap((v) => (typeof v === "object" ? [v.re, v.im] : [Number(v), 0]));
    return new compute.array(pairs.length).map((_, i) => (pairs[i] ?? 0) as never) as TypedArray;
  }
  const array = new compute.array(values.length);
  for (const [i, v] of values.entries()) {
    const real = typeof v === "object" ? v.re : v;
    if (array instanceof BigInt64Array || array instanceof BigUint64Array) array[i] = BigInt(real);
    else array[i] = Number(typeof real === "bigint" ? BigInt.asIntN(32, real) : real);
  }
  return array;
}

/** Elements of an array of a compute dtype as references see them. */
export function fromArray(compute: DType, array: TypedArray): Scalar[] {
  if (compute.kind === "complex") {
    return Array.from({ length: array.length / 2 }, (_, i) => ({
      re: Number(array[2 * i]),
      im: Number(array[2 * i + 1]),
    }));
  }
  return Array.from(array as ArrayLike<number | bigint>, (v) =>
    compute.kind === "bool" ? v !== 0 : compute.kind === "float" ? Number(v) : BigInt(v),
  );
}

/** Runs an op's functor; `common` is the common dtype of the inputs, and half results are rounded. */
export function run(name: string, common: DType, inputs: readonly (readonly Scalar[])[]): Scalar[] {
  const op = ops[name];
  const plan = op && planOf(op, common);
  if (!plan || "refuse" in plan) throw new Error(`${name} refuses ${common.name}`);
  const compute = hasOwnHalf(op, plan.compute) ? plan.compute : dtypes[plan.compute.compute];
  const entry = entriesOf(compute).find((e) => e.name === name);
  if (!entry) throw new Error(`${name} has no ${compute.name} form`);
  const length = inputs[0]?.length ?? 0;
  const arrays = inputs.map((values, i) => toArray(entry.inputs[i] ?? compute, values));
  const size = entry.out.kind === "complex" ? 2 * length : length;
  const result = new entry.out.array(size);
  const parameters = [...inputs.map(() => "const void*"), "void*", "int64_t"];
  libraryOf(compute).func(`${name}_loop`, "void", parameters)(...arrays, result, length);
  return fromArray(entry.out, result).map((v) => (typeof v === "number" ? roundTo(plan.out, v) : v));
}
