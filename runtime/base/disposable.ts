// `using` frees what has a method under Symbol.dispose. Declared here, the same as in TypeScript's own library, so that
// the types need neither that library nor those of Node.

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** What `using` disposes of at the end of its block. */
export interface Disposes {
  [Symbol.dispose](): void;
}
