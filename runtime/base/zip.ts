// Zip archives (PKWARE's APPNOTE 6.3). Members are written uncompressed, because tensors' bytes hardly shrink; compressed
// ones are read too. Nothing is allocated for a member before its offset, sizes and header fields are checked against the
// archive.
import { compression } from "./builtins.js";

/** A member of an archive. */
export interface ZipMember {
  readonly name: string;
  /** Its size, from the archive's directory. */
  readonly size: number;
  /** Its first bytes: enough to identify its content. */
  head(): Buffer;
  /** All its bytes; throws if their number or checksum differs from the directory's. */
  bytes(): Buffer;
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const localBytes = 30;
const centralBytes = 46;
const endBytes = 22;
const stored = 0;
const deflated = 8;
const encrypted = 1;
const utf8 = 0x800;
// The maximum compression ratio of deflate (zlib's technical details).
const deflateRatio = 1032;
const headBytes = 1024;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  /** Its compressed bytes. */
  readonly packed: Buffer;
  readonly size: number;
  /** Its offset in the archive, with its local header. */
  readonly from: number;
  readonly to: number;
}

/** The members of an archive. Throws an Error whose message is a clause if the archive is damaged or inconsistent. */
export function unzip(archive: Buffer): ZipMember[] {
  const directory = directoryOf(archive);
  const entries: Entry[] = [];
  for (let at = directory.from; at < directory.to; ) {
    const { entry, next } = entryAt(archive, at, directory);
    entries.push(entry);
    at = next;
  }
  if (entries.length !== directory.count) throw new Error("its directory is damaged");
  const names = new Set(entries.map(({ name }) => name));
  if (names.size < entries.length) throw new Error("two of its members have the same name");
  const places = entries.toSorted((one, other) => one.from - other.from);
  for (const [i, { name, to }] of places.entries()) {
    if (to > (places[i + 1]?.from ?? directory.from)) throw new Error(`its member ${name} overlaps another`);
  }
  return entries.map((entry) => ({
    name: entry.name,
    size: entry.size,
    head: () => headOf(entry),
    bytes: () => bytesOf(entry),
  }));
}

interface Directory {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

function directoryOf(archive: Buffer): Directory {
  // A comment of up to 64 KiB may follow the end record.
  const earliest = Math.max(0, archive.length - endBytes - 0xffff);
  for (let at = archive.length - endBytes; at >= earliest; at--) {
    if (archive.readUInt32LE(at) !== endSignature) continue;
    const from = archive.readUInt32LE(at + 16);
    const to = from + archive.readUInt32LE(at + 12);
    if (to > at) throw new Error("its directory is not at the recorded offset");
    return { from, to, count: archive.readUInt16LE(at + 10) };
  }
  throw new Error("its end is missing");
}

function entryAt(archive: Buffer, at: number, directory: Directory): { entry: Entry; next: number } {
  if (at + centralBytes > directory.to || archive.readUInt32LE(at) !== centralSignature)
    throw new Error("its directory is damaged");
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
  const next = at + centralBytes + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  if (next > directory.to) throw new Error("its directory is damaged");
  const flags = archive.readUInt16LE(at + 8);
  const rawName = archive.subarray(at + centralBytes, at + centralBytes + (nameBytes ?? 0));
  const name = rawName.toString(flags & utf8 ? "utf8" : "latin1");
  const method = archive.readUInt16LE(at + 10);
  const packedSize = archive.readUInt32LE(at + 20);
  const size = archive.readUInt32LE(at + 24);
  const from = archive.readUInt32LE(at + 42);
  if (flags & encrypted) throw new Error(`its member ${name} is encrypted`);
  if (method !== stored && method !== deflated)
    throw new Error(`its member ${name} is compressed by the unknown method ${method}`);
  const most = method === stored ? packedSize : packedSize * deflateRatio;
  if (size > most || (method === stored && size < packedSize))
    throw new Error(`its member ${name} claims ${size} bytes, but only ${packedSize} are stored`);
  const packed = packedAt(archive, from, packedSize, rawName);
  if (!packed || packed.to > directory.from)
    throw new Error(`its member ${name} is not at the recorded offset`);
  const crc = archive.readUInt32LE(at + 16);
  return { entry: { name, method, crc, packed: packed.bytes, size, from, to: packed.to }, next };
}

/** The packed bytes of a member; undefined if its local header is missing or belongs to another member. */
function packedAt(
  archive: Buffer,
  from: number,
  size: number,
  name: Buffer,
): { readonly bytes: Buffer; readonly to: number } | undefined {
  if (from + localBytes > archive.length || archive.readUInt32LE(from) !== localSignature) return undefined;
  const named = from + localBytes + archive.readUInt16LE(from + 26);
  if (!archive.subarray(from + localBytes, named).equals(name)) return undefined;
  const start = named + archive.readUInt16LE(from + 28);
  return { bytes: archive.subarray(start, start + size), to: start + size };
}

function headOf({ name, method, packed }: Entry): Buffer {
  const first = packed.subarray(0, headBytes);
  if (method === stored) return first;
  const { inflateRawSync, constants } = compression();
  try {
    return inflateRawSync(first, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    throw new Error(`its member ${name} is damaged (${(error as Error).message})`);
  }
}

function bytesOf({ name, method, packed, size, crc }: Entry): Buffer {
  const bytes = method === stored ? packed : inflated(name, packed, size);
  if (bytes.length !== size)
    throw new Error(`its member ${name} has ${bytes.length} bytes instead of ${size}`);
  if (compression().crc32(bytes) !== crc) throw new Error(`the checksum of its member ${name} is wrong`);
  return bytes;
}

/** Into one allocation, which the system backs as it is written. */
function inflated(name: string, packed: Buffer, size: number): Buffer {
  try {
    return compression().inflateRawSync(packed, {
      chunkSize: Math.max(64, size + 1),
      maxOutputLength: size + 1,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "ERR_BUFFER_TOO_LARGE" ? `has more than ${size} bytes` : `is damaged (${message})`;
    throw new Error(`its member ${name} ${why}`);
  }
}

/** An archive of members by name. */
export function zip(members: ReadonlyMap<string, Uint8Array>): Buffer {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const [name, bytes] of members) {
    const rawName = Buffer.from(name);
    // The fields that both headers share: version, flags, method, time, date, checksum, sizes and the name's length.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(utf8, 2);
    shared.writeUInt16LE(epochDate, 8);
    shared.writeUInt32LE(compression().crc32(bytes), 10);
    shared.writeUInt32LE(bytes.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(rawName.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(word(centralSignature), Buffer.from([20, 0]), shared, tail, rawName);
    parts.push(word(localSignature), shared, rawName, bytes);
    at += localBytes + rawName.length + bytes.length;
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(endSignature, 0);
  end.writeUInt16LE(members.size, 8);
  end.writeUInt16LE(members.size, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

// The first day that an archive can name, 1 January 1980: equal tensors give equal archives.
const epochDate = 0x21;

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
