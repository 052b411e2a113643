/** The folders of the tests that `npm test` runs: one for each part of the project. */
export const testFolders: readonly string[] = [
  "cache",
  "compiler",
  "device",
  "functor",
  "grad",
  "kernel",
  "language",
  "launch",
  "linalg",
  "loops",
  "magics",
  "ops",
  "program",
  "project",
  "tensor",
  "training",
];
