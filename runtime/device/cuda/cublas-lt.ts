// libcublasLt: matrix products on a GPU, opened at the first product. C stays C here: one table pairs each prototype with
// its signature. The library is column-major, so it computes the transposed product, right times left.
import type { DTypeName } from "../../base/dtype.js";
import { DeviceError } from "../../base/errors.js";
import { addressIn } from "../argument-blocks.js";
import type { FactorForm, ProductForm, ProductLibrary } from "../device.js";
import { ffi } from "../ffi.js";
import type { ArgumentBlock, LoadedCode } from "../loaded-code.js";

type Status = number;
type Out = [number];

/** The library's functions by their C names, as cublasLt.h declares them; handles are addresses. */
interface CublasLt {
  cublasLtGetVersion(): number;
  cublasLtGetStatusName(status: Status): string;
  cublasLtCreate(handle: Out): Status;
  cublasLtMatmulDescCreate(description: Out, computeType: number, scaleType: number): Status;
  cublasLtMatmulDescSetAttribute(
    description: number,
    attribute: number,
    value: Int32Array,
    bytes: number,
  ): Status;
  cublasLtMatmulDescDestroy(description: number): Status;
  cublasLtMatrixLayoutCreate(
    layout: Out,
    type: number,
    rows: number,
    columns: number,
    leading: number,
  ): Status;
  cublasLtMatrixLayoutSetAttribute(
    layout: number,
    attribute: number,
    value: BigInt64Array,
    bytes: number,
  ): Status;
  cublasLtMatrixLayoutDestroy(layout: number): Status;
  cublasLtMatmulPreferenceCreate(preference: Out): Status;
  cublasLtMatmulPreferenceSetAttribute(
    preference: number,
    attribute: number,
    value: BigInt64Array,
    bytes: number,
  ): Status;
  cublasLtMatmulPreferenceDestroy(preference: number): Status;
  cublasLtMatmulAlgoGetHeuristic(
    handle: number,
    description: number,
    a: number,
    b: number,
    c: number,
    d: number,
    preference: number,
    wanted: number,
    results: number,
    count: Out,
  ): Status;
  cublasLtMatmul(
    handle: number,
    description: number,
    alpha: number,
    a: number,
    aLayout: number,
    b: number,
    bLayout: number,
    beta: number,
    c: number,
    cLayout: number,
    d: number,
    dLayout: number,
    algorithm: number,
    workspace: number,
    workspaceBytes: number,
    stream: number,
  ): Status;
}

const address = "uintptr_t";
const outAddress = "_Out_ uintptr_t *";
const setAttribute = [address, "int", "const void *", "size_t"];
const addresses = (count: number): readonly string[] => new Array(count).fill(address);
const table: readonly (readonly [keyof CublasLt, string, readonly string[]])[] = [
  ["cublasLtGetVersion", "size_t", []],
  ["cublasLtGetStatusName", "str", ["int"]],
  ["cublasLtCreate", "int", [outAddress]],
  ["cublasLtMatmulDescCreate", "int", [outAddress, "int", "int"]],
  ["cublasLtMatmulDescSetAttribute", "int", setAttribute],
  ["cublasLtMatmulDescDestroy", "int", [address]],
  ["cublasLtMatrixLayoutCreate", "int", [outAddress, "int", "uint64_t", "uint64_t", "int64_t"]],
  ["cublasLtMatrixLayoutSetAttribute", "int", setAttribute],
  ["cublasLtMatrixLayoutDestroy", "int", [address]],
  ["cublasLtMatmulPreferenceCreate", "int", [outAddress]],
  ["cublasLtMatmulPreferenceSetAttribute", "int", setAttribute],
  ["cublasLtMatmulPreferenceDestroy", "int", [address]],
  ["cublasLtMatmulAlgoGetHeuristic", "int", [...addresses(7), "int", address, "_Out_ int *"]],
  ["cublasLtMatmul", "int", [...addresses(14), "size_t", address]],
];

// library_types.h, cublas_api.h: cudaDataType, and cublasComputeType_t. CUBLAS_COMPUTE_32F does not round factors to TF32.
const types: Readonly<
  Partial<Record<DTypeName, { readonly data: number; readonly compute: number; readonly scale: number }>>
> = {
  float16: { data: 2, compute: 68, scale: 0 },
  bfloat16: { data: 14, compute: 68, scale: 0 },
  float32: { data: 0, compute: 68, scale: 0 },
  float64: { data: 1, compute: 70, scale: 1 },
  complex64: { data: 4, compute: 68, scale: 4 },
  complex128: { data: 5, compute: 70, scale: 5 },
};
const doubles: readonly DTypeName[] = ["float64", "complex128"];

// cublasLt.h: the attributes set here.
const CUBLASLT_MATMUL_DESC_TRANSA = 3;
const CUBLASLT_MATMUL_DESC_TRANSB = 4;
const CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5;
const CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6;
const CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1;
const alignmentPreferences = [5, 6, 7, 8];
const CUBLAS_OP_T = 1;

const workspaceBytes = 2 ** 25;
// The block of a form: cublasLtMatmulHeuristicResult_t, which starts with the algorithm; then alpha and beta.
const alphaAt = 96;
const betaAt = 112;
const blockBytes = 128;

