// The memory on which a run is repeated: as much as the run had, as aligned, with ordinary numbers in it.
import { type DTypeName, dtypes } from "../base/dtype.js";
import type { ArgumentBlock, Device } from "../device/device.js";
import { allocate } from "../device/memory.js";
import type { Storage } from "../device/storage.js";
import { writeAddress } from "../launch/argument-writers.js";
import type { Run, RunRegion } from "../launch/run.js";

const pageBytes = 256;
const patternBytes = 2 ** 20;
// More than the second cache of any GPU.
const flushBytes = 2 ** 27;

/** Memory for the operands of one run. */
export class Workspace {
  readonly #memory: readonly Storage[];
  readonly #pointers: readonly number[];
  readonly #flush: Storage | undefined;

  constructor(readonly run: Run) {
    const { device, regions } = run;
    this.#memory = regions.map(({ bytes }) => allocate(device, bytes + 2 * pageBytes));
    this.#pointers = this.#memory.map(
      ({ pointer }, i) => Math.ceil(pointer / pageBytes) * pageBytes + (regions[i] as RunRegion).late,
    );
    regions.forEach((region, i) => {
      fill(device, this.#pointers[i] as number, region);
    });
    this.#flush = device.target.dialect.gpu && allocate(device, 2 * flushBytes);
  }

  /** Writes the run's arguments into a block. */
  write(block: ArgumentBlock): void {
    block.bytes.set(this.run.block);
    this.run.operands.forEach(({ region, offset }, i) => {
      writeAddress(block.u32, 2 * i, (this.#pointers[region] as number) + offset);
    });
  }

  /** Empties a GPU's L2 cache. */
  cool(): void {
    if (this.#flush === undefined) return;
    const { pointer } = this.#flush;
    this.run.device.copy(pointer, pointer + flushBytes, flushBytes);
  }

  /** The bytes of the operands' memory. */
  read(): Uint8Array[] {
    return this.run.regions.map(({ bytes }, i) => {
      const read = new Uint8Array(bytes);
      this.run.device.read(this.#pointers[i] as number, read);
      return read;
    });
  }

  dispose(): void {
    for (const storage of this.#memory) storage.dispose();
    this.#flush?.dispose();
  }
}

/** Fills memory with numbers between 0 and 1, or with small integers. */
function fill(device: Device, pointer: number, { bytes, dtype }: RunRegion): void {
  const pattern = patternOf(dtype as DTypeName);
  let done = Math.min(bytes, pattern.byteLength);
  device.write(pointer, pattern.subarray(0, done));
  for (; done < bytes; done *= 2) device.copy(pointer + done, pointer, Math.min(done, bytes - done));
}

function patternOf(name: DTypeName): Uint8Array {
  const { kind, bytes } = dtypes[name];
  const part = kind === "complex" ? bytes / 2 : bytes;
  const isFloat = kind === "float" || kind === "complex";
  // Half types: any bits below those of 1.
  const most = isFloat ? (name === "float16" ? 0x3c00 : 0x3f80) : kind === "bool" ? 2 : 8;
  const pattern = new Uint8Array(patternBytes);
  const view = new DataView(pattern.buffer);
  for (let i = 0, at = 0; at < patternBytes; i++, at += part) {
    // Multiples of the golden ratio modulo 1 lie evenly, and are the same every time.
    const fraction = (i * 0.618033988749895) % 1;
    if (isFloat && part === 8) view.setFloat64(at, fraction, true);
    else if (isFloat && part === 4) view.setFloat32(at, fraction, true);
    else if (isFloat) view.setUint16(at, fraction * most, true);
    else view.setUint8(at, fraction * most);
  }
  return pattern;
}
