// `using` frees objects with a Symbol.dispose method. Declared here as in TypeScript's library, so that the types need
// neither that library nor Node's types.

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** An object that `using` disposes of at the end of its block. */
export interface Disposes {
  [Symbol.dispose](): void;
}
