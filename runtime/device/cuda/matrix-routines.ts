// The routines over batches of matrices on a GPU: one call per matrix by cuSOLVER, one for the whole batch where a library has
// such a function and the matrices are small. Statuses are read at the end, which waits for the work.
import { type DType, dtypes } from "../../base/dtype.js";
import { RecentValues } from "../../base/recent-values.js";
import { type MatrixCode, type MatrixForm, type MatrixRoutine, notFinite } from "../matrix-library.js";
import { operandsOf, realOf, vectorCounts, wrongPivot } from "../matrix-operands.js";
import type { PooledStorage } from "../pooled-storage.js";
import type { Call, LibraryHost } from "./checked-library.js";
import type { Cublas } from "./cublas.js";
import type { Cusolver, SizedName } from "./cusolver.js";

/** The libraries, and their device. */
export interface Engines {
  readonly solver: Cusolver;
  readonly blas: Cublas;
  readonly host: LibraryHost;
  /** Arrays of the addresses of a batch's matrices, by first address, distance and count. */
  readonly pointers: RecentValues<PooledStorage>;
  /** 1 and 0 as numbers of each precision, real or complex. */
  readonly constants: { readonly one: number; readonly oneDouble: number; readonly zero: number };
}

// cublas_api.h, cusolver_common.h: enumerations.
const operations = { none: 0, transposed: 1, adjoint: 2 } as const;
const triangles = { lower: 0, upper: 1 } as const;
const left = 0;
const withVectors = { none: 0, thin: 1, full: 1 } as const;
// library_types.h: cudaDataType.
const dataTypes: Readonly<Record<string, number>> = { float32: 0, float64: 1, complex64: 4, complex128: 5 };
// The libraries' integers.
const largestInteger = 2 ** 31 - 1;
const manyRightSides = 64;
// The largest matrices of gesvdjBatched.
const mostJacobi = 32;

/** The engines of a device. */
export function enginesOf(solver: Cusolver, blas: Cublas, host: LibraryHost): Engines {
  const block = host.createBlock(48);
  block.f32[0] = 1;
  block.f64[2] = 1;
  const { address } = block;
  const constants = { one: address, oneDouble: address + 16, zero: address + 32 };
  const pointers = new RecentValues<PooledStorage>(32, (unused) => unused.dispose());
  return { solver, blas, host, pointers, constants };
}

/**
 * False for matrices beyond the libraries' integers, and for many small ones of a routine that no library has for batches: the
 * host is faster.
 */
export function takesForm({ solver }: Engines, form: MatrixForm): boolean {
  const { routine, batch, rows, columns, right } = form;
  const most = Math.max(rows, columns);
  if (Math.max(rows * columns, rows * right, most * most, batch) > largestInteger) return false;
  if (batch === 1 || most > mostJacobi) return true;
  if (routine === "svd") return hasJacobiBatch(form);
  return routine === "eigh" ? solver.hasBatchedEigen : routine !== "qr";
}

function hasJacobiBatch({ batch, rows, columns, vectors }: MatrixForm): boolean {
  return batch > 1 && Math.max(rows, columns) <= mostJacobi && (rows === columns || vectors !== "thin");
}

/** A form with what its calls need. */
interface Job extends Engines {
  readonly form: MatrixForm;
  readonly dtype: DType;
  /** Bytes of each operand's matrices. */
  readonly bytes: readonly number[];
  /** True where one call computes the batch. */
  readonly isBatched: boolean;
  /** The sizes of workspaces by function, once they are known. */
  readonly sizes: Map<string, number>;
  /** Memory until the end of the run. */
  memory(bytes: number): number;
}

/** Code for a form. */
export function matrixCode(engines: Engines, form: MatrixForm): MatrixCode {
  const dtype = dtypes[form.dtype];
  const bytes = operandsOf(form).map((one) => one.rows * one.columns * one.dtype.bytes);
  const isBatched = form.batch > 1 && form.rows <= Math.min(256, 16 * form.batch);
  const sizes = new Map<string, number>();
  return {
    run: (addresses) => {
      // The libraries use the default stream, after all that is queued.
      engines.host.stream();
      const used: PooledStorage[] = [];
      const memory = (size: number): number => {
        const storage = engines.host.memory(Math.max(size, 16));
        used.push(storage);
        return storage.pointer;
      };
      const job = { ...engines, form, dtype, bytes, isBatched, sizes, memory };
      try {
        return routines[form.routine](job, addresses as unknown as Addresses);
      } finally {
        for (const storage of used) storage.dispose();
      }
    },
  };
}