const damagedHelp =
  "Install it again (`pip install --force-reinstall nvidia-cublas`), or remove it: compiled kernels then multiply.";

/** The library's interface to its device. */
export interface CublasHost {
  createBlock(bytes: number): ArgumentBlock;
  allocate(bytes: number): number;
  /** The stream of the next launch; makes the device's context current. */
  stream(): number;
}

/** Opens the library; throws DeviceError `library-damaged` on failure. */
export function openCublasLt(path: string, host: CublasHost): ProductLibrary {
  host.stream();
  const lt = load(path);
  const handle: Out = [0];
  check(lt, "cublasLtCreate", lt.cublasLtCreate(handle));
  const version = lt.cublasLtGetVersion();
  let workspace = 0;
  return {
    name: `cuBLASLt ${Math.floor(version / 10000)}.${Math.floor(version / 100) % 100}`,
    path,
    dtypes: Object.keys(types) as DTypeName[],
    load: (form) => {
      workspace ||= host.allocate(workspaceBytes);
      return codeOf(lt, handle[0], form, host, workspace);
    },
  };
}

function load(path: string): CublasLt {
  try {
    const library = ffi().load(path);
    return Object.fromEntries(
      table.map(([name, result, parameters]) => [name, library.func(name, result, [...parameters])]),
    ) as unknown as CublasLt;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError(
      "library-damaged",
      `cuBLASLt cannot be loaded from ${path} (${reason}).`,
      damagedHelp,
    );
  }
}

function check(lt: CublasLt, call: string, status: Status): void {
  if (status === 0) return;
  throw new DeviceError(
    "library-damaged",
    `${call} failed: ${lt.cublasLtGetStatusName(status)}.`,
    damagedHelp,
  );
}

/** Undefined if the library has no algorithm for the form. */
function codeOf(
  lt: CublasLt,
  handle: number,
  form: ProductForm,
  host: CublasHost,
  workspace: number,
): LoadedCode | undefined {
  const { data, compute, scale } = types[form.dtype] as NonNullable<(typeof types)[DTypeName]>;
  const { batch, rows, columns, inner, left, right } = form;
  const made = (call: (out: Out) => Status): number => {
    const out: Out = [0];
    check(lt, "cublasLt...Create", call(out));
    return out[0];
  };
  const description = made((out) => lt.cublasLtMatmulDescCreate(out, compute, scale));
  const transpose = (attribute: number) =>
    lt.cublasLtMatmulDescSetAttribute(description, attribute, Int32Array.of(CUBLAS_OP_T), 4);
  if (right.transposed) transpose(CUBLASLT_MATMUL_DESC_TRANSA);
  if (left.transposed) transpose(CUBLASLT_MATMUL_DESC_TRANSB);
  // A row-major matrix is, in column-major order, its transpose.
  const layoutOf = (
    down: number,
    across: number,
    { transposed, leading, batchStride }: FactorForm,
  ): number => {
    const [first, second] = transposed ? [down, across] : [across, down];
    const layout = made((out) => lt.cublasLtMatrixLayoutCreate(out, data, first, second, leading));
    const set = (attribute: number, value: number, bytes: number) =>
      lt.cublasLtMatrixLayoutSetAttribute(layout, attribute, BigInt64Array.of(BigInt(value)), bytes);
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch, 4);
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, batchStride, 8);
    return layout;
  };
  const a = layoutOf(inner, columns, right);
  const b = layoutOf(rows, inner, left);
  const d = layoutOf(rows, columns, { transposed: false, leading: columns, batchStride: rows * columns });
  const block = host.createBlock(blockBytes);
  const destroy = () => {
    for (const layout of [a, b, d]) lt.cublasLtMatrixLayoutDestroy(layout);
    lt.cublasLtMatmulDescDestroy(description);
    block.release();
  };
  const preference = made((out) => lt.cublasLtMatmulPreferenceCreate(out));
  const prefer = (attribute: number, value: number, bytes: number) =>
    lt.cublasLtMatmulPreferenceSetAttribute(preference, attribute, BigInt64Array.of(BigInt(value)), bytes);
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspaceBytes, 8);
  for (const attribute of alignmentPreferences) prefer(attribute, form.alignment, 4);
  const count: Out = [0];
  const asked = [handle, description, a, b, d, d, preference, 1, block.address, count] as const;
  const status = lt.cublasLtMatmulAlgoGetHeuristic(...asked);
  lt.cublasLtMatmulPreferenceDestroy(preference);
  if (status !== 0 || count[0] === 0) {
    destroy();
    return undefined;
  }
  if (doubles.includes(form.dtype)) block.f64[alphaAt / 8] = 1;
  else block.f32[alphaAt / 4] = 1;
  const [alpha, beta] = [block.address + alphaAt, block.address + betaAt];
  return {
    launch: ({ u32 }) => {
      const out = addressIn(u32, 0);
      const stream = host.stream();
      const result = lt.cublasLtMatmul(
        handle,
        description,
        alpha,
        addressIn(u32, 4),
        a,
        addressIn(u32, 2),
        b,
        beta,
        out,
        d,
        out,
        d,
        block.address,
        workspace,
        workspaceBytes,
        stream,
      );
      if (result !== 0) check(lt, "cublasLtMatmul", result);
    },
    unload: destroy,
  };
}
