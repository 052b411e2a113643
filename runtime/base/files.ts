// Where the library's own files lie: functors, preludes and the modules that its threads load. A built library is a few
// bundles in its outermost folder, so a file's place is told from that folder and not from the module that asks.

/** The URL of a file of the library, by its path from the library's folder. */
export function libraryFile(path: string): URL {
  return new URL(path, import.meta.url);
}