/** The addresses of a routine's operands, of which some have fewer. */
type Addresses = readonly [number, number, number, number];

type Run = (job: Job, addresses: Addresses) => Int32Array | undefined;

const routines: Readonly<Record<MatrixRoutine, Run>> = {
  lu: (job, [a, pivots]) => statusesAt(job, factorInto(job, a, pivots)),
  luSolve: (job, addresses) => {
    const wrong = job.form.knowsPivots ? undefined : wrongPivots(job, addresses[2]);
    if (!wrong) solveFrom(job, addresses);
    return wrong;
  },
  solve: (job, [b, a]) => {
    // Statuses are read once all is queued.
    const pivots = job.memory(4 * job.form.rows * job.form.batch);
    const bytes = [job.bytes[1] as number, 4 * job.form.rows];
    const info = factorInto({ ...job, bytes }, a, pivots);
    const solution = { ...job, bytes: [...job.bytes, 4 * job.form.rows] };
    solveFrom(solution, [b, a, pivots, 0]);
    return statusesAt(job, info);
  },
  cholesky: (job, [a]) => {
    const { form, solver } = job;
    const { rows, batch, dtype } = form;
    const info = job.memory(4 * batch);
    const triangle = triangleOf(form);
    if (job.isBatched) {
      const factor = solver.call("?potrfBatched", dtype);
      factor(solver.handle, triangle, rows, pointersTo(job, 0, a), rows, info, batch);
      return statusesAt(job, info);
    }
    const work = workspaceOf(job, "?potrf", (call, size) =>
      call(solver.handle, triangle, rows, a, rows, size),
    );
    const factor = solver.call("?potrf", dtype);
    each(job, [a], (i, [own]) => {
      factor(solver.handle, triangle, rows, own, rows, ...work, info + 4 * i);
    });
    return statusesAt(job, info);
  },
  triangular: (job, [b, a]) => {
    const { form, blas, dtype, constants } = job;
    const { rows, right, batch, isUnit } = form;
    const one = realOf(dtype).bytes === 4 ? constants.one : constants.oneDouble;
    const how = [left, triangleOf(form), operationOf(job), isUnit ? 1 : 0, rows, right, one] as const;
    if (job.isBatched) {
      const solve = blas.call("cublas?trsmBatched", form.dtype);
      const [from, to] = [pointersTo(job, 1, a), pointersTo(job, 0, b)];
      solve(blas.handle, ...how, from, rows, to, rows, batch);
      return undefined;
    }
    const solve = blas.call("cublas?trsm_v2", form.dtype);
    each(job, [b, a], (_, [x, own]) => solve(blas.handle, ...how, own, rows, x, rows));
    return undefined;
  },
  qr: (job, [a, q]) => {
    const { form, solver, host, dtype } = job;
    const { rows, columns, right } = form;
    const steps = Math.min(rows, columns);
    const [factors, info] = [job.memory(steps * dtype.bytes), job.memory(4)];
    const work = workspaceOf(job, "?geqrf", (call, size) =>
      call(solver.handle, rows, columns, a, rows, size),
    );
    const factor = solver.call("?geqrf", form.dtype);
    if (right === 0) {
      each(job, [a, 0], (_, [own]) =>
        factor(solver.handle, rows, columns, own, rows, factors, ...work, info),
      );
      return undefined;
    }
    const shape = [rows, right, steps] as const;
    const second = workspaceOf(job, "?orgqr", (call, size) => {
      call(solver.handle, ...shape, q, rows, factors, size);
    });
    const build = solver.call("?orgqr", form.dtype);
    each(job, [a, q], (_, [own, to]) => {
      factor(solver.handle, rows, columns, own, rows, factors, ...work, info);
      host.copy(to, own, rows * Math.min(right, columns) * dtype.bytes);
      build(solver.handle, ...shape, to, rows, factors, ...second, info);
    });
    return undefined;
  },
  eigh: (job, [a, values]) => {
    const { form, solver } = job;
    const { rows, batch, dtype } = form;
    const info = job.memory(4 * batch);
    const how = [withVectors[form.vectors], triangleOf(form)] as const;
    if (batch > 1 && solver.hasBatchedEigen) {
      const [own, real] = [dataTypes[dtype] as number, dataTypes[realOf(job.dtype).name] as number];
      const all = [...how, rows, own, a, rows, real, values, own] as const;
      const [onDevice, onHost]: [[number], [number]] = [[0], [0]];
      const sized = solver.call("XsyevBatched_bufferSize", dtype);
      sized(solver.handle, solver.parameters, ...all, onDevice, onHost, batch);
      const block = job.host.createBlock(Math.max(8, onHost[0]));
      const memory = [job.memory(onDevice[0]), onDevice[0], block.address, onHost[0]] as const;
      const solve = solver.call("XsyevBatched", dtype);
      solve(solver.handle, solver.parameters, ...all, ...memory, info, batch);
      const found = finiteStatuses(job, info, values, rows);
      block.release();
      return found;
    }
    const work = workspaceOf(job, "?syevd", (call, size) => {
      call(solver.handle, ...how, rows, a, rows, values, size);
    });
    const solve = solver.call("?syevd", dtype);
    each(job, [a, values], (i, [own, to]) => {
      solve(solver.handle, ...how, rows, own, rows, to, ...work, info + 4 * i);
    });
    return finiteStatuses(job, info, values, rows);
  },
  svd: (job, [u, values, vh, a]) => {
    const { form, solver, dtype } = job;
    const { rows, columns, batch, vectors } = form;
    const info = job.memory(4 * batch);
    const [, right] = vectorCounts(form);
    // V, whose adjoint is returned; without vectors, memory that is not written.
    const v = job.memory(Math.max(1, columns * right * dtype.bytes * (hasJacobiBatch(form) ? batch : 1)));
    const [first, economy] = [withVectors[vectors], vectors === "thin" ? 1 : 0];
    const u0 = vectors === "none" ? v : u;
    if (hasJacobiBatch(form)) {
      const all = [first, rows, columns, a, rows, values, u0, rows, v, columns] as const;
      const work = workspaceOf(job, "?gesvdjBatched", (call, size) => {
        call(solver.handle, ...all, size, solver.jacobi, batch);
      });
      const solve = solver.call("?gesvdjBatched", form.dtype);
      solve(solver.handle, ...all, ...work, info, solver.jacobi, batch);
      for (let i = 0; i < (right === 0 ? 0 : batch); i++) {
        const from = i * (job.bytes[2] as number);
        writeAdjoint(job, v + from, vh + from, right);
      }
    } else {
      const shape = [first, economy, rows, columns] as const;
      const work = workspaceOf(job, "?gesvdj", (call, size) => {
        call(solver.handle, ...shape, a, rows, values, u0, rows, v, columns, size, solver.jacobi);
      });
      const solve = solver.call("?gesvdj", form.dtype);
      each(job, [u0, values, vh, a], (i, [left, to, adjoint, own]) => {
        const results = [own, rows, to, left, rows, v, columns] as const;
        solve(solver.handle, ...shape, ...results, ...work, info + 4 * i, solver.jacobi);
        if (right > 0) writeAdjoint(job, v, adjoint, right);
      });
    }
    return finiteStatuses(job, info, values, Math.min(rows, columns));
  },
};

