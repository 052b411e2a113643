// The offsets of a kernel's parameters in its argument block, read from its PTX: the compiler knows the sizes of structs and
// of the user's type names.

/** One parameter in the code. */
export interface EntryField {
  readonly offset: number;
  readonly bytes: number;
  /** `f` a float, `u` an integer or a pointer, `b` a struct. */
  readonly kind: "f" | "u" | "b";
}

/** The parameters of a kernel, and the size of their block. */
export interface EntryLayout {
  readonly fields: readonly EntryField[];
  readonly bytes: number;
}

const parameter = /\.param\s+(?:\.align\s+(\d+)\s+)?\.([a-z]+)(\d+)\b([^,)]*)/g;

/** The layout of the one kernel of a PTX listing. */
export function entryLayout(ptx: string): EntryLayout {
  const list = /\.entry\s+[\w$]+\s*(?:\(([^)]*)\))?/.exec(ptx)?.[1] ?? "";
  let end = 0;
  const fields = [...list.matchAll(parameter)].map(([, align, letter, bits, rest = ""]): EntryField => {
    const count = Number(/\[(\d+)\]\s*$/.exec(rest)?.[1] ?? 1);
    const bytes = (Number(bits) / 8) * count;
    const alignment = Number(align ?? bytes);
    const offset = Math.ceil(end / alignment) * alignment;
    end = offset + bytes;
    return { offset, bytes, kind: align !== undefined ? "b" : letter === "f" ? "f" : "u" };
  });
  return { fields, bytes: end };
}
