// The protocol counts positions in code points, JavaScript and TypeScript in UTF-16 units.

/** The UTF-16 offset of a position in code points. */
export function toUtf16(text: string, position: number): number {
  let offset = 0;
  for (let left = position; left > 0 && offset < text.length; left--) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The position in code points of a UTF-16 offset. */
export function toCodePoints(text: string, offset: number): number {
  return [...text.slice(0, offset)].length;
}