/** Queues factorizations of matrices into themselves and pivots; returns where their statuses will be. */
function factorInto(job: Job, a: number, pivots: number): number {
  const { form, solver, blas } = job;
  const { rows, columns, batch, dtype } = form;
  const info = job.memory(4 * batch);
  if (job.isBatched && rows === columns) {
    const factor = blas.call("cublas?getrfBatched", dtype);
    factor(blas.handle, rows, pointersTo(job, 0, a), rows, pivots, info, batch);
    return info;
  }
  const [work] = workspaceOf(job, "?getrf", (call, size) =>
    call(solver.handle, rows, columns, a, rows, size),
  );
  const factor = solver.call("?getrf", dtype);
  each(job, [a, pivots], (i, [own, exchanged]) => {
    factor(solver.handle, rows, columns, own, rows, work, exchanged, info + 4 * i);
  });
  return info;
}

/** Queues solutions by factors. */
function solveFrom(job: Job, [b, a, pivots]: Addresses): void {
  const { form, solver, blas } = job;
  const { rows, right, batch, dtype } = form;
  const operation = operationOf(job);
  if (job.isBatched) {
    const solve = blas.call("cublas?getrsBatched", dtype);
    const [from, to] = [pointersTo(job, 1, a), pointersTo(job, 0, b)];
    solve(blas.handle, operation, rows, right, from, rows, pivots, to, rows, [0], batch);
    return;
  }
  if (right >= manyRightSides && form.turned === "none") {
    solveByTriangles(job, [b, a, pivots, 0]);
    return;
  }
  const solve = solver.call("?getrs", dtype);
  const info = job.memory(4);
  each(job, [b, a, pivots], (_, [x, lu, exchanged]) => {
    solve(solver.handle, operation, rows, right, lu, rows, exchanged, x, rows, info);
  });
}

