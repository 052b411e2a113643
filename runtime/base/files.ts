// Locates the library's files: functors, preludes and the modules that its threads load. A built library is a few bundles in
// its top folder, so paths are relative to that folder, not to the calling module.

/** The URL of a file of the library, by its path from the library's folder. */
export function libraryFile(path: string): URL {
  return new URL(path, import.meta.url);
}
