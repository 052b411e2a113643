// The routines over batches of matrices by LAPACK, one call per matrix. Prototypes: https://netlib.org/lapack/explore-html.
import { type DType, type DTypeName, dtypes } from "../../base/dtype.js";
import { type MatrixCode, type MatrixForm, type MatrixRoutine, notFinite } from "../matrix-library.js";
import { operandsOf, realOf, vectorCounts, wrongPivot } from "../matrix-operands.js";
import { CallMemory, type Fortran, HostMemory } from "./fortran.js";
import { libc } from "./libc.js";

const letters: Readonly<Partial<Record<DTypeName, string>>> = {
  float32: "s",
  float64: "d",
  complex64: "c",
  complex128: "z",
};

/** A form with what its calls need. */
interface Job {
  readonly form: MatrixForm;
  readonly dtype: DType;
  readonly isComplex: boolean;
  /** Bytes of a real number of the dtype. */
  readonly realBytes: number;
  readonly memory: CallMemory;
  /** Binds a routine of the dtype by the number of its arguments, all addresses, some of letters. */
  bind(name: string, addresses: number, letters: number): (addresses: readonly number[]) => void;
}

/** Computes one matrix of the batch from the addresses of its operands; returns its status. */
type Step = (addresses: readonly number[]) => number;

/** Code for a form. Workspaces live as long as a run, because they may be larger than the operands. */
export function matrixCode(fortran: Fortran, form: MatrixForm): MatrixCode {
  const dtype = dtypes[form.dtype];
  const letter = letters[form.dtype];
  const sizes = operandsOf(form).map((one) => one.rows * one.columns * one.dtype.bytes);
  return {
    run: (addresses) => {
      const memory = new CallMemory(fortran.integerBytes);
      const step = routines[form.routine]({
        form,
        dtype,
        isComplex: dtype.kind === "complex",
        realBytes: realOf(dtype).bytes,
        memory,
        bind: (name, count, texts) => fortran.bind(`${letter}${name}`, count, texts),
      });
      const statuses = new Int32Array(form.batch);
      for (let i = 0; i < form.batch; i++) {
        statuses[i] = step(addresses.map((address, k) => address + i * (sizes[k] as number)));
      }
      return memory.release(statuses);
    },
  };
}

const routines: Readonly<Record<MatrixRoutine, (job: Job) => Step>> = {
  lu: (job) => {
    const { memory, form } = job;
    const factor = job.bind("getrf", 6, 0);
    const [m, n, info] = [memory.integer(form.rows), memory.integer(form.columns), memory.result()];
    const pivots = new Integers(Math.min(form.rows, form.columns), memory.integerBytes);
    return ([a, written]) => {
      factor([m, n, a as number, m, pivots.address(written as number), info.address]);
      pivots.writeTo(written as number);
      return info.value();
    };
  },
  luSolve: (job) => {
    const { memory, form } = job;
    const solve = job.bind("getrs", 9, 1);
    const [n, right, info] = [memory.integer(form.rows), memory.integer(form.right), memory.result()];
    const turned = memory.letter(turns[form.turned]);
    const pivots = new Integers(form.rows, memory.integerBytes);
    return ([b, a, read]) => {
      const wrong = pivots.readFrom(read as number);
      if (wrong > 0) return wrong;
      solve([turned, n, right, a as number, n, pivots.address(read as number), b as number, n, info.address]);
      return info.value();
    };
  },
  solve: (job) => {
    const { memory, form } = job;
    const [factor, solve] = [job.bind("getrf", 6, 0), job.bind("getrs", 9, 1)];
    const [n, right] = [memory.integer(form.rows), memory.integer(form.right)];
    const [info, ignored] = [memory.result(), memory.result()];
    const turned = memory.letter(turns.none);
    const pivots = memory.workspace(form.rows * memory.integerBytes);
    return ([b, a]) => {
      factor([n, n, a as number, n, pivots, info.address]);
      // Of a singular matrix the solution has elements that are not finite.
      solve([turned, n, right, a as number, n, pivots, b as number, n, ignored.address]);
      return info.value();
    };
  },
  cholesky: (job) => {
    const { memory, form } = job;
    const factor = job.bind("potrf", 5, 1);
    const [triangle, n, info] = [triangleOf(job), memory.integer(form.rows), memory.result()];
    return ([a]) => {
      factor([triangle, n, a as number, n, info.address]);
      return info.value();
    };
  },
  triangular: (job) => {
    const { memory, form, realBytes } = job;
    const solve = job.bind("trsm", 11, 4);
    const words = [memory.letter("L"), triangleOf(job), memory.letter(turns[form.turned])];
    const diagonal = memory.letter(form.isUnit ? "U" : "N");
    const [n, right, one] = [
      memory.integer(form.rows),
      memory.integer(form.right),
      memory.number(1, realBytes),
    ];
    return ([b, a]) => {
      solve([...words, diagonal, n, right, one, a as number, n, b as number, n]);
      return 0;
    };
  },
  qr: (job) => {
    const { memory, form, dtype } = job;
    const { rows, columns, right } = form;
    const steps = Math.min(rows, columns);
    const [factor, build] = [job.bind("geqrf", 8, 0), job.bind(job.isComplex ? "ungqr" : "orgqr", 9, 0)];
    const [m, n] = [memory.integer(rows), memory.integer(columns)];
    const [k, q] = [memory.integer(steps), memory.integer(right)];
    const info = memory.result();
    const taus = memory.workspace(steps * dtype.bytes);
    const first = workspaceOf(job, (...work) => factor([m, n, taus, m, taus, ...work, info.address]));
    const buildIn = (out: number, ...work: Work) => build([m, q, k, out, m, taus, ...work, info.address]);
    const second = right === 0 ? first : workspaceOf(job, (...work) => buildIn(taus, ...work));
    return ([a, out]) => {
      factor([m, n, a as number, m, taus, ...first, info.address]);
      if (right === 0) return info.value();
      libc().memmove(out as number, a as number, rows * Math.min(right, columns) * dtype.bytes);
      buildIn(out as number, ...second);
      return info.value();
    };
  },
  eigh: (job) => {
    const { memory, form, isComplex, realBytes } = job;
    const { rows } = form;
    const solve = isComplex ? job.bind("heevd", 13, 2) : job.bind("syevd", 11, 2);
    const wanted = memory.letter(form.vectors === "none" ? "N" : "V");
    const [triangle, n, info] = [triangleOf(job), memory.integer(rows), memory.result()];
    // The sizes that the documentation demands.
    const isWide = form.vectors !== "none" && rows > 1;
    const realCount = isWide ? 1 + 5 * rows + 2 * rows ** 2 : Math.max(1, rows);
    const integerCount = isWide ? 3 + 5 * rows : 1;
    const further = [
      ...(isComplex ? [memory.workspace(realCount * realBytes), memory.integer(realCount)] : []),
      memory.workspace(integerCount * memory.integerBytes),
      memory.integer(integerCount),
      info.address,
    ];
    const solveIn = (a: number, values: number, ...work: Work) =>
      solve([wanted, triangle, n, a, n, values, ...work, ...further]);
    const work = workspaceOf(job, (...asked) => solveIn(n, n, ...asked));
    const isTaken = finiteTest(job, rows * rows);
    return ([a, values]) => {
      if (!isTaken(a as number)) return notFinite;
      solveIn(a as number, values as number, ...work);
      return info.value();
    };
  },
  svd: (job) => {
    const { memory, form, isComplex, realBytes } = job;
    const { rows, columns } = form;
    const [least, most] = [Math.min(rows, columns), Math.max(rows, columns)];
    const [left, right] = vectorCounts(form);
    const solve = job.bind("gesdd", isComplex ? 15 : 14, 1);
    const wanted = memory.letter({ none: "N", thin: "S", full: "A" }[form.vectors]);
    const [m, n] = [memory.integer(rows), memory.integer(columns)];
    const rightRows = memory.integer(Math.max(1, right));
    const info = memory.result();
    const realCount = Math.max(5 * least ** 2 + 7 * least, 2 * most * least + 2 * least ** 2 + least);
    const integers = memory.workspace(8 * least * memory.integerBytes);
    const further = [...(isComplex ? [memory.workspace(realCount * realBytes)] : []), integers, info.address];
    const solveIn = (a: number, values: number, u: number, vh: number, ...work: Work) =>
      solve([wanted, m, n, a, m, values, u, m, vh, rightRows, ...work, ...further]);
    const work = workspaceOf(job, (...asked) => solveIn(integers, integers, integers, integers, ...asked));
    const isTaken = finiteTest(job, rows * columns);
    return ([u, values, vh, a]) => {
      if (!isTaken(a as number)) return notFinite;
      const [toU, toVh] = [left === 0 ? integers : u, right === 0 ? integers : vh];
      solveIn(a as number, values as number, toU as number, toVh as number, ...work);
      return info.value();
    };
  },
};

