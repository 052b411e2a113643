// What the JavaScript of a kernel calls: conversions of numbers, and memory as arrays.

const word = new DataView(new ArrayBuffer(8));
const two63 = 2 ** 63;

function toHalfBits(x: number): number {
  word.setFloat32(0, x);
  const bits = word.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const size = bits & 0x7fffffff;
  if (size > 0x7f800000) return sign | 0x7e00;
  if (size >= 0x477ff000) return sign | 0x7c00;
  if (size < 0x38800000) {
    // Below 2^-14 a half is a multiple of 2^-24.
    return sign | nearestEven(Math.abs(x) * 2 ** 24);
  }
  return sign | ((size + 0xfff + ((size >>> 13) & 1) - 0x38000000) >>> 13);
}

function nearestEven(x: number): number {
  const low = Math.floor(x);
  const rest = x - low;
  if (rest !== 0.5) return rest > 0.5 ? low + 1 : low;
  return low % 2 === 0 ? low : low + 1;
}

const halves = Float32Array.from({ length: 65536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const digits = bits & 1023;
  if (exponent === 31) return digits ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? (1024 + digits) * 2 ** (exponent - 25) : digits * 2 ** -24);
});

function toBfloatBits(x: number): number {
  word.setFloat32(0, x);
  const bits = word.getUint32(0);
  if ((bits & 0x7fffffff) > 0x7f800000) return ((bits >>> 16) | 0x40) & 0xffff;
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

function fromBfloatBits(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}

/** An integer of 64 bits as a number: the nearest one that is an integer of 64 bits too. */
function fromBig(x: bigint): number {
  const number = Number(x);
  return number >= two63 ? two63 - 1024 : number;
}

/** A number as an integer of 64 bits; it wraps around. */
function whole(x: number): number {
  if (x >= -two63 && x < two63) return x;
  return Number.isFinite(x) ? fromBig(BigInt.asIntN(64, BigInt(x))) : 0;
}

const lowest: Readonly<Record<string, readonly [number, number]>> = {
  ...{ int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535] },
  ...{ int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1], int64: [-two63, two63 - 1024] },
};

/** A floating number as an integer: cut off, the nearest one where there is none, 0 for NaN. */
function saturated(x: number, name: string): number {
  if (Number.isNaN(x)) return 0;
  const [low, high] = lowest[name] as readonly [number, number];
  return x <= low ? low : x >= high ? high : Math.trunc(x) + 0;
}

function saturatedBig(x: number): bigint {
  if (!(x > 0)) return 0n;
  return x >= 2 ** 64 ? 2n ** 64n - 1n : BigInt(Math.trunc(x));
}

/** Bits of integers of 64 bits. */
function bits64(x: number, y: number, op: "&" | "|" | "^"): number {
  const [a, b] = [BigInt(x), BigInt(y)];
  return fromBig(BigInt.asIntN(64, op === "&" ? a & b : op === "|" ? a | b : a ^ b));
}

/** The highest number stands for the highest integer, which no number is. */
function storeInteger(array: BigInt64Array | number[], at: number, value: number): number {
  if (array instanceof BigInt64Array) array[at] = value === two63 - 1024 ? 2n ** 63n - 1n : BigInt(value);
  else array[at] = value;
  return value;
}

type Views = Readonly<Record<string, ArrayLike<number> | ArrayLike<bigint>>>;

const constructors = {
  ...{ u8: Uint8Array, i8: Int8Array, u16: Uint16Array, i16: Int16Array, u32: Uint32Array, i32: Int32Array },
  ...{ i64: BigInt64Array, u64: BigUint64Array, f32: Float32Array, f64: Float64Array },
};

/** Memory that is read as several types: structs, and numbers whose bits are looked at. */
export class Bytes {
  readonly #buffer: ArrayBufferLike;
  readonly #views: Record<string, unknown> = {};
  readonly #pointers: { array: unknown; index: number }[] = [];

  constructor(
    memory: number | ArrayBufferLike,
    readonly start = 0,
    readonly resolve: (pointer: number, view: string) => { array: unknown; index: number } = noPointers,
  ) {
    this.#buffer = typeof memory === "number" ? new ArrayBuffer(Math.ceil(memory / 8) * 8) : memory;
  }

  /** Its numbers of one type. */
  view(name: string): unknown {
    if (name === "bytes") return this;
    const known = this.#views[name];
    if (known) return known;
    const Type = constructors[name as keyof typeof constructors];
    const count = Math.floor((this.#buffer.byteLength - this.start) / Type.BYTES_PER_ELEMENT);
    const made = new Type(this.#buffer as ArrayBuffer, this.start, count);
    this.#views[name] = made;
    return made;
  }

  get u8() {
    return this.view("u8");
  }
  get i8() {
    return this.view("i8");
  }
  get u16() {
    return this.view("u16");
  }
  get i16() {
    return this.view("i16");
  }
  get u32() {
    return this.view("u32");
  }
  get i32() {
    return this.view("i32");
  }
  get i64() {
    return this.view("i64");
  }
  get u64() {
    return this.view("u64");
  }
  get f32() {
    return this.view("f32");
  }
  get f64() {
    return this.view("f64");
  }

  /** The pointer at a place: its array, and the index there. */
  pointer(at: number, view: string): { array: unknown; index: number } {
    let found = this.#pointers[at];
    if (found === undefined) {
      const words = this.view("u32") as Uint32Array;
      found = this.resolve((words[at >> 2] as number) + (words[(at >> 2) + 1] as number) * 2 ** 32, view);
      this.#pointers[at] = found;
    }
    return found;
  }
}

function noPointers(): never {
  throw new Error("Memory of a kernel's own holds no pointers.");
}

const kept = new WeakMap<ArrayBufferView, Bytes>();

/** The memory of an array, and a place of it in bytes or in other elements. */
function bytesUnder(array: unknown): Bytes {
  if (array instanceof Bytes) return array;
  const { buffer, byteOffset } = array as Uint8Array;
  const known = kept.get(array as Uint8Array) ?? new Bytes(buffer, byteOffset);
  kept.set(array as Uint8Array, known);
  return known;
}

/** Copies the bytes of one value to another one of the same size. */
function bitsAs(value: number | bigint, from: string, to: string): number | bigint {
  if (from === "f32") word.setFloat32(0, value as number);
  else if (from === "f64") word.setFloat64(0, value as number);
  else if (from === "u32") word.setUint32(0, value as number);
  else word.setBigUint64(0, value as bigint);
  if (to === "u32") return word.getUint32(0);
  if (to === "f32") return word.getFloat32(0);
  return to === "f64" ? word.getFloat64(0) : word.getBigUint64(0);
}

/** By the names that the translator writes. */
export const runtime = {
  ...{ toHalfBits, halves, toBfloatBits, fromBfloatBits, fromBig, whole, saturated, saturatedBig, bits64 },
  ...{ storeInteger, Bytes, bytesUnder, bitsAs },
};
export type { Views };
