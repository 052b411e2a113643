// Specifiers of other runtimes: Deno's `npm:dayjs@1/plugin/utc` is the package dayjs here, which Node finds where it is
// installed.

const npm = /^npm:\/?((?:@[^/@]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/;

/** The specifier that Node knows; the same one unless it begins with `npm:`. */
export function nodeSpecifier(specifier: string): string {
  const [, name, path = ""] = npm.exec(specifier) ?? [];
  return name === undefined ? specifier : name + path;
}
