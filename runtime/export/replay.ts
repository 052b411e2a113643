// Captured launches as steps over buffers: a buffer is memory that operands share, and each operand is loaded where the steps
// before a launch have not left its bytes there. So whatever else changed memory, such as a library or the host, becomes a load.
import type { CapturedLaunch, MemoryPart } from "../launch/capture.js";

/** A buffer of a replay; its offset from a multiple of 256 bytes is that of the memory. */
export interface ReplayBuffer {
  readonly bytes: number;
  readonly late: number;
}

/** Where a part of memory is in a replay. */
export interface Place {
  readonly buffer: number;
  readonly offset: number;
}

/** An address among a launch's arguments. */
export interface Pointer extends Place {
  readonly at: number;
}

/** One step of a replay. */
export type Step =
  | {
      readonly kind: "load" | "check";
      readonly place: Place;
      readonly part: MemoryPart;
      readonly launch: number;
    }
  | { readonly kind: "clear" | "random"; readonly place: Place; readonly part: MemoryPart }
  | {
      readonly kind: "constant";
      readonly launch: number;
      readonly name: string;
      readonly contents: Uint8Array;
    }
  | { readonly kind: "launch"; readonly launch: number; readonly pointers: readonly Pointer[] };

/** Steps that repeat launches. Buffers are zero before the first one. */
export interface Replay {
  readonly buffers: readonly ReplayBuffer[];
  readonly steps: readonly Step[];
}

const pageBytes = 256;

interface Region {
  readonly first: number;
  last: number;
}

/** The steps that repeat launches, in their order. */
export function replayOf(launches: readonly CapturedLaunch[]): Replay {
  const regions = regionsOf(launches.flatMap(({ before, after }) => [...before, ...after]));
  const contents = regions.map(({ first, last }) => new Uint8Array(last - first));
  const placeOf = (address: number): Place | undefined => {
    const buffer = regions.findIndex(({ first, last }) => first <= address && address < last);
    return buffer < 0 ? undefined : { buffer, offset: address - (regions[buffer] as Region).first };
  };
  const steps: Step[] = [];
  const written = new Set<string>();
  const nameOf = ({ first, bytes }: MemoryPart) => `${first} ${bytes}`;
  launches.forEach(({ block, addresses, before, after, constants }, launch) => {
    for (const part of before) {
      const place = placeOf(part.first) as Place;
      if (part.contents === undefined) {
        if (!written.has(nameOf(part))) steps.push({ kind: "random", place, part });
        written.add(nameOf(part));
        continue;
      }
      const own = ownBytes(contents, place, part.bytes);
      if (Buffer.compare(own, part.contents) === 0) continue;
      const isClear = part.contents.every((byte) => byte === 0);
      steps.push(isClear ? { kind: "clear", place, part } : { kind: "load", place, part, launch });
      own.set(part.contents);
    }
    for (const [name, bytes] of constants) steps.push({ kind: "constant", launch, name, contents: bytes });
    steps.push({ kind: "launch", launch, pointers: pointersOf(block, addresses, placeOf) });
    for (const part of after) {
      if (part.contents === undefined) continue;
      const place = placeOf(part.first) as Place;
      ownBytes(contents, place, part.bytes).set(part.contents);
      steps.push({ kind: "check", place, part, launch });
    }
  });
  return {
    buffers: regions.map(({ first, last }) => ({ bytes: last - first, late: first % pageBytes })),
    steps,
  };
}

function ownBytes(contents: readonly Uint8Array[], { buffer, offset }: Place, bytes: number): Uint8Array {
  return (contents[buffer] as Uint8Array).subarray(offset, offset + bytes);
}

/** Memory of parts that overlap each other. */
function regionsOf(parts: readonly MemoryPart[]): Region[] {
  const regions: Region[] = [];
  for (const { first, bytes } of [...parts].sort((a, b) => a.first - b.first)) {
    const before = regions.at(-1);
    if (before && first < before.last) before.last = Math.max(before.last, first + bytes);
    else regions.push({ first, last: first + bytes });
  }
  return regions;
}

/** The words of a launch's arguments that are addresses of its operands. */
function pointersOf(
  block: Uint8Array,
  addresses: ReadonlySet<number>,
  placeOf: (address: number) => Place | undefined,
): Pointer[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const pointers: Pointer[] = [];
  for (let at = 0; at + 8 <= block.byteLength; at += 8) {
    const address = Number(view.getBigUint64(at, true));
    const place = addresses.has(address) ? placeOf(address) : undefined;
    if (place) pointers.push({ at, ...place });
  }
  return pointers;
}
