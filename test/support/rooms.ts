/** The folders of the tests that `npm test` runs: a room of the project each. */
export const rooms: readonly string[] = [
  "cache",
  "compiler",
  "device",
  "functor",
  "grad",
  "kernel",
  "language",
  "launch",
  "linalg",
  "magics",
  "ops",
  "program",
  "project",
  "tensor",
  "tuning",
];
