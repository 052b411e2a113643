// Text that leaves the kernel. Users' strings may hold half a character, which JSON can escape but Jupyter cannot store: it
// becomes the replacement character, as in every encoder of UTF-8.

/** JSON of a value whose strings and names are well-formed. */
export function wellFormedJson(
  value: unknown,
  replacer?: (key: string, value: unknown) => unknown,
  space?: number,
): string {
  const json = JSON.stringify(value, replacer, space);
  // JSON.stringify escapes halves of characters and no other character from d800 on. `\\` is a character of its own.
  if (!/\\ud[89a-f]/.test(json)) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escaped) =>
    escaped.startsWith("\\ud") ? "\ufffd" : escaped,
  );
}
