// The host's BLAS, OpenBLAS or BLIS: matrix products on the processor's cores, opened at the first product. C stays C here.
import { join } from "node:path";
import type { DTypeName } from "../../base/dtype.js";
import { env } from "../../base/env.js";
import { DeviceError } from "../../base/errors.js";
import { addressIn } from "../argument-blocks.js";
import type { Device, FactorForm, ProductForm, ProductLibrary } from "../device.js";
import { ffi } from "../ffi.js";
import { entries, loaderFolders, pythonPackages } from "../library-folders.js";
import type { LoadedCode } from "../loaded-code.js";
import { type BatchProduct, batchProduct } from "./batch-product.js";
import { addressOfSymbol, libc } from "./libc.js";
import { type LibraryThreads, takesThreads, threadsOf } from "./library-threads.js";
import { has, type Library, type Spelling } from "./loaded-library.js";

type Scalar = number | Float32Array | Float64Array;
/** `void cblas_?gemm(order, transA, transB, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);` */
type Gemm = (
  order: number,
  transA: number,
  transB: number,
  m: number,
  n: number,
  k: number,
  alpha: Scalar,
  a: number,
  lda: number,
  b: number,
  ldb: number,
  beta: Scalar,
  c: number,
  ldc: number,
) => void;
/** `void cblas_?gemv(order, trans, M, N, alpha, A, lda, X, incX, beta, Y, incY);` */
type Gemv = (
  order: number,
  trans: number,
  m: number,
  n: number,
  alpha: Scalar,
  a: number,
  lda: number,
  x: number,
  incX: number,
  beta: Scalar,
  y: number,
  incY: number,
) => void;

// cblas.h
const CblasRowMajor = 101;
const CblasNoTrans = 111;
const CblasTrans = 112;

/** A dtype's letter in BLAS's names, its scalars, and its bytes. */
interface Letter {
  readonly letter: string;
  readonly scalar: string;
  readonly one: Scalar;
  readonly zero: Scalar;
  readonly bytes: number;
}

const letters: Readonly<Partial<Record<DTypeName, Letter>>> = {
  float32: { letter: "s", scalar: "float", one: 1, zero: 0, bytes: 4 },
  float64: { letter: "d", scalar: "double", one: 1, zero: 0, bytes: 8 },
  complex64: {
    letter: "c",
    scalar: "const void *",
    one: Float32Array.of(1, 0),
    zero: new Float32Array(2),
    bytes: 8,
  },
  complex128: {
    letter: "z",
    scalar: "const void *",
    one: Float64Array.of(1, 0),
    zero: new Float64Array(2),
    bytes: 16,
  },
};

/** The spellings of builds: NumPy's and SciPy's wheels have prefixes, and 64-bit integers if the name says so. */
export const spellings: readonly Spelling[] = [
  ["", "", "int"],
  ["scipy_", "64_", "int64_t"],
  ["scipy_", "", "int"],
  ["", "64_", "int64_t"],
];

const installHelp =
  "Install one (Debian, Ubuntu: `apt-get install libopenblas0`; Fedora: `dnf install openblas`; `pip install numpy` brings one too).";

const threadedFirst = /^lib(openblasp|openblas|blis)\.so\.\d+$/;
const wheelName = /^libscipy_openblas.*\.so$/;

/** The first OpenBLAS or BLIS in the loader's folders and Conda; without any, those in Python's packages. */
export function blasFiles(): string[] {
  const conda = env("condaPrefix");
  const folders = [...loaderFolders(), ...(conda === undefined ? [] : [join(conda, "lib")])];
  const installed = folders.flatMap((folder) => namesIn(folder, threadedFirst));
  if (installed.length > 0) return installed;
  const wheels = ["numpy.libs", "scipy.libs", "scipy_openblas64/lib", "scipy_openblas32/lib"];
  return pythonPackages().flatMap((packages) =>
    wheels.flatMap((wheel) => namesIn(join(packages, wheel), wheelName)),
  );
}

/** The files in a folder whose names match. */
export function namesIn(folder: string, pattern: RegExp): string[] {
  const names = entries(folder).filter((name) => pattern.test(name));
  // Fedora's libopenblasp uses threads, and its libopenblas does not.
  return names.sort((a, b) => rank(a) - rank(b)).map((name) => join(folder, name));
}

function rank(name: string): number {
  return ["libopenblasp", "libopenblas", "libblis"].findIndex((start) => name.startsWith(start));
}

/** The name of the host's BLAS; throws DeviceError if it is missing or damaged. */
export function probeBlas(): string {
  const blas = openFile();
  if (blas) return `${nameOf(blas.library, blas.spelling)}, ${blas.path}`;
  throw new DeviceError(
    "no-library",
    "No OpenBLAS or BLIS was found: compiled kernels multiply matrices, more slowly.",
    installHelp,
  );
}

/** An opened BLAS. */
interface Blas {
  readonly library: Library;
  readonly path: string;
  readonly spelling: Spelling;
}

let opened: Blas | undefined;

/** The host's BLAS, opened once; undefined if there is none. Throws DeviceError `library-damaged`. */
function openFile(): Blas | undefined {
  const [path] = opened ? [] : blasFiles();
  if (path === undefined) return opened;
  try {
    const library = ffi().load(path);
    const spelling = spellings.find(([prefix, suffix]) => has(library, `${prefix}cblas_sgemm${suffix}`));
    if (!spelling) throw new Error("it has no cblas_sgemm");
    opened = { library, path, spelling };
    return opened;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeviceError(
      "library-damaged",
      `The BLAS ${path} cannot be loaded (${reason}).`,
      "Install it again, or remove it: compiled kernels then multiply.",
    );
  }
}

