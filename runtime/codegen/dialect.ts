// What differs between the languages that one template renders to.

/** The words and headers of one target language. */
export interface Dialect {
  readonly name: "cuda" | "c++";
  /** What the language is called where code is shown: `CUDA C++`, `C++`. */
  readonly title: string;
  /** Macros and built-ins that prelude.h expects, before it. */
  readonly preamble: string;
  /** Loads in 16-byte words pay off (a GPU), or the compiler vectorises plain loops (a CPU). */
  readonly vectors: boolean;
}