const turns = { none: "N", transposed: "T", adjoint: "C" } as const;

function triangleOf({ memory, form }: Job): number {
  return memory.letter(form.isUpper ? "U" : "L");
}

/** The addresses of a workspace and of its size. */
type Work = readonly [memory: number, size: number];

/** A workspace of the size that a routine asks for: called with the size -1, it writes the wanted size. */
function workspaceOf({ memory, dtype, realBytes }: Job, query: (...work: Work) => void): Work {
  const asked = new HostMemory(dtype.bytes);
  query(asked.address, memory.integer(-1));
  // Sizes beyond the digits of a float may have been rounded down.
  const count = Math.ceil(Math.max(1, asked.float(0, realBytes)) * (1 + 2 ** -20));
  return [memory.workspace(count * dtype.bytes), memory.integer(count)];
}

/** Tests that a number of elements at an address are finite. */
function finiteTest({ dtype, isComplex }: Job, count: number): (address: number) => boolean {
  const numbers = new dtype.array(count * (isComplex ? 2 : 1)) as Float64Array;
  const bytes = new Uint8Array(numbers.buffer);
  return (address) => {
    libc().read(bytes, address, bytes.length);
    return numbers.every(Number.isFinite);
  };
}

/** The library's integers beside operands of 32 bits. */
class Integers {
  readonly #memory: HostMemory | undefined;
  readonly #narrow: Int32Array;
  readonly #bytes: Uint8Array;

  constructor(
    readonly count: number,
    bytes: 4 | 8,
  ) {
    this.#memory = bytes === 8 ? new HostMemory(count * 8) : undefined;
    this.#narrow = new Int32Array(count);
    this.#bytes = new Uint8Array(this.#narrow.buffer);
  }

  /** Where the library reads and writes them: the operand itself if it is as wide. */
  address(operand: number): number {
    return this.#memory?.address ?? operand;
  }

  /** Reads pivots; returns the number of one that is no row, else 0. */
  readFrom(operand: number): number {
    libc().read(this.#bytes, operand, this.#bytes.length);
    for (let i = 0; i < this.count; i++) this.#memory?.setInteger(8 * i, 8, this.#narrow[i] as number);
    return wrongPivot(this.#narrow);
  }

  writeTo(operand: number): void {
    if (!this.#memory) return;
    for (let i = 0; i < this.count; i++) this.#narrow[i] = this.#memory.integer(8 * i, 8);
    libc().write(operand, this.#bytes, this.#bytes.length);
  }
}
