/** The machine code of a cubin: its sections named .text.KERNEL, in hexadecimal digits. */
export function textSections(file: Buffer): Record<string, string> {
  const word = (at: number) => Number(file.readBigUInt64LE(at));
  const [start, size, count, names] = [
    word(40),
    file.readUInt16LE(58),
    file.readUInt16LE(60),
    file.readUInt16LE(62),
  ];
  const table = word(start + names * size + 24);
  const found: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const at = start + i * size;
    const name = file.toString(
      "latin1",
      table + file.readUInt32LE(at),
      file.indexOf(0, table + file.readUInt32LE(at)),
    );
    if (name.startsWith(".text."))
      found[name] = file.toString("hex", word(at + 24), word(at + 24) + word(at + 32));
  }
  if (Object.keys(found).length === 0) throw new Error("The cubin has no code.");
  return found;
}
