// Cuts texts. JavaScript counts a character such as an emoji as two units; half of one cannot be stored or sent as UTF-8.

/** The text from `start` to `end`, as `slice` counts them, without half a character at either end. */
export function cut(text: string, start: number, end: number = text.length): string {
  const [from, to] = [start, end].map((at) => (at < 0 ? Math.max(0, text.length + at) : at)) as [
    number,
    number,
  ];
  return text.slice(splits(text, from) ? from + 1 : from, splits(text, to) ? to - 1 : to);
}

function splits(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800) && isBetween(text.charCodeAt(at), 0xdc00);
}

// A high unit is one of the 1,024 from d800 on, a low one of those from dc00 on.
function isBetween(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}
