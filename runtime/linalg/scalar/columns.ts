// Arithmetic of columns of numbers in float64, real or complex. Matrices are column-major and complex numbers pairs, so a
// column is a run of numbers; the factorizations beside this file are written once, over these few functions.

/** A column-major matrix in float64; complex elements are pairs. */
export interface Columns {
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
  readonly isComplex: boolean;
}

/** A complex number, or a real one with `im` 0. */
export interface Pair {
  readonly re: number;
  readonly im: number;
}

/** The distance of two float64 around 1. */
export const epsilon = 2 ** -52;

/** A matrix of zeros. */
export function zeroColumns(rows: number, columns: number, isComplex: boolean): Columns {
  const data = new Float64Array(rows * columns * (isComplex ? 2 : 1));
  return { data, rows, columns, isComplex };
}

/** The place of an element's first number. */
export function placeOf({ rows, isComplex }: Columns, row: number, column: number): number {
  return (row + column * rows) * (isComplex ? 2 : 1);
}

/** One element. */
export function elementAt(matrix: Columns, row: number, column: number): Pair {
  const at = placeOf(matrix, row, column);
  const { data, isComplex } = matrix;
  return { re: data[at] as number, im: isComplex ? (data[at + 1] as number) : 0 };
}

/** Writes one element; a real matrix ignores `im`. */
export function put(matrix: Columns, row: number, column: number, { re, im }: Pair): void {
  const at = placeOf(matrix, row, column);
  matrix.data[at] = re;
  if (matrix.isComplex) matrix.data[at + 1] = im;
}

/** The sum of `conj(x) * y` over `count` rows from `row` on; `conjugates: false` leaves `conj` out. */
export function dot(
  x: Columns,
  xColumn: number,
  y: Columns,
  yColumn: number,
  row: number,
  count: number,
  conjugates = true,
): Pair {
  const [a, b] = [x.data, y.data];
  let i = placeOf(x, row, xColumn);
  let j = placeOf(y, row, yColumn);
  let re = 0;
  if (!x.isComplex) {
    for (const end = i + count; i < end; i++, j++) re += (a[i] as number) * (b[j] as number);
    return { re, im: 0 };
  }
  const sign = conjugates ? -1 : 1;
  let im = 0;
  for (const end = i + 2 * count; i < end; i += 2, j += 2) {
    const [p, q] = [a[i] as number, sign * (a[i + 1] as number)];
    const [r, s] = [b[j] as number, b[j + 1] as number];
    re += p * r - q * s;
    im += p * s + q * r;
  }
  return { re, im };
}

/** Adds a factor times a column to another one, over `count` rows from `row` on. */
export function addScaled(
  y: Columns,
  yColumn: number,
  factor: Pair,
  x: Columns,
  xColumn: number,
  row: number,
  count: number,
): void {
  const [a, b] = [x.data, y.data];
  const { re, im } = factor;
  let i = placeOf(x, row, xColumn);
  let j = placeOf(y, row, yColumn);
  if (!x.isComplex) {
    for (const end = i + count; i < end; i++, j++) b[j] = (b[j] as number) + re * (a[i] as number);
    return;
  }
  for (const end = i + 2 * count; i < end; i += 2, j += 2) {
    const [p, q] = [a[i] as number, a[i + 1] as number];
    b[j] = (b[j] as number) + (re * p - im * q);
    b[j + 1] = (b[j + 1] as number) + (re * q + im * p);
  }
}

/** Multiplies rows of a column by a factor. */
export function scale(x: Columns, column: number, factor: Pair, row: number, count: number): void {
  const { data, isComplex } = x;
  const { re, im } = factor;
  let i = placeOf(x, row, column);
  if (!isComplex) {
    for (const end = i + count; i < end; i++) data[i] = (data[i] as number) * re;
    return;
  }
  for (const end = i + 2 * count; i < end; i += 2) {
    const [p, q] = [data[i] as number, data[i + 1] as number];
    data[i] = re * p - im * q;
    data[i + 1] = re * q + im * p;
  }
}

/** Rotates two columns by a real angle: `x` becomes `c x - s y`, `y` becomes `s x + c y`. */
export function rotate(matrix: Columns, x: number, y: number, cosine: number, sine: number): void {
  const { data, rows, isComplex } = matrix;
  let i = placeOf(matrix, 0, x);
  let j = placeOf(matrix, 0, y);
  for (const end = i + rows * (isComplex ? 2 : 1); i < end; i++, j++) {
    const [p, q] = [data[i] as number, data[j] as number];
    data[i] = cosine * p - sine * q;
    data[j] = sine * p + cosine * q;
  }
}

/** The Euclidean norm of rows of a column, without overflow. */
export function lengthOf(x: Columns, column: number, row: number, count: number): number {
  const { data, isComplex } = x;
  const from = placeOf(x, row, column);
  const end = from + count * (isComplex ? 2 : 1);
  let largest = 0;
  for (let i = from; i < end; i++) {
    const size = Math.abs(data[i] as number);
    if (!(size <= largest)) largest = size;
  }
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let sum = 0;
  for (let i = from; i < end; i++) sum += ((data[i] as number) / largest) ** 2;
  return largest * Math.sqrt(sum);
}

/** Exchanges two rows of all columns. */
export function exchangeRows(matrix: Columns, a: number, b: number): void {
  const { data, columns, isComplex } = matrix;
  const width = isComplex ? 2 : 1;
  for (let column = 0; column < columns; column++) {
    const [i, j] = [placeOf(matrix, a, column), placeOf(matrix, b, column)];
    for (let part = 0; part < width; part++) {
      const kept = data[i + part] as number;
      data[i + part] = data[j + part] as number;
      data[j + part] = kept;
    }
  }
}

/** The quotient of two numbers, by Smith's formula. */
export function quotient(a: Pair, b: Pair): Pair {
  if (b.im === 0) return { re: a.re / b.re, im: a.im / b.re };
  if (Math.abs(b.re) >= Math.abs(b.im)) {
    const ratio = b.im / b.re;
    const divisor = b.re + b.im * ratio;
    return { re: (a.re + a.im * ratio) / divisor, im: (a.im - a.re * ratio) / divisor };
  }
  const ratio = b.re / b.im;
  const divisor = b.re * ratio + b.im;
  return { re: (a.re * ratio + a.im) / divisor, im: (a.im * ratio - a.re) / divisor };
}

/** The conjugate of a number. */
export function conjugate({ re, im }: Pair): Pair {
  return { re, im: -im };
}

/** The number with its sign changed. */
export function negative({ re, im }: Pair): Pair {
  return { re: -re, im: -im };
}

/** The product of two numbers. */
export function product(a: Pair, b: Pair): Pair {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
}

/** The power of two that makes the largest part of an element about 1, so that squares neither overflow nor vanish. */
export function powerFor({ data }: Columns): number {
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i] as number));
  return largest === 0 ? 1 : 2 ** -Math.min(1022, Math.max(-1022, Math.ceil(Math.log2(largest))));
}