/** Products by the host's BLAS; undefined if there is none. Throws DeviceError `library-damaged`. */
export function openBlas(device: Device): ProductLibrary | undefined {
  const blas = openFile();
  if (!blas) return undefined;
  const { library, path, spelling } = blas;
  const routines = new Map<string, Routines>();
  const threads = threadsOf(library, path, spelling);
  const isShared = takesThreads(library, spelling);
  return {
    name: nameOf(library, spelling),
    path,
    dtypes: Object.keys(letters) as DTypeName[],
    load: (form) => {
      const letter = letters[form.dtype] as Letter;
      const known = routines.get(form.dtype) ?? bind(library, spelling, letter);
      routines.set(form.dtype, known);
      const batch = isShared && isBatch(form) ? batchOf(device, blas, letter, form) : undefined;
      return codeOf(known, threads, letter, form, batch);
    },
  };
}

/** The name and version that a library gives. */
export function nameOf(library: Library, [prefix, suffix]: Spelling): string {
  const config = `${prefix}openblas_get_config${suffix}`;
  if (has(library, config)) {
    const said = String(library.func(config, "str", [])());
    return /^OpenBLAS [\d.]*\d/.exec(said)?.[0] ?? "OpenBLAS";
  }
  const version = "bli_info_get_version_str";
  return has(library, version) ? `BLIS ${library.func(version, "str", [])()}` : "BLAS";
}

interface Routines {
  readonly gemm: Gemm;
  readonly gemv: Gemv;
}

function bind(library: Library, [prefix, suffix, integer]: Spelling, { letter, scalar }: Letter): Routines {
  const address = "uintptr_t";
  const matrix = [address, integer];
  const bound = (name: string, parameters: readonly string[]) =>
    library.func(`${prefix}cblas_${letter}${name}${suffix}`, "void", [...parameters]);
  const sizes = (count: number): readonly string[] => new Array(count).fill(integer);
  return {
    gemm: bound("gemm", ["int", "int", "int", ...sizes(3), scalar, ...matrix, ...matrix, scalar, ...matrix]),
    gemv: bound("gemv", ["int", "int", ...sizes(2), scalar, ...matrix, ...matrix, scalar, ...matrix]),
  } as unknown as Routines;
}

/** True for several products of matrices, which may be divided among threads. */
function isBatch({ batch, rows, columns }: ProductForm): boolean {
  return batch > 1 && rows > 1 && columns > 1;
}

function batchOf(
  device: Device,
  { path, spelling: [prefix, suffix, integer] }: Blas,
  { letter, bytes }: Letter,
  form: ProductForm,
): BatchProduct {
  const address = addressOfSymbol(path, `${prefix}cblas_${letter}gemm${suffix}`);
  const words = [wordOf(form.left), wordOf(form.right)];
  return batchProduct(device, { address, kernel: `${letter}_${integer}`, words, bytes }, form);
}

function wordOf({ transposed }: FactorForm): number {
  return transposed ? CblasTrans : CblasNoTrans;
}

// Up to so many multiplications one thread is done before others have begun.
const smallProduct = 2 ** 20;

function codeOf(
  { gemm, gemv }: Routines,
  threads: LibraryThreads,
  { one, zero, bytes }: Letter,
  form: ProductForm,
  whole: BatchProduct | undefined,
): LoadedCode {
  const { batch, rows, columns, inner, left, right } = form;
  const [leftWord, rightWord] = [wordOf(left), wordOf(right)];
  const isVector = columns === 1 || rows === 1;
  const isSmall = rows * columns * inner <= smallProduct;
  // A matrix and a vector: the product is as fast as memory, which gemm is not.
  const multiply = (out: number, a: number, b: number): void => {
    // Some versions multiply the old result by zero, which keeps its NaN.
    if (isVector) libc().memset(out, 0, rows * columns * bytes);
    if (columns === 1) {
      const [down, across] = left.transposed ? [inner, rows] : [rows, inner];
      const step = right.transposed ? 1 : right.leading;
      gemv(CblasRowMajor, leftWord, down, across, one, a, left.leading, b, step, zero, out, 1);
    } else if (rows === 1) {
      const [down, across] = right.transposed ? [columns, inner] : [inner, columns];
      const step = left.transposed ? left.leading : 1;
      const turned = right.transposed ? CblasNoTrans : CblasTrans;
      gemv(CblasRowMajor, turned, down, across, one, b, right.leading, a, step, zero, out, 1);
    } else {
      const [lda, ldb] = [left.leading, right.leading];
      gemm(CblasRowMajor, leftWord, rightWord, rows, columns, inner, one, a, lda, b, ldb, zero, out, columns);
    }
  };
  return {
    launch: ({ u32 }) => {
      const most = threads.most();
      const isDivided = whole !== undefined && batch >= most;
      threads.use(isSmall || isDivided ? 1 : most);
      if (isDivided) {
        whole.launch(u32, most);
        return;
      }
      const [out, a, b] = [addressIn(u32, 0), addressIn(u32, 2), addressIn(u32, 4)];
      for (let i = 0; i < batch; i++) {
        multiply(
          out + i * rows * columns * bytes,
          a + i * left.batchStride * bytes,
          b + i * right.batchStride * bytes,
        );
      }
    },
    unload: () => whole?.release(),
  };
}