/** Exchanges the rows of right sides, and solves by both factors: for many right sides faster than one function for all. */
function solveByTriangles(job: Job, [b, a, pivots]: Addresses): void {
  const { form, solver, blas, constants } = job;
  const { rows, right, dtype } = form;
  const exchange = solver.call("?laswp", dtype);
  const solve = blas.call("cublas?trsm_v2", dtype);
  const one = realOf(job.dtype).bytes === 4 ? constants.one : constants.oneDouble;
  each(job, [b, a, pivots], (_, [x, lu, exchanged]) => {
    exchange(solver.handle, right, x, rows, 1, rows, exchanged, 1);
    const how = [rows, right, one, lu, rows, x, rows] as const;
    solve(blas.handle, left, triangles.lower, operations.none, 1, ...how);
    solve(blas.handle, left, triangles.upper, operations.none, 0, ...how);
  });
}

/** Calls a function for each matrix of the batch, with the addresses of its operands. */
function each(
  { form, bytes }: Job,
  addresses: readonly number[],
  run: (i: number, addresses: Addresses) => void,
): void {
  for (let i = 0; i < form.batch; i++) {
    run(i, addresses.map((address, k) => address + i * (bytes[k] as number)) as unknown as Addresses);
  }
}

/** A workspace of the size, in elements, that a function asks for. */
function workspaceOf(
  { memory, dtype, form, solver, sizes }: Job,
  name: SizedName,
  query: (call: Call, size: [number]) => void,
): readonly [number, number] {
  let known = sizes.get(name);
  if (known === undefined) {
    const size: [number] = [0];
    query(solver.call(`${name}_bufferSize`, form.dtype), size);
    known = size[0];
    sizes.set(name, known);
  }
  return [memory(known * dtype.bytes), known];
}

/** The device's array of the addresses of an operand's matrices, kept because memory is used again. */
function pointersTo({ pointers, host, form, bytes }: Job, operand: number, address: number): number {
  const apart = bytes[operand] as number;
  const { pointer } = pointers.get(`${address} ${apart} ${form.batch}`, () => {
    const words = new Uint32Array(2 * form.batch);
    for (let i = 0; i < form.batch; i++) {
      const own = address + i * apart;
      words[2 * i] = own;
      words[2 * i + 1] = own / 2 ** 32;
    }
    const memory = host.memory(words.byteLength);
    host.write(memory.pointer, new Uint8Array(words.buffer));
    return memory;
  });
  return pointer;
}

function triangleOf({ isUpper }: MatrixForm): number {
  return isUpper ? triangles.upper : triangles.lower;
}

/** How a matrix is read; real ones are transposed for their adjoint. */
function operationOf({ form, dtype }: Job): number {
  return form.turned === "adjoint" && dtype.kind !== "complex"
    ? operations.transposed
    : operations[form.turned];
}

/** Writes the adjoint of `columns x right` into `right x columns`. */
function writeAdjoint({ blas, dtype, form, constants }: Job, v: number, vh: number, right: number): void {
  const { one, oneDouble, zero } = constants;
  const { columns } = form;
  const turned = dtype.kind === "complex" ? operations.adjoint : operations.transposed;
  const factor = realOf(dtype).bytes === 4 ? one : oneDouble;
  const add = blas.call("cublas?geam", form.dtype);
  add(blas.handle, turned, operations.none, right, columns, factor, v, columns, zero, vh, right, vh, right);
}

function statusesAt({ host, form }: Job, info: number): Int32Array {
  const statuses = new Int32Array(form.batch);
  host.read(info, new Uint8Array(statuses.buffer));
  return statuses;
}

/** The statuses, for routines whose results have NaN or infinite values if their matrices do. */
function finiteStatuses(job: Job, info: number, values: number, count: number): Int32Array {
  const statuses = statusesAt(job, info);
  const numbers = new (realOf(job.dtype).array)(count * statuses.length) as Float64Array;
  job.host.read(values, new Uint8Array(numbers.buffer));
  return statuses.map((status, i) => {
    return numbers.subarray(i * count, (i + 1) * count).every(Number.isFinite) ? status : notFinite;
  });
}

/** The statuses of pivots that are no rows; undefined if all are. */
function wrongPivots({ host, form }: Job, pivots: number): Int32Array | undefined {
  const numbers = new Int32Array(form.rows * form.batch);
  host.read(pivots, new Uint8Array(numbers.buffer));
  const statuses = new Int32Array(form.batch).map((_, i) =>
    wrongPivot(numbers.subarray(i * form.rows, (i + 1) * form.rows)),
  );
  return statuses.some((status) => status !== 0) ? statuses : undefined;
}
