// A kernel's resources, read from its compiled code: a cubin is an ELF file whose section .nv.info has each function's
// registers and stack; the size of .nv.shared.NAME is its shared memory. Needs no driver.
import type { KernelResources } from "../device.js";

// Attributes of .nv.info whose value is a pair of words: a symbol's index and a number.
const frameSize = 0x11;
const registerCount = 0x2f;
const pairFormat = 4;

const symbolTable = 2;
// From sm_90 on, the system uses the first KiB of a block's shared memory.
const reservedSection = ".nv.shared.reserved.0";
const reservedBytes = 1024;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly bytes: number;
  readonly data: DataView;
  /** The number of the section with the names. */
  readonly link: number;
}

/** The resources of a kernel in a cubin; undefined if the code is not a cubin, or lacks the kernel. */
export function cubinResources(binary: Uint8Array, symbol: string): KernelResources | undefined {
  if (Buffer.from(binary.subarray(0, 4)).toString("latin1") !== "\x7fELF") return undefined;
  try {
    return resourcesOf(sectionsOf(binary), symbol);
  } catch (error) {
    // Offsets outside of the file: it is damaged, which loading reports.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function resourcesOf(sections: readonly Section[], symbol: string): KernelResources | undefined {
  const find = (name: string) => sections.find((section) => section.name === name);
  const index = symbolIndex(sections, symbol);
  const info = find(".nv.info")?.data;
  if (index === undefined || info === undefined) return undefined;
  const values = new Map<number, number>();
  for (let at = 0; at + 4 <= info.byteLength; ) {
    const [format, attribute, size] = [
      info.getUint8(at),
      info.getUint8(at + 1),
      info.getUint16(at + 2, true),
    ];
    const isPair = format === pairFormat && size === 8;
    if (isPair && info.getUint32(at + 4, true) === index) values.set(attribute, info.getUint32(at + 8, true));
    at += 4 + (format === pairFormat ? size : 0);
  }
  const registers = values.get(registerCount);
  if (registers === undefined) return undefined;
  const shared = find(`.nv.shared.${symbol}`)?.bytes ?? 0;
  const reserved = find(reservedSection) && shared >= reservedBytes ? reservedBytes : 0;
  return { registers, localBytes: values.get(frameSize) ?? 0, sharedBytes: shared - reserved };
}

function sectionsOf(binary: Uint8Array): Section[] {
  const file = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  const word = (at: number) => Number(file.getBigUint64(at, true));
  const [start, size, count, names] = [
    word(40),
    file.getUint16(58, true),
    file.getUint16(60, true),
    file.getUint16(62, true),
  ];
  const header = (i: number) => start + i * size;
  const nameTable = word(header(names) + 24);
  return Array.from({ length: count }, (_, i): Section => {
    const at = header(i);
    const type = file.getUint32(at + 4, true);
    const [offset, bytes] = [word(at + 24), word(at + 32)];
    const noBits = 8;
    return {
      name: textAt(file, nameTable + file.getUint32(at, true)),
      type,
      bytes,
      data: new DataView(binary.buffer, binary.byteOffset + offset, type === noBits ? 0 : bytes),
      link: file.getUint32(at + 40, true),
    };
  });
}

function symbolIndex(sections: readonly Section[], symbol: string): number | undefined {
  const table = sections.find((section) => section.type === symbolTable);
  const names = sections[table?.link ?? 0]?.data;
  if (!table || !names) return undefined;
  const entry = 24;
  const count = Math.floor(table.bytes / entry);
  const index = Array.from({ length: count }, (_, i) => i).find(
    (i) => textAt(names, table.data.getUint32(i * entry, true)) === symbol,
  );
  return index;
}

function textAt(view: DataView, offset: number): string {
  let end = offset;
  while (view.getUint8(end) !== 0) end++;
  return Buffer.from(view.buffer, view.byteOffset + offset, end - offset).toString("latin1");
}
